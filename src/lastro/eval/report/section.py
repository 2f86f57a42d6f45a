"""What a page consists of, before it is rendered."""

from dataclasses import dataclass

SHOWN = 50  # ids named on a page; scores.jsonl has all of them

Row = tuple[str, ...]
Rows = tuple[Row, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A heading, sentences, and a table whose first row names the columns.

    A ``long`` one is for files: a terminal says where it stands instead.
    """

    title: str
    notes: tuple[str, ...] = ()
    rows: Rows = ()
    long: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A report: its one line, what it stands on, and its sections in order."""

    headline: str
    lead: tuple[str, ...]
    sections: tuple[Section, ...]


def cut(n: int) -> tuple[str, ...]:
    """Say that not all of ``n`` are named, if so."""
    return (f"The first {SHOWN} of {n} are named here.",) if n > SHOWN else ()


def some(ids: tuple[str, ...], shown: int) -> str:
    """Name the first of some ids and count the rest.

    >>> some(("a", "b", "c"), 2)
    'a, b and 1 more'
    """
    more = len(ids) - shown
    return ", ".join(ids[:shown]) + (f" and {more} more" if more > 0 else "")
