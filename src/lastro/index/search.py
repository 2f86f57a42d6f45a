"""The search: query to legs to one order to documents and passages.

What a leg cannot do is reported, never raised: a search always has an answer,
and the answer says how it came about.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from lastro.errors import KnowledgeBaseError
from lastro.index.asked import (
    Asked,
    Reranking,
    Wanted,
    readable,
    refuse_no_text,
    refuse_nonsense,
    understood,
)
from lastro.index.connection import StoreFailed
from lastro.index.dense_leg import OFF, DenseLeg
from lastro.index.filters import absent, restricted
from lastro.index.fuse import Candidate
from lastro.index.query import build, named
from lastro.index.reader import Reader, View
from lastro.index.rerank import MOST, reranked
from lastro.index.shown import Ordered, candidates, hits, shown, stages
from lastro.index.store import Listing
from lastro.index.together import Words, together
from lastro.model.document import Document
from lastro.model.ranking import HybridPath, Leg, LegStatus, Ranking

if TYPE_CHECKING:  # numpy comes with them, and a search by words needs none
    from lastro.index.embed import Embedders

_BLIND = Leg(status=LegStatus.BLIND, why="the query has no word that can be looked up")
_NOT_BUILT = "the index is being built by another process: nothing is visible yet"
_EMPTY = "the knowledge base is empty"
_BEHIND = "another process is writing: its newest documents are not visible yet"


class Searcher:
    """A knowledge base, open for searching.  Close it when done."""

    def __init__(
        self,
        kb: Path,
        clock: Callable[[], float],
        embedders: "Embedders | None" = None,
    ) -> None:
        self._reader = Reader(kb, clock, embedders)
        self._dense = DenseLeg(self._reader, embedders)

    @classmethod
    def open(
        cls,
        kb: Path | str,
        *,
        clock: Callable[[], float] = time.perf_counter,
        embedders: "Embedders | None" = None,
    ) -> "Searcher":
        """Open the knowledge base at ``kb``.

        An index that is missing, broken or behind is brought up first, unless
        another process is writing.  ``embedders`` gives the embedder of the
        base's vectors; without it there is no dense leg.

        Raises:
            KnowledgeBaseError: there is none, or it cannot be read.
        """
        searcher = cls(Path(kb), clock, embedders)
        searcher._reader.view()
        return searcher

    def close(self) -> None:
        """Give everything back."""
        self._reader.close()

    def document(self, document_id: str) -> Document | None:
        """Return a document, or None if there is none of that id."""
        refuse_no_text("a document's id", document_id)
        wanted = readable(document_id)
        return self._reader.with_view(
            lambda view: self._reader.read(
                view, lambda store: store.document(wanted, view.at)
            )
        )

    def embedder(self) -> str:
        """Return whose vectors the base holds, with their revision; empty: nobody's.

        An index of vectors that cannot be used says no revision.
        """
        return self._reader.with_view(self._embedder)

    def _embedder(self, view: View) -> str:
        if not view.embedder:
            return ""
        try:
            revision = self._reader.dense(view).manifest.identity.revision
        except KnowledgeBaseError:
            return view.embedder
        return f"{view.embedder} {revision}"

    def documents(self) -> Iterator[Listing]:
        """Yield id, title, locale and version of every document, by id."""
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
        reranking: Reranking | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> Ranking:
        """Return the ranking of a query; any text is a query.

        Args:
            query: what to look for; it is data and has no operators.
            k: how many documents, and at most how many selected passages.
            candidate_k: a leg fetches three times the larger of this and 2 k.
            locale: the query's language; empty: detected, or all of the base.
            filter_locale: only documents in this language range: ``pt`` takes
                ``pt-BR`` too, ``pt-BR`` takes ``pt`` where it was detected.
            collection: only documents of this collection.
            legs: ``lexical``, ``dense`` or ``hybrid``.
            max_chunks_per_source: how many selected passages a document gives.
            reranking: who reads the best passages again; None: nobody.
            clock: returns seconds; only ``took_ms`` comes from it.

        Raises:
            UsageError: a count outside 1 to 1000, legs that do not exist, or a
                value of another type.
            KnowledgeBaseError: the store cannot be read.
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
            reranking=reranking,
        )
        refuse_nonsense(wanted)
        return self._reader.with_view(
            lambda view: self._search(wanted.readable(), view, clock)
        )

    def _search(
        self, wanted: Wanted, view: View, clock: Callable[[], float]
    ) -> Ranking:
        try:
            words = self._words(wanted, view, clock)
        except StoreFailed:
            raise  # no leg makes up for the store
        except KnowledgeBaseError as error:
            self._reader.suspect(view)
            view = replace(view, index=None, failure=str(error))
            words = self._words(wanted, view, clock)
        near = self._dense.look(wanted, view, clock)
        names = partial(self._names, wanted, view, words.asked)
        ordered, report = self._reranked(
            wanted, view, together(words, near, names), clock
        )
        seen = self._reader.read(view, partial(shown, ordered=ordered, wanted=wanted))
        notes = (*_said(view), *words.asked.notes, *near.notes)
        if not seen.documents and view.index and view.index.passages:
            # A filter that takes no document at all is not the query's fault.
            notes += absent(view.index, wanted.filter_locale, wanted.collection)
        documents, prompt = hits(words.asked, seen)
        return Ranking(
            query=wanted.query,
            locales=words.asked.locales,
            locale_detected=words.asked.detected,
            hybrid_path=_path(words.leg, near.leg, report),
            legs={"lexical": words.leg, "dense": near.leg, **_named(report)},
            terms=words.asked.described,
            hits=documents,
            selected=prompt,
            stages=stages(seen),
            passages=view.index.passages if view.index else 0,
            notes=(*view.notes, *notes),
        )

    def _words(self, wanted: Wanted, view: View, clock: Callable[[], float]) -> Words:
        """Ask the lexical leg; what it cannot do is in its report."""
        began = clock()
        asked = understood(wanted, view.index, failed=bool(view.failure))
        if wanted.legs == "dense":
            return Words(asked, OFF)
        found: tuple[Candidate, ...] = ()
        if view.failure:
            leg = Leg(status=LegStatus.FAILED, why=view.failure)
        elif not asked.words:
            leg = _BLIND
        else:
            found = self._found(asked, wanted, view)
            leg = Leg(status=LegStatus.OK, hits=len(found))
        took = round(max(0.0, (clock() - began) * 1000), 3)
        return Words(asked, replace(leg, tokens=len(asked.words), took_ms=took), found)

    def _found(self, asked: Asked, wanted: Wanted, view: View) -> tuple[Candidate, ...]:
        if view.index is None:
            return ()
        query = restricted(build(asked.words), wanted.filter_locale, wanted.collection)
        scored = view.index.top(query, wanted.fetch)
        found = self._reader.read(
            view, partial(candidates, scored=scored, leg="lexical")
        )
        return found[: wanted.fetch]

    def _names(self, wanted: Wanted, view: View, asked: Asked) -> dict[int, float]:
        """Return the passages that hold names and codes of the query, by row."""
        words = named(asked.words, wanted.query)
        if view.index is None or not words:
            return {}
        query = restricted(build(words), wanted.filter_locale, wanted.collection)
        return {one.row: one.score for one in view.index.top(query, wanted.fetch)}

    def _reranked(
        self,
        wanted: Wanted,
        view: View,
        ordered: Ordered,
        clock: Callable[[], float],
    ) -> tuple[Ordered, Leg | None]:
        reranking = wanted.reranking
        if reranking is None or not ordered.fused:
            return ordered, None
        rows = [one.row for one in ordered.fused[:MOST]]
        found = self._reader.read(view, lambda store: store.passages(rows))
        texts = {
            row: "\n".join((one.title, *one.passage.heading_path, one.passage.text))
            for row, one in found.items()
        }
        order, report = reranked(
            wanted.query,
            ordered.fused,
            texts,
            reranking.reranker,
            reranking.budget_ms,
            clock,
        )
        ran = report.status is LegStatus.OK
        return replace(ordered, reranked=order if ran else None), report


def _path(lexical: Leg, dense: Leg, report: Leg | None) -> HybridPath:
    words, near = lexical.status is LegStatus.OK, dense.status is LegStatus.OK
    if words and near:
        full = report is not None and report.status is LegStatus.OK
        return HybridPath.FULL if full else HybridPath.RRF_ONLY
    if words:
        return HybridPath.LEXICAL_ONLY
    return HybridPath.DENSE_ONLY if near else HybridPath.NONE


def _named(report: Leg | None) -> dict[str, Leg]:
    return {} if report is None else {"reranker": report}


def _said(view: View) -> tuple[str, ...]:
    if view.behind:
        return (_BEHIND if view.index else _NOT_BUILT,)
    empty = view.index is None or not view.index.passages
    return (_EMPTY,) if empty and not view.failure else ()
