"""Reads passages into lines: sentences with what each, and what stands over it, holds.

Passages of one document that follow or overlap each other are one run, so that
a quote may go on from one into the next and no overlap is read twice.  Pure.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from lastro.answer.catalogue import catalogue, fold
from lastro.answer.sides import Side
from lastro.gate.holding import Holds, held, holding, holds, most
from lastro.gate.messages import spoken
from lastro.grounding import fence
from lastro.model.answer import PromptPassage
from lastro.model.document import Passage, Span
from lastro.model.ids import DocumentId
from lastro.model.ranking import QueryTerm
from lastro.text.analyse import words
from lastro.text.emit import Word
from lastro.text.sentences import sentences

OVER = 0.9  # of a side named in the title or a heading, beside the line itself
HEAD = 12  # words in which a definition names what it defines
HEADING_WORDS = 10  # a longer line without a full stop is no heading

_BULLET = re.compile(r"\s*(?:[-*+•▪◦‣]|\(?\d{1,2}[.)]|[a-z][.)])?\s*")
_ITEM = re.compile(r"(?:[-*+•▪◦‣]|\(?\d{1,2}[.)]|[a-z][.)])\s")


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One sentence: where it stands, and how far it holds each term (0 to 1).

    ``text`` is the sentence with its line breaks folded to blanks.  A
    ``heading`` is not quoted by itself; ``row`` counts the document's own
    lines; ``table`` is where the head starts of the table in which the line is
    a row, -1 outside: a row holds what its head holds.  ``title`` is what the
    document's title holds, ``above`` what the title and the headings over the
    line hold; ``head`` is its section's own heading.  A ``dangling`` line opens
    with a word that points back ("it", "this"); a line that ``defines`` says
    what one of the question's words is.  ``sides`` is how far the line, or what
    stands over it, speaks of each side of a comparison.
    """

    document_id: DocumentId
    cite_id: str
    start: int
    end: int
    text: str
    words: tuple[str, ...]
    holds: Holds
    title: Holds
    above: Holds
    section: int
    row: int
    table: int
    head: str
    heading: bool
    dangling: bool
    defines: bool
    sides: tuple[float, ...]
    rank: int


@dataclass(slots=True)
class Reading:
    """Reads one document's passages in order: counts its sections and rows."""

    terms: Sequence[QueryTerm]
    named: Sequence[Side]
    locale: str
    rank: int
    reached: int = -1
    section: int = 0
    row: int = 0
    over: Holds = field(default=(), init=False)
    columns: Holds = field(default=(), init=False)
    table: int = field(default=-1, init=False)

    def __post_init__(self) -> None:
        self.over = self.columns = self._none()

    def lines(self, group: Sequence[PromptPassage]) -> Iterator[Line]:
        """Yield the lines of one document's passages, given in document order."""
        for shown in group:
            passage = shown.hit.passage
            locale = passage.locale or self.locale
            if passage.start > self.reached:
                self.section, self.over = self.section + 1, self._none()
            title = self._held(shown.hit.title, locale)
            heads = (self._held(head, locale) for head in passage.heading_path)
            top = most((title, *heads), len(self.terms))
            for span in sentences(passage.text, locale):
                if passage.start + span.start >= self.reached:
                    self.reached = passage.start + span.end
                    yield self._line(shown, span, title, top)

    def _line(self, shown: PromptPassage, span: Span, title: Holds, top: Holds) -> Line:
        passage = shown.hit.passage
        locale = passage.locale or self.locale
        text = " ".join(passage.text[span.start : span.end].split())
        found = words(text, locale)
        own = holds(found, self.terms)
        surfaces = tuple(word.surface for word in found)
        own_line = _own_line(passage.text, span)
        self.row += own_line
        heading = own_line and _like_heading(text, surfaces, passage, span)
        if heading:
            self.section, self.over = self.section + 1, own
        start = passage.start + span.start
        heading = self._table_head(text, own, start) or heading
        return Line(
            document_id=passage.document_id,
            cite_id=shown.cite_id,
            start=start,
            end=passage.start + span.end,
            text=text,
            words=surfaces,
            holds=most((own, self.columns), len(own)),
            title=title,
            above=most((top, self.over, self.columns), len(own)),
            section=self.section,
            row=self.row,
            table=self.table,
            head=head_of(shown),
            heading=heading,
            dangling=_points_back(surfaces, locale),
            defines=_defines(found, self.terms, locale),
            sides=self._sides(text, shown, locale),
            rank=self.rank,
        )

    def _table_head(self, text: str, own: Holds, start: int) -> bool:
        """Whether the line is the head of a table: it stands over the rows below."""
        if not text.startswith("|"):
            self.table, self.columns = -1, self._none()
            return False
        if self.table >= 0:
            return False
        self.table, self.columns = start, own
        return True

    def _sides(self, text: str, shown: PromptPassage, locale: str) -> tuple[float, ...]:
        over = "\n".join((shown.hit.title, *shown.hit.passage.heading_path))
        return tuple(
            max(side.spoken_of(text, locale), OVER * side.spoken_of(over, locale))
            for side in self.named
        )

    def _held(self, text: str, locale: str) -> Holds:
        return held(text, self.terms, locale)

    def _none(self) -> Holds:
        return (0.0,) * len(self.terms)


def head_of(shown: PromptPassage) -> str:
    """Return the heading of a passage's section as it may stand in an answer.

    Empty where it says no more than the title.
    """
    path = shown.hit.passage.heading_path
    if not path or fold(path[-1]) == fold(shown.hit.title):
        return ""
    return " ".join(fence.escape(path[-1]).split())


def _points_back(surfaces: Sequence[str], locale: str) -> bool:
    return bool(surfaces) and fold(surfaces[0]) in catalogue(spoken(locale)).dangling


def _defines(found: Sequence[Word], terms: Sequence[QueryTerm], locale: str) -> bool:
    """Whether a word of the question stands first and is then said to be something."""
    at = next((at for at, word in enumerate(found[:HEAD]) if _told(word, terms)), None)
    if at is None:
        return False
    copula = tuple(catalogue(spoken(locale)).copula)
    if spoken(locale) == "ko":
        return found[-1].surface.endswith(copula)
    reach = HEAD if at <= 2 else at + 4
    return any(word.surface in copula for word in found[at + 1 : reach])


def _told(word: Word, terms: Sequence[QueryTerm]) -> bool:
    emitted = set(word.emissions)
    return any(term.informative and holding(term, emitted) == 1 for term in terms)


def _own_line(text: str, span: Span) -> bool:
    """Whether a line starts with this sentence (its bullet or number apart)."""
    return _BULLET.fullmatch(text[: span.start].rpartition("\n")[2]) is not None


def _like_heading(
    text: str, surfaces: Sequence[str], passage: Passage, span: Span
) -> bool:
    """Whether a line is a heading by its form: marked, known, or short and open.

    A short question on a line of its own is a heading too: it answers nothing.
    An item of a list, a line with a number or a colon says something.
    """
    bare = text.lstrip("#").strip()
    if text.startswith("#") or bare in passage.heading_path:
        return True
    before = passage.text[: span.start].rpartition("\n")[2].strip()
    if before or _ITEM.match(text) or re.search(r"[\d:]", bare):
        return False
    return len(surfaces) <= HEADING_WORDS and bare[-1:] not in '.!:;…。"”»)|'
