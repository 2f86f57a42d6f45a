"""From features to a decision: every complaint is kept, the first one names it."""

from collections.abc import Callable
from dataclasses import replace

from lastro.gate import rules
from lastro.gate.confidence import confidence, word
from lastro.gate.features import Features
from lastro.gate.policy import RetrievalPolicy
from lastro.model.decision import (
    ConfidenceWord,
    Decision,
    Reason,
    ReasonCode,
)

Rule = Callable[[Features, RetrievalPolicy], Reason | None]

RULES: tuple[Rule, ...] = (
    rules.insufficient_context,
    rules.underspecified_query,
    rules.ambiguous_retrieval,
    rules.context_misaligned,
    rules.vague_but_high_risk,
    rules.low_confidence,
)


def decide(
    seen: Features, policy: RetrievalPolicy, apply: tuple[Rule, ...] = RULES
) -> Decision:
    """Return the decision, with reasons in the order of ``apply``.

    A retrieval of which every leg failed says nothing about the documents: it
    is a ``retrieval_error`` and no rule is asked.
    """
    if seen.failed:
        return Decision(
            reasons=(Reason(code=ReasonCode.RETRIEVAL_ERROR),),
            confidence=0.0,
            confidence_word=ConfidenceWord.LOW,
            calibrated=False,
            features=seen.as_mapping(),
            thresholds=policy.thresholds,
            hard_stop=True,
        )
    found = (rule(seen, policy) for rule in apply)
    value = confidence(seen)
    return Decision(
        reasons=tuple(reason for reason in found if reason is not None),
        confidence=value,
        confidence_word=word(value),
        calibrated=seen.calibrated is not None,
        features=seen.as_mapping(),
        thresholds=policy.thresholds,
    )


def smalltalk(policy: RetrievalPolicy) -> Decision:
    """Return the decision of a greeting: ok, without a retrieval to judge."""
    return Decision(
        reasons=(),
        confidence=1.0,
        confidence_word=ConfidenceWord.HIGH,
        calibrated=False,
        features={},
        thresholds=policy.thresholds,
        mode="smalltalk",
    )


def provider_failed(decision: Decision) -> Decision:
    """Return ``decision`` as it stands once the provider has failed: a hard stop."""
    return replace(
        decision,
        reasons=(Reason(code=ReasonCode.PROVIDER_ERROR), *decision.reasons),
        hard_stop=True,
    )
