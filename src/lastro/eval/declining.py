"""Declining in both directions: neither may be had by doing the other.  Pure."""

from collections.abc import Callable, Iterable

from lastro.eval.aggregate import summarise
from lastro.eval.results import BothWays, CaseResult
from lastro.model.score import Summary


def both_ways(results: Iterable[CaseResult]) -> BothWays:
    """Return how many unanswerable cases were declined, and answerable ones not.

    Each is a share with its Wilson interval and n of eligible; None where no case
    says whether it was abstained.
    """
    asked = list(results)
    unanswerable = [result for result in asked if not result.answerable]
    answerable = [result for result in asked if result.answerable]
    return BothWays(
        declined=_share_of(unanswerable, lambda abstained: abstained),
        answered=_share_of(answerable, lambda abstained: 1 - abstained),
    )


def _share_of(
    results: Iterable[CaseResult], right: Callable[[float], float]
) -> Summary | None:
    """Summarise what share of cases ended right; None where no case says."""
    asked = list(results)
    said = ((str(r.id), r.abstained) for r in asked)
    values = {
        name: right(abstained) for name, abstained in said if abstained is not None
    }
    broken = sum(r.abstained is None and bool(r.broke) for r in asked)
    return summarise(values, binary=True, failed=broken) if values else None
