"""One order for all legs' findings: best first, ties by id, no zeros."""

import math

import pytest

from lastro.index.fuse import (
    Candidate,
    Fusion,
    Method,
    by_rank,
    by_score,
    fused,
    ranked,
)
from lastro.model.ids import DocumentId, PassageId
from lastro.model.ranking import Stage

EQUAL = {Stage.LEXICAL: 1.0, Stage.DENSE: 1.0}


def candidate(name: str, score: float) -> Candidate:
    return Candidate(score, PassageId(name), DocumentId(name[0]), ord(name[0]))


def leg(**scores: float) -> list[Candidate]:
    return [candidate(name, score) for name, score in scores.items()]


def names(found: tuple[Candidate, ...]) -> str:
    return "".join(one.passage for one in found)


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


def test_by_rank_adds_the_weighted_reciprocals_of_the_places() -> None:
    legs = {Stage.LEXICAL: leg(a=9.0, b=5.0), Stage.DENSE: leg(b=0.8, c=0.7)}

    found = by_rank(legs, {Stage.LEXICAL: 2.0, Stage.DENSE: 1.0})

    assert names(found) == "bac"
    assert [one.score for one in found] == [2 / 62 + 1 / 61, 2 / 61, 1 / 62]


def test_by_rank_a_larger_constant_makes_both_legs_agree_before_one_is_sure() -> None:
    legs = {
        Stage.LEXICAL: leg(a=9.0, b=5.0, c=4.0),
        Stage.DENSE: leg(d=0.9, e=0.8, b=0.7),
    }

    assert names(by_rank(legs, EQUAL, constant=0.0))[:2] == "ad"
    assert names(by_rank(legs, EQUAL))[0] == "b"


def test_by_rank_ties_end_by_passage() -> None:
    legs = {Stage.LEXICAL: leg(b=9.0), Stage.DENSE: leg(a=0.8)}

    assert names(by_rank(legs, EQUAL)) == "ab"


def test_q14_a_leg_that_is_worse_can_weigh_less_down_to_nothing() -> None:
    worse, better = leg(a=9.0, b=5.0, c=4.0), leg(c=0.9, b=0.8, a=0.7)
    legs = {Stage.LEXICAL: worse, Stage.DENSE: better}

    by_weight = [
        names(by_rank(legs, {Stage.LEXICAL: weight, Stage.DENSE: 1.0}))
        for weight in (1.0, 0.5, 0.0)
    ]

    assert by_weight == ["acb", "cba", "cba"]


@pytest.mark.parametrize("method", Method)
def test_q17_what_both_legs_score_zero_is_no_hit(method: Method) -> None:
    found = fused(leg(a=3.0, z=0.0), leg(b=0.5, z=0.0), {}, Fusion(method, 1.0))

    assert set(names(found)) == {"a", "b"}


@pytest.mark.parametrize("method", Method)
@pytest.mark.parametrize("score", [math.nan, math.inf])
def test_q19_a_leg_whose_score_is_no_number_is_refused(
    method: Method, score: float
) -> None:
    with pytest.raises(ArithmeticError, match="x"):
        fused(leg(a=3.0), leg(x=score), {}, Fusion(method, 1.0))


def test_q19_a_cosine_that_is_no_number_is_refused() -> None:
    with pytest.raises(ArithmeticError, match="a"):
        by_score(leg(a=3.0), leg(b=0.2), {ord("a"): math.nan}, 1.0)


def test_q30_fused_scores_tell_how_far_apart_two_passages_are() -> None:
    far = by_score(leg(a=10.0, b=1.0), leg(a=0.9, b=0.1), {}, 1.2)
    near = by_score(leg(a=10.0, b=9.9), leg(a=0.9, b=0.89), {}, 1.2)

    assert far[0].score - far[1].score > 1
    assert near[0].score - near[1].score < 0.05
    assert far[0].score > 1  # no share of anything: it cannot pass as confidence


def test_q31_what_words_did_not_find_counts_zero_of_them_and_nothing_below() -> None:
    found = by_score(leg(a=10.0, b=2.0), leg(c=0.5), {}, 1.0)

    assert {one.passage: one.score for one in found} == {"a": 1.0, "c": 0.5, "b": 0.2}


@pytest.mark.parametrize("cosine", [-0.9, 0.0])
def test_q31_a_cosine_below_zero_pulls_nothing_down(cosine: float) -> None:
    known = by_score(leg(a=10.0, b=2.0), leg(c=0.5), {ord("b"): cosine}, 1.0)

    assert known == by_score(leg(a=10.0, b=2.0), leg(c=0.5), {}, 1.0)


def test_q32_a_passage_found_by_words_alone_does_not_beat_what_both_find() -> None:
    found = by_score(leg(a=10.0, b=9.0), leg(b=0.8), {}, 1.0)

    assert names(found) == "ba"
    assert found[1].score == 1.0


def test_the_cosine_of_a_passage_found_by_words_alone_counts_where_it_is_known() -> (
    None
):
    legs = leg(a=10.0, b=9.0), leg(b=0.8)

    assert names(by_score(*legs, {ord("a"): 0.75}, 1.0)) == "ab"


def test_the_cosine_of_the_dense_leg_stands_before_that_of_the_caller() -> None:
    found = by_score(leg(a=10.0), leg(a=0.5), {ord("a"): 0.9}, 1.0)

    assert found[0].score == 1.5


@pytest.mark.parametrize("method", Method)
def test_with_one_leg_its_order_and_its_scores_stand(method: Method) -> None:
    alone = leg(a=1.0, b=7.0)

    assert fused(alone, [], {}, Fusion(method, 1.2)) == ranked(alone)
    assert fused([], alone, {}, Fusion(method, 1.2)) == ranked(alone)
    assert fused(alone, leg(c=0.5), {}, Fusion(method, 0.0)) == ranked(alone)
    assert fused([], [], {}, Fusion(method, 1.2)) == ()


def test_words_say_little_where_even_the_best_passage_holds_few_of_them() -> None:
    words, meaning = leg(a=3.0, b=2.0), leg(c=0.6)
    way = Fusion(Method.SCORE, 1.0)

    full = fused(words, meaning, {}, way, worth=3.0)
    little = fused(words, meaning, {}, way, worth=12.0)

    assert full == by_score(words, meaning, {}, 1.0)
    assert [one.passage for one in full] == ["a", "b", "c"]
    assert [one.passage for one in little] == ["c", "a", "b"]


def test_words_in_a_passage_of_another_language_count_for_little() -> None:
    """The same letters, another word: `pie` is a dish here and a foot there."""
    words = [one._replace(language="es") for one in leg(a=3.0, b=2.9)]
    meaning = leg(c=0.6)
    way = Fusion(Method.SCORE, 1.0, abroad=1.0, foreign=0.1)

    own = fused(words, meaning, {}, way, spoken="es")
    other = fused(words, meaning, {}, way, spoken="en")

    assert [one.passage for one in own] == ["a", "b", "c"]
    assert [one.passage for one in other] == ["c", "a", "b"]
    assert other[1].score == pytest.approx(0.1)


def test_a_passage_of_no_known_language_counts_in_full() -> None:
    way = Fusion(Method.SCORE, 1.0, abroad=1.0, foreign=0.1)

    found = fused(leg(a=3.0), leg(c=0.6), {}, way, spoken="en")

    assert [one.passage for one in found] == ["a", "c"]


def test_names_count_in_a_passage_of_another_language() -> None:
    """A name is written alike in any language, and says what a loan word does not."""
    words = [one._replace(language="es") for one in leg(a=3.0, b=2.9)]
    meaning = [one._replace(language="es") for one in leg(c=0.2, d=0.19)]
    way = Fusion(Method.SCORE, 1.0, abroad=1.0, foreign=0.03, named=0.2)

    names = {ord("b"): 2.9, ord("d"): 2.0}
    found = fused(words, meaning, {}, way, spoken="en", names=names)

    assert [one.passage for one in found] == ["d", "b", "c", "a"]


def test_a_page_in_another_language_is_found_before_words_that_match_little() -> None:
    """The right page is foreign; pages of the own language share a few words."""
    words = [one._replace(language="en") for one in leg(a=3.0, b=2.0)]
    meaning = [
        *(one._replace(language="en") for one in leg(a=0.3)),
        *(one._replace(language="es") for one in leg(c=0.6)),
    ]
    way = Fusion(Method.SCORE, 0.8, abroad=1.8)

    few = fused(words, meaning, {}, way, spoken="en", worth=12.0)
    most = fused(words, meaning, {}, way, spoken="en", worth=3.0)

    assert few[0].passage == "c"
    assert most[0].passage == "a"
