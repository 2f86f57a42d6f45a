"""Pooled groundedness asks for every term in one text; a refusal grounds nothing."""

import doctest

import pytest

from lastro.eval.scorers import SCORERS, groundedness, scorers
from lastro.eval.scorers.view import NO_TEXT
from lastro.model.case import Case
from lastro.model.ids import CaseId
from lastro.model.score import Failed, Score, Scored, Unscored
from lastro.model.trace import Retrieved, Trace, TraceError, TracePassage
from lastro.text.terms import Match

GROUNDED = next(s for s in SCORERS if s.name == "groundedness")
ACCURATE = next(s for s in SCORERS if s.name == "accuracy")


def case(*terms: str, documents: tuple[str, ...] = (), answerable: bool = True) -> Case:
    return Case(
        id=CaseId("c"),
        query="q",
        answerable=answerable,
        expected_terms=terms,
        expected_doc_ids=documents,
    )


def trace(*texts: str, answer: str | None = None, abstained: bool = False) -> Trace:
    evidence = tuple(
        TracePassage(document_id=f"d{n}", text=text) for n, text in enumerate(texts)
    )
    return Trace(
        case_id=CaseId("c"),
        evidence=evidence,
        answer_text=answer,
        abstained=abstained,
    )


def grounded(of: Case, by: Trace | None) -> Score:
    return GROUNDED.score(of, by, 4)


def test_the_docstrings_hold() -> None:
    assert doctest.testmod(groundedness).failed == 0


@pytest.mark.parametrize(
    ("texts", "answer", "value"),
    [
        (["in 30 days", "a fee"], None, 1.0),
        (["in 30 days"], "a fee", 1.0),
        (["x"], "a fee in 30 days", 1.0),
        (["in 30", "days, a fee"], None, 0.0),
        (["in 30"], "days, a fee", 0.0),
        (["in 130 days", "a fee"], None, 0.0),
        ([], "a fee in 30 days", 0.0),
    ],
)
def test_every_term_stands_in_one_text_and_never_across_a_seam(
    texts: list[str], answer: str | None, value: float
) -> None:
    found = grounded(case("30 days", "fee"), trace(*texts, answer=answer))

    assert found == Scored(value)


def test_g11_another_number_is_another_fact() -> None:
    assert grounded(case("64"), trace("it is 62", answer="it is 164")) == Scored(0.0)


def test_g10_more_passages_change_nothing() -> None:
    assert grounded(case("fee"), trace("a fee")) == Scored(1.0)
    assert grounded(case("fee"), trace("x", "a fee", *"yz")) == Scored(1.0)


def test_an_abstention_is_not_grounded() -> None:
    assert grounded(case("fee"), trace("a fee", abstained=True)) == Scored(0.0)


def test_g01_g23_an_unanswerable_case_has_no_groundedness() -> None:
    of = case("fee", answerable=False)

    assert grounded(of, trace("a fee")) == Unscored("the case is not answerable")
    assert grounded(of, trace(abstained=True)) == Unscored("the case is not answerable")


def test_m39_without_terms_there_is_no_key() -> None:
    assert grounded(case(), trace("a fee")) == Unscored("no expected_terms")


def test_all_of_retrieved_stands_in_for_evidence_not_the_window() -> None:
    hits = tuple(Retrieved(id=f"d{n}", text="x" if n < 9 else "fee") for n in range(10))

    by = Trace(case_id=CaseId("c"), retrieved=hits)

    assert GROUNDED.score(case("fee"), by, 1) == Scored(1.0)


def test_evidence_that_is_given_is_all_there_is() -> None:
    hits = (Retrieved(id="d", text="fee"),)
    by = Trace(
        case_id=CaseId("c"),
        retrieved=hits,
        evidence=(TracePassage(document_id="d", text="x"),),
    )

    assert grounded(case("fee"), by) == Scored(0.0)


@pytest.mark.parametrize(
    "by",
    [
        Trace(case_id=CaseId("c"), answer_text="fee"),
        Trace(case_id=CaseId("c"), answer_text="fee", retrieved=(Retrieved(id="d"),)),
        Trace(
            case_id=CaseId("c"),
            answer_text="fee",
            evidence=(TracePassage(document_id="d"),),
        ),
        Trace(case_id=CaseId("c"), abstained=True),
    ],
)
def test_g18_without_any_text_nothing_was_measured(by: Trace) -> None:
    assert grounded(case("fee"), by) == Unscored(NO_TEXT)
    assert ACCURATE.score(case("fee"), by, 4) == Unscored(NO_TEXT)


def test_a_retrieval_that_found_nothing_was_measured() -> None:
    by = Trace(case_id=CaseId("c"), answer_text="fee", retrieved=())

    assert grounded(case("fee"), by) == Scored(0.0)


def test_a02_a_broken_turn_or_a_missing_trace_is_failed() -> None:
    by = Trace(case_id=CaseId("c"), error=TraceError(kind="auth"), retrieved=())

    assert grounded(case("fee"), by) == Failed("the turn broke: auth")
    assert grounded(case("fee"), None) == Failed("no trace")
    assert isinstance(grounded(case(), None), Unscored)


def test_r16_g18_a_scorer_that_crashes_is_failed_and_never_neutral() -> None:
    found = grounded(case(" "), trace("x"))

    assert isinstance(found, Failed)
    assert "blank term" in found.what


@pytest.mark.parametrize(
    ("documents", "terms", "value"),
    [
        (("d0",), ("fee",), 1.0),
        (("d0", "d1"), ("fee",), 1.0),
        (("d0", "d2"), ("fee",), 0.0),
        (("d0",), ("days",), 0.0),
        (("d0",), (), 1.0),
        ((), ("fee",), 1.0),
    ],
)
def test_accuracy_asks_for_all_documents_and_all_terms(
    documents: tuple[str, ...], terms: tuple[str, ...], value: float
) -> None:
    of = case(*terms, documents=documents)

    assert ACCURATE.score(of, trace("a fee", "x"), 4) == Scored(value)
    assert ACCURATE.score(of, trace("a fee", "x", abstained=True), 4) == Scored(0.0)


def test_accuracy_needs_something_expected() -> None:
    why = "neither expected_doc_ids nor expected_terms"

    assert ACCURATE.score(case(), trace("x"), 4) == Unscored(why)


def test_terms_may_be_matched_as_words_or_stems() -> None:
    def value(match: Match) -> Score:
        scorer = next(s for s in scorers(match) if s.name == "groundedness")
        of = Case(id=CaseId("c"), query="q", locale="pt-BR", expected_terms=("prazo",))
        return scorer.score(of, trace("os prazos"), 4)

    assert value(Match.SUBSTRING) == Scored(1.0)
    assert value(Match.WORD) == Scored(0.0)
    assert value(Match.STEM) == Scored(1.0)
