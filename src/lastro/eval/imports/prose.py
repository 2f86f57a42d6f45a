"""The sentences of an answer around its markers, and whose each marker is.  Pure."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from lastro.answer.analyse import courtesy
from lastro.eval.imports.apart import Apart
from lastro.model.document import Span
from lastro.text.detect import detect
from lastro.text.sentences import sentences

_HEADING = re.compile(r"[ \t]{0,3}\#{1,6}[ \t]")
_ITEM = re.compile(r"[ \t]*(?:[-*+•][ \t]|\(?\w{1,3}[.)][ \t])?")
_LEAD = re.compile(r"\A\s*(?:\#{1,6}\s|[-*+•]\s|\d{1,3}[.)]\s)")
_OPEN_ENDS = (":", "：", "?", "？")  # a list is announced, a question asked
_MARKED = re.compile(r"[*_]+\Z")


@dataclass(frozen=True, slots=True)
class _Line:
    """Where a line begins, and its first and last letter or digit."""

    start: int
    first: int
    last: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Prose:
    """An answer whose markers are blanks: nothing is moved by taking them out."""

    text: str
    plain: str
    marks: tuple[Span, ...]
    sentences: tuple[Span, ...]
    lines: tuple[_Line, ...]
    locale: str

    @classmethod
    def of(
        cls,
        text: str,
        kinds: Sequence[Apart | None],
        marks: Sequence[Span],
        locale: str,
    ) -> "Prose":
        """Find the sentences of a text that its markers leave.

        Code of its own and lists of sources are no sentences.
        """
        letters = list(text)
        for span in marks:
            letters[span.start : span.end] = " " * (span.end - span.start)
        for at, kind in enumerate(kinds):
            if kind is Apart.SOURCES and letters[at] != "\n":
                letters[at] = " "
        plain = "".join(letters)
        spoken = locale or detect(plain).locale
        found = [
            span
            for span in sentences(plain, spoken)
            if any(
                plain[at].isalnum() and kinds[at] is not Apart.CODE
                for at in range(span.start, span.end)
            )
        ]
        return cls(
            text=text,
            plain=plain,
            marks=tuple(marks),
            sentences=tuple(found),
            lines=tuple(_lines(plain)),
            locale=spoken,
        )

    def owner(self, mark: Span) -> int | None:
        """Return the number of the sentence that a marker belongs to, if any."""
        if not self.sentences:
            return None
        line = self.lines[bisect_right(self.lines, mark.start, key=_start) - 1]
        before = bisect_right(self.sentences, mark.start, key=_start) - 1
        heads = mark.start <= line.first and line.last >= mark.end
        if heads or before < 0:
            after = bisect_right(self.sentences, mark.start, key=lambda s: s.end)
            return min(after, len(self.sentences) - 1)
        return before

    def claims(self, number: int) -> bool:
        """Tell whether a sentence that cites nothing claims something."""
        span = self.sentences[number]
        line = self.plain.rfind("\n", 0, span.start) + 1
        said = _MARKED.sub("", self.plain[span.start : span.end])
        if _HEADING.match(self.plain, line) or said.endswith(_OPEN_ENDS):
            return False
        return courtesy(said, self.locale) is None

    def words(self, number: int) -> str:
        """Return a sentence without its markers and list signs, blanks folded."""
        span = self.sentences[number]
        at, said = span.start, ""
        first = bisect_left(self.marks, span.start, key=_start)
        for mark in self.marks[first:]:
            if mark.start >= span.end:
                break
            said += self.text[at : mark.start].rstrip(" \t")
            follows = self.text[mark.end : mark.end + 1]
            said += " " if said[-1:].isalnum() and follows.isalnum() else ""
            at = mark.end
        said += self.text[at : span.end]
        return " ".join(_LEAD.sub("", said).split())


def _start(item: Span | _Line) -> int:
    return item.start


def _lines(plain: str) -> list[_Line]:
    found, at = [], 0
    for line in plain.split("\n"):
        item = _ITEM.match(line)
        places = range(item.end() if item else 0, len(line))
        first = next((n for n in places if line[n].isalnum()), len(line))
        last = next((n for n in reversed(places) if line[n].isalnum()), -1)
        found.append(_Line(at, at + first, at + last))
        at += len(line) + 1
    return found
