"""Puts a turn into the form a provider is given; pure.

A passage is data under an opaque id: its text is fenced and escaped when it is
rendered, and it never enters the instruction.
"""

import base64
import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from lastro.answer.catalogue import said
from lastro.answer.names import name_words
from lastro.grounding import fence
from lastro.model.answer import (
    Contract,
    ContractName,
    Prompt,
    PromptPassage,
    Question,
    Turn,
)
from lastro.model.decision import Decision
from lastro.model.ranking import Hit, QueryTerm, Ranking

SHORTEST_ID = 5
HISTORY_TURNS = 12
HISTORY_LENGTH = 12_000


@dataclass(frozen=True, slots=True)
class Message:
    """One message to a language model: ``system``, ``user`` or ``assistant``."""

    role: str
    content: str


def build(
    question: Question,
    ranking: Ranking | None,
    decision: Decision,
    contract: Contract,
    *,
    locale: str,
    override_attempt: bool = False,
) -> Prompt:
    """Return the prompt of a turn; without a ranking it holds no passages."""
    hits = ranking.selected if ranking else ()
    terms = _telling(ranking.terms if ranking else (), question.text, locale)
    ids = cite_ids(hits)
    return Prompt(
        contract=contract,
        passages=tuple(
            PromptPassage(
                cite_id=cite_id,
                heading=_heading(hit, hits, contract, number),
                text=hit.passage.text,
                hit=hit,
            )
            for number, (cite_id, hit) in enumerate(ids.items(), start=1)
        ),
        question=question,
        decision=decision,
        locale=locale,
        terms=tuple(term.word for term in terms if term.informative),
        query_terms=terms,
        override_attempt=override_attempt,
        empty=ranking is not None and not ranking.passages,
    )


def _telling(
    terms: Sequence[QueryTerm], text: str, locale: str
) -> tuple[QueryTerm, ...]:
    """Return the terms, those that are names by how they were written informative.

    An acronym ("USP") is too short to be told from a function word by its form
    in the index, and a name may be a function word ("the plan Solo", in Spanish):
    it is found as it stands, whatever the language it is read in.
    """
    acronyms = {w.casefold() for w in re.findall(r"\b[A-Z]{2,3}\b", text)}
    if not any(map(str.islower, text)):
        return tuple(terms)
    named = name_words(text, locale)
    return tuple(
        replace(
            term,
            informative=True,
            stop=False,
            emissions=tuple(dict.fromkeys((*term.emissions, term.word))),
        )
        if not term.informative
        and (term.word in acronyms or (term.stop and term.word in named))
        else term
        for term in terms
    )


def cite_ids(hits: Sequence[Hit]) -> Mapping[str, Hit]:
    """Return each hit under an opaque id that is unique among ``hits``.

    The id is a hash of the passage's own id, so the same passage has the same
    id in every turn, and no id can be read as an ordinal.
    """
    by_passage = {hit.passage_id: hit for hit in hits}
    size = SHORTEST_ID
    while True:
        ids = {_hashed(name)[:size]: hit for name, hit in by_passage.items()}
        if len(ids) == len(by_passage):
            return ids
        size += 1


def render(prompt: Prompt) -> tuple[Message, ...]:
    """Return the messages for a language model: contract, history, data, question."""
    return (
        Message("system", _instruction(prompt)),
        *(Message(turn.role, turn.content) for turn in recent(prompt.question.history)),
        Message("user", _turn(prompt)),
    )


def recent(history: Sequence[Turn]) -> tuple[Turn, ...]:
    """Return the newest turns that fit: at most 12 and 12,000 characters."""
    kept: list[Turn] = []
    room = HISTORY_LENGTH
    for turn in reversed(history[-HISTORY_TURNS:]):
        room -= len(turn.content)
        if room < 0:
            break
        kept.append(turn)
    return tuple(reversed(kept))


def _instruction(prompt: Prompt) -> str:
    if prompt.decision.mode == "smalltalk":
        parts = [said("smalltalk", prompt.locale), said("language", prompt.locale)]
    else:
        parts = [prompt.contract.text]
    if prompt.override_attempt:
        parts.append(said("attempt", prompt.locale))
    return "\n\n".join(parts)


def _turn(prompt: Prompt) -> str:
    data = [fence.fenced(p.cite_id, p.heading, p.text) for p in prompt.passages]
    label = said("question", prompt.locale)
    return "\n\n".join([*data, f"{label}: {fence.escape(prompt.question.text)}"])


def _heading(hit: Hit, hits: Sequence[Hit], contract: Contract, number: int) -> str:
    path = hit.source or hit.document_id
    best = max(h.score for h in hits)
    if contract.name is ContractName.DISAMBIGUATION:
        return fence.heading(path, 0.0, contract.locale, ordinal=number)
    return fence.heading(path, hit.score / best if best > 0 else 0.0, contract.locale)


def _hashed(name: str) -> str:
    digest = hashlib.sha256(name.encode("utf-8")).digest()
    return "q" + base64.b32encode(digest).decode("ascii").lower().rstrip("=")
