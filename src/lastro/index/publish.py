"""Brings the lexical index to where the store is, and takes away what is over.

Only the holder of the writer's lock may do so.  Everything here is a function
of the store: killed at any moment, the next holder starts from the marker of
the last commit and comes to the same end.
"""

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from lastro.errors import KnowledgeBaseBusy, KnowledgeBaseError
from lastro.index import integrity
from lastro.index.connection import only_our_errors
from lastro.index.entry import Entry
from lastro.index.folder import LEXICAL
from lastro.index.folder import only_our_errors as folder_errors
from lastro.index.korean import recorded
from lastro.index.lexical import Lexical, Marker, Writer, analyser
from lastro.index.lock import writing
from lastro.index.store import State, Store
from lastro.text.hangul import Morphology

if TYPE_CHECKING:  # numpy comes with them, and a search by words needs none
    from lastro.index.embed import Embedders, Filler

# Up to this many passages an index is made anew as soon as anything in it is
# stale: a matter of seconds, and its counts are exact and its files clean again.
SMALL = 20_000
DEAD_SHARE = 0.2
# So many passages a reader gives a costly embedder before it answers, some 10 s.
_AT_ONCE = 32
# Rows whose terms are read from an index in one question.
_TOGETHER = 256

_ENTRIES = """
SELECT p.row, p.document, p.text, d.title, p.headings,
  coalesce(nullif(p.locale, ''), d.locale), d.locale, d.collection,
  d.locale_detected
FROM documents d JOIN passages p ON p.document = d.row
WHERE d.seq_from > :since AND d.seq_to IS NULL ORDER BY d.row, p.row
"""


def folder_of(kb: Path, generation: int) -> Path:
    """Return where the index of a generation is."""
    return kb / LEXICAL / f"{generation:06d}"


def unfit(marker: Marker, state: State, korean: Morphology | None = None) -> str:
    """Return why an index with this marker cannot serve the store; empty: it can."""
    if marker.store != state.store or marker.applied > state.applied:
        return "it belonged to another store"
    if marker.applied < state.purged:
        return "it was older than what the store still knows"
    if marker.analyser != analyser(korean):
        return "it was made by another version of the analyser"
    return ""


def catch_up(kb: Path, embedders: "Embedders | None" = None) -> tuple[str, ...] | None:
    """Bring the indexes up if nobody else is writing; return the notes, else None."""
    try:
        with writing(kb, wait=0), Store(kb) as store, only_our_errors(store.path):
            filler = None
            if store.state().embedder:
                from lastro.index.embed import Filler  # noqa: PLC0415  (numpy)

                filler = Filler(kb, store, embedders, most=_AT_ONCE)
            publisher = Publisher(kb, store, filler)
            publisher.publish()
            publisher.settle()
            return tuple(publisher.notes)
    except KnowledgeBaseBusy:
        return None


class Publisher:
    """The index of ``kb``, in the hands of whoever holds the writer's lock."""

    def __init__(
        self,
        kb: Path,
        store: Store,
        filler: "Filler | None" = None,
        *,
        small: int = SMALL,
    ) -> None:
        self.notes: list[str] = []
        self._korean = recorded(kb)
        self._filler = filler
        self._small = small
        self._kb = kb
        self._store = store
        self._writer: Writer | None = None
        state = store.state()
        self._applied = state.published
        why = _make_room(kb)
        self._sweep(state.generation)
        if state.generation:
            why = why or self._look(state)
            if why:
                self.rebuild()
                self.notes.append(f"the lexical index was rebuilt: {why}")

    def _look(self, state: State) -> str:
        folder = folder_of(self._kb, state.generation)
        if not os.path.isdir(folder):  # noqa: PTH112 - `Path.is_dir` may raise
            return "its folder was missing"
        why = integrity.damage(folder)
        if why:
            return why
        try:
            marker = Lexical(folder).snapshot().marker
        except KnowledgeBaseError:
            return "it could not be opened"
        self._applied = marker.applied
        return unfit(marker, state, self._korean)

    def publish(self) -> None:
        """Put every change that the store has acknowledged into the indexes.

        The dense one comes first and keeps its last state: a reader takes the
        one that fits the commit of the lexical index that it sees.
        """
        state = self._store.state()
        if not state.applied:
            return
        if not state.generation:
            self.rebuild()
            return
        filled = self._fill(state)
        if state.applied > self._applied:
            self._replay(state)
        self._announce(state.applied, state.generation, again=filled)

    def _fill(self, state: State) -> bool:
        return self._filler is not None and self._filler.advance(state.applied)

    def _replay(self, state: State) -> None:
        folder = folder_of(self._kb, state.generation)
        if self._writer is None:
            with folder_errors(folder):
                for stray in integrity.strays(folder):
                    stray.unlink()
            self._writer = Writer(folder, state.store, self._korean)
        for (document,) in self._store.db.execute(
            "SELECT row FROM documents WHERE seq_to > ? AND seq_from <= ?",
            (self._applied, self._applied),
        ):
            self._writer.drop(document)
        self._writer.add(self._entries(self._applied))
        self._writer.publish(self._applied, state.applied)
        self._applied = state.applied

    def rebuild(self, *, sound: bool = False) -> None:
        """Make the index anew from the store and put it in the old one's place.

        One that is ``sound`` gives the terms that it has: nothing is analysed
        again.
        """
        self.close()
        state = self._store.state()
        self._fill(state)
        generation = state.generation + 1
        where = folder_of(self._kb, generation)
        writer = Writer(where, state.store, self._korean)
        entries = self._entries(0)
        if sound:
            entries = self._analysed(entries, state.generation)
        writer.add(entries)
        writer.publish(0, state.applied)
        writer.close()
        self._applied = state.applied
        self._announce(state.applied, generation, stale=0)
        self._sweep(generation)

    def _entries(self, since: int) -> Iterator[Entry]:
        known: dict[str, list[str]] = {}
        for row in self._store.db.execute(_ENTRIES, {"since": since}):
            number, document, text, title, headings, spoken, locale = row[:7]
            if headings not in known:
                known = {headings: json.loads(headings)}
            yield Entry(
                row=number,
                document=document,
                title=title,
                headings=known[headings],
                body=text,
                spoken=spoken,
                locale=locale,
                collection=row[7],
                detected=bool(row[8]),
            )

    def _analysed(self, entries: Iterator[Entry], generation: int) -> Iterator[Entry]:
        old = Lexical(folder_of(self._kb, generation), self._korean).snapshot()
        while some := list(islice(entries, _TOGETHER)):
            known = old.terms(entry.row for entry in some)
            for entry in some:
                yield replace(entry, analysed=known.get(entry.row))

    def _announce(
        self, applied: int, generation: int, *, again: bool = False, **more: int
    ) -> None:
        """Say in the store what the indexes hold; drop the rows nobody needs now.

        Said ``again``, readers look anew although no document has changed.
        """
        state = self._store.state()
        if (state.purged, state.generation) == (applied, generation) and not again:
            return
        with self._store.writing() as db:
            self._store.number(published=applied, generation=generation, **more)
            db.execute(
                "DELETE FROM passages WHERE document IN"
                " (SELECT row FROM documents WHERE seq_to <= ?)",
                (applied,),
            )
            db.execute("DELETE FROM documents WHERE seq_to <= ?", (applied,))
            self._store.number(purged=applied)
        if self._filler is not None:
            self._filler.tidy()

    def settle(self, *, erase: bool = False) -> None:
        """End the work: merge, and make the index anew if too much of it is stale.

        With ``erase`` nothing stale is left in its files, however large it is.
        """
        self.close()
        state = self._store.state()
        if state.generation and state.stale:
            dead = integrity.dead_share(folder_of(self._kb, state.generation))
            if erase or dead > DEAD_SHARE or self._store.totals()[1] <= self._small:
                self.rebuild(sound=True)
                self._store.compact()
            else:
                self.notes.append(
                    f"words of {state.stale} replaced or removed documents stay in"
                    " the files of the index until a fifth of it is stale"
                )
        if self._filler is not None:
            small = self._store.totals()[1] <= self._small
            self._filler.settle(erase=erase or small)
            self.notes += self._filler.notes
        self._store.checkpoint()

    def close(self) -> None:
        """Let the writer end; what is not published stays in the store."""
        writer, self._writer = self._writer, None
        if writer is not None:
            writer.close()

    def _sweep(self, generation: int) -> None:
        keep = folder_of(self._kb, generation)
        for path in keep.parent.glob("*"):
            if path == keep:
                continue
            with suppress(OSError):
                if path.is_symlink() or path.is_file():
                    path.unlink()
                shutil.rmtree(path, ignore_errors=True)


def _make_room(kb: Path) -> str:
    """Take away what stands in the place of the index's folder; say what it was."""
    place = kb / LEXICAL
    if not os.path.lexists(place) or os.path.isdir(place):  # noqa: PTH112 - as above
        return ""
    what = "a link to nothing" if place.is_symlink() else "a file"
    with folder_errors(place):
        place.unlink()
    return f"{what} was in the place of its folder"
