"""Gate accuracy compares the first reason with the expected one, and nothing else."""

import pytest

from lastro.eval.scorers import SCORERS
from lastro.model.case import Case
from lastro.model.decision import ReasonCode
from lastro.model.ids import CaseId
from lastro.model.score import Scored, Unscored
from lastro.model.trace import Trace, TraceDecision, TraceError

GATE = next(s for s in SCORERS if s.name == "gate_accuracy")
OF = Case(id=CaseId("c"), query="q", expected_reason=ReasonCode.LOW_CONFIDENCE)


def trace(reason: str | None) -> Trace:
    return Trace(case_id=CaseId("c"), decision=TraceDecision(reason=reason))


@pytest.mark.parametrize(
    ("reason", "value"),
    [("low_confidence", 1.0), ("ok", 0.0), ("a word of another system", 0.0)],
)
def test_the_reason_that_names_the_decision(reason: str, value: float) -> None:
    assert GATE.score(OF, trace(reason), 4) == Scored(value)


def test_without_an_expected_reason_there_is_no_key() -> None:
    of = Case(id=CaseId("c"), query="q")

    assert GATE.score(of, trace("ok"), 4) == Unscored("no expected_reason")


@pytest.mark.parametrize("by", [trace(None), Trace(case_id=CaseId("c"))])
def test_without_a_decision_nothing_was_measured(by: Trace) -> None:
    assert GATE.score(OF, by, 4) == Unscored("the trace has no decision.reason")


def test_a_turn_that_broke_after_its_decision_keeps_it() -> None:
    by = Trace(
        case_id=CaseId("c"),
        decision=TraceDecision(reason="low_confidence"),
        error=TraceError(kind="timeout"),
    )

    assert GATE.score(OF, by, 4) == Scored(1.0)
