"""The search: query to legs to one order to documents and passages.

What a leg cannot do is reported, never raised: a search always has an answer,
and the answer says how it came about.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from lastro.errors import KnowledgeBaseError
from lastro.index.asked import (
    Asked,
    Wanted,
    readable,
    refuse_no_text,
    refuse_nonsense,
    understood,
)
from lastro.index.connection import StoreFailed
from lastro.index.filters import absent, restricted
from lastro.index.query import build
from lastro.index.reader import Reader, View
from lastro.index.shown import Shown, hits, shown, stages
from lastro.index.store import Listing
from lastro.model.document import Document
from lastro.model.ranking import HybridPath, Leg, LegStatus, Ranking

_OFF = Leg(status=LegStatus.OFF, why="not asked for")
_NO_DENSE = Leg(status=LegStatus.OFF, why="this knowledge base has no dense index")
_BLIND = Leg(status=LegStatus.BLIND, why="the query has no word that can be looked up")
_NOT_BUILT = "the index is being built by another process: nothing is visible yet"
_EMPTY = "the knowledge base is empty"
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
        refuse_no_text("a document's id", document_id)
        wanted = readable(document_id)
        return self._reader.with_view(
            lambda view: self._reader.read(
                view, lambda store: store.document(wanted, view.at)
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
                ``pt-BR`` too, ``pt-BR`` takes ``pt`` where it was detected.
            collection: only documents of this collection.
            legs: ``lexical``, ``dense`` or ``hybrid``.
            max_chunks_per_source: how many selected passages a document gives.
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
        )
        refuse_nonsense(wanted)
        return self._reader.with_view(
            lambda view: self._search(wanted.readable(), view, clock)
        )

    def _search(
        self, wanted: Wanted, view: View, clock: Callable[[], float]
    ) -> Ranking:
        began = clock()
        try:
            asked, leg, seen = self._looked(wanted, view)
        except StoreFailed:
            raise  # no leg makes up for the store
        except KnowledgeBaseError as error:
            self._reader.suspect(view)
            view = replace(view, index=None, failure=str(error))
            asked, leg, seen = self._looked(wanted, view)
        if leg.status is not LegStatus.OFF:
            took = max(0.0, (clock() - began) * 1000)
            leg = replace(leg, tokens=len(asked.words), took_ms=round(took, 3))
        return _ranking(wanted, view, asked, leg, seen)

    def _looked(self, wanted: Wanted, view: View) -> tuple[Asked, Leg, Shown]:
        """Ask the lexical leg; what it cannot do is in its report."""
        asked = understood(wanted, view.index, failed=bool(view.failure))
        if wanted.legs == "dense":
            return asked, _OFF, Shown()
        if view.failure:
            return asked, Leg(status=LegStatus.FAILED, why=view.failure), Shown()
        if not asked.words:
            return asked, _BLIND, Shown()
        if view.index is None:
            return asked, Leg(status=LegStatus.OK), Shown()
        query = restricted(build(asked.words), wanted.filter_locale, wanted.collection)
        scored = view.index.top(query, wanted.fetch)
        seen = self._reader.read(view, partial(shown, scored=scored, wanted=wanted))
        if not seen.found and view.index.passages:
            # A filter that takes no document at all is not the query's fault.
            said = absent(view.index, wanted.filter_locale, wanted.collection)
            asked = replace(asked, notes=(*asked.notes, *said))
        return asked, Leg(status=LegStatus.OK, hits=len(seen.found)), seen


def _ranking(
    wanted: Wanted, view: View, asked: Asked, leg: Leg, seen: Shown
) -> Ranking:
    ran = leg.status is LegStatus.OK
    dense = _OFF if wanted.legs == "lexical" else _NO_DENSE
    documents, prompt = hits(asked, seen)
    return Ranking(
        query=wanted.query,
        locales=asked.locales,
        locale_detected=asked.detected,
        hybrid_path=HybridPath.LEXICAL_ONLY if ran else HybridPath.NONE,
        legs={"lexical": leg, "dense": dense},
        terms=asked.described,
        hits=documents,
        selected=prompt,
        stages=stages(seen),
        passages=view.index.passages if view.index else 0,
        notes=(*view.notes, *_said(view), *asked.notes),
    )


def _said(view: View) -> tuple[str, ...]:
    if view.behind:
        return (_BEHIND if view.index else _NOT_BUILT,)
    empty = view.index is None or not view.index.passages
    return (_EMPTY,) if empty and not view.failure else ()
