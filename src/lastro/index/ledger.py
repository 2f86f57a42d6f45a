"""The ledger: how every source ended the last time it was seen.

A line belongs to a document and the source it came from; a source that gave no
document (skipped, failed) has a line of its own.  Every line names its file by
the absolute *place*: that is how a file is known again however its path was
written, and what ``--sync`` goes by.  ``given`` is the outermost folder (or the
file itself) that a person named and that holds the place.  Places stay in here.
Everything here runs inside the caller's transaction.
"""

import os
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
    """One line: ``document`` is empty where the source gave none.

    ``line`` is that of a card in its file; 0: the file is one document.
    """

    source: str
    document: str = ""
    place: str
    line: int = 0
    given: str
    outcome: Outcome
    why: str = ""
    attempts: int = 0


class Owner(NamedTuple):
    """Where a document came from the last time, and if that was in this run."""

    source: str
    place: str
    line: int
    given: str
    seen: bool


class Unseen(NamedTuple):
    """A document that a run did not meet where it was before."""

    document: str
    place: str


class Ledger:
    """The ledger during one run, told apart by its number."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self.run = 0
        self._last: tuple[str, str, int] = ("", "", 0)

    def start(self) -> None:
        """Begin a run; inside a transaction."""
        self.tidy()
        self._db.execute("UPDATE state SET value = value + 1 WHERE name = 'run'")
        (self.run,) = self._db.execute(
            "SELECT value FROM state WHERE name = 'run'"
        ).fetchone()

    def owner(self, document: str) -> Owner | None:
        """Return where a document came from, if it is known."""
        row = self._db.execute(
            "SELECT source, place, line, given, run FROM ledger"
            " JOIN files ON number = file WHERE document = ?",
            (document,),
        ).fetchone()
        if row is None:
            return None
        source, place, line, given, run = row
        return Owner(
            source, os.fsdecode(place), line, os.fsdecode(given), run == self.run
        )

    def at(self, place: str) -> tuple[str, bool]:
        """Return the document that a whole file is, and if this run has seen it."""
        row = self._db.execute(
            "SELECT document, run FROM ledger"
            " WHERE file = (SELECT number FROM files WHERE place = ?)"
            " AND line = 0 AND document <> ''",
            (os.fsencode(place),),
        ).fetchone()
        return ("", False) if row is None else (row[0], row[1] == self.run)

    def write(self, line: Line) -> None:
        """Write a document's line in the place of all earlier ones of it."""
        file = self._file(line)
        self._db.execute(
            "DELETE FROM ledger WHERE document = ?"
            " OR (document = '' AND file = ? AND line = ?)",
            (line.document, file, line.line),
        )
        self._insert(line, file, 0)

    def write_without_document(self, line: Line) -> None:
        """Write the line of a source that gave no document; count its attempts."""
        file = self._file(line)
        found = self._db.execute(
            "DELETE FROM ledger WHERE document = '' AND file = ? AND line = ?"
            " RETURNING attempts",
            (file, line.line),
        ).fetchall()
        before = found[0][0] if found else 0
        self._insert(line, file, before + 1 if line.outcome is Outcome.FAILED else 0)

    def _insert(self, line: Line, file: int, attempts: int) -> None:
        self._db.execute(
            "INSERT INTO ledger VALUES (?,?,?,?,?,?,?,?)",
            (
                line.document,
                file,
                line.line,
                line.source,
                line.outcome.value,
                line.why,
                attempts,
                self.run,
            ),
        )

    def _file(self, line: Line) -> int:
        """Return the number of a line's file; cards come many of one in a row."""
        place, given, number = self._last
        if not number or (place, given) != (line.place, line.given):
            ((number,),) = self._db.execute(
                "INSERT INTO files(place, given) VALUES (?,?)"
                " ON CONFLICT(place) DO UPDATE SET given = excluded.given"
                " RETURNING number",
                (os.fsencode(line.place), os.fsencode(line.given)),
            ).fetchall()
            self._last = (line.place, line.given, number)
        return number

    def keep(self, document: str, why: str) -> None:
        """Note that a document's new version could not be read: the old one stays."""
        self._db.execute(
            "UPDATE ledger SET run = ?, outcome = ?, why = ?, attempts = attempts + 1"
            " WHERE document = ?",
            (self.run, Outcome.FAILED.value, why, document),
        )

    def given(self) -> list[str]:
        """Return every source that a person has given so far."""
        rows = self._db.execute("SELECT DISTINCT given FROM files ORDER BY given")
        return [os.fsdecode(row[0]) for row in rows]

    def unseen(self, places: Iterable[str]) -> list[Unseen]:
        """Return the documents at or below ``places`` that this run did not see."""
        found: dict[str, Unseen] = {}
        for place in sorted(set(places)):
            rows = self._db.execute(_UNSEEN, _under(place, self.run))
            found |= {name: Unseen(name, os.fsdecode(where)) for name, where in rows}
        return list(found.values())

    def forget(self, document: str) -> None:
        """Leave no trace of a removed document; its file goes with :meth:`tidy`."""
        self._db.execute("DELETE FROM ledger WHERE document = ?", (document,))

    def forget_unseen(self, places: Iterable[str]) -> None:
        """Drop the lines of sources without a document that are gone."""
        self._db.executemany(
            _FORGET_UNSEEN, [_under(place, self.run) for place in set(places)]
        )

    def tidy(self) -> None:
        """Drop the files that no line is of."""
        self._db.execute(
            "DELETE FROM files"
            " WHERE NOT EXISTS (SELECT 1 FROM ledger WHERE file = number)"
        )

    def lines(self) -> list[Line]:
        """Return the whole ledger, by source and document."""
        rows = self._db.execute(
            "SELECT source, document, place, line, given, outcome, why, attempts"
            " FROM ledger JOIN files ON number = file ORDER BY source, document"
        )
        return [
            Line(
                source=source,
                document=document,
                place=os.fsdecode(place),
                line=line,
                given=os.fsdecode(given),
                outcome=Outcome(outcome),
                why=why,
                attempts=attempts,
            )
            for source, document, place, line, given, outcome, why, attempts in rows
        ]


# Which files are below a place is what :func:`lastro.index.places.within` says.
_UNSEEN = """
SELECT document, place FROM ledger JOIN files ON number = file
WHERE (place = :place OR substr(place, 1, length(:below)) = :below)
  AND document <> '' AND run < :run ORDER BY document
"""
_FORGET_UNSEEN = """
DELETE FROM ledger WHERE document = '' AND run < :run AND file IN (
  SELECT number FROM files
  WHERE place = :place OR substr(place, 1, length(:below)) = :below)
"""


def _under(place: str, run: int) -> dict[str, object]:
    return {
        "place": os.fsencode(place),
        "below": os.fsencode(place.rstrip("/") + "/"),
        "run": run,
    }
