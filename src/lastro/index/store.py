"""The store: SQLite, the source of truth of a knowledge base.

Every change is one transaction with a sequence number; once it is committed it
is acknowledged, and a kill cannot take it back.  Readers read *as of* a number,
the one that the index beside the store was published at.  This file knows no
index and takes no lock: whoever writes holds the writer's lock.
"""

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

from lastro.errors import KnowledgeBaseError
from lastro.index import folder, tables
from lastro.index.connection import (
    RESTORE,
    connect,
    looks,
    only_our_errors,
    only_our_rows,
)
from lastro.index.folder import FORMAT, STORE
from lastro.model.document import Document, Passage
from lastro.model.ids import DocumentId, PassageId


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """The numbers that tie store and index together.

    ``applied`` is the last change acknowledged, ``published`` the last one in
    the index (at least), ``purged`` the change up to which closed rows are
    gone.  ``generation`` names the index's folder; 0: there is none yet.
    ``stale`` counts the versions closed since that folder was made.
    ``embedder`` names whose vectors the dense index holds; empty: there is none.
    """

    store: str
    applied: int
    published: int
    purged: int
    generation: int
    stale: int
    embedder: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """A line of the list of documents; ``version`` is the hash of the content."""

    id: DocumentId
    title: str
    locale: str
    version: str


class Key(NamedTuple):
    """A passage by its row: what rankings are ordered and listed by."""

    passage: PassageId
    document: DocumentId
    locale: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A passage with what its document says of it."""

    passage: Passage
    title: str
    source: str
    collection: str


class Store:
    """One connection to the store of the knowledge base at ``kb``."""

    def __init__(
        self, kb: Path, *, create: bool = False, reading: bool = False
    ) -> None:
        self.path = kb / STORE
        with folder.only_our_errors(self.path):
            there = self.path.is_file()
            empty = there and not self.path.stat().st_size
        if not create and not there:
            raise KnowledgeBaseError(
                f"{self.path} is missing: the documents were in it",
                hint=RESTORE,
            )
        if not create and empty:
            raise KnowledgeBaseError(
                f"the store is damaged: {self.path} is empty", hint=RESTORE
            )
        self._kb = kb
        self._reading = reading
        self._opened = 0
        self._connect(create=create)

    def _connect(self, *, create: bool = False) -> None:
        with folder.only_our_errors(self.path), only_our_errors(self.path):
            self.db, self._seen = connect(self.path, reading=self._reading)
            self._opened += 1
            try:
                if self._reading:  # a search reads a hundred pages here and there
                    self.db.execute("PRAGMA mmap_size = 1073741824")
                self._refuse_other(create=create)
            except BaseException:
                self.db.close()
                raise

    def _refuse_other(self, *, create: bool) -> None:
        """Raise if this is no store, or one of another version."""
        found = int(self.db.execute("PRAGMA user_version").fetchone()[0])
        if found:
            folder.refuse_other(self._kb, found)
        elif not create:
            raise KnowledgeBaseError(
                f"{self.path} is not the store of a knowledge base", hint=RESTORE
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Give the connection back."""
        self.db.close()

    def prepare(self, name: str) -> None:
        """Make the tables, unless they are there; ``name`` tells stores apart."""
        with self.writing() as db:
            if db.execute("PRAGMA user_version").fetchone()[0]:
                return
            for statement in tables.SCHEMA.split(";"):
                db.execute(statement)
            names = ("applied", "published", "purged", "generation", "stale", "run")
            numbers = dict.fromkeys(names, 0)
            db.executemany(
                "INSERT INTO state VALUES (?, ?)", [("store", name), *numbers.items()]
            )
            db.execute(f"PRAGMA user_version = {FORMAT}")

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction: everything in it, or nothing."""
        with only_our_errors(self.path):
            self.db.execute("BEGIN IMMEDIATE")
            try:
                yield self.db
            except BaseException:
                self.db.rollback()
                raise
            self.db.commit()

    @contextmanager
    def reading(self) -> Iterator[int]:
        """One snapshot: all reads in it see the same rows.

        Yields the change up to which closed rows are gone from it.
        """
        with only_our_errors(self.path):
            self.db.execute("BEGIN")
            try:
                with only_our_rows(self.path):
                    (purged,) = self.db.execute(tables.PURGED).fetchone()
                yield purged
            finally:
                self.db.rollback()

    def state(self) -> State:
        """Return the numbers as they are now."""
        with only_our_errors(self.path), only_our_rows(self.path):
            rows = dict(self.db.execute("SELECT name, value FROM state"))
            rows.pop("run")
            return State(**rows)

    def number(self, **values: int) -> None:
        """Set numbers of the state; inside a transaction."""
        self.db.executemany(
            "UPDATE state SET value = ? WHERE name = ?",
            [(value, name) for name, value in values.items()],
        )

    def note_embedder(self, name: str) -> None:
        """Note whose vectors the dense index holds; inside a transaction."""
        self.db.execute(
            "INSERT INTO state VALUES ('embedder', ?)"
            " ON CONFLICT(name) DO UPDATE SET value = excluded.value",
            (name,),
        )

    def data_version(self) -> int:
        """Return a number that differs after another connection has committed."""
        with folder.only_our_errors(self.path), only_our_errors(self.path):
            if self._seen is None:
                version = self.db.execute("PRAGMA data_version").fetchone()[0]
                return (self._opened << 32) + int(version)
            if self._seen != looks(self.path):  # another user has written
                self.db.close()
                self._connect()
            return self._opened << 32

    def compact(self) -> None:
        """Write the file anew, so that no page keeps a word of what was removed.

        ``secure_delete`` wipes what a row held, but pages that were split or
        merged keep copies of keys in their unused part.  A disk without room
        for a second file leaves the store as it is.
        """
        with suppress(sqlite3.OperationalError):
            self.db.execute("VACUUM")

    def checkpoint(self) -> None:
        """Move the log into the file and empty it, as far as readers allow."""
        with only_our_errors(self.path):
            self.db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def add(self, document: Document, passages: Sequence[Passage], seq: int) -> None:
        """Add a version of a document; inside a transaction."""
        row = self.db.execute(tables.ADD_DOCUMENT, tables.document_row(document, seq))
        number = row.lastrowid or 0
        self.db.executemany(
            tables.ADD_PASSAGE, [tables.passage_row(p, number) for p in passages]
        )

    def end(self, document_id: str, seq: int) -> bool:
        """Close the live version of a document; inside a transaction."""
        closed = self.db.execute(
            "UPDATE documents SET seq_to = ? WHERE id = ? AND seq_to IS NULL",
            (seq, document_id),
        ).rowcount
        if closed:
            self.db.execute("UPDATE state SET value = value + 1 WHERE name = 'stale'")
        return bool(closed)

    def move(self, document_id: str, source: str) -> None:
        """Note that an unchanged document is found elsewhere now; no new version."""
        self.db.execute(
            "UPDATE documents SET source = ? WHERE id = ? AND seq_to IS NULL",
            (source, document_id),
        )

    def live(self, document_id: str) -> str | None:
        """Return the version of a live document."""
        row = self.db.execute(
            "SELECT version FROM documents WHERE id = ? AND seq_to IS NULL",
            (document_id,),
        ).fetchone()
        return None if row is None else str(row[0])

    def document(self, document_id: str, at: int) -> Document | None:
        """Return the document as it was at the change ``at``."""
        wanted = {"id": document_id, "at": at}
        with only_our_errors(self.path):
            row = self.db.execute(tables.DOCUMENT_AT, wanted).fetchone()
        with only_our_rows(self.path):
            return None if row is None else tables.document_of(row)

    def documents(self, at: int) -> list[Listing]:
        """Return the documents as of ``at``, by id."""
        rows = self.db.execute(tables.LISTING_AT, {"at": at})
        return [Listing(id=i, title=t, locale=tag, version=v) for i, t, tag, v in rows]

    def keys(self, rows: Sequence[int]) -> dict[int, Key]:
        """Return the ids of passages by their row."""
        found = self.db.execute(tables.KEYS, (json.dumps(list(rows)),))
        return {row: Key(*key) for row, *key in found}

    def passages(self, rows: Sequence[int]) -> dict[int, Found]:
        """Return passages by their row."""
        with only_our_errors(self.path), only_our_rows(self.path):
            found = self.db.execute(tables.PASSAGES, (json.dumps(list(rows)),))
            return {
                row[0]: Found(
                    passage=tables.passage_of(row),
                    title=row[10],
                    source=row[11],
                    collection=row[12],
                )
                for row in found
            }

    def totals(self) -> tuple[int, int]:
        """Return how many documents and passages are live."""
        row = self.db.execute(tables.TOTALS).fetchone()
        return int(row[0]), int(row[1])
