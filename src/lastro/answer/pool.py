"""The sentences that an answer may quote, and how much each word of a question counts.

Built from a prompt's passages alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from lastro.answer.analyse import Analysis
from lastro.answer.lines import Line, Reading
from lastro.answer.sides import Side, sides
from lastro.gate.holding import share
from lastro.model.answer import Prompt, PromptPassage
from lastro.model.ids import DocumentId
from lastro.model.ranking import QueryTerm

GENERIC_WEIGHT = 0.2  # a generic action word beside an informative one


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """All lines, by document in prompt order, and the weight of each term.

    ``sides`` are those of a comparison.
    """

    terms: tuple[QueryTerm, ...]
    weights: tuple[float, ...]
    lines: tuple[Line, ...]
    sides: tuple[Side, ...] = ()

    def share(self, holds: Sequence[float], *, informative: bool = False) -> float:
        """Return the weighted share of the question that ``holds`` covers, 0 to 1."""
        if not informative:
            return share(self.weights, holds)
        pairs = zip(self.terms, self.weights, strict=True)
        return share([w if term.informative else 0.0 for term, w in pairs], holds)


def pool(prompt: Prompt, shape: Analysis) -> Pool:
    """Return the sentences of the prompt's passages, each read once."""
    terms = told(prompt, shape)
    named = sides(shape.targets, prompt.locale)
    lines: list[Line] = []
    for rank, group in enumerate(_by_document(prompt.passages)):
        lines += Reading(terms, named, prompt.locale, rank).lines(group)
    return Pool(
        terms=terms,
        weights=tuple(map(_weight, terms)),
        lines=tuple(lines),
        sides=named,
    )


def told(prompt: Prompt, shape: Analysis) -> tuple[QueryTerm, ...]:
    """Return the words of the question, those of asking no longer informative.

    A question of nothing but such words keeps them.
    """
    terms = tuple(
        replace(term, informative=False) if term.word in shape.aside else term
        for term in prompt.query_terms
    )
    return terms if any(t.informative for t in terms) else prompt.query_terms


def _weight(term: QueryTerm) -> float:
    """Return what a term counts: its rarity, less if it is a generic word."""
    if term.stop:
        return 0.0
    return term.idf if term.informative else GENERIC_WEIGHT * term.idf


def _by_document(passages: Sequence[PromptPassage]) -> list[list[PromptPassage]]:
    groups: dict[DocumentId, list[PromptPassage]] = {}
    for passage in passages:
        groups.setdefault(passage.hit.document_id, []).append(passage)
    return [sorted(g, key=lambda p: p.hit.passage.start) for g in groups.values()]
