"""The search: query to legs to one order to documents and passages.

What a leg cannot do is reported, never raised: a search always has an answer,
and the answer says how it came about.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from lastro.errors import KnowledgeBaseError
from lastro.index.asked import Asked, Wanted, refuse_nonsense, understood
from lastro.index.fuse import Candidate, ranked
from lastro.index.lexical import Snapshot, restricted
from lastro.index.query import build
from lastro.index.reader import Reader, View
from lastro.index.select import parents, selected
from lastro.index.store import Found, Listing
from lastro.model.document import Document
from lastro.model.ranking import (
    Hit,
    HybridPath,
    Leg,
    LegStatus,
    Ranking,
    Stage,
    StageEntry,
    StageScore,
)

Places = dict[Stage, StageScore]
_OFF = Leg(status=LegStatus.OFF, why="not asked for")
_NO_DENSE = Leg(status=LegStatus.OFF, why="this knowledge base has no dense index")
_BLIND = Leg(status=LegStatus.BLIND, why="the query has no word that can be looked up")
_NOT_BUILT = "the index is being built by another process: nothing is visible yet"
_BEHIND = "another process is writing: its newest documents are not visible yet"


class Searcher:
    """A knowledge base, open for searching.  Close it when done."""

    def __init__(self, kb: Path, clock: Callable[[], float]) -> None:
        self._reader = Reader(kb, clock)

    @classmethod
    def open(
        cls, kb: Path | str, *, clock: Callable[[], float] = time.perf_counter
    ) -> "Searcher":
        """Open the knowledge base at ``kb``.

        An index that is missing, broken or behind is brought up first, unless
        another process is writing.

        Raises:
            KnowledgeBaseError: there is none, or it cannot be read.
        """
        searcher = cls(Path(kb), clock)
        searcher._reader.view()
        return searcher

    def close(self) -> None:
        """Give everything back."""
        self._reader.close()

    def document(self, document_id: str) -> Document | None:
        """Return a document, or None if there is none of that id."""
        return self._reader.with_view(
            lambda view: self._reader.read(
                view, lambda store: store.document(document_id, view.at)
            )
        )

    def documents(self) -> Iterator[Listing]:
        """Yield id, title and locale of every document, by id."""
        yield from self._reader.with_view(
            lambda view: self._reader.read(view, lambda store: store.documents(view.at))
        )

    def search(  # noqa: PLR0913 - the choices of a search, all with defaults
        self,
        query: str,
        *,
        k: int = 4,
        candidate_k: int = 8,
        locale: str = "",
        filter_locale: str = "",
        collection: str = "",
        legs: str = "lexical",
        max_chunks_per_source: int = 2,
        clock: Callable[[], float] = time.perf_counter,
    ) -> Ranking:
        """Return the ranking of a query; any text is a query.

        Args:
            query: what to look for; it is data and has no operators.
            k: how many documents, and at most how many selected passages.
            candidate_k: a leg fetches three times the larger of this and 2 k.
            locale: the query's language; empty: detected, or all of the base.
            filter_locale: only documents in this language range: ``pt`` takes
                ``pt-BR`` too, ``pt-BR`` does not take ``pt``.
            collection: only documents of this collection.
            legs: ``lexical``, ``dense`` or ``hybrid``.
            max_chunks_per_source: how many selected passages a document gives.
            clock: returns seconds; only ``took_ms`` comes from it.

        Raises:
            UsageError: a count below one, or legs that do not exist.
        """
        wanted = Wanted(
            query=query,
            k=k,
            candidate_k=candidate_k,
            locale=locale,
            filter_locale=filter_locale,
            collection=collection,
            legs=legs,
            max_chunks_per_source=max_chunks_per_source,
        )
        refuse_nonsense(wanted)
        return self._reader.with_view(lambda view: self._search(wanted, view, clock))

    def _search(
        self, wanted: Wanted, view: View, clock: Callable[[], float]
    ) -> Ranking:
        asked = understood(wanted, view.index, failed=bool(view.failure))
        found: tuple[Candidate, ...] = ()
        leg = _OFF
        if wanted.legs != "dense":
            began = clock()
            leg, found = self._lexical(wanted, view, asked)
            took = max(0.0, (clock() - began) * 1000)
            leg = replace(leg, tokens=len(asked.words), took_ms=round(took, 3))
        return self._ranking(wanted, view, asked, leg, found)

    def _lexical(
        self, wanted: Wanted, view: View, asked: Asked
    ) -> tuple[Leg, tuple[Candidate, ...]]:
        if view.failure:
            return Leg(status=LegStatus.FAILED, why=view.failure), ()
        if not asked.words:
            return _BLIND, ()
        if view.index is None:
            return Leg(status=LegStatus.OK), ()
        try:
            found = self._found(wanted, view, view.index, asked)
        except KnowledgeBaseError as error:
            self._reader.suspect(view)
            return Leg(status=LegStatus.FAILED, why=str(error)), ()
        return Leg(status=LegStatus.OK, hits=len(found)), found

    def _found(
        self, wanted: Wanted, view: View, index: Snapshot, asked: Asked
    ) -> tuple[Candidate, ...]:
        query = restricted(build(asked.words), wanted.filter_locale, wanted.collection)
        scored = index.top(query, wanted.fetch)
        rows = [one.row for one in scored]
        keys = self._reader.read(view, lambda store: store.keys(rows))
        if len(keys) < len(rows):
            raise KnowledgeBaseError("the lexical index is not that of this store")
        found = (
            Candidate(one.score, keys[one.row].passage, keys[one.row].document, one.row)
            for one in scored
        )
        return ranked(found)[: wanted.fetch]

    def _ranking(
        self,
        wanted: Wanted,
        view: View,
        asked: Asked,
        leg: Leg,
        found: tuple[Candidate, ...],
    ) -> Ranking:
        documents = parents(found, wanted.k)
        prompt = selected(found, wanted.k, wanted.max_chunks_per_source)
        shown = tuple(dict.fromkeys((*documents, *prompt)))
        rows = [one.row for one in shown]
        texts = (
            self._reader.read(view, lambda store: store.passages(rows)) if rows else {}
        )
        places = _places(found, prompt)
        hits = _hits(asked, texts, places)
        ran = leg.status is LegStatus.OK
        return Ranking(
            query=wanted.query,
            locales=asked.locales,
            locale_detected=asked.detected,
            hybrid_path=HybridPath.LEXICAL_ONLY if ran else HybridPath.NONE,
            legs={
                "lexical": leg,
                "dense": _OFF if wanted.legs == "lexical" else _NO_DENSE,
            },
            terms=asked.terms.described() if asked.terms else (),
            hits=_numbered(hits, documents),
            selected=_numbered(hits, prompt),
            stages={
                Stage.LEXICAL: _entries(found),
                Stage.FUSED: _entries(found),
                Stage.SELECTED: _entries(prompt),
            },
            passages=view.index.passages if view.index else 0,
            notes=(*view.notes, *_said(view), *asked.notes),
        )


def _hits(
    asked: Asked, found: Mapping[int, Found], places: Mapping[int, Places]
) -> dict[int, Hit]:
    hits: dict[int, Hit] = {}
    for row, one in found.items():
        passage, stages = one.passage, places[row]
        hits[row] = Hit(
            rank=1,
            score=stages[Stage.FUSED].score,
            passage=passage,
            title=one.title,
            source=one.source,
            collection=one.collection,
            stages=stages,
            term_scores=asked.terms.scores_in(passage, one.title)
            if asked.terms
            else (),
        )
    return hits


def _numbered(
    hits: Mapping[int, Hit], ranking: tuple[Candidate, ...]
) -> tuple[Hit, ...]:
    return tuple(
        replace(hits[one.row], rank=rank) for rank, one in enumerate(ranking, start=1)
    )


def _places(
    found: tuple[Candidate, ...], prompt: tuple[Candidate, ...]
) -> dict[int, Places]:
    """Return by row where a passage stood in each stage."""
    places: dict[int, Places] = {}
    rankings = {Stage.LEXICAL: found, Stage.FUSED: found, Stage.SELECTED: prompt}
    for stage, ranking in rankings.items():
        for rank, one in enumerate(ranking, start=1):
            places.setdefault(one.row, {})[stage] = StageScore(rank, one.score)
    return places


def _entries(ranking: tuple[Candidate, ...]) -> tuple[StageEntry, ...]:
    return tuple(
        StageEntry(passage_id=one.passage, document_id=one.document, score=one.score)
        for one in ranking
    )


def _said(view: View) -> tuple[str, ...]:
    if not view.behind:
        return ()
    return (_BEHIND if view.index else _NOT_BUILT,)
