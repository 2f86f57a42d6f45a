"""Which grounding contract a turn gets: a table of policy and circumstance.

The texts stand in ``contracts/<name>.<language>.txt``; a knowledge base may
bring its own under the same names.
"""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from lastro.gate.messages import Notice, notice, spoken
from lastro.model.answer import Contract, ContractName, Policy
from lastro.model.decision import Decision, ReasonCode


def choose(
    policy: Policy,
    decision: Decision,
    *,
    has_passages: bool,
    disambiguation: bool,
    locale: str,
    own: Mapping[str, str] | None = None,
) -> Contract:
    """Return the contract of a turn, its text in the language of ``locale``.

    Args:
        policy: what the person or the keeper of the base chose.
        decision: how the retrieval was judged.
        has_passages: whether a single passage goes into the prompt.
        disambiguation: whether readings may be offered instead of an answer.
        locale: the language of the turn; an unknown one reads English.
        own: the knowledge base's own texts, keyed ``<name>.<language>``.
    """
    name = named(
        policy, decision, has_passages=has_passages, disambiguation=disambiguation
    )
    language = spoken(locale)
    text = (own or {}).get(f"{name}.{language}") or _text(name, language)
    return Contract(name=name, locale=language, text=_filled(text, language))


def named(
    policy: Policy, decision: Decision, *, has_passages: bool, disambiguation: bool
) -> ContractName:
    """Return which contract the table gives, before its text is looked up.

    Without a passage there is nothing to anchor an answer in, nor readings to
    offer: hybrid may explain in general, the others decline.  A turn that is ok
    without a passage is a greeting, which hybrid does not put under a notice.
    """
    if policy is Policy.STRICT:
        return ContractName.STRICT
    if not has_passages and policy is Policy.ANCHORED:
        return ContractName.STRICT
    if not has_passages and decision.reason is not ReasonCode.OK:
        return ContractName.PERMISSIVE
    if disambiguation and decision.reason is ReasonCode.AMBIGUOUS_RETRIEVAL:
        return ContractName.DISAMBIGUATION
    return ContractName.ANCHORED


def _filled(text: str, language: str) -> str:
    label = notice(Notice.TEACHING_LABEL, language)
    fixed = notice(Notice.PERMISSIVE, language)
    return text.strip().replace("{label}", label).replace("{notice}", fixed)


@cache
def _text(name: ContractName, language: str) -> str:
    source = files("lastro.grounding").joinpath("contracts", f"{name}.{language}.txt")
    return source.read_text(encoding="utf-8")
