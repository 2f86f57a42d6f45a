"""The pieces a passage is made of: sentences, and tables and code in one piece.

Pure.  What no sentence or table is too long for stays whole; what is longer is
cut at the ends of lines, else between words, else anywhere.
"""

import itertools
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from lastro.model.document import Span
from lastro.text.sentences import sentences

# A table or code may be this many times as long as a passage before it is cut.
WHOLE_LIMIT = 3
# A string without blanks counts as a word for each so many letters.
_LONG_WORD = 32
_TOKEN = re.compile(r"\S+")
# Scripts written without blanks: about two characters make a word.
_DENSE = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff"
    "\uf900-\ufaff\U00020000-\U0003ffff]"
)


class Piece(NamedTuple):
    """A stretch of the text and its weight in words; ``sentence`` may overlap."""

    start: int
    end: int
    weight: float
    sentence: bool


def weight(text: str) -> float:
    """Return the length of ``text`` in words.

    >>> weight("two words"), weight("東京都庁"), weight("x" * 3200)
    (2, 2.0, 100.0)
    """
    count = len(text.split())
    long = len(text) > _LONG_WORD // 2 * count
    if not long and (text.isascii() or not _DENSE.search(text)):
        return count
    return sum(_word_weight(match.group()) for match in _TOKEN.finditer(text))


def _word_weight(word: str) -> float:
    if word.isascii():
        return max(1.0, len(word) / _LONG_WORD)
    dense = len(_DENSE.findall(word))
    other = len(word) - dense
    return dense / 2 + (max(1.0, other / _LONG_WORD) if other else 0.0)


def pieces(
    text: str, within: Span, whole: Iterable[Span], locale: str, size: int
) -> Iterator[Piece]:
    """Yield the pieces of ``text`` between two headings, none too heavy."""
    start = within.start
    for span in whole:
        yield from _prose(text, Span(start, span.start), locale, size)
        yield from _whole(text, span, size)
        start = span.end
    yield from _prose(text, Span(start, within.end), locale, size)


def _prose(text: str, within: Span, locale: str, size: int) -> Iterator[Piece]:
    part = text[within.start : within.end]
    if not part.strip():
        return
    lead = len(part) - len(part.lstrip())
    starts = [lead, *(span.start for span in sentences(part, locale)[1:]), len(part)]
    for first, after in itertools.pairwise(starts):
        sentence = part[first:after].rstrip()
        start, heavy = within.start + first, weight(sentence)
        end = start + len(sentence)
        if heavy <= size:
            yield Piece(start, end, heavy, sentence=True)
        else:
            yield from _joined(_words(text, Span(start, end), size), size)


def _whole(text: str, span: Span, size: int) -> Iterator[Piece]:
    heavy = weight(text[span.start : span.end])
    if heavy <= WHOLE_LIMIT * size:
        yield Piece(span.start, span.end, heavy, sentence=False)
        return
    yield from _joined(_lines(text, span, size), size)


def _lines(text: str, span: Span, size: int) -> Iterator[Piece]:
    start = span.start
    for line in text[span.start : span.end].split("\n"):
        end, heavy = start + len(line.rstrip()), weight(line)
        if heavy > size:
            yield from _joined(_words(text, Span(start, end), size), size)
        elif end > start:
            yield Piece(start, end, heavy, sentence=False)
        start += len(line) + 1


def _words(text: str, span: Span, size: int) -> Iterator[Piece]:
    for match in _TOKEN.finditer(text, span.start, span.end):
        heavy = _word_weight(match.group())
        if heavy <= max(1, size / 4):
            yield Piece(match.start(), match.end(), heavy, sentence=False)
        else:
            yield from _parts(text, match.start(), match.end(), size / 4)


def _parts(text: str, start: int, end: int, size: float) -> Iterator[Piece]:
    """Cut a string without blanks into parts of about ``size``."""
    first, heavy = start, 0.0
    for at in range(start, end):
        heavy += 0.5 if _DENSE.match(text, at) else 1 / _LONG_WORD
        if heavy >= size or at + 1 == end:
            part = _word_weight(text[first : at + 1])
            yield Piece(first, at + 1, part, sentence=False)
            first, heavy = at + 1, 0.0


def _joined(parts: Iterable[Piece], size: int) -> Iterator[Piece]:
    """Join neighbours as long as they fit."""
    joined: Piece | None = None
    for part in parts:
        if joined is None:
            joined = part
        elif joined.weight + part.weight <= size:
            heavy = joined.weight + part.weight
            joined = Piece(joined.start, part.end, heavy, sentence=False)
        else:
            yield joined
            joined = part
    if joined is not None:
        yield joined
