"""The report as plain text in columns, for a terminal or a log.  No colour here."""

import unicodedata
from collections.abc import Iterable, Sequence

from lastro.eval.report.page import page
from lastro.eval.report.plain import no_command, plain
from lastro.eval.report.section import Page, Section
from lastro.eval.results import Run
from lastro.model.score import Verdict

__all__ = ["plain", "terminal", "width"]


def terminal(run: Run, verdict: Verdict) -> str:
    """Render the report of a run."""
    return in_columns(page(run, verdict))


def in_columns(shown: Page) -> str:
    """Render any page; no character of an id can steer the terminal.

    The headline stands at both ends: a long page scrolls.
    """
    lines = [plain(shown.headline), *map(plain, shown.lead)]
    for section in shown.sections:
        lines += ["", *_section(section)]
    lines += ["", plain(shown.headline)]
    return "\n".join(map(no_command, lines)) + "\n"


def width(text: str) -> int:
    """Return how many columns ``text`` takes: Hangul and the like take two.

    >>> width("ko"), width("한국어")
    (2, 6)
    """
    wide = sum(unicodedata.east_asian_width(char) in "WF" for char in text)
    marks = sum(unicodedata.combining(char) > 0 for char in text)
    return len(text) + wide - marks


def _section(section: Section) -> Iterable[str]:
    yield section.title
    if section.long:
        yield "  See report.md or report.html, written with --run-dir."
        return
    yield from (f"  {plain(note)}" for note in section.notes)
    yield from _columns([[plain(cell) for cell in row] for row in section.rows])


def _once(rows: Sequence[Sequence[str]]) -> Iterable[Sequence[str]]:
    """Name a metric on its first row only, so that its rows read as a group."""
    above = ""
    for first, *rest in rows:
        yield ["" if first == above else first, *rest]
        above = first


def _columns(rows: Sequence[Sequence[str]]) -> Iterable[str]:
    if not rows:
        return
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    for row in _once(rows):
        cells = (
            cell + " " * (wide - width(cell))
            for cell, wide in zip(row, widths, strict=True)
        )
        yield ("  " + "  ".join(cells)).rstrip()
