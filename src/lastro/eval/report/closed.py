"""Aggregates only: what may be said of cases that may not be shown.

Closed by default.  Nothing is struck out of a run; a new one is made of what
stands on the lists below, and what does not stand there is not in it.  Before
anything of it is written, every name and every word is looked up once more.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace

from lastro.errors import EvaluationError
from lastro.eval.kept import kept
from lastro.eval.report.listed import (
    FLOORS,
    LEGS,
    NAME,
    NUMBERS,
    OTHER,
    PROVENANCE,
    REASONS,
    STATUSES,
    is_dimension,
    is_word,
    slice_key,
)
from lastro.eval.results import CaseResult, Floors, Run, Slices
from lastro.eval.scorers import known
from lastro.eval.scorers.scorer import NO_TRACE
from lastro.model.ids import CaseId
from lastro.model.score import Aggregates, Bar, Failed, Score, Scored, Unscored, Verdict

_NOT_SHOWN = "not shown"
# What a sentence ends in where it lists slices, cases or what differs.
_NAMING = re.compile(
    r"(; (there are|lower)|(?<=^incomparable)|(?<=cases failed)): .*", re.DOTALL
)
_GENERAL = "something could not be measured"


def open_or_closed(run: Run, verdict: Verdict) -> tuple[Run, Verdict]:
    """Return both as they are, or only what may be said of a private run."""
    return (closed(run), closed_verdict(verdict)) if run.private else (run, verdict)


def closed(run: Run) -> Run:
    """Return a run without any text, id or tag: a new one, of what is listed."""
    columns = [at for at, name in enumerate(run.metrics) if known(name)]
    nameless = (_nameless(result, columns) for result in run.results)
    calibration = run.calibration
    if calibration is not None and not is_word(calibration.outcome):
        calibration = replace(calibration, outcome=_NOT_SHOWN)
    return Run(
        metrics=tuple(run.metrics[at] for at in columns),
        results=kept(nameless, len(columns)),
        aggregates=_metrics(run.aggregates),
        slices=_slices(run.slices),
        k=run.k,
        gold=run.gold,
        refusals=run.refusals,
        reasons=_reasons(run.reasons),
        stray=(CaseId(""),) * len(run.stray),
        floors=None if run.floors is None else _floors(run.floors),
        legs=_legs(run.legs),
        both_ways=run.both_ways,
        calibration=calibration,
        provenance=_provenance(run),
        private=True,
    )


def closed_verdict(verdict: Verdict) -> Verdict:
    """Return a verdict whose sentences are among those listed; it judges the same."""
    bars = tuple(map(_bar, verdict.bars))
    renamed = {
        f"{old.metric}: {old.why}": f"{new.metric}: {new.why}"
        for old, new in zip(verdict.bars, bars, strict=True)
    }
    said = (renamed.get(each, each) for each in verdict.unmeasured)
    notes = len(verdict.notes)
    return Verdict(
        bars=bars,
        unmeasured=tuple(each if is_word(each) else _GENERAL for each in said),
        notes=(f"notes not shown: {notes}",) if notes else (),
    )


def check(value: object, path: str = "", inside: object = None) -> None:
    """Walk what is about to be written of a private run; all of it must be listed.

    ``path`` and ``inside`` are where the walk stands, and what may stand there.

    Raises:
        EvaluationError: a name or a word is not; it is not repeated, only the
            names above it are.
    """
    if isinstance(value, Mapping):
        below = inside if isinstance(inside, Mapping) else {}
        for key, each in value.items():
            if not (isinstance(key, str) and is_word(key)):
                raise _refused(path, "a name")
            listed = PROVENANCE if key == "provenance" else below.get(key)
            check(each, f"{path}.{key}", listed)
    elif isinstance(value, list | tuple):
        for each in value:
            check(each, path)
    elif not (_plain(value) or _named(value, inside)):
        raise _refused(path, "a value")


def _refused(path: str, what: str) -> EvaluationError:
    return EvaluationError(
        f"aggregates only: {what} under {path.lstrip('.') or 'the report'} is not on "
        "the list of what may be shown; nothing was written",
        hint="Please report this: the list is lastro/eval/report/listed.py.",
    )


def _nameless(result: CaseResult, kept: Iterable[int]) -> CaseResult:
    return CaseResult(
        id=CaseId(""),
        category=result.category,
        query_type=result.query_type,
        scores=tuple(_wordless(result.scores[at]) for at in kept),
        broke=result.broke if result.broke in {"", NO_TRACE} else "broke",
        failure=result.failure,
        repeats=result.repeats,
        failures=result.failures,
        answerable=result.answerable,
        abstained=result.abstained,
        confidence=result.confidence,
    )


def _wordless(score: Score) -> Score:
    match score:
        case Scored():
            return Scored(score.value)
        case Unscored():
            return Unscored("not measured")
        case Failed():
            return Failed("broke")


def _metrics(found: Aggregates) -> Aggregates:
    return {name: summary for name, summary in found.items() if known(name)}


def _slices(found: Slices) -> Slices:
    return {
        dimension: {
            str(key): _metrics(group)
            for key, group in groups.items()
            if slice_key(dimension, str(key))
        }
        for dimension, groups in found.items()
        if is_dimension(dimension)
    }


def _floors(found: Floors) -> Floors:
    return {
        name: {metric: each for metric, each in scores.items() if known(metric)}
        for name, scores in found.items()
        if name in FLOORS
    }


def _legs(found: Mapping[str, Mapping[str, int]]) -> dict[str, dict[str, int]]:
    return {
        name: {status: n for status, n in counts.items() if status in STATUSES}
        for name, counts in found.items()
        if name in LEGS
    }


def _reasons(found: Mapping[str, int]) -> dict[str, int]:
    counted: Counter[str] = Counter()
    for reason, n in found.items():
        counted[reason if reason in REASONS else OTHER] += n
    return dict(sorted(counted.items()))


def _provenance(run: Run) -> dict[str, object]:
    """Keep what is listed, and count what is not: nothing goes unsaid."""
    kept = _listed(run.provenance, PROVENANCE)
    before = run.provenance.get("not_shown")
    gone = Counter[str](before if isinstance(before, Mapping) else ())
    gone["slices"] += sum(map(len, run.slices.values()))
    gone["slices"] -= sum(map(len, _slices(run.slices).values()))
    gone["metrics"] += len({each for each in run.metrics if not known(each)})
    gone["provenance"] += len(run.provenance.keys() - kept.keys())
    found = {name: n for name, n in sorted(gone.items()) if n}
    return {**kept, "not_shown": found} if found else kept


def _listed(
    found: Mapping[str, object], names: Mapping[str, object]
) -> dict[str, object]:
    """Keep what is named in ``names`` and holds numbers or listed words alone."""
    kept: dict[str, object] = {}
    for name, value in found.items():
        inside = names.get(name)
        if isinstance(value, Mapping) and isinstance(inside, Mapping):
            kept[name] = _listed(value, inside)
        elif name in names and (_plain(value) or _named(value, inside)):
            kept[name] = value
    return kept


def _named(value: object, inside: object) -> bool:
    return inside is NAME and isinstance(value, str) and bool(NAME.fullmatch(value))


def _plain(value: object) -> bool:
    if isinstance(value, list | tuple):
        return all(map(_plain, value))
    return isinstance(value, NUMBERS) or (isinstance(value, str) and is_word(value))


def _bar(bar: Bar) -> Bar:
    why = _NAMING.sub("", bar.why)
    return replace(
        bar,
        metric=bar.metric if is_word(bar.metric) else "a metric not shown",
        why=why if not why or is_word(why) else _NOT_SHOWN,
    )
