"""How far a text holds the words of a question, as the index would find them; pure."""

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache

from lastro.model.ranking import QueryTerm
from lastro.text import hangul
from lastro.text.analyse import words
from lastro.text.emit import Word

HANGUL_SHARE = 0.5  # of a word's bigrams, from which it counts as held in part

Holds = tuple[float, ...]


def held(text: str, terms: Sequence[QueryTerm], locale: str) -> Holds:
    """Return how far ``text`` holds each of ``terms``.

    A word is held if the index would find it: one shared emission.  A Hangul
    word is held where its noun is, and in part by the share of the noun's pairs.
    """
    return holds(words(text, locale), terms)


def share(weights: Sequence[float], holds: Sequence[float]) -> float:
    """Return how much of ``weights`` is held, 0 to 1; 0 of nothing."""
    whole = math.fsum(weights)
    held_of = (weight * value for weight, value in zip(weights, holds, strict=True))
    return math.fsum(held_of) / whole if whole else 0.0


def most(rows: Iterable[Sequence[float]], size: int) -> Holds:
    """Return the greatest value of each column; zeros if there is no row."""
    best = [0.0] * size
    for row in rows:
        best = [max(pair) for pair in zip(best, row, strict=True)]
    return tuple(best)


def holds(found: Sequence[Word], terms: Sequence[QueryTerm]) -> Holds:
    """Return how far the words ``found`` in a text hold each of ``terms``."""
    emitted = {emission for word in found for emission in word.emissions}
    return tuple(holding(term, emitted) for term in terms)


def holding(term: QueryTerm, emitted: set[str]) -> float:
    """Return how far a text that emits ``emitted`` holds ``term``, 0 to 1."""
    if not _is_hangul(term.word):
        return 0.0 if emitted.isdisjoint(term.emissions) else 1.0
    if term.word in emitted:
        return 1.0
    pairs = _pairs(term.word)
    part = sum(pair in emitted for pair in pairs) / len(pairs)
    return part if part >= HANGUL_SHARE else 0.0


def _is_hangul(word: str) -> bool:
    return "가" <= word[:1] <= "힣"


@lru_cache(maxsize=1024)
def _pairs(word: str) -> tuple[str, ...]:
    return hangul.bigrams(hangul.noun(word))
