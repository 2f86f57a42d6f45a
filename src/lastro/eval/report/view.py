"""Failing cases with what they left behind, for a page that shows them.

A report is written after the traces are gone from memory: whoever writes it
reads them again, and only those shown are kept.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

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
    for result in run.results:
        if result.failure is not None:
            by_label.setdefault(result.failure, []).append(result)
    turns = [
        (place, result)
        for results in by_label.values()
        for place, result in enumerate(results)
    ]
    chosen = sorted(turns, key=lambda turn: (turn[0], _order(turn[1])))[:most]
    return tuple(sorted((result for _, result in chosen), key=_order))


def _order(result: CaseResult) -> tuple[int, str]:
    labels = tuple(Failure)
    place = len(labels) if result.failure is None else labels.index(result.failure)
    return place, result.id


def views(
    run: Run, cases: Iterable[Case], traces: Iterable[Trace], most: int = MOST
) -> tuple[CaseView, ...]:
    """Join the failing cases of a run with their texts and their traces.

    Of a private run there are none.  A case whose trace is not among ``traces``
    is shown without one; of several runs of a case the first is shown.
    """
    if run.private:
        return ()
    chosen = {canonical(result.id): result for result in shown(run, most)}
    asked = {canonical(case.id): case for case in cases}
    left = _first(traces, chosen) if chosen else {}
    return tuple(
        CaseView(case=asked[key], result=result, trace=left.get(key))
        for key, result in chosen.items()
        if key in asked
    )


def _first(
    traces: Iterable[Trace], chosen: Mapping[str, CaseResult]
) -> dict[str, Trace]:
    found: dict[str, Trace] = {}
    for key, trace in _keyed(traces):
        if key in chosen:
            found.setdefault(key, trace)
        if len(found) == len(chosen):
            break
    return found


def _keyed(traces: Iterable[Trace]) -> Iterator[tuple[str, Trace]]:
    for trace in traces:
        yield canonical(trace.case_id), trace
