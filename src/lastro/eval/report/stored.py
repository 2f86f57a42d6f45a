"""What stands in the folder of a run, back to the run it was written of.

The other direction of ``data``: lines of ``scores.jsonl`` and ``report.json``
as plain values in, a run out.  Nothing is read from disk here.
"""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from lastro.errors import InputError, Problem
from lastro.eval.report.data import SCHEMA_VERSION
from lastro.eval.results import (
    BothWays,
    Calibration,
    CaseResult,
    FloorScore,
    GoldUsed,
    Refusals,
    Run,
)
from lastro.eval.scorers import lines
from lastro.model.case import Category, QueryType
from lastro.model.failure import Failure
from lastro.model.ids import CaseId
from lastro.model.score import Failed, Score, Scored, Summary, Unscored
from lastro.text.ids import canonical

_WHERE = re.compile(r" - at `\$\.?(.*)`$")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    id: CaseId
    category: Category
    scores: dict[str, float]
    unscored: dict[str, str]
    failed: dict[str, str]
    locale: str | None = None
    query_type: QueryType | None = None
    tags: tuple[str, ...] = ()
    broke: str | None = None
    failure: Failure | None = None
    repeats: int = 1
    failures: int | None = None
    answerable: bool = True
    abstained: float | None = None
    confidence: float | None = None


class _Provenance(msgspec.Struct):
    k: int
    cases: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Report:
    provenance: dict[str, object]
    aggregates: dict[str, Summary]
    slices: dict[str, dict[str, dict[str, Summary]]]
    abstention: Refusals
    both_ways: BothWays
    calibration: Calibration | None
    floors: dict[str, dict[str, FloorScore]] | None
    gold: GoldUsed
    legs: dict[str, dict[str, int]]
    reasons: dict[str, int]
    stray_traces: tuple[CaseId, ...]


def schema_problem(report: object, name: str) -> Problem | None:
    """Say what is wrong with a report that this version cannot read, if anything."""
    version = report.get("schema_version") if isinstance(report, dict) else None
    if version == SCHEMA_VERSION:
        return None
    what = f"{version!r} is unknown; this Lastro reads {SCHEMA_VERSION}"
    if isinstance(version, int) and version > SCHEMA_VERSION:
        what = f"{version} is of a newer Lastro; this one reads {SCHEMA_VERSION}"
    return Problem(file=name, line=0, field="schema_version", what=what)


def stored(
    lines: Iterable[tuple[int, object]], report: object, *, scores: str, name: str
) -> Run:
    """Return the run that was written.

    Args:
        lines: the objects of ``scores.jsonl``, each with its line.
        report: the object of ``report.json``.
        scores: what the former is called in messages.
        name: what the latter is called.

    Raises:
        InputError: something is not what was written; all of it is named.
    """
    found = _report(report, name)
    rows = _rows(lines, scores)
    metrics = _metrics(row for _, row in rows)
    _complete(rows, metrics, scores)
    cases = msgspec.convert(found.provenance, _Provenance)
    if cases.cases != len(rows):
        what = f"{len(rows)} cases stand here, and {cases.cases} in {name}"
        raise InputError([Problem(file=scores, line=0, field="", what=what)])
    results = sorted((_result(row, metrics) for _, row in rows), key=lambda r: r.id)
    _of_one_run(results, metrics, found.aggregates, scores, name)
    return Run(
        metrics=metrics,
        results=tuple(results),
        aggregates=_ordered(found.aggregates, metrics),
        slices={
            dimension: {key: _ordered(group, metrics) for key, group in groups.items()}
            for dimension, groups in found.slices.items()
        },
        k=cases.k,
        gold=found.gold,
        refusals=found.abstention,
        reasons=found.reasons,
        stray=found.stray_traces,
        floors=found.floors,
        legs=found.legs,
        both_ways=found.both_ways,
        calibration=found.calibration,
        provenance=found.provenance,
    )


def _of_one_run(
    results: Iterable[CaseResult],
    metrics: Sequence[str],
    aggregates: Mapping[str, Summary],
    scores: str,
    name: str,
) -> None:
    """Refuse scores and a report that are of two runs: means stand on scores.

    Raises:
        InputError: a metric is named whose mean is not that of its scores.
    """
    columns = zip(*(result.scores for result in results), strict=True)
    for metric, column in zip(metrics, columns, strict=False):
        values = [score.value for score in column if isinstance(score, Scored)]
        found = aggregates.get(metric)
        n, mean = (0, None) if found is None else (found.n, found.mean)
        same = n == len(values) and (
            not n
            or (
                mean is not None
                and math.isclose(mean, math.fsum(values) / n, abs_tol=1e-9)
            )
        )
        if not same:
            what = f"{metric}: not the scores that the mean in {name} stands on"
            raise InputError([Problem(file=scores, line=0, field="", what=what)])


def _report(report: object, name: str) -> _Report:
    try:
        found = msgspec.convert(report, _Report)
        msgspec.convert(found.provenance, _Provenance)
    except msgspec.ValidationError as error:
        raise InputError([_problem(error, name, 0)]) from None
    return found


def _rows(lines: Iterable[tuple[int, object]], scores: str) -> list[tuple[int, _Line]]:
    rows: list[tuple[int, _Line]] = []
    problems: list[Problem] = []
    seen: dict[str, int] = {}
    for number, value in lines:
        try:
            row = msgspec.convert(value, _Line)
        except msgspec.ValidationError as error:
            problems.append(_problem(error, scores, number))
            continue
        first = seen.setdefault(canonical(row.id), number)
        if first != number:
            what = f"{row.id!r} stands on line {first} already"
            problems.append(Problem(file=scores, line=number, field="id", what=what))
        rows.append((number, row))
    if problems:
        raise InputError(problems)
    return rows


def _problem(error: msgspec.ValidationError, file: str, line: int) -> Problem:
    """Take the field out of a message: ``Expected `int`, got `str` - at `$.k```."""
    where = _WHERE.search(str(error))
    what = _WHERE.sub("", str(error)).replace("`", "")
    field = where[1] if where else ""
    return Problem(file=file, line=line, field=field, what=what[:1].lower() + what[1:])


def _metrics(rows: Iterable[_Line]) -> tuple[str, ...]:
    """Return every metric that some case speaks of, in the order of the table."""
    named = {m for row in rows for m in (*row.scores, *row.unscored, *row.failed)}
    known = [scorer.name for scorer in lines(named) if scorer.name in named]
    return (*known, *sorted(named.difference(known)))


def _complete(
    rows: Iterable[tuple[int, _Line]], metrics: tuple[str, ...], scores: str
) -> None:
    problems = [
        Problem(file=scores, line=number, field=metric, what=what)
        for number, row in rows
        for metric, what in _unclear(row, metrics)
    ]
    if problems:
        raise InputError(problems)


def _unclear(row: _Line, metrics: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    for metric in metrics:
        said = (
            (metric in row.scores) + (metric in row.unscored) + (metric in row.failed)
        )
        if said != 1:
            what = "both measured and not" if said else "neither measured nor not"
            yield metric, what


def _result(row: _Line, metrics: tuple[str, ...]) -> CaseResult:
    failed = int(row.failure is not None)
    return CaseResult(
        id=row.id,
        category=row.category,
        locale=row.locale,
        query_type=row.query_type,
        tags=row.tags,
        scores=tuple(_score(row, metric) for metric in metrics),
        broke=row.broke or "",
        failure=row.failure,
        repeats=row.repeats,
        failures=failed if row.failures is None else row.failures,
        answerable=row.answerable,
        abstained=row.abstained,
        confidence=row.confidence,
    )


def _score(row: _Line, metric: str) -> Score:
    if metric in row.scores:
        return Scored(row.scores[metric])
    if metric in row.unscored:
        return Unscored(row.unscored[metric])
    return Failed(row.failed[metric])


def _ordered(
    found: Mapping[str, Summary], metrics: tuple[str, ...]
) -> dict[str, Summary]:
    return {metric: found[metric] for metric in metrics if metric in found}
