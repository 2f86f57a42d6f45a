"""Retrieval metrics credit each gold document once, in rank order, within k."""

import doctest
import math

import pytest

from lastro.errors import UsageError
from lastro.eval.scorers import SCORERS, ranking
from lastro.eval.scorers.ranking import LOWER_BOUND, hit, ndcg, recall
from lastro.model.case import Case, Category
from lastro.model.ids import CaseId
from lastro.model.score import Failed, Score, Scored, Unscored
from lastro.model.trace import Retrieved, Trace, TraceError, TraceStageEntry

BY_NAME = {scorer.name: scorer for scorer in SCORERS}
THREE = ("retrieval_hit_at_k", "retrieval_recall_at_k", "retrieval_ndcg_at_k")


def case(*gold: str) -> Case:
    return Case(id=CaseId("c"), query="q", must_cite_one_of=gold)


def trace(*ranked: str) -> Trace:
    found = tuple(Retrieved(id=name) for name in ranked)
    return Trace(case_id=CaseId("c"), retrieved=found)


def judged(of: Case, by: Trace | None, k: int = 4) -> list[Score]:
    return [BY_NAME[name].score(of, by, k) for name in THREE]


def values(of: Case, by: Trace, k: int = 4) -> list[float]:
    found = judged(of, by, k)
    assert all(isinstance(score, Scored) for score in found)
    return [round(s.value, 6) for s in found if isinstance(s, Scored)]


def test_the_docstrings_of_the_metrics_hold() -> None:
    assert doctest.testmod(ranking).failed == 0


@pytest.mark.parametrize("metric", [hit, recall, ndcg])
@pytest.mark.parametrize("section", ["Args", "Returns", "Edge cases", "Reference"])
def test_every_metric_says_what_it_takes_and_gives(
    metric: object, section: str
) -> None:
    assert f"{section}:" in (metric.__doc__ or "")


def test_the_worked_examples_of_the_contract() -> None:
    assert values(case("a", "b"), trace("x", "a", "y", "z")) == [1.0, 0.5, 0.386853]
    assert values(case("a"), trace("x", "y", "z", "a")) == [1.0, 1.0, 0.430677]


def test_gold_that_does_not_fit_into_k_still_reaches_one() -> None:
    assert values(case(*"abcdef"), trace(*"abc"), 3) == [1.0, 0.5, 1.0]


def test_just_inside_and_just_outside_of_k() -> None:
    ranked = trace("x", "y", "a", "z")

    assert values(case("a"), ranked, 3)[0] == 1.0
    assert values(case("a"), ranked, 2) == [0.0, 0.0, 0.0]


def test_m01_m02_m03_a_chunk_returned_twice_earns_once() -> None:
    assert values(case("a"), trace("a", "a")) == [1.0, 1.0, 1.0]
    assert values(case("a", "b"), trace("a", "a"))[1] == 0.5


def test_m01_a_chunk_returned_twice_is_reported() -> None:
    found = BY_NAME["retrieval_hit_at_k"].score(case("a"), trace("a", "a", "b"), 4)

    assert found == Scored(1.0, ("1 of 3 retrieved items repeats an earlier one",))


def test_two_passages_of_one_document_are_no_repeat() -> None:
    both = tuple(Retrieved(id=f"a::{n}", parent_id="a") for n in range(2))
    by = Trace(case_id=CaseId("c"), retrieved=both)

    assert BY_NAME["retrieval_hit_at_k"].score(case("a"), by, 4) == Scored(1.0)


def test_m02_m05_m12_gold_named_twice_counts_once() -> None:
    assert values(case("a", "a", "b"), trace("a", "b")) == [1.0, 1.0, 1.0]


def test_m05_repeats_never_push_a_document_out_of_the_window() -> None:
    assert values(case("b"), trace("a", "a", "a", "b"), 2)[0] == 1.0
    assert values(case("b"), trace("a", "a", "x", "b"), 2)[0] == 0.0


def test_m06_the_ideal_is_of_all_gold_that_fits_into_k() -> None:
    assert values(case(*"abcde"), trace("a"), 5)[2] == round(1 / 2.9484591, 6)


def test_m11_many_gold_documents_keep_their_ranks() -> None:
    ideal = 1 + 1 / math.log2(3)

    assert values(case("a", "b"), trace("a", "x", "b"))[2] == round(1.5 / ideal, 6)


def test_m14_m15_m36_a_retrieval_that_found_nothing_is_zero() -> None:
    assert values(case("a"), trace()) == [0.0, 0.0, 0.0]
    assert values(case("a"), trace("x")) == [0.0, 0.0, 0.0]


def test_m13_m39_m40_without_gold_there_is_no_key_and_the_reason_is_said() -> None:
    why = Unscored("no gold: relevant_ids, must_cite_one_of")

    assert judged(case(), trace("a")) == [why] * 3


def test_m41_without_a_retrieval_step_there_is_no_key() -> None:
    by = Trace(case_id=CaseId("c"), answer_text="x")

    assert (
        judged(case("a"), by)
        == [Unscored("no retrieval step: the trace has no retrieved")] * 3
    )


def test_m17_m30_a_missing_trace_is_failed_where_there_is_gold() -> None:
    assert judged(case("a"), None) == [Failed("no trace")] * 3
    assert all(isinstance(score, Unscored) for score in judged(case(), None))


def test_r04_a_turn_that_broke_keeps_what_it_had_retrieved() -> None:
    error = TraceError(kind="timeout")
    before = Trace(case_id=CaseId("c"), error=error)
    after = Trace(case_id=CaseId("c"), error=error, retrieved=(Retrieved(id="a"),))

    assert judged(case("a"), before) == [Failed("the turn broke: timeout")] * 3
    assert values(case("a"), after) == [1.0, 1.0, 1.0]


def test_l18_m42_ids_compare_in_nfc() -> None:
    assert values(case("ação"), trace("ac\u0327a\u0303o"))[0] == 1.0
    assert values(case("a"), trace("ａ"))[0] == 0.0


def test_a_document_is_its_parent_where_there_is_one() -> None:
    by = Trace(
        case_id=CaseId("c"),
        retrieved=(
            Retrieved(id="x", parent_id="a"),
            Retrieved(id="y", parent_id="a"),
            Retrieved(id="b"),
        ),
    )

    assert values(case("b"), by, 2)[0] == 1.0
    assert values(case("x"), by)[0] == 0.0


def test_relevant_ids_are_the_gold_where_given() -> None:
    of = Case(id=CaseId("c"), query="q", must_cite_one_of=("a",), relevant_ids=("b",))

    assert values(of, trace("a"))[0] == 0.0
    assert values(of, trace("b"))[0] == 1.0


def test_gold_is_what_counts_and_not_the_category() -> None:
    of = Case(
        id=CaseId("c"),
        query="q",
        category=Category.ADVERSARIAL,
        answerable=False,
        must_cite_one_of=("a",),
    )

    assert values(of, trace("a")) == [1.0, 1.0, 1.0]


def test_order_stands_whatever_the_scores_say() -> None:
    hits = (Retrieved(id="x", score=0.1), Retrieved(id="a", score=9.0))
    by = Trace(case_id=CaseId("c"), retrieved=hits)

    assert values(case("a"), by, 1)[0] == 0.0


@pytest.mark.parametrize("k", [0, -1])
def test_k_under_one_is_an_error(k: int) -> None:
    with pytest.raises(UsageError, match="k must be at least 1"):
        BY_NAME["retrieval_hit_at_k"].score(case("a"), trace("a"), k)


def test_fewer_hits_than_k_is_no_error() -> None:
    assert values(case("a"), trace("a"), 10) == [1.0, 1.0, 1.0]
    assert values(case("b"), trace("a"), 10) == [0.0, 0.0, 0.0]


def test_recall_is_called_a_lower_bound() -> None:
    assert BY_NAME["retrieval_recall_at_k"].remark == LOWER_BOUND
    assert "lower bound where one of the gold documents is enough" in LOWER_BOUND
    assert not BY_NAME["retrieval_recall_at_k"].headline
    assert BY_NAME["retrieval_hit_at_k"].headline


def test_every_stage_has_the_same_three_numbers() -> None:
    entries = tuple(
        TraceStageEntry(passage_id=f"{name}::0", document_id=name) for name in "xxab"
    )
    by = Trace(case_id=CaseId("c"), stages={"fused": entries, "dense": ()})
    found = {
        scorer.name: scorer.score(case("a"), by, 2)
        for scorer in SCORERS
        if scorer.name.startswith("stage.")
    }

    assert len(found) == 15
    assert found["stage.fused.hit_at_k"] == Scored(1.0)
    assert found["stage.fused.ndcg_at_k"] == Scored(1 / math.log2(3))
    assert found["stage.dense.recall_at_k"] == Scored(0.0)
    assert found["stage.lexical.hit_at_k"] == Unscored(
        "the trace has no stages.lexical"
    )
