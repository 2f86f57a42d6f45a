"""From the words of a query to the query of the lexical index.

Query text is data: it is analysed into words, and nothing here or behind it
parses it, so no sign in it is an operator.
"""

from collections import Counter
from collections.abc import Callable, Sequence

from tantivy import Occur, Query

from lastro.index.bm25 import HEAD_WEIGHT, weight
from lastro.index.lexical import schema
from lastro.text.emit import Word, lookups
from lastro.text.normalise import normalise

# A question has twenty words; what is longer is a prompt, and most of it no question.
MOST_WORDS = 64
# What may stand before the first word of a sentence, and before that.
_BEFORE = " \t\n\"'“‘«¿¡("
_ENDS = ("", ".", "!", "?", ":", "…")
_FIELDS = (("body", 1.0), ("head", HEAD_WEIGHT))

Clause = tuple[Occur, Query]


def build(words: Sequence[Word]) -> Query:
    """Return the query that scores a passage by ``words``.

    The score is the sum over words and fields; within a field the best way to
    look a word up counts, weighed as in :mod:`lastro.index.bm25`.  Without
    words nothing is found.
    """
    clauses = [
        clause
        for word in words
        for field, share in _FIELDS
        for clause in _clauses(word, field, share * weight(word))
    ]
    return Query.boolean_query(clauses) if clauses else Query.empty_query()


def choose(
    words: Sequence[Word], df: Callable[[str], int], most: int = MOST_WORDS
) -> tuple[Word, ...]:
    """Return the words of a query that are worth looking up, in their order.

    All of them, if they are at most ``most``; else the informative ones that the
    fewest passages hold, before those that say little and those that no
    passage holds.
    """
    if len(words) <= most:
        return tuple(words)

    def worth(at: int) -> tuple[bool, bool, int, int]:
        held = max(map(df, words[at].emissions), default=0)
        return (not held, not words[at].informative, held, at)

    return tuple(
        words[at] for at in sorted(sorted(range(len(words)), key=worth)[:most])
    )


def named(words: Sequence[Word], text: str) -> tuple[Word, ...]:
    """Return the words that are written alike in any language: names and codes.

    Those with a number in them, those with a capital that no sentence begins
    with, and those of another script than the query's.

    >>> from lastro.text.analyse import query_words
    >>> asked = "Where did Luther write the 95 theses?"
    >>> [word.surface for word in named(query_words(asked, ["en"]), asked)]
    ['luther', '95']
    """
    plain = normalise(text)
    scripts = Counter(word.script for word in words)
    own = max(scripts, key=lambda script: scripts[script], default="")
    return tuple(
        word
        for word in words
        if word.exact
        or word.script != own
        or (
            plain[word.start : word.start + 1].isupper()
            and plain[: word.start].rstrip(_BEFORE)[-1:] not in _ENDS
        )
    )


def _clauses(word: Word, field: str, share: float) -> list[Clause]:
    """Flat where it can be: tantivy skips what cannot win only in a flat union."""
    ways = lookups(word)
    if len(ways) == 1:
        return _mean(field, ways[0], share)
    each = [_mean(field, terms, share) for terms in ways]
    best = [way[0][1] if len(way) == 1 else Query.boolean_query(way) for way in each]
    return [(Occur.Should, Query.disjunction_max_query(best))]


def _mean(field: str, terms: Sequence[str], share: float) -> list[Clause]:
    return [
        (Occur.Should, Query.boost_query(_term(field, term), share / len(terms)))
        for term in terms
    ]


def _term(field: str, term: str) -> Query:
    return Query.term_query(schema(), field, term, "freq")
