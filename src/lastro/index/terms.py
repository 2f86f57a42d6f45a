"""The words of a query as one snapshot of the index sees them.

Counts come from the index; how a word scores in a passage is computed on the
passage's own text, by the same analyser that fed the index.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from lastro.index.bm25 import Stats, idf, term_scores
from lastro.index.lexical import Snapshot, head_of
from lastro.model.document import Passage
from lastro.model.ranking import QueryTerm
from lastro.text import Word, index_terms, lookups

_NOTHING = Stats(passages=0, body_avg=0.0, head_avg=0.0, body_df={}, head_df={})


class Terms:
    """The words of a query, counted once for a search; no index: an empty base."""

    def __init__(self, words: Sequence[Word], index: Snapshot | None) -> None:
        self._words = words
        self._index = index
        terms = {term for word in words for way in lookups(word) for term in way}
        self._stats = _stats(terms, index) if index else _NOTHING

    def described(self) -> tuple[QueryTerm, ...]:
        """Return the words as a ranking carries them."""
        return tuple(map(self._described, self._words))

    def _described(self, word: Word) -> QueryTerm:
        df = max(map(self._df, lookups(word)), default=0)
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

    def scores_in(self, passage: Passage, title: str) -> tuple[float, ...]:
        """Return what each word adds to the score of a passage, before weights."""
        body = index_terms(passage.text, passage.locale)
        head = index_terms(head_of(title, passage.heading_path), passage.locale)
        return term_scores(
            self._words, Counter(body), len(body), Counter(head), len(head), self._stats
        )


def _stats(terms: Iterable[str], index: Snapshot) -> Stats:
    return Stats(
        passages=index.rows,
        body_avg=index.average("body"),
        head_avg=index.average("head"),
        body_df={term: index.df("body", term) for term in terms},
        head_df={term: index.df("head", term) for term in terms},
    )
