"""A claim is aligned when what it cites supports it; what is wrong has a code."""

import doctest

import pytest

from lastro.eval.scorers import SCORERS, Misalignment, alignment, misaligned
from lastro.eval.scorers.view import NO_EVIDENCE, NO_TEXT
from lastro.model.case import Case, TargetSpec
from lastro.model.ids import CaseId
from lastro.model.score import Score, Scored, Unscored
from lastro.model.trace import Trace, TraceCitation, TraceClaim, TracePassage

ALIGNED = next(s for s in SCORERS if s.name == "claim_citation_alignment")
EVIDENCE = (
    TracePassage(document_id="A", passage_id="A::1", text="The fee is 30 euros."),
    TracePassage(document_id="B", passage_id="B::1", text="It takes 60 days."),
)
PLAIN = Case(id=CaseId("c"), query="q")
TARGETS = Case(
    id=CaseId("c"),
    query="q",
    expected_claim_citations=(
        TargetSpec(target="A", expected_doc_ids=("A",), expected_terms=("30",)),
        TargetSpec(target="B", expected_doc_ids=("B",), expected_terms=("60 days",)),
    ),
)


def claim(text: str, *documents: str, target: str | None = None) -> TraceClaim:
    citations = tuple(TraceCitation(document_id=name) for name in documents)
    return TraceClaim(text=text, target=target, citations=citations)


def trace(*claims: TraceClaim) -> Trace:
    return Trace(case_id=CaseId("c"), claims=claims, evidence=EVIDENCE)


def aligned(of: Case, *claims: TraceClaim) -> float:
    found = ALIGNED.score(of, trace(*claims), 4)
    assert isinstance(found, Scored)
    return found.value


def codes(of: Case, *claims: TraceClaim) -> list[str]:
    found = misaligned(of, trace(*claims))
    assert not isinstance(found, Unscored)
    return [item.code for item in found]


def test_the_docstrings_hold() -> None:
    assert doctest.testmod(alignment).failed == 0


@pytest.mark.parametrize(
    ("made", "code"),
    [
        (claim("The fee is 30 euros"), Misalignment.CLAIM_MISSING_CITATION),
        (claim("The fee is 30 euros", "X"), Misalignment.CITATION_NOT_IN_EVIDENCE),
        (claim("Dogs bark at night", "A"), Misalignment.CLAIM_TEXT_NOT_SUPPORTED),
    ],
)
def test_what_is_wrong_with_a_claim_has_a_code(
    made: TraceClaim, code: Misalignment
) -> None:
    assert codes(PLAIN, made) == [code]
    assert aligned(PLAIN, made) == 0.0


@pytest.mark.parametrize(
    ("text", "supported"),
    [
        ("the FEE is\t30", True),
        ("A fee of 30 euros", True),
        ("fee dogs", True),
        ("fee dogs bark", False),
        ("...", False),
    ],
)
def test_half_of_the_words_of_a_claim_stand_in_what_it_cites(
    text: str, supported: bool
) -> None:
    assert aligned(PLAIN, claim(text, "A")) == float(supported)


def test_g14_a_number_worked_out_of_what_is_cited_is_no_error() -> None:
    assert aligned(PLAIN, claim("The fee is 90 euros for three", "A")) == 1.0


def test_a_target_has_its_own_documents_and_terms() -> None:
    right_a = claim("The fee is 30 euros", "A", target="a ")
    right_b = claim("It takes 60 days", "B", target="B")
    foreign = claim("It takes 60 days", "B", target="A")

    assert aligned(TARGETS, right_a, right_b) == 1.0
    assert codes(TARGETS, foreign, right_b) == [
        Misalignment.DOCUMENT_MISMATCH,
        Misalignment.TERMS_MISSING,
    ]
    assert aligned(TARGETS, foreign, right_b) == 0.5


def test_a_target_without_a_claim_is_a_zero_more() -> None:
    right_a = claim("The fee is 30 euros", "A", target="A")

    assert codes(TARGETS, right_a) == [Misalignment.CLAIM_MISSING]
    assert aligned(TARGETS, right_a) == 0.5
    assert aligned(TARGETS) == 0.0


def test_a_target_that_is_expected_to_stay_open_needs_no_claim() -> None:
    of = Case(
        id=CaseId("c"),
        query="q",
        expected_claim_citations=TARGETS.expected_claim_citations,
        expected_missing_targets=("B",),
    )

    assert aligned(of, claim("The fee is 30 euros", "A", target="A")) == 1.0


def test_g07_every_claim_is_judged_and_the_mean_is_over_all_of_them() -> None:
    good = claim("The fee is 30 euros", "A")

    assert aligned(PLAIN, good, good, good, claim("Dogs bark", "A")) == 0.75


def test_claims_of_the_answer_contract_are_read() -> None:
    made = {"claim": "The fee is 30 euros", "citations": [{"document_id": "A"}]}
    by = Trace(case_id=CaseId("c"), answer={"claims": [made]}, evidence=EVIDENCE)

    assert ALIGNED.score(PLAIN, by, 4) == Scored(1.0)


def test_it_has_no_key_where_it_cannot_be_told() -> None:
    cited = claim("x", "A")

    def found(**fields: object) -> Score:
        by = Trace(case_id=CaseId("c"), **fields)  # type: ignore[arg-type]
        return ALIGNED.score(PLAIN, by, 4)

    assert found() == Unscored("the trace has no claims")
    assert found(claims=()) == Unscored("neither claims nor expected targets")
    assert found(claims=(cited,)) == Unscored(NO_EVIDENCE)
    textless = (TracePassage(document_id="A"),)
    assert found(claims=(cited,), evidence=textless) == Unscored(NO_TEXT)
    assert found(claims=(claim("x"),)) == Scored(
        0.0, ("claim 1: claim_missing_citation",)
    )
