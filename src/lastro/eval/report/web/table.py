"""Sections as HTML: notes, and a table with, if there is one, a column of drawings."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from lastro.eval.report.section import Row, Section
from lastro.eval.report.web.markup import Html, join, slug, tag, text

_STATES = (
    ("active, held", "held"),
    ("active, MISSED", "missed"),
    ("not measured", "gap"),
    ("LOWER", "missed"),
    ("CANNOT TELL", "gap"),
)
MOST = 1000  # rows of a table on the page
_LINE = 120  # characters of a reason that a line shows without folding
_REMARK = 24  # a longer last cell is a sentence, not a figure


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """A column of drawings for a table: where it goes, its head, one cell a row.

    With ``instead`` it takes the place of the column that stands there.
    """

    at: int
    head: Html
    cells: tuple[Html, ...]
    legend: Html | None = None
    instead: bool = False


def section(title: str, *body: Html) -> Html:
    """Return a part of the page under its heading."""
    anchor = slug(title)
    return tag(
        "section",
        tag("h2", title, id=f"h-{anchor}"),
        *body,
        id=anchor,
        aria_labelledby=f"h-{anchor}",
    )


def notes(sentences: Sequence[str]) -> Html:
    """Return sentences under a heading."""
    if not sentences:
        return Html()
    return tag("ul", *(tag("li", each) for each in sentences), class_="notes")


def table(found: Section, drawn: Drawn | None = None) -> Html:
    """Return the table of a section; its first row names the columns."""
    if not found.rows:
        return Html()
    head, *rows = found.rows
    cells = (Html(),) * len(rows) if drawn is None else drawn.cells
    body = _rows(found.rows, cells, drawn)
    written = tag(
        "table",
        tag("caption", tag("span", found.title, class_="unseen")),
        tag("thead", _head(head, drawn)),
        tag("tbody", *body),
        class_="wide" if drawn else None,
    )
    around = tag("div", written, class_="scroll", tabindex=0)
    above = None if drawn is None else drawn.legend
    return around if above is None else join((above, around))


def folded(found: Section, summary: str) -> Html:
    """Return the table of a section behind a line that opens it.

    Of thousands of rows the first are on the page: a browser should open it.
    """
    rows = len(found.rows) - 1
    if rows > MOST:
        summary += f", the first {MOST:,} of them here; report.md has all"
    shown = replace(found, rows=found.rows[: MOST + 1])
    return tag("details", tag("summary", summary), table(shown))


def legend(*items: tuple[Html, str]) -> Html:
    """Say what the marks of drawings stand for."""
    return tag("p", *(tag("span", mark, what) for mark, what in items), class_="legend")


def _head(row: Row, drawn: Drawn | None) -> Html:
    cells = [tag("th", cell, scope="col") for cell in row]
    if drawn is not None:
        cells[drawn.at : drawn.at + drawn.instead] = [
            tag("th", drawn.head, scope="col", class_="drawn")
        ]
    return tag("tr", *cells)


def _rows(
    found: Sequence[Row], strips: Sequence[Html], drawn: Drawn | None
) -> Iterator[Html]:
    head, *rows = found
    long = [
        any(len(cell) > _REMARK for cell in each) for each in zip(*rows, strict=True)
    ]
    above = ""
    for row, strip in zip(rows, strips, strict=True):
        same = drawn is None and len(row) > 2 and row[0] == above
        name = tag("span", row[0], class_="unseen") if same else row[0]
        shown, because = _because(row) if drawn else (row, "")
        cells = [tag("th", name, scope="row")]
        for cell, title, remark in list(zip(shown, head, long, strict=True))[1:]:
            cells.append(_cell(cell, title if drawn else "", remark=remark))
        if drawn is not None:
            cells[drawn.at : drawn.at + drawn.instead] = [
                tag("td", strip, class_="drawn")
            ]
        none = any(cell.startswith(("not measured", "inactive")) for cell in row)
        above = row[0]
        classes = ("none" if none else "", "over" if because else "")
        yield tag("tr", *cells, class_=" ".join(filter(None, classes)) or None)
        if because:
            told = tag("td", _foldable(because), colspan=len(cells))
            yield tag("tr", told, class_="under")


def _because(row: Row) -> tuple[Row, str]:
    """Part a state from its reason, which has a line of its own: it may be long."""
    *cells, last = row
    state, _, why = last.partition(": ")
    known = any(last.startswith(begins) for begins, _ in _STATES)
    known = known or last.startswith("inactive")
    return ((*cells, state), why) if known and why else (row, "")


def _foldable(why: str) -> Html:
    if len(why) <= _LINE:
        return text(why)
    begins, *rest = why.split("; ", 1)
    more = (tag("summary", f"{begins} …"), tag("p", *rest)) if rest else ()
    return tag("details", *more) if more else text(why)


def _cell(cell: str, title: str, *, remark: bool) -> Html:
    state = next((name for begins, name in _STATES if cell.startswith(begins)), None)
    shown = cell if state is None else tag("span", cell, class_=state)
    number = any(char.isdigit() for char in cell) and not remark
    return tag(
        "td",
        shown,
        class_="number" if number else "remark" if remark and not state else None,
        data_head=title if title and cell else None,
    )
