"""Markdown becomes a page: CommonMark with tables, footnotes and front matter.

The text is what a reader sees.  Links are their words, images their
description; nothing is fetched.
"""

import re
from collections.abc import Iterable
from typing import TypeAlias, cast

import pyromark

from lastro.corpus.read import fields, front_matter, html
from lastro.corpus.read.draft import Draft, Page, Refusal, indent

_OPTIONS = (
    pyromark.Options.ENABLE_TABLES
    | pyromark.Options.ENABLE_FOOTNOTES
    | pyromark.Options.ENABLE_STRIKETHROUGH
    | pyromark.Options.ENABLE_TASKLISTS
    | pyromark.Options.ENABLE_HEADING_ATTRIBUTES
)
_NAME = re.compile(r"\s*</?([a-zA-Z][\w:-]*)")
# What the parser tells of: a word, or one key with what it holds.
_Told: TypeAlias = str | dict[str, object]
_BREAKS = {"SoftBreak": " ", "HardBreak": "\n"}
# Tags that break no line.
_INLINE = frozenset(
    {"Emphasis", "Strong", "Strikethrough", "Link", "Image", "Superscript", "Subscript"}
)


def read(text: str) -> Draft | Refusal:
    r"""Return the text of a Markdown file with its headings, tables and code.

    >>> found = read("# A\nb *c*\n\n- d\n- [e](f)")
    >>> assert isinstance(found, Draft)
    >>> found.title, found.text
    ('A', 'A\n\nb c\n\n- d\n- e')
    """
    parts = front_matter.parts(text)
    if isinstance(parts, Refusal):
        return parts
    writer = _Writer()
    events = pyromark.events(parts.body, options=_OPTIONS)
    for event in cast("Iterable[_Told]", events):
        writer.tell(event)
    found = fields.apply(writer.page.draft(), parts.fields)
    if isinstance(found, Refusal):
        return Refusal(f"front matter: {found.why}")
    return found


class _Writer:
    """Writes the parser's events to a page."""

    def __init__(self) -> None:
        self.page = Page()
        self._line: list[str] = []
        self._lists: list[int | None] = []
        self._marker = ""
        self._rows: list[list[str]] = []

    def tell(self, event: _Told) -> None:
        """Take one event of the parser."""
        if isinstance(event, str):
            self._line.append(_BREAKS.get(event, ""))
            return
        ((kind, held),) = event.items()
        if kind in ("Text", "Code"):
            self._line.append(str(held))
        elif kind in ("Start", "End"):
            name, more = held, None
            if isinstance(held, dict):
                ((name, more),) = held.items()
            if name in _INLINE:
                return
            if kind == "Start":
                self._start(name, more)
            else:
                self._end(name, more)
        else:
            self._other(kind, held)

    def _other(self, kind: str, held: object) -> None:
        match kind:
            case "InlineHtml":
                self._line.append(_inline_html(str(held)))
            case "FootnoteReference":
                self._line.append(f"[{held}]")
            case "TaskListMarker":
                self._line.append("[x] " if held else "[ ] ")
            case _:
                self._line.append(str(held))

    def _start(self, name: object, held: object) -> None:
        if name in ("TableHead", "TableRow"):
            self._rows.append([])
            return
        self._flush()
        if name == "List":
            self._lists.append(cast("int | None", held))
        elif name == "Item":
            self._marker = self._next_marker()
        elif name == "FootnoteDefinition":
            self._marker = f"[{held}] "

    def _end(self, name: object, held: object) -> None:
        match name:
            case "TableCell":
                self._rows[-1].append(self._taken())
            case "Table":
                self.page.table(self._rows)
                self._rows = []
            case "CodeBlock":
                self.page.whole(self._taken())
            case "Heading":
                self.page.heading(int(str(held)[1:]), self._taken())
            case "HtmlBlock":
                self._html(self._taken())
            case _:
                self._flush()
        self._leave(name)

    def _leave(self, name: object) -> None:
        if name == "List":
            self._lists.pop()
        elif name in ("Item", "FootnoteDefinition"):
            self._marker = ""

    def _next_marker(self) -> str:
        margin = indent(len(self._lists))
        number = self._lists[-1]
        if number is None:
            return f"{margin}- "
        self._lists[-1] = number + 1
        return f"{margin}{number}. "

    def _html(self, block: str) -> None:
        name = _NAME.match(block)
        if name and name[1].lower() not in html.KNOWN:
            self.page.paragraph(block)
        else:
            html.write_fragment(block, self.page)

    def _taken(self) -> str:
        text = "".join(self._line)
        self._line.clear()
        return text

    def _flush(self) -> None:
        text = self._taken().strip()
        if text:
            tight = bool(self._lists)
            self.page.paragraph(text, prefix=self._marker, tight=tight)
            self._marker = ""


def _inline_html(tag: str) -> str:
    """Return what a tag inside a line says: a placeholder like <file> is a word."""
    name = _NAME.match(tag)
    if name is None or name[1].lower() in html.KNOWN:
        return "\n" if name and name[1].lower() == "br" else ""
    return tag
