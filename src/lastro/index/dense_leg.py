"""The dense leg of a search: a query to its vector, and that to its neighbours.

What it cannot do is in its report: another embedder than the one that made the
vectors gives no neighbours at all, never wrong ones.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING

from lastro.errors import EmbedderError, EmbedderMismatch, KnowledgeBaseError
from lastro.index.asked import Wanted
from lastro.index.connection import StoreFailed
from lastro.index.filters import taken
from lastro.index.fuse import Candidate
from lastro.index.reader import Reader, Stale, View
from lastro.index.shown import candidates
from lastro.model.ranking import Leg, LegStatus

if TYPE_CHECKING:  # numpy comes with them, and a search by words needs none
    from lastro.index.dense import Dense
    from lastro.index.embed import Embedders
    from lastro.index.embedder import Embedder

OFF = Leg(status=LegStatus.OFF, why="not asked for")
NONE = Leg(status=LegStatus.OFF, why="this knowledge base has no dense index")
_BLIND = Leg(
    status=LegStatus.BLIND, why="the embedder knows no word of the query: no vector"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbours:
    """What the leg found, and how to compare more passages with the query."""

    leg: Leg
    found: tuple[Candidate, ...] = ()
    notes: tuple[str, ...] = ()
    embedder: str = ""
    cosines: Callable[[Collection[int]], Mapping[int, float]] = field(
        default=lambda _: {}
    )


class DenseLeg:
    """The leg of one open knowledge base; the embedder is loaded when first used."""

    def __init__(self, reader: Reader, embedders: "Embedders | None") -> None:
        self._reader = reader
        self._embedders = embedders
        self._lock = Lock()
        self._loaded: dict[str, Embedder] = {}
        self._fit: tuple[Dense, Embedder] | None = None
        self._pending: tuple[View, int] | None = None
        self._mended: set[int] = set()

    def look(
        self, wanted: Wanted, view: View, clock: Callable[[], float]
    ) -> Neighbours:
        """Return the neighbours of a query, or why there are none.

        Raises:
            Stale: the index was missing or damaged, and may be made anew now.
        """
        if wanted.legs == "lexical":
            return Neighbours(leg=OFF)
        if not view.embedder:
            return Neighbours(leg=NONE)
        began = clock()
        try:
            found = self._found(wanted, view)
        except StoreFailed:
            raise  # no leg makes up for the store
        except (EmbedderError, EmbedderMismatch) as error:
            return _failed(error)
        except KnowledgeBaseError as error:
            self._reader.mend(view)
            if view.at not in self._mended:  # once: perhaps nobody can
                self._mended.add(view.at)
                raise Stale from error
            return _failed(error)
        took = round(max(0.0, (clock() - began) * 1000), 3)
        return Neighbours(
            leg=_timed(found.leg, took),
            found=found.found,
            notes=found.notes,
            embedder=view.embedder,
            cosines=found.cosines,
        )

    def _found(self, wanted: Wanted, view: View) -> Neighbours:
        from lastro.index.window import fitted_query  # noqa: PLC0415  (numpy)

        dense = self._reader.dense(view)
        embedder = self._fitting(dense, view)
        text, note = fitted_query(wanted.query, embedder)
        notes = (note,) if note else ()
        vector = embedder.query(text)
        if not vector.any():
            return Neighbours(leg=_BLIND, notes=notes)
        only = taken(wanted.filter_locale, wanted.collection)
        scored = dense.top(vector, wanted.fetch, only)
        found = self._reader.read(view, partial(candidates, scored=scored, leg="dense"))
        pending = self._without_vectors(view, dense)
        why = f"{pending} passages have no vector yet" if pending else ""
        return Neighbours(
            leg=Leg(
                status=LegStatus.OK,
                hits=len(found),
                tokens=embedder.tokens(text),
                why=why,
            ),
            found=found,
            notes=notes,
            cosines=partial(dense.cosines, vector),
        )

    def _fitting(self, dense: "Dense", view: View) -> "Embedder":
        """Return the embedder, once it is known to give the index's vectors.

        Raises:
            EmbedderError: it cannot be used.
            EmbedderMismatch: it gives other vectors.
        """
        from lastro.index.dense import differing  # noqa: PLC0415  (numpy)

        with self._lock:
            if self._fit is not None and self._fit[0] is dense:
                return self._fit[1]
            if self._embedders is None:
                raise EmbedderError("no embedder was given")
            if view.embedder not in self._loaded:
                self._loaded[view.embedder] = self._embedders(view.embedder)
            embedder = self._loaded[view.embedder]
            why = differing(dense.manifest, embedder)
            if why:
                raise EmbedderMismatch(why)
            self._fit = (dense, embedder)
            return embedder

    def _without_vectors(self, view: View, dense: "Dense") -> int:
        from lastro.index.waiting import count  # noqa: PLC0415  (numpy)

        if self._pending is None or self._pending[0] is not view:
            through = dense.manifest.through
            number = self._reader.read(
                view, lambda store: count(store.db, through, view.at)
            )
            self._pending = (view, number)
        return self._pending[1]


def _failed(error: EmbedderError | KnowledgeBaseError) -> Neighbours:
    leg = Leg(status=LegStatus.FAILED, why=str(error))
    return Neighbours(leg=leg, notes=(f"the search by meaning failed: {error.hint}",))


def _timed(leg: Leg, took: float) -> Leg:
    return Leg(
        status=leg.status, hits=leg.hits, tokens=leg.tokens, took_ms=took, why=leg.why
    )
