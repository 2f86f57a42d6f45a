"""Declining in both directions: neither may be had by doing the other.  Pure."""

from lastro.eval.aggregate import summarise
from lastro.eval.kept import Kept
from lastro.eval.results import BothWays
from lastro.model.score import Summary


def both_ways(results: Kept) -> BothWays:
    """Return how many unanswerable cases were declined, and answerable ones not.

    Each is a share with its Wilson interval and n of eligible; None where no case
    says whether it was abstained.
    """
    values: dict[bool, dict[str, float]] = {False: {}, True: {}}
    broken = {False: 0, True: 0}
    for form, rows in results.alike():
        which = form.answerable
        if form.abstained is not None:
            right = 1 - form.abstained if which else form.abstained
            values[which].update(dict.fromkeys(results.ids(rows), right))
        elif form.broke:
            broken[which] += rows.size

    def share(*, answerable: bool) -> Summary | None:
        said, failed = values[answerable], broken[answerable]
        return summarise(said, binary=True, failed=failed) if said else None

    return BothWays(declined=share(answerable=False), answered=share(answerable=True))
