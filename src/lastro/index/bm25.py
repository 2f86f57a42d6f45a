"""BM25 of query words in one analysed passage, as the lexical index computes it.

Pure arithmetic.  It says what each word of a query adds to the score of a
passage that was found, and it declares how words and fields are weighed.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lastro.text import Word, lookups

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


def term_scores(
    words: Sequence[Word],
    body_terms: Mapping[str, int],
    body_len: int,
    head_terms: Mapping[str, int],
    head_len: int,
    stats: Stats,
) -> tuple[float, ...]:
    """Return what each of ``words`` scores in a passage, not yet weighed.

    In each field the best way to look a word up counts: an emission, or the
    mean of the bigrams of a Hangul word.  The sum over words of
    ``weight(word) * score`` is the lexical score of the passage.

    Args:
        words: the words of the query, in order; may be empty.
        body_terms: how often the text of the passage holds each index term.
        body_len: how many terms the text has.
        head_terms: the same for title and headings.
        head_len: how many terms title and headings have.
        stats: of the whole index.

    Returns:
        One finite number a word, at least 0; 0 where the passage has none of it.
    """
    ways = [lookups(word) for word in words]
    body = _scores(ways, body_terms, body_len, stats.body_avg, stats.body_df, stats)
    head = _scores(ways, head_terms, head_len, stats.head_avg, stats.head_df, stats)
    return tuple(
        own + HEAD_WEIGHT * above for own, above in zip(body, head, strict=True)
    )


def _scores(
    ways: Sequence[Sequence[Sequence[str]]],
    terms: Mapping[str, int],
    length: int,
    average: float,
    df: Mapping[str, int],
    stats: Stats,
) -> list[float]:
    """Return the score of each word in one field: its best way's mean."""
    if not length:
        return [0.0] * len(ways)
    norm = K1 * (1.0 - B + B * length / average)
    scores = []
    for word in ways:
        best = 0.0
        for way in word:  # plain loops: a search runs this for each of its hits
            total = 0.0
            for term in way:
                count = terms.get(term, 0)
                if count:
                    rarity = idf(df.get(term, 0), stats.passages)
                    total += rarity * (K1 + 1.0) * count / (count + norm)
            best = max(best, total / len(way))
        scores.append(best)
    return scores
