"""Retrieval metrics as what tied items are worth on average, over all their orders.

Items with one score have no order of their own: whichever comes first is an
accident.  Here each of their orders counts alike, in closed form.
"""

from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from enum import StrEnum
from math import comb, fsum, log2

from lastro.eval.scorers.scorer import Measure, Scorer
from lastro.eval.scorers.view import NOT_RETRIEVED, View, documents_of, ids
from lastro.model.case import Case
from lastro.model.score import Score, Scored, Unscored
from lastro.model.trace import Retrieved


class Ties(StrEnum):
    """What becomes of items of one ranking that have the same score."""

    GIVEN = "given"  # they stay as the file has them
    DOCNO = "docno"  # trec_eval's rule: 32-bit scores, then names, the last one first
    EXPECTED = "expected"  # the mean over all their orders


Groups = Sequence[Sequence[str]]
Metric = Callable[[AbstractSet[str], Groups, int], float]


def groups(hits: Sequence[Retrieved]) -> list[list[str]]:
    """Return documents by score, best first; a repeat counts where it stands first.

    Neighbours of one score are one group; an item without a score is alone.
    """
    found: list[list[str]] = []
    seen: set[str] = set()
    before: float | None = None
    for hit, document in zip(hits, documents_of(hits), strict=True):
        if document in seen:
            continue
        seen.add(document)
        if hit.score is None or hit.score != before:
            found.append([])
        found[-1].append(document)
        before = hit.score
    return found


def hit(gold: AbstractSet[str], tied: Groups, k: int) -> float:
    """Probability that any gold document is in the window.

    Args:
        gold: ids that should be found; not empty.
        tied: distinct ids in groups, the best group first; may be empty.
        k: the cut-off.

    Returns:
        A number in [0, 1]; higher is better.

    Edge cases:
        groups of one give 0.0 or 1.0; none at all gives 0.0.

    Reference:
        McSherry & Najork (2008), section 3; hypergeometric in the group that
        the cut-off divides.

    >>> hit({"a"}, [["a", "b", "c", "d"]], 1)
    0.25
    """
    for size, relevant, free in _cut(gold, tied, k):
        if relevant and free == size:
            return 1.0
        if relevant:
            every = comb(size, free)
            return (every - comb(size - relevant, free)) / every
    return 0.0


def recall(gold: AbstractSet[str], tied: Groups, k: int) -> float:
    """Share of the gold documents that the window holds on average.

    Args:
        gold: ids that should be found; not empty.
        tied: distinct ids in groups, the best group first; may be empty.
        k: the cut-off.

    Returns:
        A number in [0, 1]; higher is better.

    Edge cases:
        groups of one give the recall of the ranking; none at all gives 0.0.

    Reference:
        McSherry & Najork (2008), section 3.2.

    >>> recall({"a", "b"}, [["a", "x"], ["b", "y"]], 3)
    0.75
    """
    cut = _cut(gold, tied, k)
    return fsum(relevant * free / size for size, relevant, free in cut) / len(gold)


def ndcg(gold: AbstractSet[str], tied: Groups, k: int) -> float:
    """Discounted gain of the window over the best that k allows, on average.

    Args:
        gold: ids that should be found; not empty.
        tied: distinct ids in groups, the best group first; may be empty.
        k: the cut-off; the ideal has min(size of gold, k) hits.

    Returns:
        A number in [0, 1]; higher is better; the gain is binary.

    Edge cases:
        groups of one give the nDCG of the ranking; none at all gives 0.0.

    Reference:
        McSherry & Najork (2008), section 3.5: each place of a group is worth
        the group's share of gold.

    >>> ndcg({"a"}, [["a", "b"]], 1)
    0.5
    """
    gains: list[float] = []
    rank = 1
    for size, relevant, free in _cut(gold, tied, k):
        share = relevant / size
        gains += [share / log2(r + 1) for r in range(rank, rank + free)]
        rank += free
    best = range(1, min(len(gold), k) + 1)
    return fsum(gains) / fsum([1 / log2(r + 1) for r in best])


def _cut(
    gold: AbstractSet[str], tied: Groups, k: int
) -> Iterable[tuple[int, int, int]]:
    """Yield of each group its size, its gold, and its places in the window."""
    free = k
    for group in tied:
        if free <= 0:
            return
        yield len(group), sum(map(gold.__contains__, group)), min(free, len(group))
        free -= len(group)


def _on_groups(metric: Metric) -> Measure:
    def measure(case: Case, view: View, k: int) -> Score:
        hits = view.trace.retrieved
        if hits is None:
            return Unscored(NOT_RETRIEVED)
        return Scored(metric(ids(case.retrieval_gold), groups(hits), k))

    return measure


_EXPECTED = {
    "retrieval_hit_at_k": hit,
    "retrieval_recall_at_k": recall,
    "retrieval_ndcg_at_k": ndcg,
}


def expected_over_ties(table: Iterable[Scorer]) -> tuple[Scorer, ...]:
    """Return a table of scorers whose retrieval metrics are means over tie orders.

    Their names stay; a hit is then a probability, and not binary.
    """
    return tuple(
        scorer
        if (metric := _EXPECTED.get(_at_k(scorer))) is None
        else replace(scorer, binary=False, measure=_on_groups(metric))
        for scorer in table
    )


def _at_k(scorer: Scorer) -> str:
    """Return the name without the cut-off that it may have of its own."""
    return scorer.name if scorer.k is None else scorer.name.rstrip("0123456789") + "k"
