"""Laws of the ranking metrics, and trec_eval's values on the same rankings."""

import random

import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st
from strategies import cutoffs, golds, rankings

from lastro.eval.scorers import SCORERS
from lastro.eval.scorers.ranking import hit, ndcg, recall
from lastro.eval.scorers.view import ranked as ranks_of
from lastro.model.case import Case
from lastro.model.ids import CaseId
from lastro.model.score import Scored
from lastro.model.trace import Retrieved, Trace

pytestmark = pytest.mark.property

THREE = [scorer for scorer in SCORERS if scorer.name.startswith("retrieval_")]


def values(gold: list[str], ranked: list[str], k: int) -> list[float]:
    """Hit, recall and nDCG as the scorers give them."""
    case = Case(id=CaseId("c"), query="q", relevant_ids=tuple(gold))
    found = tuple(Retrieved(id=name) for name in ranked)
    trace = Trace(case_id=CaseId("c"), retrieved=found)
    scores = [scorer.score(case, trace, k) for scorer in THREE]
    assert all(isinstance(score, Scored) for score in scores)
    return [score.value for score in scores if isinstance(score, Scored)]


@given(golds, rankings, cutoffs)
def test_m01_m37_every_value_is_in_range(
    gold: list[str], ranked: list[str], k: int
) -> None:
    first = values(gold, ranked, k)

    assert all(0.0 <= value <= 1.0 for value in first)
    assert values(gold, ranked, k) == first
    assert (first[0] == 0.0) == (first[1] == 0.0) == (first[2] == 0.0)


@given(golds, rankings, cutoffs)
def test_m05_repeats_change_nothing(gold: list[str], ranked: list[str], k: int) -> None:
    doubled = [name for name in ranked for _ in range(2)]

    assert values(gold, doubled, k) == values(gold, ranked, k)
    assert values(gold, ranked + ranked, k) == values(gold, ranked, k)
    assert values(gold + gold, ranked, k) == values(gold, ranked, k)


@given(golds, rankings, cutoffs, st.randoms(use_true_random=False))
def test_the_order_of_gold_changes_nothing(
    gold: list[str], ranked: list[str], k: int, shuffle: random.Random
) -> None:
    shuffled = gold.copy()
    shuffle.shuffle(shuffled)

    assert values(shuffled, ranked, k) == values(gold, ranked, k)


@given(golds, rankings, cutoffs)
def test_moving_gold_up_never_hurts(gold: list[str], ranked: list[str], k: int) -> None:
    before = values(gold, ranked, k)
    for at in range(1, len(ranked)):
        if ranked[at] in gold and ranked[at - 1] not in gold:
            moved = ranked.copy()
            moved[at - 1 : at + 1] = [ranked[at], ranked[at - 1]]
            after = values(gold, moved, k)
            assert all(b >= a for a, b in zip(before, after, strict=True))


@given(golds, rankings, cutoffs)
def test_hit_and_recall_do_not_fall_with_k(
    gold: list[str], ranked: list[str], k: int
) -> None:
    small, large = values(gold, ranked, k), values(gold, ranked, k + 1)

    assert small[0] <= large[0]
    assert small[1] <= large[1]


@given(golds, cutoffs)
def test_gold_first_is_a_perfect_ranking(gold: list[str], k: int) -> None:
    found = values(gold, [*gold, "other"], k)

    assert found[0] == found[2] == 1.0
    assert found[1] == min(len(set(gold)), k) / len(set(gold))


@given(rankings)
def test_ranks_have_no_gaps_and_keep_the_order(ranked: list[str]) -> None:
    found = ranks_of(ranked)

    assert found.keys() == set(ranked)
    assert list(found.values()) == list(range(1, len(found) + 1))
    assert list(found) == sorted(found, key=ranked.index)


def test_m01_m06_m11_they_equal_trec_eval_on_a_thousand_random_rankings() -> None:
    chance = random.Random(17)  # noqa: S311 - seeded, no secret
    names = [f"d{n}" for n in range(60)]
    cuts = (1, 3, 4, 5, 10, 20, 100)
    gold, ranked = {}, {}
    for n in range(1000):
        gold[f"q{n}"] = chance.sample(names, chance.randint(1, 12))
        ranked[f"q{n}"] = chance.choices(names, k=chance.randint(1, 50))
    measures = {
        f"{name}.{k}" for name in ("success", "recall", "ndcg_cut") for k in cuts
    }
    evaluator = pytrec_eval.RelevanceEvaluator(
        {query: dict.fromkeys(names, 1) for query, names in gold.items()}, measures
    )
    # trec_eval sorts by score and breaks ties by name: falling scores keep our order.
    expected = evaluator.evaluate(
        {
            query: {
                name: float(-rank) for rank, name in enumerate(dict.fromkeys(found))
            }
            for query, found in ranked.items()
        }
    )

    assert len(expected) == 1000
    for query, reference in expected.items():
        for k in cuts:
            assert values(gold[query], ranked[query], k) == pytest.approx(
                [
                    reference[f"success_{k}"],
                    reference[f"recall_{k}"],
                    reference[f"ndcg_cut_{k}"],
                ],
                abs=1e-9,
            )


@given(golds, rankings, cutoffs)
def test_the_metrics_are_what_the_scorers_report(
    gold: list[str], ranked: list[str], k: int
) -> None:
    window = list(dict.fromkeys(ranked))[:k]
    ranks = [rank for rank, name in enumerate(window, 1) if name in gold]
    size = len(set(gold))

    assert values(gold, ranked, k) == [
        hit(ranks),
        recall(ranks, size),
        ndcg(ranks, size, k),
    ]
