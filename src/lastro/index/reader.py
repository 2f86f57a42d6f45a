"""One knowledge base, open for reading: store and index as of the same change.

A reader takes a snapshot of the index, reads its marker, and reads the store as
of that change.  What the store no longer knows of it (purged meanwhile) makes
the reader take a newer snapshot.  An index that is behind or broken is brought
up here if nobody else is writing; else it is used, or reported, as it is.
"""

import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from lastro.errors import KnowledgeBaseError
from lastro.index import folder, integrity
from lastro.index.korean import recorded
from lastro.index.lexical import Lexical, Snapshot
from lastro.index.panics import only_our_errors
from lastro.index.publish import catch_up, folder_of, unfit
from lastro.index.store import State, Store

if TYPE_CHECKING:  # numpy comes with them, and a search by words needs none
    from lastro.index.dense import Dense
    from lastro.index.embed import Embedders

T = TypeVar("T")

EMBED = "`lastro embed --kb KB` makes the vectors."

# An index up to this size is checked whole when it is opened: some 30 ms.
CHECKED = 32_000_000
_TRIES = 20
_PAUSE = 1.0


class Stale(Exception):
    """The store has moved on; never leaves this room."""


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What can be seen: the change to read as of, and the index at that change.

    ``failure`` says why there is no index; ``behind`` that the store has
    acknowledged more than this view shows; ``unfinished`` that a writer was, or
    is, in the middle of its work; ``embedder`` whose vectors there are, if any;
    ``store`` the name of the store.
    """

    at: int
    store: str = ""
    index: Snapshot | None = None
    failure: str = ""
    behind: bool = False
    unfinished: bool = False
    embedder: str = ""
    notes: tuple[str, ...] = ()


class Reader:
    """Gives views of the knowledge base at ``kb``, each consistent in itself."""

    def __init__(
        self, kb: Path, clock: Callable[[], float], embedders: "Embedders | None" = None
    ) -> None:
        self._korean = recorded(kb)
        self._kb = kb
        self._clock = clock
        self._embedders = embedders
        self._vectors: tuple[View, Dense] | None = None
        self._lock = threading.RLock()
        self._store = Store(kb, reading=True)
        self._version = -1
        self._open: tuple[int, Lexical] | None = None
        self._suspected = False
        self._view = View(at=0)
        self._tried = clock() - _PAUSE

    def close(self) -> None:
        """Give the store back, once nobody is in the middle of reading it."""
        with self._lock:
            self._store.close()

    def read(self, view: View, what: Callable[[Store], T]) -> T:
        """Read the store as of a view.

        Raises:
            Stale: rows that the view needs are gone.
        """
        with self._lock, self._store.reading() as purged:
            if purged > view.at:
                raise Stale
            return what(self._store)

    def with_view(self, what: Callable[[View], T]) -> T:
        """Call ``what`` with a view, again with a newer one if it is too old."""
        for _ in range(_TRIES):
            try:
                return what(self.view())
            except Stale:
                continue
        raise KnowledgeBaseError(
            f"{self._kb} changes faster than it can be read",
            hint="Try again when the `lastro ingest` under way has ended.",
        )

    def view(self) -> View:
        """Return the newest view; cheap when nothing has changed."""
        with self._lock:
            version = self._store.data_version()
            if version != self._version:
                self._renew()
            if self._view.unfinished:
                self._mend()
            return self._view

    def dense(self, view: View) -> "Dense":
        """Return the vectors as of a view.

        Raises:
            Stale: they have been replaced by newer ones.
            KnowledgeBaseError: they are missing or damaged.
        """
        from lastro.index.dense import Dense  # noqa: PLC0415  (numpy)

        with self._lock:
            if self._vectors is None or self._vectors[0] is not view:
                self._vectors = (view, self._mapped(view, Dense.open))
            return self._vectors[1]

    def _mapped(self, view: View, opened: "Callable[[Path, int], Dense]") -> "Dense":
        where = self._kb / folder.DENSE
        try:
            for _ in range(_TRIES):  # files can be made one while they are looked at
                with suppress(FileNotFoundError):
                    found = opened(where, view.at)
                    ours = (found.manifest.store, found.manifest.applied)
                    if ours == (view.store, view.at):
                        return found
                    raise KnowledgeBaseError(
                        "the dense index is that of another store", hint=EMBED
                    )
        except OSError as error:
            raise folder.refused(where, error) from error
        if self._store.data_version() != self._version:
            raise Stale
        raise KnowledgeBaseError("the dense index is missing", hint=EMBED)

    def mend(self, view: View) -> None:
        """Let the next view be taken only after the indexes were brought up."""
        with self._lock:
            if self._view is view:
                self._view = replace(view, unfinished=True)

    def suspect(self, view: View) -> None:
        """Look at every file of the index again: using it has failed."""
        with self._lock:
            if self._view is view:
                self._open, self._version, self._suspected = None, -1, True

    def _renew(self) -> None:
        for _ in range(_TRIES):
            self._version = self._store.data_version()
            with self._store.reading():
                state = self._store.state()
            self._view = self._look(state)
            # A failure may be the old folder going away under our hands.
            if not self._view.failure or self._version == self._store.data_version():
                return

    def _mend(self) -> None:
        """End a writer's work, if it is not doing so; tried once in a while."""
        if self._clock() - self._tried < _PAUSE:
            return
        self._tried = self._clock()
        try:
            notes = catch_up(self._kb, self._embedders)
        except KnowledgeBaseError:
            return  # a folder that cannot be written to can still be read
        if notes is not None:
            self._renew()
            self._view = replace(self._view, notes=notes)

    def _look(self, state: State) -> View:
        if not state.generation:
            waiting = state.applied > 0
            return View(at=0, behind=waiting, unfinished=waiting)
        try:
            index = self._snapshot(state)
            why = unfit(index.marker, state, self._korean)
        except KnowledgeBaseError as error:
            index, why = None, str(error)
        if index is None or why:
            self._open = None
            return View(
                at=state.applied,
                failure=why,
                unfinished=True,
                embedder=state.embedder,
                store=state.store,
            )
        at = index.marker.applied
        return View(
            at=at,
            index=index,
            behind=at < state.applied,
            unfinished=state.purged < state.applied,
            embedder=state.embedder,
            store=state.store,
        )

    def _snapshot(self, state: State) -> Snapshot:
        if self._open is None or self._open[0] != state.generation:
            where = folder_of(self._kb, state.generation)
            with only_our_errors(where):
                small = integrity.size(where) <= CHECKED
            if self._suspected or small:
                damage = integrity.damage(where)
                if damage:
                    raise KnowledgeBaseError(f"the lexical index is broken: {damage}")
            self._open = (state.generation, Lexical(where, self._korean))
            self._suspected = False
        elif self._view.index and self._view.at == state.published:
            return self._view.index
        return self._open[1].snapshot(stale=state.stale > 0)
