"""BM25 of query words in one analysed passage, as the lexical index computes it.

Pure arithmetic.  It says what each word of a query adds to the score of a
passage that was found, and it declares how words and fields are weighed.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from lastro.text.emit import Word, lookups

# The constants that tantivy has built in.
K1 = 1.2
B = 0.75
# Weights of a word found in title and headings, and of a word that says little (a
# stop word, a generic action word, a short word that is no name); chosen on half of
# the judged questions, see docs/decisions/0012-lexical-scoring.md.
HEAD_WEIGHT = 0.5
LITTLE = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Stats:
    """What BM25 needs to know of the whole index.

    ``body_df`` and ``head_df`` say how many passages hold a term in their text,
    and in their title and headings; a term that is missing is held by none.
    """

    passages: int
    body_avg: float
    head_avg: float
    body_df: Mapping[str, int]
    head_df: Mapping[str, int]


def idf(df: int, passages: int) -> float:
    """Return the inverse document frequency of a term that ``df`` passages hold.

    >>> round(idf(1, 100), 3), round(idf(100, 100), 3)
    (4.209, 0.005)
    """
    return math.log(1.0 + (passages - df + 0.5) / (df + 0.5))


def weight(word: Word) -> float:
    """Return how much a query word counts: what says little counts half."""
    return 1.0 if word.informative else LITTLE


class Scoring:
    """The words of a query, weighed up once for every passage they are scored in.

    In each field the best way to look a word up counts: an emission, or the
    mean of the bigrams of a Hangul word.
    """

    # A search scores some ten passages: what does not depend on the passage is
    # worked out once, and a passage is asked only for the terms that it holds.

    def __init__(self, words: Sequence[Word], stats: Stats) -> None:
        self._count = len(words)
        self._words_of: dict[str, list[int]] = {}
        self._means: list[tuple[int, tuple[str, ...]]] = []
        for at, word in enumerate(words):
            for way in lookups(word):
                if len(way) > 1:
                    self._means.append((at, way))
                else:
                    self._words_of.setdefault(way[0], []).append(at)
        terms = {*self._words_of, *(term for _, way in self._means for term in way)}
        self._body = _Field(stats.body_avg, _gains(terms, stats.body_df, stats))
        self._head = _Field(stats.head_avg, _gains(terms, stats.head_df, stats))

    def scores(
        self,
        body_terms: Mapping[str, int],
        body_len: int,
        head_terms: Mapping[str, int],
        head_len: int,
    ) -> tuple[float, ...]:
        """Return what each word scores in a passage, not yet weighed.

        The sum over words of ``weight(word) * score`` is the lexical score of
        the passage.

        Args:
            body_terms: how often the text of the passage holds each index term.
            body_len: how many terms the text has.
            head_terms: the same for title and headings.
            head_len: how many terms title and headings have.

        Returns:
            One finite number a word, at least 0; 0 where the passage has none of it.
        """
        found = [0.0] * self._count
        if body_len:
            for at, score in self._best(self._body, body_terms, body_len).items():
                found[at] = score
        if head_len:
            for at, score in self._best(self._head, head_terms, head_len).items():
                found[at] += HEAD_WEIGHT * score
        return tuple(found)

    def _best(
        self, field: "_Field", held: Mapping[str, int], length: int
    ) -> dict[int, float]:
        """Return the score of each word that a field holds."""
        norm = K1 * (1.0 - B + B * length / field.average)
        gains = field.gains
        scores = {
            term: gains[term] * count / (count + norm)
            for term, count in held.items()
            if term in gains
        }
        best: dict[int, float] = {}
        for term, score in scores.items():
            for at in self._words_of.get(term, ()):
                if score > best.get(at, 0.0):
                    best[at] = score
        for at, way in self._means:
            total = 0.0  # no `sum`: it rounds otherwise from Python 3.12 on
            for term in way:
                total += scores.get(term, 0.0)
            best[at] = max(best.get(at, 0.0), total / len(way))
        return best


class _Field(NamedTuple):
    """A field's mean length, and what a term scores in it before saturation."""

    average: float
    gains: Mapping[str, float]


def _gains(
    terms: Iterable[str], df: Mapping[str, int], stats: Stats
) -> dict[str, float]:
    return {term: idf(df.get(term, 0), stats.passages) * (K1 + 1.0) for term in terms}
