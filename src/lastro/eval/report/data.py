"""The report and the scores as JSON: sorted keys, no NaN, the same bytes each time."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict

from lastro.eval.report.closed import check, open_or_closed
from lastro.eval.report.sections.layers import layers
from lastro.eval.report.tally import broken, counts, scorer_failures, unscored
from lastro.eval.results import Floors, Run
from lastro.model.score import Aggregates, Verdict

SCHEMA_VERSION = 2


def as_json(run: Run, verdict: Verdict) -> str:
    """Return ``report.json``; what was not measured is null or absent.

    Raises:
        EvaluationError: the run is private, and something of it is not on the
            list of what may be shown.
    """
    return dumps(report(run, verdict), indent=2) + "\n"


def report(run: Run, verdict: Verdict) -> dict[str, object]:
    """Return the report as plain values: those of ``report.schema.json``."""
    run, verdict = open_or_closed(run, verdict)
    found = {
        "schema_version": SCHEMA_VERSION,
        "private": run.private,
        "provenance": run.provenance,
        "counts": counts(run),
        "aggregates": _aggregates(run.aggregates),
        "slices": {
            dimension: {key: _aggregates(group) for key, group in groups.items()}
            for dimension, groups in run.slices.items()
        },
        "attribution": {str(label): n for label, n in run.attribution.items()},
        "layers": [asdict(layer) for layer in layers(run)] if run.results else [],
        "abstention": asdict(run.refusals),
        "both_ways": asdict(run.both_ways),
        "calibration": None if run.calibration is None else asdict(run.calibration),
        "floors": _floors(run.floors),
        "gold": asdict(run.gold),
        "legs": run.legs,
        "reasons": run.reasons,
        "unscored": unscored(run),
        "broken": broken(run),
        "scorer_failures": [list(pair) for pair in scorer_failures(run)],
        "stray_traces": [] if run.private else list(run.stray),
        "verdict": _verdict(verdict),
    }
    if run.private:
        check(found)
    return found


def scores_lines(run: Run) -> Iterator[str]:
    """Yield ``scores.jsonl``: one line a case, by id, a key for what was measured.

    Of a private run there are none.
    """
    for result in () if run.private else run.results:
        line: dict[str, object] = {
            "id": result.id,
            "category": result.category,
            "locale": result.locale,
            "query_type": result.query_type,
            "tags": result.tags,
            "answerable": result.answerable,
            "abstained": result.abstained,
            "confidence": result.confidence,
            "scores": run.scores(result),
            "unscored": run.unscored(result),
            "failed": run.failed(result),
            "broke": result.broke or None,
            "failure": result.failure,
        }
        if result.repeats > 1:
            line |= {"repeats": result.repeats, "failures": result.failures}
        yield dumps(line) + "\n"


def _aggregates(found: Aggregates) -> dict[str, object]:
    return {metric: asdict(summary) for metric, summary in found.items()}


def _floors(floors: Floors | None) -> dict[str, object] | None:
    if floors is None:
        return None
    return {
        name: {metric: asdict(score) for metric, score in scores.items()}
        for name, scores in floors.items()
    }


def _verdict(verdict: Verdict) -> dict[str, object]:
    return {
        "passed": verdict.passed,
        "exit_code": verdict.exit_code,
        "unmeasured": list(verdict.unmeasured),
        "notes": list(verdict.notes),
        "bars": [asdict(bar) for bar in verdict.bars],
    }


def dumps(value: Mapping[str, object], *, indent: int | None = None) -> str:
    """Write a value: the same bytes for the same value, valid JSON and UTF-8."""

    def dump(*, ascii_only: bool) -> str:
        return json.dumps(
            value,
            sort_keys=True,
            allow_nan=False,
            ensure_ascii=ascii_only,
            indent=indent,
        )

    text = dump(ascii_only=False)
    # A lone surrogate in an id has no UTF-8: only then everything is escaped.
    return (
        text
        if text.encode("utf-8", "ignore").decode() == text
        else dump(ascii_only=True)
    )
