"""Which passages have no vector yet, in the order in which they get one."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from sqlite3 import Connection
from typing import NamedTuple

from lastro.index.compact import Vector
from lastro.index.entry import head_of
from lastro.index.segments import Tag

_MANY = 1000
_COUNT = """
SELECT count(*) FROM passages p CROSS JOIN documents d ON d.row = p.document
WHERE p.row > :through AND d.seq_from <= :at AND (d.seq_to IS NULL OR d.seq_to > :at)
"""
_ENTRIES = """
SELECT p.row, p.document, d.title, p.headings, p.text, d.locale, d.locale_detected,
  d.collection
FROM passages p CROSS JOIN documents d ON d.row = p.document
WHERE p.row > ? AND d.seq_to IS NULL ORDER BY p.row
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far the vectors are: passages ``done`` of ``total``, after ``seconds``."""

    done: int
    total: int
    seconds: float

    @property
    def rate(self) -> float:
        """Passages a second so far; 0 at the beginning."""
        return self.done / self.seconds if self.seconds > 0 else 0.0

    @property
    def left(self) -> float | None:
        """Seconds that the rest will take; None before anything is known."""
        return (self.total - self.done) / self.rate if self.rate else None


class Waiting(NamedTuple):
    """A passage without a vector, and the text that gets one."""

    whose: Vector
    text: str


def text_of(title: str, headings: list[str], body: str) -> str:
    """Return what is embedded of a passage."""
    return f"{head_of(title, headings)}\n{body}"


def count(db: Connection, through: int, at: int) -> int:
    """Return how many passages behind a row were live as of the change ``at``."""
    return int(db.execute(_COUNT, {"through": through, "at": at}).fetchone()[0])


def batches(db: Connection, through: int, size: int) -> Iterator[list[Waiting]]:
    """Yield the live passages behind the row ``through``, by row."""
    rows = db.execute(_ENTRIES, (through,))
    while some := rows.fetchmany(size):
        yield [
            Waiting(
                Vector(row, document, Tag(locale, bool(detected), collection)),
                text_of(title, json.loads(headings), text),
            )
            for row, document, title, headings, text, locale, detected, collection in (
                some
            )
        ]


def texts(db: Connection) -> Iterator[str]:
    """Yield what is embedded of every live passage."""
    for batch in batches(db, 0, _MANY):
        yield from (one.text for one in batch)
