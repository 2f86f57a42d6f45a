"""A passage made ready for many checks: its sentences, each taken apart."""

from dataclasses import dataclass
from functools import lru_cache

from lastro.grounding.statement import Statement, statement
from lastro.model.document import Passage, Span
from lastro.text.analyse import index_terms, words
from lastro.text.sentences import sentences


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """A passage's sentences in order, with their spans.

    ``above`` are the index terms of the headings above the passage; ``surfaces``
    are all its words as they stand, headings included.
    """

    spans: tuple[Span, ...]
    lines: tuple[Statement, ...]
    above: frozenset[str]
    surfaces: frozenset[str]


def evidence(passage: Passage, locale: str) -> Evidence:
    """Return ``passage`` ready to be checked against; the last few are remembered.

    ``locale`` is the turn's, for a passage whose own is not known.
    """
    headings = "\n".join(passage.heading_path)
    return _evidence(passage.text, headings, passage.locale or locale)


@lru_cache(maxsize=512)
def _evidence(text: str, headings: str, locale: str) -> Evidence:
    spans = sentences(text, locale)
    lines = tuple(statement(text[span.start : span.end], locale) for span in spans)
    named = frozenset(word.surface for word in words(headings, locale))
    return Evidence(
        spans=spans,
        lines=lines,
        above=frozenset(index_terms(headings, locale)),
        surfaces=named.union(*(line.surfaces for line in lines)),
    )
