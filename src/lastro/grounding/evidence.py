"""A passage made ready for many checks: its sentences, what each holds and denies."""

from dataclasses import dataclass
from functools import lru_cache

from lastro.grounding.negation import denies
from lastro.model.document import Passage, Span
from lastro.text import index_terms, sentences, words

WINDOW = 3  # sentences that together may support one


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One sentence of a passage; ``terms`` are what the index takes of it."""

    span: Span
    terms: frozenset[str]
    surfaces: frozenset[str]
    denies: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """A passage's sentences in order, and the terms of the headings above them.

    ``surfaces`` are the words as they stand, headings included.
    """

    lines: tuple[Line, ...]
    above: frozenset[str]
    surfaces: frozenset[str]


def evidence(passage: Passage, locale: str) -> Evidence:
    """Return ``passage`` ready to be checked against; the last few are remembered.

    ``locale`` is the turn's, for a passage whose own is not known.
    """
    return _evidence(
        passage.text, "\n".join(passage.heading_path), passage.locale or locale
    )


@lru_cache(maxsize=512)
def _evidence(text: str, headings: str, locale: str) -> Evidence:
    lines = tuple(_line(text, span, locale) for span in sentences(text, locale))
    named = frozenset(word.surface for word in words(headings, locale))
    return Evidence(
        lines=lines,
        above=frozenset(index_terms(headings, locale)),
        surfaces=named.union(*(line.surfaces for line in lines)),
    )


def _line(text: str, span: Span, locale: str) -> Line:
    said = text[span.start : span.end]
    return Line(
        span=span,
        terms=frozenset(index_terms(said, locale)),
        surfaces=frozenset(word.surface for word in words(said, locale)),
        denies=denies(said, locale),
    )
