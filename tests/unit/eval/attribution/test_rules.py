"""A failed case gets the label of the first layer that broke, and no other.

Every case here is judged by the real scorers: a label is tested with the scores
that lead to it.
"""

import dataclasses

import pytest

from lastro.eval.attribution import attribute, failed
from lastro.eval.results import CaseResult
from lastro.eval.score import score
from lastro.model.case import Case, QueryType, TargetSpec
from lastro.model.decision import ReasonCode
from lastro.model.failure import Failure
from lastro.model.ids import CaseId
from lastro.model.score import Failed, Scored, Unscored
from lastro.model.trace import (
    PlanStep,
    Retrieved,
    Trace,
    TraceCitation,
    TraceClaim,
    TraceDecision,
    TraceError,
    TraceLeg,
    TracePassage,
    TraceStageEntry,
)

CASE = Case(
    id=CaseId("c"),
    query="How much is the fee?",
    must_cite_one_of=("a", "a2"),
    expected_terms=("30 euros",),
)
TEXTS = {"a": "The fee is 30 euros.", "b": "The rent is 90 euros."}


def hits(*documents: str) -> tuple[Retrieved, ...]:
    return tuple(Retrieved(id=each) for each in documents)


def evidence(*documents: str) -> tuple[TracePassage, ...]:
    return tuple(
        TracePassage(document_id=each, text=TEXTS.get(each, "Nothing of it."))
        for each in documents
    )


def stage(*documents: str) -> tuple[TraceStageEntry, ...]:
    return tuple(
        TraceStageEntry(passage_id=f"{each}::0", document_id=each) for each in documents
    )


RIGHT = Trace(
    case_id=CaseId("c"),
    retrieved=hits("a", "b"),
    evidence=evidence("a", "b"),
    answer_text="30 euros",
    cited_ids=("a",),
    abstained=False,
    refused=False,
)


def result(case: Case, *traces: Trace) -> CaseResult:
    (found,) = score([case], enumerate(traces, 1)).results
    return found


def label(
    case: Case = CASE, trace: Trace = RIGHT, /, **changed: object
) -> Failure | None:
    return result(case, dataclasses.replace(trace, **changed)).failure  # type: ignore[arg-type]


def of(case: Case, **changed: object) -> Case:
    return dataclasses.replace(case, **changed)  # type: ignore[arg-type]


def test_a_case_that_did_not_fail_has_no_label() -> None:
    found = result(CASE, RIGHT)

    assert found.failure is None
    assert found.failures == 0


def test_a_case_of_which_nothing_was_measured_has_not_failed() -> None:
    assert label(CASE, Trace(case_id=CaseId("c"))) is None


def test_a_case_without_a_trace_failed_for_an_unknown_reason() -> None:
    found = result(CASE)

    assert found.failure is Failure.UNKNOWN
    assert found.failures == 1


@pytest.mark.parametrize(
    ("metric", "value", "expected"),
    [
        ("retrieval_hit_at_k", 0.0, True),
        ("citation_coverage", 0.0, True),
        ("groundedness", 0.0, True),
        ("abstention", 0.0, True),
        ("refusal", 0.0, True),
        ("gate_accuracy", 0.0, True),
        ("comparison_groundedness", 0.5, True),
        ("citation_correctness", 0.99, True),
        ("claim_citation_alignment", 0.0, True),
        ("comparison_groundedness", 1.0, False),
        ("retrieval_recall_at_k", 0.0, False),
        ("accuracy", 0.0, False),
        ("citation_precision", 0.0, False),
        ("answer_format_compliance", 0.0, False),
        ("stage.fused.hit_at_k", 0.0, False),
    ],
)
def test_nine_metrics_decide_whether_a_case_failed(
    metric: str, value: float, expected: bool
) -> None:
    assert failed({metric: Scored(value)}, errored=False) is expected
    assert failed({metric: Unscored("no gold")}, errored=False) is False
    assert failed({metric: Scored(1.0)}, errored=False) is False


def test_a_scorer_that_broke_on_a_case_failed_it_and_an_error_always_does() -> None:
    assert failed({"groundedness": Failed("the scorer broke")}, errored=False)
    assert not failed({"accuracy": Failed("the scorer broke")}, errored=False)
    assert failed({"groundedness": Scored(1.0)}, errored=True)


@pytest.mark.parametrize(
    "error",
    [
        TraceError(kind="timeout", provider="openai", retryable=True),
        TraceError(kind="timeout"),
        TraceError(kind="HTTP 500"),
        TraceError(kind="retrieval_error", provider="a search service"),
    ],
)
def test_a_turn_that_ended_in_an_error_is_a_provider_error(error: TraceError) -> None:
    assert label(error=error) is Failure.PROVIDER_ERROR
    assert label(error=error, retrieved=()) is Failure.PROVIDER_ERROR


@pytest.mark.parametrize(
    "kind",
    ["retrieval_error", "crash: KeyError", "KnowledgeBaseError", "unfinished"],
)
def test_an_error_of_the_engine_itself_is_looked_at_up_to_the_prompt(
    kind: str,
) -> None:
    error = TraceError(kind=kind, retryable=False)
    gated = of(CASE, expected_reason=ReasonCode.OK)
    decision = TraceDecision(reason="retrieval_error")

    assert label(error=error) is Failure.UNKNOWN
    assert label(error=error, retrieved=()) is Failure.RETRIEVAL_MISS
    assert label(error=error, gold_not_indexed=("a", "a2"), retrieved=()) is (
        Failure.CORPUS_GAP
    )
    # A gate that calls a broken search by its name has made no mistake.
    assert label(gated, error=error, decision=decision) is Failure.UNKNOWN


def test_g21_an_unanswerable_case_that_was_answered() -> None:
    case = of(CASE, answerable=False, must_cite_one_of=(), expected_terms=())

    assert label(case, abstained=False) is Failure.ANSWERED_UNANSWERABLE
    assert label(case, abstained=True) is None
    assert label(case, abstained=None) is None


def test_a_case_to_be_refused_that_was_answered_and_one_that_was_declined() -> None:
    case = of(CASE, must_refuse=True)

    assert label(case, refused=False) is Failure.ANSWERED_UNANSWERABLE
    assert label(case, refused=True) is None
    unanswerable = of(case, answerable=False, must_cite_one_of=(), expected_terms=())
    declined = label(unanswerable, refused=False, abstained=True)
    assert declined is Failure.UNKNOWN


def test_g01_g04_declined_although_the_terms_stood_in_the_evidence() -> None:
    assert label(abstained=True, cited_ids=()) is Failure.REFUSED_ANSWERABLE


def test_declined_with_the_terms_in_the_answer_alone_is_not_a_wrong_refusal() -> None:
    found = label(
        abstained=True,
        cited_ids=(),
        answer_text="I cannot confirm 30 euros",
        evidence=evidence("b"),
        retrieved=hits("b"),
    )

    assert found is Failure.RETRIEVAL_MISS


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"retrieved": hits("b"), "evidence": evidence("b")}, Failure.RETRIEVAL_MISS),
        (
            {
                "retrieved": hits("b"),
                "evidence": evidence("b"),
                "gold_not_indexed": ("a", "a2"),
            },
            Failure.CORPUS_GAP,
        ),
        ({"evidence": evidence("b")}, Failure.SELECTION_MISS),
        ({"evidence": evidence("a2")}, Failure.UNGROUNDED),
    ],
)
def test_declined_without_the_terms_falls_to_the_layer_that_lost_them(
    changed: dict[str, object], expected: Failure
) -> None:
    assert label(abstained=True, cited_ids=(), **changed) is expected


def test_declined_without_the_terms_is_the_gates_where_it_misjudged() -> None:
    case = of(CASE, expected_reason=ReasonCode.OK)

    found = label(
        case,
        abstained=True,
        cited_ids=(),
        evidence=evidence("a2"),
        decision=TraceDecision(reason="insufficient_context"),
    )

    assert found is Failure.GATE_MISS


def test_where_no_term_can_be_looked_for_a_gold_document_has_to_do() -> None:
    no_text = (TracePassage(document_id="a"),)
    no_terms = of(CASE, expected_terms=())

    assert label(abstained=True, cited_ids=(), evidence=no_text) is (
        Failure.REFUSED_ANSWERABLE
    )
    assert label(no_terms, abstained=True, cited_ids=()) is Failure.REFUSED_ANSWERABLE
    assert label(no_terms, abstained=True, cited_ids=(), evidence=()) is (
        Failure.SELECTION_MISS
    )


def test_g23_declining_what_cannot_be_answered_is_no_wrong_refusal() -> None:
    case = of(CASE, answerable=False, expected_reason=ReasonCode.OK)
    decision = TraceDecision(reason="low_confidence")

    assert label(case, abstained=True, decision=decision) is Failure.GATE_MISS


def test_a_corpus_gap_needs_all_of_the_gold_to_be_missing() -> None:
    gone = {"retrieved": hits("b"), "evidence": evidence("b"), "cited_ids": ("b",)}

    assert label(gold_not_indexed=("a", "a2"), **gone) is Failure.CORPUS_GAP
    assert label(gold_not_indexed=("a",), **gone) is Failure.RETRIEVAL_MISS
    assert label(gold_not_indexed=("other",), **gone) is Failure.RETRIEVAL_MISS
    assert label(gold_not_indexed=(), **gone) is Failure.RETRIEVAL_MISS


def test_gold_that_came_back_is_no_corpus_gap_whatever_the_list_says() -> None:
    found = label(gold_not_indexed=("a", "a2"), cited_ids=("b",))

    assert found is Failure.CITATION_MISS


@pytest.mark.parametrize(
    ("stages", "expected"),
    [
        ({"lexical": stage("b")}, Failure.CANDIDATE_MISS),
        ({"lexical": stage("b", "a")}, Failure.FUSION_MISS),
        (
            {"lexical": stage("a"), "fused": stage("b", "a"), "reranked": stage("b")},
            Failure.RERANK_MISS,
        ),
        (None, Failure.RETRIEVAL_MISS),
    ],
)
def test_gold_that_did_not_come_back_is_located_by_the_stages(
    stages: dict[str, tuple[TraceStageEntry, ...]] | None, expected: Failure
) -> None:
    assert label(retrieved=hits("b"), stages=stages) is expected


def test_gold_below_the_cut_was_not_retrieved() -> None:
    below = hits("b", "x", "y", "z", "a")

    assert label(retrieved=below) is Failure.RETRIEVAL_MISS
    assert label(retrieved=below, stages={"fused": stage("b", "a")}) is (
        Failure.FUSION_MISS
    )


def test_stages_do_not_speak_against_gold_that_came_back() -> None:
    stages = {"lexical": stage("b"), "fused": stage("b")}

    assert label(stages=stages, cited_ids=("b",)) is Failure.CITATION_MISS


def test_retrieved_and_not_in_the_prompt() -> None:
    stages = {"selected": stage("b")}

    assert label(evidence=evidence("b"), cited_ids=("b",)) is Failure.SELECTION_MISS
    assert label(evidence=None, stages=stages, cited_ids=("b",)) is (
        Failure.SELECTION_MISS
    )
    # Where neither is known, all that was retrieved stands in for the prompt.
    assert label(evidence=None, cited_ids=("b",)) is Failure.CITATION_MISS


def test_the_gate_called_it_by_another_word() -> None:
    case = of(CASE, expected_reason=ReasonCode.OK)

    assert label(case, decision=TraceDecision(reason="ok")) is None
    assert label(case, decision=TraceDecision(reason="low_confidence")) is (
        Failure.GATE_MISS
    )
    assert label(case, decision=None) is None


def test_retrieved_and_not_cited() -> None:
    assert label(cited_ids=("b",)) is Failure.CITATION_MISS
    assert label(cited_ids=()) is Failure.CITATION_MISS
    assert label(cited_ids=(), retrieved=None) is Failure.CITATION_MISS


def test_what_retrieval_did_is_not_guessed_from_a_missing_citation() -> None:
    silent = Trace(case_id=CaseId("c"), cited_ids=("b",))

    assert label(of(CASE, expected_terms=()), silent) is Failure.UNKNOWN


def test_gold_of_citation_is_not_gold_of_retrieval() -> None:
    case = of(CASE, relevant_ids=("b",))

    assert label(case, retrieved=hits("b"), cited_ids=("b",)) is Failure.CITATION_MISS
    assert label(case, retrieved=hits("a")) is Failure.RETRIEVAL_MISS


def test_an_expected_term_that_stands_nowhere_is_ungrounded() -> None:
    assert label(evidence=evidence("a2"), answer_text="", cited_ids=("a2",)) is (
        Failure.UNGROUNDED
    )


def test_c11_a_citation_of_another_passage_is_an_unsupported_claim() -> None:
    wrong = TraceClaim(
        text="The fee is 30 euros.",
        citations=(TraceCitation(document_id="a", quote="The rent is 90 euros."),),
    )

    found = result(CASE, dataclasses.replace(RIGHT, claims=(wrong,)))

    assert found.failure is Failure.UNSUPPORTED_CLAIM


def test_g06_a_claim_without_a_citation_is_unsupported_and_no_claims_are_not() -> None:
    hello = TraceClaim(text="Hello!")

    assert label(claims=(hello,)) is Failure.UNSUPPORTED_CLAIM
    assert label(claims=()) is None


def test_a_scorer_that_broke_leaves_the_case_unknown_unless_a_layer_is_known() -> None:
    bad = {"answer": {"claims": "not a list"}, "cited_ids": None}

    assert label(**bad) is Failure.UNKNOWN
    assert label(retrieved=hits("b"), **bad) is Failure.RETRIEVAL_MISS


SIDES = of(
    CASE,
    query_type=QueryType.COMPARISON,
    must_cite_one_of=("a", "b"),
    expected_terms=("30 euros", "90 euros"),
    expected_claim_citations=(
        TargetSpec(target="fee", expected_doc_ids=("a",), expected_terms=("30 euros",)),
        TargetSpec(
            target="rent", expected_doc_ids=("b",), expected_terms=("90 euros",)
        ),
    ),
)
LEAK = "The fee is 30 euros, the rent 90 euros."


def leak(document: str) -> Trace:
    """Return a turn whose only document mentions both sides."""
    return Trace(
        case_id=CaseId("c"),
        retrieved=hits(document),
        evidence=(TracePassage(document_id=document, text=LEAK),),
        cited_ids=(document,),
        abstained=False,
    )


def test_the_pinned_leak_is_a_one_sided_comparison() -> None:
    run = score([SIDES], [(1, leak("a"))])
    (found,) = run.results

    scores = run.scores(found)
    assert scores["groundedness"] == 1.0
    assert scores["comparison_groundedness"] == 0.5
    assert found.failure is Failure.ONE_SIDED_COMPARISON
    assert run.attribution[Failure.ONE_SIDED_COMPARISON] == 1
    assert sum(run.attribution.values()) == 1


def test_the_pinned_leak_of_an_unrelated_document() -> None:
    run = score([SIDES], [(1, leak("x"))])
    (found,) = run.results

    scores = run.scores(found)
    assert scores["groundedness"] == 1.0
    assert scores["comparison_groundedness"] == 0.0
    assert found.failure is Failure.RETRIEVAL_MISS
    # Without a retrieval step there is only the evidence to speak of.
    assert label(SIDES, leak("x"), retrieved=None) is Failure.UNGROUNDED


@pytest.mark.parametrize(
    "stages",
    [
        {"lexical": stage("a"), "fused": stage("a")},
        {"lexical": stage("a", "b"), "fused": stage("a", "x", "y", "z", "b")},
    ],
)
def test_a_side_that_was_lost_beside_one_that_came_is_a_one_sided_comparison(
    stages: dict[str, tuple[TraceStageEntry, ...]],
) -> None:
    assert label(SIDES, leak("a"), stages=stages) is Failure.ONE_SIDED_COMPARISON


def test_a_side_that_the_base_does_not_hold_is_a_corpus_gap() -> None:
    assert label(SIDES, leak("a"), gold_not_indexed=("b",)) is Failure.CORPUS_GAP
    # Either document of a side would ground it.
    fee, rent = SIDES.expected_claim_citations
    either = dataclasses.replace(rent, expected_doc_ids=("b", "b2"))
    case = of(SIDES, expected_claim_citations=(fee, either))
    assert label(case, leak("a"), gold_not_indexed=("b",)) is (
        Failure.ONE_SIDED_COMPARISON
    )


def test_a_comparison_with_both_sides_grounded_did_not_fail() -> None:
    both = {"retrieved": hits("a", "b"), "evidence": evidence("a", "b")}

    assert label(SIDES, leak("a"), **both) is None
    # What grounds a side is there, whatever the list of missing gold says.
    assert label(
        SIDES, leak("a"), gold_not_indexed=("b",), cited_ids=("x",), **both
    ) is (Failure.CITATION_MISS)


def test_fewer_sub_queries_than_sides_is_under_decomposition() -> None:
    one = (PlanStep(query="fee", target="fee"),)
    two = (*one, PlanStep(query="rent", target="rent"))
    both = {"retrieved": hits("a", "b"), "evidence": evidence("a", "b")}

    assert label(SIDES, leak("a"), plan=one) is Failure.UNDER_DECOMPOSITION
    assert label(SIDES, leak("a"), plan=()) is Failure.UNDER_DECOMPOSITION
    assert label(SIDES, leak("a"), plan=two) is Failure.ONE_SIDED_COMPARISON
    assert label(SIDES, leak("a"), plan=None) is Failure.ONE_SIDED_COMPARISON
    # A plan that fetched both sides was large enough, whatever else went wrong.
    assert label(SIDES, leak("a"), plan=one, cited_ids=("x",), **both) is (
        Failure.CITATION_MISS
    )


def test_a_side_expected_to_stay_open_has_to_be_asked_for_too() -> None:
    fee, _ = SIDES.expected_claim_citations
    case = of(
        SIDES, expected_claim_citations=(fee,), expected_missing_targets=("Rent",)
    )
    one = (PlanStep(query="fee"),)

    assert label(case, leak("a"), plan=one, cited_ids=()) is (
        Failure.UNDER_DECOMPOSITION
    )


def test_a_declined_comparison_was_wrong_if_each_side_stood_in_its_own_document() -> (
    None
):
    declined = {"abstained": True, "cited_ids": ()}
    both = {"retrieved": hits("a", "b"), "evidence": evidence("a", "b")}

    assert label(SIDES, leak("a"), **both, **declined) is Failure.REFUSED_ANSWERABLE
    # The leak grounds one side only: to decline was not the first mistake.
    assert label(SIDES, leak("a"), **declined) is Failure.UNGROUNDED


def test_ids_compare_in_nfc() -> None:
    case = of(CASE, must_cite_one_of=("a\u00e7\u00e3o",))
    there = {
        "retrieved": hits("ac\u0327a\u0303o"),
        "evidence": evidence("b"),
        "cited_ids": ("b",),
    }

    assert label(case, **there) is Failure.SELECTION_MISS
    assert label(
        case,
        retrieved=hits("b"),
        stages={"lexical": stage("ac\u0327a\u0303o")},
    ) is (Failure.FUSION_MISS)


def test_a_leg_that_was_down_does_not_hide_that_no_leg_found_it() -> None:
    legs = {"lexical": TraceLeg(status="ok"), "dense": TraceLeg(status="failed")}

    found = label(retrieved=hits("b"), legs=legs, stages={"lexical": stage("b")})

    assert found is Failure.CANDIDATE_MISS


def test_attribute_without_failed_scores_gives_none() -> None:
    assert attribute(CASE, RIGHT, {}) is None
    assert attribute(CASE, None, {}) is Failure.UNKNOWN
