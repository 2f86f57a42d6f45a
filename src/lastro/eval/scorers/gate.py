"""Gate accuracy: did the gate call the retrieval by the expected word."""

from lastro.eval.scorers.scorer import Needs, Scorer
from lastro.eval.scorers.view import View
from lastro.model.case import Case
from lastro.model.score import Score, Scored, Unscored


def _no_reason(case: Case) -> str:
    return "" if case.expected_reason is not None else "no expected_reason"


def _named(case: Case, view: View, _k: int) -> Score:
    decision = view.trace.decision
    if decision is None or decision.reason is None:
        return Unscored("the trace has no decision.reason")
    return Scored(float(decision.reason == case.expected_reason))


def gate_scorers() -> tuple[Scorer, ...]:
    """Return gate accuracy."""
    return (
        Scorer(
            name="gate_accuracy",
            what="1 if decision.reason is expected_reason",
            binary=True,
            needs=Needs.GOLD,
            applies=_no_reason,
            measure=_named,
            reads=("expected_reason", "decision.reason"),
            reads_answer=False,
        ),
    )
