"""Abstention and refusal: did the system decline where it had to.

Both are the system's own booleans; nothing here guesses them from text.
"""

from enum import StrEnum

from lastro.eval.scorers.scorer import Needs, Scorer
from lastro.eval.scorers.view import View
from lastro.model.case import Case
from lastro.model.score import Score, Scored, Unscored
from lastro.model.trace import Trace


class Outcome(StrEnum):
    """What became of an unanswerable case."""

    CORRECT_REFUSAL = "correct_refusal"
    INCORRECT_ANSWER = "incorrect_answer"
    BOUNDARY_PARTIAL = "boundary_partial"


def outcome(case: Case, trace: Trace | View) -> Outcome | None:
    """Classify an unanswerable case; None where there is nothing to classify.

    Abstained with nothing in the evidence is a correct refusal, an answer is
    an incorrect answer, and everything between them is a boundary case.
    """
    view = View.of(trace)
    if case.answerable or view.trace.abstained is None:
        return None
    if not view.abstained:
        return Outcome.INCORRECT_ANSWER
    if view.documents:
        return Outcome.BOUNDARY_PARTIAL
    return Outcome.CORRECT_REFUSAL


def _answerable(case: Case) -> str:
    return "the case is answerable" if case.answerable else ""


def _may_answer(case: Case) -> str:
    return "" if case.must_refuse else "the case is not must_refuse"


def _abstained(_case: Case, view: View, _k: int) -> Score:
    if view.trace.abstained is None:
        return Unscored("the trace does not say whether it abstained")
    return Scored(float(view.abstained))


def _refused(_case: Case, view: View, _k: int) -> Score:
    if view.trace.refused is None:
        return Unscored("the trace does not say whether it refused")
    return Scored(float(view.trace.refused))


def abstention_scorers() -> tuple[Scorer, ...]:
    """Return abstention and refusal, in report order."""
    return (
        Scorer(
            name="abstention",
            what="1 if an unanswerable case was abstained",
            binary=True,
            needs=Needs.ANSWERABILITY,
            applies=_answerable,
            measure=_abstained,
            reads=("answerable", "abstained"),
            reads_answer=True,
        ),
        Scorer(
            name="refusal",
            what="1 if a must_refuse case was refused",
            binary=True,
            needs=Needs.ANSWERABILITY,
            applies=_may_answer,
            measure=_refused,
            reads=("must_refuse", "refused"),
            reads_answer=True,
        ),
    )
