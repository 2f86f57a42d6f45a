"""One order for all legs' findings: best first, ties by id, no zeros."""

import math

import pytest

from lastro.index.fuse import Candidate, ranked
from lastro.model.ids import DocumentId, PassageId


def candidate(name: str, score: float) -> Candidate:
    return Candidate(score, PassageId(name), DocumentId(name[0]), 1)


def test_best_first_ties_by_id_whatever_the_order_they_came_in() -> None:
    found = [candidate("b", 1.0), candidate("c", 2.0), candidate("a", 1.0)]

    assert [one.passage for one in ranked(found)] == ["c", "a", "b"]
    assert ranked(found) == ranked(reversed(found))


def test_q17_a_score_of_zero_is_no_hit() -> None:
    assert ranked([candidate("a", 0.0)]) == ()


@pytest.mark.parametrize("score", [math.nan, math.inf, -math.inf])
def test_q19_a_score_that_is_no_number_never_ranks(score: float) -> None:
    with pytest.raises(ArithmeticError, match="b"):
        ranked([candidate("a", 1.0), candidate("b", score)])
