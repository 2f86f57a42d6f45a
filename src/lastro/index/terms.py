"""The words of a query as one snapshot of the index sees them.

Counts come from the index, and so do the terms of a passage that a word is scored
in; where these cannot be read, the passage is analysed as it was for the index.
"""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

from lastro.errors import KnowledgeBaseError
from lastro.index.bm25 import Scoring, Stats, idf
from lastro.index.entry import head_of
from lastro.index.lexical import Snapshot
from lastro.index.store import Found
from lastro.model.ranking import QueryTerm
from lastro.text.analyse import index_text
from lastro.text.emit import Word, lookups

_NOTHING = Stats(passages=0, body_avg=0.0, head_avg=0.0, body_df={}, head_df={})


class Terms:
    """The words of a query, counted once for a search; no index: an empty base."""

    def __init__(self, words: Sequence[Word], index: Snapshot | None) -> None:
        self._words = words
        self._index = index
        self._korean = index.korean if index else None
        self._ways = [lookups(word) for word in words]
        self._wanted = {term for ways in self._ways for way in ways for term in way}
        self._stats = _stats(self._wanted, index) if index else _NOTHING
        self._scoring = Scoring(words, self._stats)

    def described(self) -> tuple[QueryTerm, ...]:
        """Return the words as a ranking carries them."""
        return tuple(map(self._described, self._words, self._ways))

    def _described(self, word: Word, ways: Sequence[tuple[str, ...]]) -> QueryTerm:
        df = max(map(self._df, ways), default=0)
        return QueryTerm(
            word=word.surface,
            emissions=word.emissions,
            stop=word.stop,
            informative=word.informative,
            exact=word.exact,
            df=df,
            idf=idf(df, self._stats.passages),
        )

    def _df(self, way: tuple[str, ...]) -> int:
        """Return how many passages hold all terms of a way, in text or in head."""
        if self._index is None:
            return 0
        if len(way) > 1:
            return max(self._index.df_all("body", way), self._index.df_all("head", way))
        return max(self._stats.body_df[way[0]], self._stats.head_df[way[0]])

    def scores(self, found: Mapping[int, Found]) -> dict[int, tuple[float, ...]]:
        """Return what each word adds to the score of passages, before weights."""
        held = self._held(found)
        return {
            row: self._scoring.scores(*self._in(body), *self._in(head))
            for row, (body, head) in held.items()
        }

    def _held(self, found: Mapping[int, Found]) -> dict[int, tuple[str, str]]:
        try:
            held = self._index.terms(found) if self._index else {}
        except KnowledgeBaseError:
            held = {}
        for row in found.keys() - held.keys():
            held[row] = self._analysed(found[row])
        return held

    def _analysed(self, found: Found) -> tuple[str, str]:
        passage = found.passage
        head = head_of(found.title, passage.heading_path)
        body, above = (
            index_text(text, passage.locale, self._korean)
            for text in (passage.text, head)
        )
        return body, above

    def _in(self, text: str) -> tuple[dict[str, int], int]:
        """Return how often a text holds the terms looked up, and its length."""
        terms = text.split()
        held: dict[str, int] = {}
        for term in filter(self._wanted.__contains__, terms):  # few of them
            held[term] = held.get(term, 0) + 1
        return held, len(terms)


def _stats(terms: AbstractSet[str], index: Snapshot) -> Stats:
    return Stats(
        passages=index.rows,
        body_avg=index.average("body"),
        head_avg=index.average("head"),
        body_df=index.counts("body", terms),
        head_df=index.counts("head", terms),
    )
