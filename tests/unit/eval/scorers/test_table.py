"""The table of scorers is complete, ordered, and every line says what it needs."""

import pytest

from lastro.eval.scorers import SCORERS, Better, Needs, Scorer
from lastro.eval.scorers.scorer import always
from lastro.eval.scorers.view import View
from lastro.model.case import Case
from lastro.model.ids import CaseId
from lastro.model.score import Failed, Scored, Unscored
from lastro.model.trace import Trace

NAMES = (
    "retrieval_hit_at_k",
    "retrieval_recall_at_k",
    "retrieval_ndcg_at_k",
    "citation_coverage",
    "citation_correctness",
    "citation_precision",
    "groundedness",
    "accuracy",
    "comparison_target_recall",
    "comparison_pool_recall",
    "comparison_groundedness",
    "claim_citation_alignment",
    "abstention",
    "refusal",
    "answer_format_compliance",
    "gate_accuracy",
    "judge_groundedness",
)
STAGES = ("lexical", "dense", "fused", "reranked", "selected")
BINARY = {
    "retrieval_hit_at_k",
    "citation_coverage",
    "groundedness",
    "accuracy",
    "abstention",
    "refusal",
    "answer_format_compliance",
    "gate_accuracy",
}
# Each scorer stands in exactly one of these sets: what a case must be labelled with.
ALWAYS = {
    "citation_correctness",
    "claim_citation_alignment",
    "answer_format_compliance",
    "judge_groundedness",
}
ANSWERABILITY = {"abstention", "refusal"}
GOLD = set(NAMES) - ALWAYS - ANSWERABILITY
NOTHING = Trace(case_id=CaseId("c"))


def test_the_public_names_in_report_order() -> None:
    stages = [
        f"stage.{stage}.{name}"
        for stage in STAGES
        for name in ("hit_at_k", "recall_at_k", "ndcg_at_k")
    ]

    assert [scorer.name for scorer in SCORERS] == [*NAMES, *stages]


@pytest.mark.parametrize("scorer", SCORERS, ids=lambda scorer: scorer.name)
def test_every_line_is_classified_and_says_what_it_reads(scorer: Scorer) -> None:
    expected = {
        Needs.GOLD: scorer.name in GOLD or scorer.name.startswith("stage."),
        Needs.ANSWERABILITY: scorer.name in ANSWERABILITY,
        Needs.ALWAYS: scorer.name in ALWAYS,
    }

    assert [needs for needs, here in expected.items() if here] == [scorer.needs]
    assert scorer.better is Better.HIGHER
    assert scorer.what
    assert scorer.reads
    binary = scorer.name in BINARY or scorer.name.endswith(".hit_at_k")
    assert scorer.binary is binary


@pytest.mark.parametrize("scorer", SCORERS, ids=lambda scorer: scorer.name)
def test_m39_g18_without_labels_and_traces_no_scorer_makes_up_a_value(
    scorer: Scorer,
) -> None:
    bare = Case(id=CaseId("c"), query="q")

    assert isinstance(scorer.score(bare, NOTHING, 4), Unscored)
    expected = Failed if scorer.needs is Needs.ALWAYS else Unscored
    assert isinstance(scorer.score(bare, None, 4), expected)


def broken(value: float | Exception) -> Scorer:
    def measure(_case: Case, _view: View, _k: int) -> Scored:
        if isinstance(value, Exception):
            raise value
        return Scored(value)

    return Scorer(
        name="x",
        what="x",
        binary=False,
        needs=Needs.ALWAYS,
        applies=always,
        measure=measure,
        reads=("x",),
        reads_answer=True,
    )


@pytest.mark.parametrize(
    "value", [float("nan"), float("inf"), ZeroDivisionError("x"), KeyError("x")]
)
def test_r16_a02_m37_a_crash_or_a_number_that_is_none_is_failed(
    value: float | Exception,
) -> None:
    found = broken(value).score(Case(id=CaseId("c"), query="q"), NOTHING, 4)

    assert isinstance(found, Failed)
    assert found.what.startswith("the scorer broke: ")
