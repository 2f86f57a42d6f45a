"""The complaints a retrieval can earn, one function each; none knows the others.

A rule takes the facts and the policy and returns its reason, or None.  A value
that could not be measured earns no complaint here: the features say so.
"""

from lastro.gate.border import below
from lastro.gate.confidence import LOW, confidence
from lastro.gate.features import Features
from lastro.gate.policy import RetrievalPolicy
from lastro.model.decision import Reason, ReasonCode


def insufficient_context(seen: Features, policy: RetrievalPolicy) -> Reason | None:
    """Nothing was found, or even the best passage matched poorly."""
    if not seen.selected:
        return Reason(
            code=ReasonCode.INSUFFICIENT_CONTEXT,
            observed=None,
            required=policy.min_score,
        )
    return _short(
        ReasonCode.INSUFFICIENT_CONTEXT, seen.top_score, required=policy.min_score
    )


def underspecified_query(seen: Features, policy: RetrievalPolicy) -> Reason | None:
    """The question names too little to look for."""
    return _short(
        ReasonCode.UNDERSPECIFIED_QUERY, seen.informative, required=policy.min_terms
    )


def ambiguous_retrieval(seen: Features, policy: RetrievalPolicy) -> Reason | None:
    """Two documents fit the question about equally well."""
    return _short(
        ReasonCode.AMBIGUOUS_RETRIEVAL, seen.margin, required=policy.min_score_margin
    )


def context_misaligned(seen: Features, policy: RetrievalPolicy) -> Reason | None:
    """The best passage holds too few of the words that the question is about."""
    return _short(
        ReasonCode.CONTEXT_MISALIGNED, seen.coverage, required=policy.min_coverage
    ) or _short(
        ReasonCode.CONTEXT_MISALIGNED,
        seen.coverage_weighted,
        required=policy.min_coverage_weighted,
    )


def vague_but_high_risk(seen: Features, policy: RetrievalPolicy) -> Reason | None:
    """Something is wrong or slow, and the question does not say what.

    A word of trouble is not what is in trouble, however rare it is in this
    knowledge base; so the central terms are taken without such words.
    """
    del policy  # no threshold: words are there or not
    if not seen.trouble or seen.subjects:
        return None
    return Reason(code=ReasonCode.VAGUE_BUT_HIGH_RISK, observed=0.0, required=1.0)


def low_confidence(seen: Features, policy: RetrievalPolicy) -> Reason | None:
    """Little speaks for the passages, or none holds one of the central terms.

    In the second case ``observed`` is the number of central terms that are
    missing and ``required`` is 0.
    """
    del policy  # the borders of the three words are fixed
    value = confidence(seen)
    if below(value, LOW):
        return Reason(code=ReasonCode.LOW_CONFIDENCE, observed=value, required=LOW)
    if seen.central_missing:
        return Reason(
            code=ReasonCode.LOW_CONFIDENCE,
            observed=float(seen.central_missing),
            required=0.0,
        )
    return None


def _short(
    code: ReasonCode, observed: float | None, *, required: float
) -> Reason | None:
    if observed is None or not below(observed, required):
        return None
    return Reason(code=code, observed=float(observed), required=float(required))
