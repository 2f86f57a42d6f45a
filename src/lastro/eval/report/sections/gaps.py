"""What was not measured and why, what broke, and what belongs to nothing."""

from collections.abc import Iterator

from lastro.eval.report.section import SHOWN, Section, cut
from lastro.eval.report.sections.metrics import of_a_stage
from lastro.eval.report.tally import broken, scorer_failures, unscored
from lastro.eval.results import Run
from lastro.model.score import Verdict

_NAMED = 4


def not_measured(run: Run, _verdict: Verdict) -> Section | None:
    """Count, for every metric, why cases stand in no mean."""
    rows = tuple(
        (metric, why, str(n))
        for metric, whys in unscored(run).items()
        if not of_a_stage(metric)
        for why, n in whys.items()
    )
    if not rows:
        return None
    note = "Not measured is neither 0 nor 1: these cases stand in no mean."
    head = ("metric", "why", "cases")
    return Section(title="Not measured", notes=(note,), rows=(head, *rows))


def broken_cases(run: Run, _verdict: Verdict) -> Section | None:
    """Name what broke: whole turns, and single scorers."""
    rows = (*broken(run).items(), *_by_case(run))
    if not rows:
        return None
    notes = ("They are eligible and stand in no mean.", *cut(len(rows)))
    head = ("case", "what broke")
    return Section(title="Broken cases", notes=notes, rows=(head, *rows[:SHOWN]))


def _by_case(run: Run) -> Iterator[tuple[str, str]]:
    """Yield case and failure: scorers that broke on it alike share a row."""
    metrics: dict[tuple[str, str], list[str]] = {}
    for case_id, told in scorer_failures(run):
        metric, _, what = told.partition(": ")
        metrics.setdefault((case_id, what), []).append(metric)
    for (case_id, what), names in metrics.items():
        more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
        yield case_id, f"{', '.join(names[:_NAMED])}{more}: {what}"


def stray_traces(run: Run, _verdict: Verdict) -> Section | None:
    """Name the traces that no case belongs to."""
    if not run.stray:
        return None
    n = len(run.stray)
    said = f"Traces without a case, read and left out: {n}."
    if run.private:
        return Section(title="Stray traces", notes=(said,))
    notes = (said, *cut(n))
    rows = tuple((case_id,) for case_id in run.stray[:SHOWN])
    return Section(title="Stray traces", notes=notes, rows=(("case_id",), *rows))
