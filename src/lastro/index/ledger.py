"""The ledger: how every source ended the last time it was seen.

A line belongs to a document and the source it came from; a source that gave no
document (skipped, failed) has a line of its own.  ``given`` is the argument
under which a source was found: it is what ``--sync`` goes by.  Everything here
runs inside the caller's transaction.
"""

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple


class Outcome(StrEnum):
    """How a source can end."""

    INDEXED = "indexed"
    UNCHANGED = "unchanged"
    UPDATED = "updated"
    REMOVED = "removed"
    SKIPPED = "skipped"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line: ``document`` is empty where the source gave none."""

    source: str
    document: str = ""
    given: str
    outcome: Outcome
    why: str = ""
    attempts: int = 0


class Owner(NamedTuple):
    """Where a document came from the last time, and if that was in this run."""

    source: str
    given: str
    seen: bool


class Ledger:
    """The ledger during one run, told apart by its number."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self.run = 0

    def start(self) -> None:
        """Begin a run; inside a transaction."""
        self._db.execute("UPDATE state SET value = value + 1 WHERE name = 'run'")
        (self.run,) = self._db.execute(
            "SELECT value FROM state WHERE name = 'run'"
        ).fetchone()

    def owner(self, document: str) -> Owner | None:
        """Return where a document came from, if it is known."""
        row = self._db.execute(
            "SELECT source, given, run FROM ledger WHERE document = ?", (document,)
        ).fetchone()
        return None if row is None else Owner(row[0], row[1], row[2] == self.run)

    def write(self, line: Line) -> None:
        """Write a document's line in the place of all earlier ones of it."""
        self._db.execute(
            "DELETE FROM ledger WHERE document = ? OR (source = ? AND document = '')",
            (line.document, line.source),
        )
        self._insert(line)

    def write_without_document(self, line: Line) -> None:
        """Write the line of a source that gave no document; count its attempts."""
        row = self._db.execute(
            "SELECT attempts FROM ledger WHERE source = ? AND document = ''",
            (line.source,),
        ).fetchone()
        before = row[0] if row else 0
        failed = line.outcome is Outcome.FAILED
        self._db.execute(
            "DELETE FROM ledger WHERE source = ? AND document = ''", (line.source,)
        )
        self._insert(line, attempts=before + 1 if failed else 0)

    def _insert(self, line: Line, attempts: int = 0) -> None:
        self._db.execute(
            "INSERT INTO ledger VALUES (?,?,?,?,?,?,?)",
            (
                line.source,
                line.document,
                line.given,
                line.outcome.value,
                line.why,
                attempts,
                self.run,
            ),
        )

    def keep(self, document: str, why: str) -> None:
        """Note that a document's new version could not be read: the old one stays."""
        self._db.execute(
            "UPDATE ledger SET run = ?, outcome = ?, why = ?, attempts = attempts + 1"
            " WHERE document = ?",
            (self.run, Outcome.FAILED.value, why, document),
        )

    def given(self) -> list[str]:
        """Return every source that a person has given so far."""
        rows = self._db.execute("SELECT DISTINCT given FROM ledger ORDER BY given")
        return [row[0] for row in rows]

    def unseen(self, given: Iterable[str]) -> list[tuple[str, str]]:
        """Return documents and sources under ``given`` that this run did not see."""
        found: list[tuple[str, str]] = []
        for argument in sorted(set(given)):
            found += self._db.execute(
                "SELECT document, source FROM ledger"
                " WHERE given = ? AND document <> '' AND run < ? ORDER BY document",
                (argument, self.run),
            ).fetchall()
        return found

    def forget(self, document: str) -> None:
        """Leave no trace of a removed document."""
        self._db.execute("DELETE FROM ledger WHERE document = ?", (document,))

    def forget_unseen(self, given: Iterable[str]) -> None:
        """Drop the lines of sources without a document that are gone."""
        self._db.executemany(
            "DELETE FROM ledger WHERE given = ? AND document = '' AND run < ?",
            [(argument, self.run) for argument in set(given)],
        )

    def lines(self) -> list[Line]:
        """Return the whole ledger, by source and document."""
        rows = self._db.execute(
            "SELECT source, document, given, outcome, why, attempts FROM ledger"
            " ORDER BY source, document"
        )
        return [
            Line(
                source=source,
                document=document,
                given=given,
                outcome=Outcome(outcome),
                why=why,
                attempts=attempts,
            )
            for source, document, given, outcome, why, attempts in rows
        ]
