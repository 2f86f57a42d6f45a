"""Abstention and refusal are what the system said of itself, never guessed."""

import pytest

from lastro.eval.scorers import SCORERS, Outcome, outcome
from lastro.model.case import Case
from lastro.model.ids import CaseId
from lastro.model.score import Failed, Scored, Unscored
from lastro.model.trace import Retrieved, Trace, TraceError, TracePassage

BY_NAME = {scorer.name: scorer for scorer in SCORERS}
UNANSWERABLE = Case(id=CaseId("c"), query="q", answerable=False)
MUST_REFUSE = Case(id=CaseId("c"), query="q", must_refuse=True)


def trace(
    *, abstained: bool | None = None, refused: bool | None = None, found: bool = False
) -> Trace:
    return Trace(
        case_id=CaseId("c"),
        abstained=abstained,
        refused=refused,
        answer_text="I cannot answer that.",
        evidence=(TracePassage(document_id="d", text="x"),) if found else (),
    )


@pytest.mark.parametrize("said", [True, False])
def test_g04_abstention_of_an_unanswerable_case(said: bool) -> None:
    found = BY_NAME["abstention"].score(UNANSWERABLE, trace(abstained=said), 4)

    assert found == Scored(float(said))


@pytest.mark.parametrize("said", [True, False])
def test_refusal_of_a_case_that_must_be_refused(said: bool) -> None:
    found = BY_NAME["refusal"].score(MUST_REFUSE, trace(refused=said), 4)

    assert found == Scored(float(said))


def test_what_the_system_does_not_say_is_not_guessed_from_its_text() -> None:
    assert isinstance(BY_NAME["abstention"].score(UNANSWERABLE, trace(), 4), Unscored)
    assert isinstance(BY_NAME["refusal"].score(MUST_REFUSE, trace(), 4), Unscored)


def test_g21_an_answerable_case_is_not_asked_about_abstention() -> None:
    of = Case(id=CaseId("c"), query="q")

    for name in ("abstention", "refusal"):
        assert isinstance(BY_NAME[name].score(of, trace(abstained=True), 4), Unscored)


def test_a_broken_turn_neither_abstained_nor_refused() -> None:
    by = Trace(case_id=CaseId("c"), error=TraceError(kind="empty"), abstained=True)

    assert isinstance(BY_NAME["abstention"].score(UNANSWERABLE, by, 4), Failed)


@pytest.mark.parametrize(
    ("by", "expected"),
    [
        (trace(abstained=True), Outcome.CORRECT_REFUSAL),
        (trace(abstained=False), Outcome.INCORRECT_ANSWER),
        (trace(abstained=False, found=True), Outcome.INCORRECT_ANSWER),
        (trace(abstained=True, found=True), Outcome.BOUNDARY_PARTIAL),
        (trace(), None),
        (Trace(case_id=CaseId("c"), abstained=True), Outcome.CORRECT_REFUSAL),
        (
            Trace(case_id=CaseId("c"), abstained=True, retrieved=(Retrieved(id="d"),)),
            Outcome.BOUNDARY_PARTIAL,
        ),
    ],
)
def test_g01_an_unanswerable_case_ends_in_one_of_three_ways(
    by: Trace, expected: Outcome | None
) -> None:
    assert outcome(UNANSWERABLE, by) == expected


def test_an_answerable_case_has_no_such_outcome() -> None:
    assert outcome(Case(id=CaseId("c"), query="q"), trace(abstained=True)) is None
