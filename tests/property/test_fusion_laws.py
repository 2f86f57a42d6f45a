"""What holds of the fusion of two legs, whatever they found."""

import math
from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastro.index.fuse import Candidate, Fusion, Method, by_rank, fused, ranked
from lastro.model.ids import DocumentId, PassageId
from lastro.model.ranking import Stage

pytestmark = pytest.mark.property

ROWS = st.integers(0, 8)
SCORES = st.floats(0.001, 100.0)
COSINES = st.floats(-1.0, 1.0)
METHODS = st.sampled_from(Method)
WEIGHTS = st.floats(0.01, 10.0)


def candidate(row: int, score: float) -> Candidate:
    return Candidate(score, PassageId(f"p{row}"), DocumentId(f"d{row % 3}"), row)


def legs(scores: st.SearchStrategy[float]) -> st.SearchStrategy[list[Candidate]]:
    found = st.dictionaries(ROWS, scores, max_size=6)
    return found.map(lambda held: [candidate(*one) for one in held.items()])


LEXICAL = legs(SCORES)
DENSE = legs(COSINES)
KNOWN = st.dictionaries(ROWS, COSINES, max_size=4)


def raised(leg: Sequence[Candidate], row: int, by: float) -> list[Candidate]:
    return [one._replace(score=one.score + by * (one.row == row)) for one in leg]


def place(found: Sequence[Candidate], row: int) -> int:
    return next(at for at, one in enumerate(found) if one.row == row)


@given(LEXICAL, DENSE, KNOWN, METHODS, WEIGHTS, st.randoms())
def test_the_order_of_what_comes_in_does_not_matter(
    lexical: list[Candidate],
    dense: list[Candidate],
    known: dict[int, float],
    method: Method,
    weight: float,
    chance: Random,
) -> None:
    before = fused(lexical, dense, known, Fusion(method, weight))

    for leg in (lexical, dense):
        chance.shuffle(leg)

    assert fused(lexical, dense, known, Fusion(method, weight)) == before


@given(LEXICAL, DENSE, KNOWN, METHODS, WEIGHTS)
def test_scores_are_finite_best_first_and_each_passage_stands_once(
    lexical: list[Candidate],
    dense: list[Candidate],
    known: dict[int, float],
    method: Method,
    weight: float,
) -> None:
    found = fused(lexical, dense, known, Fusion(method, weight))

    assert all(math.isfinite(one.score) and one.score for one in found)
    assert list(found) == sorted(found, key=lambda one: (-one.score, one.passage))
    assert len({one.row for one in found}) == len(found)
    assert {one.row for one in found} <= {one.row for one in (*lexical, *dense)}


@given(LEXICAL, DENSE, ROWS, METHODS, WEIGHTS)
def test_what_is_first_in_both_legs_is_first(
    lexical: list[Candidate],
    dense: list[Candidate],
    row: int,
    method: Method,
    weight: float,
) -> None:
    others = [[one for one in leg if one.row != row] for leg in (lexical, dense)]
    both = [[*leg, candidate(row, 200.0)] for leg in others]

    assert fused(both[0], both[1], {}, Fusion(method, weight))[0].row == row


@given(LEXICAL, METHODS, WEIGHTS)
def test_a_leg_that_found_nothing_changes_nothing(
    lexical: list[Candidate], method: Method, weight: float
) -> None:
    assert fused(lexical, [], {}, Fusion(method, weight)) == ranked(lexical)
    assert fused([], lexical, {}, Fusion(method, weight)) == ranked(lexical)


@given(LEXICAL, DENSE, KNOWN, METHODS)
def test_a_leg_that_weighs_nothing_leaves_the_order_of_the_other(
    lexical: list[Candidate],
    dense: list[Candidate],
    known: dict[int, float],
    method: Method,
) -> None:
    weights = {Stage.LEXICAL: 0.0, Stage.DENSE: 1.0}
    both = {Stage.LEXICAL: lexical, Stage.DENSE: dense}

    if lexical:
        assert fused(lexical, dense, known, Fusion(method, 0.0)) == ranked(lexical)
    if dense:
        assert by_rank(both, weights) == ranked(dense)


@given(LEXICAL, DENSE, METHODS, WEIGHTS, st.floats(0.0, 50.0), st.data())
def test_a_passage_that_a_leg_scores_higher_never_falls(
    lexical: list[Candidate],
    dense: list[Candidate],
    method: Method,
    weight: float,
    by: float,
    data: st.DataObject,
) -> None:
    found = fused(lexical, dense, {}, Fusion(method, weight))
    if not found:
        return
    row = data.draw(st.sampled_from([one.row for one in found]))

    words = fused(raised(lexical, row, by), dense, {}, Fusion(method, weight))
    # A cosine of exactly 0 is no hit of its leg: raising may not reach it.
    nearer = [one for one in raised(dense, row, by) if one.score]
    meaning = fused(lexical, nearer, {}, Fusion(method, weight))

    assert place(words, row) <= place(found, row)
    if any(one.row == row for one in meaning):
        assert place(meaning, row) <= place(found, row)
