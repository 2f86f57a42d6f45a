"""A document becomes passages: whole sentences under one heading path.  Pure.

Every character of the text but white space and headings is in at least one
passage, and a passage's text is exactly that stretch of the document.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from lastro.corpus.pieces import Piece, pieces
from lastro.model.document import Document, Heading, Passage, Span
from lastro.model.ids import PassageId
from lastro.text.detect import detect
from lastro.text.lists import language

# Text for less than this share of a passage is no passage of its own if it can be
# helped: it goes with the passage before it, or with the table after it.
_SHORT = 0.25
# The longest sentence that is said twice, as a share of a passage.
_OVERLAP = 0.5
_HANGUL = re.compile("[\uac00-\ud7a3]")


class _Section(NamedTuple):
    """The text under one heading."""

    path: tuple[str, ...]
    within: Span


def split(document: Document, words: int = 120) -> tuple[Passage, ...]:
    """Return the passages of ``document`` in order, at least one if it has text.

    Args:
        document: what a reader returned; its headings and whole spans are in order.
        words: about how long a passage is.  Sentences and tables are not cut for
            it, so that one may be shorter, a quarter longer, or, where it holds
            one table or piece of code, three times as long.
    """
    found = [
        (section.path, group)
        for section in _sections(document)
        for group in _groups(document, section, words)
    ]
    return tuple(
        _passage(document, ordinal, path, span)
        for ordinal, (path, span) in enumerate(found)
    )


def _sections(document: Document) -> Iterator[_Section]:
    text, headings = document.text, document.headings
    first = headings[0].start if headings else len(text)
    yield _Section((), Span(0, first))
    above: list[Heading] = []
    for number, heading in enumerate(headings):
        above = [*(h for h in above if h.level < heading.level), heading]
        path = tuple(h.text for h in above)
        following = headings[number + 1] if number + 1 < len(headings) else None
        end = following.start if following else len(text)
        leaf = following is None or following.level <= heading.level
        # A heading with nothing under it would be found by nobody: it stands alone.
        start = heading.end
        if leaf and not text[heading.end : end].strip():
            start = heading.start
        yield _Section(path, Span(start, end))


def _groups(document: Document, section: _Section, words: int) -> Iterator[Span]:
    start, end = section.within.start, section.within.end
    first = bisect_left(document.whole, start, key=lambda span: span.start)
    after = bisect_left(document.whole, end, key=lambda span: span.start)
    whole = document.whole[first:after]
    found = [*pieces(document.text, section.within, whole, document.locale, words)]
    for group in _packed(found, words):
        yield Span(group[0].start, group[-1].end)


def _packed(found: Sequence[Piece], words: int) -> list[list[Piece]]:
    """Gather pieces into passages; each begins with the last sentence before it."""
    groups: list[list[Piece]] = []
    current: list[Piece] = []
    total = new = 0.0
    for piece in found:
        # What leads into a table stays with it.
        leads = not piece.sentence and total < _SHORT * words
        if current and total + piece.weight > words and not leads:
            groups.append(current)
            current = _again(current[-1], piece, words)
            total = sum(said.weight for said in current)
            new = 0.0
        current.append(piece)
        total += piece.weight
        new += piece.weight
    if not groups or new >= _SHORT * words:
        return [*groups, current] if current else groups
    added = [piece for piece in current if piece not in groups[-1]]
    longer = [*groups[-1], *added]
    if sum(piece.weight for piece in longer) > (1 + _SHORT) * words:
        return [*groups, current]
    return [*groups[:-1], longer]


def _again(last: Piece, following: Piece, words: int) -> list[Piece]:
    """Return the sentence to repeat before ``following``, if there is room."""
    short = last.weight <= min(_OVERLAP * words, words - following.weight)
    return [last] if last.sentence and short else []


def _passage(
    document: Document, ordinal: int, path: tuple[str, ...], span: Span
) -> Passage:
    text = document.text[span.start : span.end]
    return Passage(
        id=PassageId(f"{document.id}::{ordinal:03d}"),
        document_id=document.id,
        ordinal=ordinal,
        start=span.start,
        end=span.end,
        text=text,
        heading_path=path,
        locale=_locale(document, text),
    )


def _locale(document: Document, text: str) -> str:
    """Return the document's locale, unless it was guessed and the script differs."""
    if not document.locale_detected:
        return document.locale
    if bool(_HANGUL.search(text)) == (language(document.locale) == "ko"):
        return document.locale
    seen = detect(text)
    return seen.locale if seen.sure else document.locale
