"""A search over a handful of cards, without an index: for tests of what follows it.

The terms, emissions and sentences are those of the real analyser; only the
scoring is a plain BM25 over passages cut at about 120 words.
"""

import math
from collections import Counter
from collections.abc import Sequence

from lastro.model.answer import Question
from lastro.model.document import Passage, Span
from lastro.model.ids import DocumentId, PassageId
from lastro.model.ranking import (
    Hit,
    HybridPath,
    Leg,
    LegStatus,
    QueryTerm,
    Ranking,
    Stage,
    StageEntry,
    StageScore,
)
from lastro.text.analyse import index_terms, query_words
from lastro.text.detect import detect
from lastro.text.emit import Word
from lastro.text.sentences import sentences

Card = tuple[str, str, str, str]  # id, title, text, locale


class Shelf:
    """Cards that can be searched."""

    def __init__(self, cards: Sequence[Card], *, words: int = 120) -> None:
        self.texts = {card[0]: card[2] for card in cards}
        self._titles = {card[0]: card[1] for card in cards}
        self._passages = [p for card in cards for p in _cut(card, words)]
        self._counts = [
            Counter(index_terms(f"{self._titles[p.document_id]}\n{p.text}", p.locale))
            for p in self._passages
        ]
        self._mean = sum(c.total() for c in self._counts) / max(1, len(self._counts))

    def search(self, question: Question, *, k: int = 4, per_source: int = 2) -> Ranking:
        """Return the ranking of ``question``."""
        locale = question.locale or detect(question.text).locale or "en"
        terms = tuple(map(self._term, query_words(question.text, [locale])))
        scored = [self._scores(terms, at) for at in range(len(self._passages))]
        order = sorted(
            (
                at
                for at, row in enumerate(scored)
                if sum(row) > 0
                and self._passages[at].locale.startswith(question.filter_locale)
            ),
            key=lambda at: (-sum(scored[at]), self._passages[at].id),
        )
        seen: Counter[str] = Counter()
        chosen: list[int] = []
        for at in order:
            document = self._passages[at].document_id
            if seen[document] < per_source and len(chosen) < k:
                seen[document] += 1
                chosen.append(at)
        hits = tuple(
            self._hit(rank, at, scored[at]) for rank, at in enumerate(chosen, start=1)
        )
        first = {hit.document_id: hit for hit in reversed(hits)}
        found = tuple(
            StageEntry(
                passage_id=hit.passage_id, document_id=hit.document_id, score=hit.score
            )
            for hit in hits
        )
        return Ranking(
            query=question.text,
            locales=(locale,),
            locale_detected=not question.locale,
            hybrid_path=HybridPath.LEXICAL_ONLY,
            legs={
                "lexical": Leg(status=LegStatus.OK, hits=len(order), tokens=len(terms))
            },
            terms=terms,
            hits=tuple(hit for hit in hits if first[hit.document_id] is hit),
            selected=hits,
            stages={Stage.LEXICAL: found, Stage.SELECTED: found},
            passages=len(self._passages),
        )

    def _term(self, word: Word) -> QueryTerm:
        df = sum(any(e in c for e in word.emissions) for c in self._counts)
        n = len(self._passages)
        return QueryTerm(
            word=word.surface,
            emissions=word.emissions,
            stop=word.stop,
            informative=word.informative,
            exact=word.exact,
            df=df,
            idf=math.log(1 + (n - df + 0.5) / (df + 0.5)),
        )

    def _scores(self, terms: Sequence[QueryTerm], at: int) -> list[float]:
        counts = self._counts[at]
        norm = 0.9 * (0.6 + 0.4 * counts.total() / self._mean)
        row = []
        for term in terms:
            best = max((counts[e] for e in term.emissions), default=0)
            weight = 0.5 if term.stop else 1.0
            row.append(weight * term.idf * best * 1.9 / (best + norm))
        return row

    def _hit(self, rank: int, at: int, row: list[float]) -> Hit:
        passage, score = self._passages[at], sum(row)
        return Hit(
            rank=rank,
            score=score,
            passage=passage,
            title=self._titles[passage.document_id],
            stages={Stage.LEXICAL: StageScore(rank, score)},
            term_scores=tuple(row),
        )


def _cut(card: Card, words: int) -> list[Passage]:
    """Cut a card at about ``words``; a line "## …" heads a section of its own."""
    name, title, text, locale = card
    passages: list[Passage] = []
    spans: list[Span] = []
    path: tuple[str, ...] = ()

    def close() -> None:
        if spans:
            start, end = spans[0].start, spans[-1].end
            number = len(passages)
            passages.append(
                Passage(
                    id=PassageId(f"{name}::{number:03d}"),
                    document_id=DocumentId(name),
                    ordinal=number,
                    start=start,
                    end=end,
                    text=text[start:end],
                    locale=locale,
                    heading_path=path,
                )
            )
        spans.clear()

    for span in sentences(text, locale):
        line = text[span.start : span.end]
        if line.startswith("## "):
            close()
            path = (title, line.removeprefix("## "))
            continue
        spans.append(span)
        if sum(len(text[s.start : s.end].split()) for s in spans) >= words:
            close()
    close()
    return passages
