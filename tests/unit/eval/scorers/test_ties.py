"""Tied items are worth what they are worth on average over their orders."""

from itertools import permutations, product
from math import fsum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastro.eval.scorers import SCORERS, ranking, scorers, ties
from lastro.eval.scorers.ties import expected_over_ties, groups
from lastro.model.case import Case
from lastro.model.ids import CaseId
from lastro.model.score import Score, Scored, Unscored
from lastro.model.trace import Retrieved, Trace

NAMES = ("retrieval_hit_at_k", "retrieval_recall_at_k", "retrieval_ndcg_at_k")
EXPECTED = {each.name: each for each in expected_over_ties(SCORERS)}
PLAIN = {each.name: each for each in SCORERS}


def hits(*pairs: tuple[str, float | None]) -> tuple[Retrieved, ...]:
    return tuple(Retrieved(id=name, score=score) for name, score in pairs)


def scores(found: tuple[Retrieved, ...] | None, *gold: str, k: int) -> list[Score]:
    case = Case(id=CaseId("c"), query="q", relevant_ids=gold)
    trace = Trace(case_id=CaseId("c"), retrieved=found)
    return [EXPECTED[name].score(case, trace, k) for name in NAMES]


def test_items_of_one_score_are_a_group_and_repeats_stand_once() -> None:
    found = hits(("a", 2), ("b", 2), ("c", 1), ("b", 1), ("d", 1), ("e", None))

    assert groups(found) == [["a", "b"], ["c", "d"], ["e"]]
    assert groups(hits(("a", None), ("b", None))) == [["a"], ["b"]]


def test_m24_metrics_at_a_cut_off_of_their_own_are_means_over_orders_too() -> None:
    table = {each.name: each for each in expected_over_ties(scorers(at=[2]))}
    case = Case(id=CaseId("c"), query="q", relevant_ids=("a",))
    found = hits(("a", 1.0), ("b", 1.0), ("c", 1.0), ("d", 1.0))
    trace = Trace(case_id=CaseId("c"), retrieved=found)

    assert table["retrieval_hit_at_2"].score(case, trace, 1) == Scored(0.5)
    assert table["retrieval_hit_at_k"].score(case, trace, 1) == Scored(0.25)
    assert not table["retrieval_hit_at_2"].binary


def test_m24_a_constant_scorer_earns_what_chance_does() -> None:
    """One gold of ten, all tied: its place is anybody's guess."""
    found = hits(*((f"d{n}", 1.0) for n in range(10)))

    assert scores(found, "d0", k=1) == [Scored(0.1)] * 3
    assert scores(found, "d0", k=1) == scores(found, "d9", k=1)
    assert scores(found, "d0", k=10)[0] == Scored(1.0)


def test_m26_the_order_of_tied_lines_changes_nothing() -> None:
    one = hits(("a", 2), ("b", 1), ("c", 1), ("d", 1))
    other = hits(("a", 2), ("d", 1), ("c", 1), ("b", 1))

    for k in range(1, 6):
        assert scores(one, "b", "c", k=k) == scores(other, "b", "c", k=k)


def test_nothing_retrieved_is_zero_and_no_retrieval_is_not_measured() -> None:
    assert scores((), "a", k=3) == [Scored(0.0)] * 3
    assert all(isinstance(score, Unscored) for score in scores(None, "a", k=3))


def test_only_the_retrieval_metrics_change_and_a_hit_is_no_longer_binary() -> None:
    changed = {name for name, each in EXPECTED.items() if each != PLAIN[name]}

    assert changed == set(NAMES)
    assert list(EXPECTED) == list(PLAIN)
    assert not any(EXPECTED[name].binary for name in NAMES)


tied = st.lists(st.integers(1, 3), min_size=1, max_size=4)


@pytest.mark.property
@given(tied, st.sets(st.integers(0, 13), min_size=1), st.integers(1, 13))
def test_they_equal_the_mean_over_all_orders(
    sizes: list[int], chosen: set[int], k: int
) -> None:
    numbers = iter(range(99))
    found = [[str(next(numbers)) for _ in range(size)] for size in sizes]
    gold = {str(number) for number in chosen}
    orders = [
        [name for group in order for name in group]
        for order in product(*(list(permutations(group)) for group in found))
    ]
    ranks = [
        [rank for rank, name in enumerate(order[:k], 1) if name in gold]
        for order in orders
    ]
    size = len(gold)

    assert ties.hit(gold, found, k) == pytest.approx(
        fsum(map(ranking.hit, ranks)) / len(ranks), abs=1e-12
    )
    assert ties.recall(gold, found, k) == pytest.approx(
        fsum(ranking.recall(each, size) for each in ranks) / len(ranks), abs=1e-12
    )
    assert ties.ndcg(gold, found, k) == pytest.approx(
        fsum(ranking.ndcg(each, size, k) for each in ranks) / len(ranks), abs=1e-12
    )


@pytest.mark.property
@given(tied, st.sets(st.integers(0, 13), min_size=1), st.integers(1, 13))
def test_m37_every_value_is_in_range(
    sizes: list[int], chosen: set[int], k: int
) -> None:
    pairs = [
        (f"{g}.{n}", float(-g)) for g, size in enumerate(sizes) for n in range(size)
    ]
    found = scores(hits(*pairs), *(pairs[n % len(pairs)][0] for n in chosen), k=k)

    assert all(isinstance(each, Scored) and 0 <= each.value <= 1 for each in found)
