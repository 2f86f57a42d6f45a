"""A passage as it is handed to the lexical index, and the row it becomes there."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tantivy import Document as Row

from lastro.text.analyse import index_text
from lastro.text.hangul import Morphology
from lastro.text.lists import language

UNKNOWN = "und"
# Ends the tag of a language that was detected: of no region, so of any.
ANY_REGION = "-*"
LENGTHS = {"body": "body_length", "head": "head_length"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A passage as it is handed to the index; ``spoken`` picks its stemmer.

    ``analysed`` are the terms of body and head, where they are known already.
    """

    row: int
    document: int
    title: str
    headings: Sequence[str]
    body: str
    spoken: str
    locale: str
    collection: str
    detected: bool = False
    analysed: tuple[str, str] | None = None


def row_of(entry: Entry, korean: Morphology | None) -> Row:
    """Return the row of a passage: its terms, and what it is filtered by."""
    row = Row()
    for field, terms in zip(LENGTHS, _terms(entry, korean), strict=True):
        row.add_text(field, terms)
        row.add_integer(LENGTHS[field], terms.count(" ") + 1 if terms else 0)
    for tag in ranges(entry.locale, detected=entry.detected):
        row.add_text("locale", tag)
    row.add_text("language", language(entry.spoken) or UNKNOWN)
    row.add_text("collection", entry.collection)
    row.add_integer("row", entry.row)
    row.add_integer("document", entry.document)
    return row


def _terms(entry: Entry, korean: Morphology | None) -> tuple[str, ...]:
    if entry.analysed is not None:
        return entry.analysed
    texts = (entry.body, head_of(entry.title, entry.headings))
    return tuple(index_text(text, entry.spoken, korean) for text in texts)


def head_of(title: str, headings: Sequence[str]) -> str:
    """Return what the field ``head`` takes of a passage: title and headings."""
    return "\n".join((title, *headings))


def ranges(locale: str, *, detected: bool = False) -> Iterator[str]:
    """Yield the language ranges that match a tag (RFC 4647, basic filtering).

    >>> list(ranges("pt-BR")), list(ranges("pt", detected=True))
    (['pt', 'pt-br'], ['pt', 'pt-*'])
    """
    parts = locale.lower().replace("_", "-").split("-") if locale else []
    for count in range(1, len(parts) + 1):
        yield "-".join(parts[:count])
    if detected and parts:
        yield parts[0] + ANY_REGION
