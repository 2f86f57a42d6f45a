"""Declining in both directions: neither may be had by doing the other.  Pure."""

from collections.abc import Iterable

from lastro.eval.aggregate import summarise
from lastro.eval.results import BothWays, CaseResult
from lastro.model.score import Summary


def both_ways(results: Iterable[CaseResult]) -> BothWays:
    """Return how many unanswerable cases were declined, and answerable ones not.

    Each is a share with its Wilson interval and n of eligible; None where no case
    says whether it was abstained.
    """
    values: dict[bool, dict[str, float]] = {False: {}, True: {}}
    broken = {False: 0, True: 0}
    for result in results:
        which = result.answerable
        if result.abstained is not None:
            right = 1 - result.abstained if which else result.abstained
            values[which][result.id] = right
        elif result.broke:
            broken[which] += 1

    def share(*, answerable: bool) -> Summary | None:
        said, failed = values[answerable], broken[answerable]
        return summarise(said, binary=True, failed=failed) if said else None

    return BothWays(declined=share(answerable=False), answered=share(answerable=True))
