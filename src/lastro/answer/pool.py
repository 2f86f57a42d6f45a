"""The sentences that an answer may quote, and how much each word of a question counts.

Built from a prompt's passages alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from lastro.answer.catalogue import catalogue, fold
from lastro.answer.holding import share
from lastro.answer.lines import Line, Reading
from lastro.answer.sides import Side, sides
from lastro.gate.messages import spoken
from lastro.model.answer import Prompt, PromptPassage
from lastro.model.ids import DocumentId
from lastro.model.ranking import QueryTerm

GENERIC_WEIGHT = 0.2  # a generic action word beside an informative one


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """All lines, by document in prompt order, and the weight of each term.

    ``sides`` are those of a comparison; the words of comparing ("difference")
    weigh little, for they say nothing of what is compared.
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


def pool(prompt: Prompt, targets: Sequence[str] = ()) -> Pool:
    """Return the sentences of the prompt's passages, each read once."""
    named = sides(targets, prompt.locale)
    lines: list[Line] = []
    for rank, group in enumerate(_by_document(prompt.passages)):
        reading = Reading(prompt.query_terms, named, prompt.locale, rank)
        lines += reading.lines(group)
    comparing = catalogue(spoken(prompt.locale)).comparing if named else frozenset()
    return Pool(
        terms=prompt.query_terms,
        weights=tuple(_weight(term, comparing) for term in prompt.query_terms),
        lines=tuple(lines),
        sides=named,
    )


def _weight(term: QueryTerm, comparing: frozenset[str]) -> float:
    """Return what a term counts: its rarity, less if it is a generic word."""
    if term.stop:
        return 0.0
    carries = term.informative and fold(term.word) not in comparing
    return term.idf if carries else GENERIC_WEIGHT * term.idf


def _by_document(passages: Sequence[PromptPassage]) -> list[list[PromptPassage]]:
    groups: dict[DocumentId, list[PromptPassage]] = {}
    for passage in passages:
        groups.setdefault(passage.hit.document_id, []).append(passage)
    return [sorted(g, key=lambda p: p.hit.passage.start) for g in groups.values()]
