"""Failing cases with what they left behind, for a page that shows them.

A report is written after the traces are gone from memory: whoever writes it
reads them again, and only those shown are kept.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from lastro.eval.report.picked import failing
from lastro.eval.report.turn import turn
from lastro.eval.results import CaseResult, Run
from lastro.model.case import Case
from lastro.model.failure import Failure
from lastro.model.trace import Trace
from lastro.text.ids import canonical

MOST = 100  # failing cases that a page shows; scores.jsonl has all of them


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseView:
    """A failing case: what was asked and expected, what was scored, what was left."""

    case: Case
    result: CaseResult
    trace: Trace | None = None


def shown(run: Run, most: int = MOST) -> tuple[CaseResult, ...]:
    """Choose the failing cases to show: in turn of each label, so that none hides.

    They come in the order of the labels, and by id within one.
    """
    by_label: dict[Failure, list[CaseResult]] = {}
    for result in failing(run):
        if result.failure is not None:
            by_label.setdefault(result.failure, []).append(result)
    turns = [
        (place, result)
        for results in by_label.values()
        for place, result in enumerate(results)
    ]
    chosen = sorted(turns, key=lambda turn: (turn[0], _order(turn[1])))[:most]
    return tuple(sorted((result for _, result in chosen), key=_order))


def wanted(run: Run) -> frozenset[str]:
    """Return the cases that are shown, by ids that compare; none of a private run."""
    if run.private:
        return frozenset()
    return frozenset(canonical(result.id) for result in shown(run))


def _order(result: CaseResult) -> tuple[int, str]:
    labels = tuple(Failure)
    place = len(labels) if result.failure is None else labels.index(result.failure)
    return place, result.id


def views(
    run: Run, cases: Iterable[Case], traces: Iterable[Trace], most: int = MOST
) -> tuple[CaseView, ...]:
    """Join the failing cases of a run with their texts and their traces.

    Of a private run there are none.  A case whose trace is not among ``traces``
    is shown without one; of several runs of a case the first with its label, else
    the first that failed.
    """
    if run.private:
        return ()
    chosen = {canonical(result.id): result for result in shown(run, most)}
    asked = {canonical(case.id): case for case in cases}
    seen = {
        key: _Runs(case=asked[key], result=result, k=run.k)
        for key, result in chosen.items()
        if key in asked
    }
    open_ = set(seen)
    for trace in traces if seen else ():
        key = canonical(trace.case_id)
        if key in open_ and seen[key].settled_by(trace):
            open_.remove(key)
        if not open_:
            break
    return tuple(
        CaseView(case=each.case, result=each.result, trace=each.trace)
        for each in seen.values()
    )


@dataclass(slots=True, kw_only=True)
class _Runs:
    """The runs of a case as they come: of all of them one trace is kept."""

    case: Case
    result: CaseResult
    k: int
    trace: Trace | None = None
    failed: bool = False

    def settled_by(self, trace: Trace) -> bool:
        """Look at one more trace; say whether none that comes can be shown instead."""
        if self.result.repeats == 1:
            self.trace = trace
            return True
        label = turn(self.case, trace, self.k).failure
        hit = label is self.result.failure
        better = hit or (label is not None and not self.failed)
        if self.trace is None or better:
            self.trace = trace
            self.failed = label is not None
        return hit
