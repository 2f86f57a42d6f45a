"""The decision keeps every reason in the specified order; the first one names it."""

from dataclasses import replace

from rankings import GOOD

from lastro.gate import rules
from lastro.gate.decide import RULES, decide, provider_failed, smalltalk
from lastro.gate.policy import RetrievalPolicy
from lastro.model.decision import ConfidenceWord, ReasonCode

POLICY = RetrievalPolicy()


def test_the_order_is_the_specification_s() -> None:
    assert [rule.__name__ for rule in RULES] == [
        "insufficient_context",
        "underspecified_query",
        "ambiguous_retrieval",
        "context_misaligned",
        "vague_but_high_risk",
        "low_confidence",
    ]


def test_each_rule_is_named_after_its_reason() -> None:
    codes = [ReasonCode(rule.__name__) for rule in RULES]
    assert codes == list(ReasonCode)[: len(RULES)]


def test_a_good_retrieval_is_ok() -> None:
    decision = decide(GOOD, POLICY)
    assert decision.reason is ReasonCode.OK
    assert decision.reasons == ()
    assert not decision.hard_stop
    assert decision.thresholds["min_score"] == 1.5
    assert decision.features["top_score"] == 6.0


def test_every_reason_is_kept_and_the_first_names_the_decision() -> None:
    seen = replace(GOOD, top_score=1.0, informative=1, margin=0.0, coverage=0.1)
    found = [reason.code for reason in decide(seen, POLICY).reasons]
    assert found[:4] == [
        ReasonCode.INSUFFICIENT_CONTEXT,
        ReasonCode.UNDERSPECIFIED_QUERY,
        ReasonCode.AMBIGUOUS_RETRIEVAL,
        ReasonCode.CONTEXT_MISALIGNED,
    ]
    assert decide(seen, POLICY).reason is ReasonCode.INSUFFICIENT_CONTEXT


def test_one_rule_can_be_applied_alone() -> None:
    seen = replace(GOOD, top_score=1.0, informative=1)
    decision = decide(seen, POLICY, apply=(rules.underspecified_query,))
    assert [r.code for r in decision.reasons] == [ReasonCode.UNDERSPECIFIED_QUERY]


def test_a_failed_retrieval_is_a_hard_stop_and_never_insufficient() -> None:
    decision = decide(replace(GOOD, failed=True, selected=0), POLICY)
    assert [r.code for r in decision.reasons] == [ReasonCode.RETRIEVAL_ERROR]
    assert decision.hard_stop
    assert decision.confidence == 0.0


def test_a_weak_retrieval_does_not_stop_the_turn() -> None:
    assert not decide(replace(GOOD, selected=0, top_score=None), POLICY).hard_stop


def test_a_greeting_is_ok_in_its_own_mode() -> None:
    decision = smalltalk(POLICY)
    assert (decision.reason, decision.mode) == (ReasonCode.OK, "smalltalk")


def test_a_provider_s_failure_names_the_decision_and_keeps_the_rest() -> None:
    weak = decide(replace(GOOD, informative=1), POLICY)
    failed = provider_failed(weak)
    assert failed.reason is ReasonCode.PROVIDER_ERROR
    assert failed.hard_stop
    assert failed.reasons[1:] == weak.reasons
    assert failed.confidence_word in ConfidenceWord
