"""A target of a comparison is grounded by one passage of its own documents."""

import doctest

import pytest

from lastro.eval.scorers import SCORERS, comparison
from lastro.eval.scorers.view import NO_EVIDENCE, NO_TEXT
from lastro.model.case import Case, QueryType, TargetSpec
from lastro.model.ids import CaseId
from lastro.model.score import Score, Scored, Unscored
from lastro.model.trace import Retrieved, Trace, TracePassage, TraceStageEntry

BY_NAME = {scorer.name: scorer for scorer in SCORERS}


def spec(name: str, *terms: str, documents: tuple[str, ...] = ()) -> TargetSpec:
    return TargetSpec(
        target=name, expected_doc_ids=documents or (name,), expected_terms=terms
    )


def case(
    *specs: TargetSpec,
    answerable: bool = True,
    query_type: QueryType | None = QueryType.COMPARISON,
    documents: tuple[str, ...] = ("A", "B"),
) -> Case:
    return Case(
        id=CaseId("c"),
        query="q",
        query_type=query_type,
        answerable=answerable,
        expected_terms=("30 days", "60 days"),
        expected_doc_ids=documents,
        expected_claim_citations=specs,
    )


BOTH = case(spec("A", "30 days"), spec("B", "60 days"))


def trace(*evidence: tuple[str, str], abstained: bool | None = None) -> Trace:
    found = tuple(TracePassage(document_id=doc, text=text) for doc, text in evidence)
    return Trace(case_id=CaseId("c"), evidence=found, abstained=abstained)


def score(name: str, of: Case, by: Trace) -> Score:
    return BY_NAME[name].score(of, by, 4)


def grounded(of: Case, by: Trace) -> Score:
    return score("comparison_groundedness", of, by)


def test_the_docstrings_hold() -> None:
    assert doctest.testmod(comparison).failed == 0


def test_the_pinned_leak_one_document_that_mentions_both_sides() -> None:
    leak = trace(("A", "A has 30 days, B has 60 days"))

    assert score("groundedness", BOTH, leak) == Scored(1.0)
    assert grounded(BOTH, leak) == Scored(0.5)


def test_the_pinned_leak_an_unrelated_document_that_mentions_both_sides() -> None:
    leak = trace(("X", "A has 30 days, B has 60 days"))

    assert score("groundedness", BOTH, leak) == Scored(1.0)
    assert grounded(BOTH, leak) == Scored(0.0)


def test_both_sides_from_their_own_documents() -> None:
    assert grounded(BOTH, trace(("A", "30 days"), ("B", "60 days"))) == Scored(1.0)


def test_terms_spread_over_two_passages_do_not_count() -> None:
    of = case(spec("A", "30 days", "fee"), spec("B", "60 days"))

    assert grounded(of, trace(("A", "30 days"), ("A", "fee"))) == Scored(0.0)
    assert grounded(of, trace(("A", "30 days and a fee"))) == Scored(0.5)


def test_any_of_a_targets_documents_will_do() -> None:
    of = case(spec("A", "30 days", documents=("A1", "A2")), spec("B", "60 days"))

    assert grounded(of, trace(("A2", "30 days"))) == Scored(0.5)


def test_the_answers_text_is_not_consulted() -> None:
    by = Trace(case_id=CaseId("c"), evidence=(), answer_text="30 days, 60 days")

    assert grounded(BOTH, by) == Scored(0.0)


def test_the_order_of_the_rules_of_absence() -> None:
    declined = trace(("A", "30 days"), abstained=True)

    assert grounded(case(query_type=None), declined) == Unscored("not a comparison")
    assert isinstance(grounded(case(spec("A", "x")), declined), Unscored)
    unanswerable = case(spec("A", "x"), spec("B", "y"), answerable=False)
    assert grounded(unanswerable, declined) == Unscored("the case is not answerable")
    assert grounded(BOTH, declined) == Scored(0.0)


def test_an_abstained_comparison_is_zero_even_without_any_text() -> None:
    assert grounded(BOTH, Trace(case_id=CaseId("c"), abstained=True)) == Scored(0.0)


def test_without_any_text_nothing_was_measured() -> None:
    by = Trace(case_id=CaseId("c"), retrieved=(Retrieved(id="A"),))

    assert grounded(BOTH, by) == Unscored(NO_TEXT)


def test_retrieved_stands_in_for_evidence_by_its_documents() -> None:
    hits = (
        Retrieved(id="A::1", parent_id="A", text="30 days"),
        Retrieved(id="B", text="60 days"),
    )

    assert grounded(BOTH, Trace(case_id=CaseId("c"), retrieved=hits)) == Scored(1.0)


@pytest.mark.parametrize(
    ("found", "value"),
    [((), 0.0), (("A",), 0.5), (("A", "A"), 0.5), (("B", "X", "A"), 1.0)],
)
def test_target_recall_is_of_the_expected_documents(
    found: tuple[str, ...], value: float
) -> None:
    by_evidence = trace(*((name, "") for name in found))
    hits = tuple(Retrieved(id=name) for name in found)
    by_retrieved = Trace(case_id=CaseId("c"), retrieved=hits)
    entries = tuple(TraceStageEntry(passage_id=n, document_id=n) for n in found)
    by_stage = Trace(case_id=CaseId("c"), stages={"fused": entries})

    assert score("comparison_target_recall", BOTH, by_evidence) == Scored(value)
    assert score("comparison_target_recall", BOTH, by_retrieved) == Scored(value)
    assert score("comparison_pool_recall", BOTH, by_stage) == Scored(value)


@pytest.mark.parametrize("name", ["comparison_target_recall", "comparison_pool_recall"])
def test_recall_of_targets_needs_a_comparison_of_two_documents(name: str) -> None:
    one = case(documents=("A", "A"))
    other = case(query_type=QueryType.SINGLE_DOC)

    assert score(name, one, trace()) == Unscored("fewer than two expected_doc_ids")
    assert score(name, other, trace()) == Unscored("not a comparison")


def test_recall_of_targets_is_not_measured_without_a_trace_of_evidence() -> None:
    nothing = Trace(case_id=CaseId("c"))

    assert score("comparison_target_recall", BOTH, nothing) == Unscored(NO_EVIDENCE)
    assert score("comparison_pool_recall", BOTH, nothing) == Unscored(
        "the trace has no stages.fused"
    )


def test_recall_of_targets_is_measured_where_nothing_can_be_answered() -> None:
    of = case(answerable=False)

    assert score("comparison_target_recall", of, trace(("A", ""))) == Scored(0.5)
