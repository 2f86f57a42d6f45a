"""Citations are judged against the evidence, document, passage and quote."""

import doctest

import pytest

from lastro.eval.scorers import SCORERS, citations
from lastro.eval.scorers.view import NO_CITATIONS, NO_EVIDENCE, NO_TEXT
from lastro.model.case import Case
from lastro.model.ids import CaseId
from lastro.model.score import Failed, Score, Scored, Unscored
from lastro.model.trace import (
    Retrieved,
    Trace,
    TraceCitation,
    TraceClaim,
    TracePassage,
)

BY_NAME = {scorer.name: scorer for scorer in SCORERS}
TEXT = "The fee is 30 euros."
EVIDENCE = (
    TracePassage(document_id="d", passage_id="d::1", text=TEXT, start=100),
    TracePassage(document_id="e", passage_id="e::1", text="Nothing else.", start=0),
)


def case(*gold: str, **fields: object) -> Case:
    return Case(
        id=CaseId("c"),
        query="q",
        must_cite_one_of=gold,
        **fields,  # type: ignore[arg-type]
    )


def citing(
    *made: TraceCitation, evidence: tuple[TracePassage, ...] | None = EVIDENCE
) -> Trace:
    claims = (TraceClaim(text="x", citations=made),)
    return Trace(case_id=CaseId("c"), claims=claims, evidence=evidence)


def score(name: str, of: Case, by: Trace) -> Score:
    return BY_NAME[name].score(of, by, 4)


def correct(*made: TraceCitation) -> Score:
    return score("citation_correctness", case(), citing(*made))


def test_the_docstrings_hold() -> None:
    assert doctest.testmod(citations).failed == 0


@pytest.mark.parametrize(
    ("cited", "value"), [(("b",), 1.0), (("x", "a"), 1.0), (("x",), 0.0), ((), 0.0)]
)
def test_one_of_the_gold_documents_is_enough(
    cited: tuple[str, ...], value: float
) -> None:
    by = Trace(case_id=CaseId("c"), cited_ids=cited)

    assert score("citation_coverage", case("a", "b"), by) == Scored(value)


def test_cited_documents_come_from_claims_or_the_answer_where_not_given() -> None:
    claim = TraceClaim(text="x", citations=(TraceCitation(document_id="a"),))
    answer = {"claims": [{"claim": "x", "citations": [{"document_id": "a"}]}]}

    for by in (
        Trace(case_id=CaseId("c"), claims=(claim,)),
        Trace(case_id=CaseId("c"), answer=answer),
    ):
        assert score("citation_coverage", case("a"), by) == Scored(1.0)


def test_cited_ids_stand_where_given() -> None:
    claim = TraceClaim(text="x", citations=(TraceCitation(document_id="a"),))
    by = Trace(case_id=CaseId("c"), cited_ids=(), claims=(claim,))

    assert score("citation_coverage", case("a"), by) == Scored(0.0)


def test_markers_in_the_text_are_not_read() -> None:
    by = Trace(case_id=CaseId("c"), answer_text="so it is [1] [cite:a]")

    assert score("citation_coverage", case("a"), by) == Unscored(NO_CITATIONS)


def test_coverage_has_no_key_without_gold_or_for_an_unanswerable_case() -> None:
    by = Trace(case_id=CaseId("c"), cited_ids=("a",))

    assert isinstance(score("citation_coverage", case(), by), Unscored)
    assert isinstance(
        score("citation_coverage", case("a", answerable=False), by), Unscored
    )
    assert isinstance(
        score("citation_coverage", case(relevant_ids=("a",)), by), Unscored
    )


def test_m42_numbers_in_an_answer_are_ids() -> None:
    by = Trace(
        case_id=CaseId("c"), answer={"claims": [{"citations": [{"document_id": 7}]}]}
    )

    assert score("citation_coverage", case("7"), by) == Scored(1.0)


@pytest.mark.parametrize("claims", [5, [5], [{"citations": [{"document_id": []}]}]])
def test_an_answer_that_is_not_what_it_says_is_failed(claims: object) -> None:
    by = Trace(case_id=CaseId("c"), answer={"claims": claims})

    found = score("citation_coverage", case("a"), by)

    assert isinstance(found, Failed)
    assert "answer.claims" in found.what


@pytest.mark.parametrize(
    ("citation", "right"),
    [
        (TraceCitation(document_id="d", quote="30 euros", start=111, end=119), True),
        (TraceCitation(document_id="d", quote="30 euros", start=111), True),
        (TraceCitation(document_id="d", quote="30 euros", start=112, end=120), False),
        (TraceCitation(document_id="d", quote="31 euros", start=111, end=119), False),
        (TraceCitation(document_id="d", quote="30 euros", start=11, end=19), False),
        (TraceCitation(document_id="d", quote="30 euros", start=111, end=500), False),
        (TraceCitation(document_id="d", quote="30 euros"), True),
        (TraceCitation(document_id="d", quote="31 euros"), False),
        (TraceCitation(document_id="e", quote="30 euros"), False),
        (TraceCitation(document_id="d"), True),
        (TraceCitation(document_id="x"), False),
        (TraceCitation(document_id="x", quote="30 euros"), False),
        (TraceCitation(document_id="d", passage_id="d::1"), True),
    ],
)
def test_g16_a_citation_points_to_evidence_and_its_quote_stands_there(
    citation: TraceCitation, right: bool
) -> None:
    assert correct(citation) == Scored(float(right))


def test_c11_the_right_fact_under_the_wrong_passage_is_wrong() -> None:
    wrong = TraceCitation(document_id="d", passage_id="d::9", quote="30 euros")

    assert correct(wrong) == Scored(0.0)


def test_correctness_is_a_share_of_the_citations() -> None:
    right = TraceCitation(document_id="d", quote="30 euros")
    wrong = TraceCitation(document_id="d", quote="31 euros")

    assert correct(right, right, wrong, wrong) == Scored(0.5)


def test_a_quote_is_looked_for_where_the_evidence_has_no_offsets() -> None:
    hits = (Retrieved(id="d::1", parent_id="d", text=TEXT),)
    made = TraceCitation(document_id="d", passage_id="d::1", quote="fee", start=900)
    claims = (TraceClaim(text="x", citations=(made,)),)
    by = Trace(case_id=CaseId("c"), retrieved=hits, claims=claims)

    assert score("citation_correctness", case(), by) == Scored(1.0)


def test_cited_ids_are_citations_without_a_quote() -> None:
    by = Trace(case_id=CaseId("c"), cited_ids=("d", "x"), evidence=EVIDENCE)

    assert score("citation_correctness", case(), by) == Scored(0.5)


def test_correctness_has_no_key_where_it_cannot_be_told() -> None:
    quoted = TraceCitation(document_id="d", quote="x")
    textless = (TracePassage(document_id="d"),)
    nothing = Trace(case_id=CaseId("c"))

    def found(by: Trace) -> Score:
        return score("citation_correctness", case(), by)

    assert found(nothing) == Unscored(NO_CITATIONS)
    assert found(Trace(case_id=CaseId("c"), cited_ids=())) == Unscored("no citations")
    assert found(citing(quoted, evidence=None)) == Unscored(NO_EVIDENCE)
    assert found(citing(quoted, evidence=textless)) == Unscored(NO_TEXT)
    assert found(citing(quoted, evidence=())) == Scored(0.0)


@pytest.mark.parametrize(
    ("cited", "value"),
    [
        (("d",), 1.0),
        (("d", "d", "x"), 0.5),
        (("x",), 0.0),
        ((), 0.0),
    ],
)
def test_precision_is_of_the_documents_cited(
    cited: tuple[str, ...], value: float
) -> None:
    of = case(expected_doc_ids=("d", "e"), expected_terms=("30 euros",))
    by = Trace(case_id=CaseId("c"), cited_ids=cited, evidence=EVIDENCE)

    assert score("citation_precision", of, by) == Scored(value)


def test_precision_is_zero_where_a_citation_term_is_not_in_the_evidence() -> None:
    by = Trace(case_id=CaseId("c"), cited_ids=("d",), evidence=EVIDENCE)
    missing = case(expected_doc_ids=("d",), expected_citation_terms=("31",))
    none = case(
        expected_doc_ids=("d",), expected_terms=("31",), expected_citation_terms=()
    )

    found = score("citation_precision", missing, by)

    assert isinstance(found, Scored)
    assert found.value == 0.0
    assert found.notes
    assert score("citation_precision", none, by) == Scored(1.0)


def test_precision_has_no_key_where_nothing_is_expected_or_known() -> None:
    by = Trace(case_id=CaseId("c"), cited_ids=("d",), evidence=EVIDENCE)
    of = case(expected_doc_ids=("d",))
    unanswerable = case(expected_doc_ids=("d",), answerable=False)

    assert isinstance(score("citation_precision", case(), by), Unscored)
    assert isinstance(score("citation_precision", unanswerable, by), Unscored)
    assert score("citation_precision", of, Trace(case_id=CaseId("c"))) == Unscored(
        NO_CITATIONS
    )
