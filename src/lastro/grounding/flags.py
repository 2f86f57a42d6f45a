"""What a check after generation can complain of, one function each; no wording.

A flag is a finding, not a verdict: what it leads to is the policy's.
"""

from collections.abc import Iterable, Sequence

from lastro.grounding.support import SupportResult
from lastro.model.answer import Finding, Flag, Policy, Support
from lastro.model.decision import Decision, ReasonCode
from lastro.model.ranking import QueryTerm
from lastro.text.analyse import index_terms


def unresolved_citations(sentence: str, lost: Iterable[str]) -> tuple[Finding, ...]:
    """The sentence carried ids that were not in the prompt: one finding each."""
    return tuple(
        Finding(flag=Flag.UNRESOLVED_CITATION, sentence=sentence, observed=unknown)
        for unknown in lost
    )


def unsupported_claim(sentence: str, seen: SupportResult) -> Finding | None:
    """None of the passages that the sentence cites says it; partly is not none."""
    if seen.support is not Support.UNSUPPORTED:
        return None
    return Finding(
        flag=Flag.UNSUPPORTED_CLAIM,
        sentence=sentence,
        observed=seen.support.value,
        required=Support.PARTIAL.value,
        span=seen.span,
    )


def missing_informative_terms(
    answer: str,
    terms: Sequence[QueryTerm],
    decision: Decision,
    *,
    policy: Policy,
    locale: str,
) -> Finding | None:
    """The answer holds no informative term of the question at all.

    Under anchored and hybrid this is asked only of a retrieval that is ok.
    """
    if policy is not Policy.STRICT and decision.reason is not ReasonCode.OK:
        return None
    wanted = [term for term in terms if term.informative]
    held = frozenset(index_terms(answer, locale))
    if not wanted or any(not held.isdisjoint(term.emissions) for term in wanted):
        return None
    return Finding(
        flag=Flag.MISSING_INFORMATIVE_TERMS,
        required=", ".join(term.word for term in wanted),
    )
