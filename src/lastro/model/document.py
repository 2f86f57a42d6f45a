"""What the corpus hands to the index: documents and their passages.

All offsets here and everywhere else are Unicode code points into the
document's normalised text.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from lastro.model.ids import DocumentId, PassageId


@dataclass(frozen=True, slots=True)
class Span:
    """A half-open range of code points, ``start <= end``."""

    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """A heading of a document: where its text stands and how deep it is."""

    start: int
    end: int
    level: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A parent document with its normalised text.

    ``id`` is the card's id or the logical path; ``version`` is the hash of
    everything that was read.  ``whole`` lists the spans (tables, code) that a
    splitter must not cut.  ``locale`` is a BCP-47 tag, or the empty string
    where nothing was given and nothing could be detected.
    """

    id: DocumentId
    title: str
    text: str
    source: str
    version: str
    locale: str = ""
    locale_detected: bool = False
    collection: str = ""
    headings: tuple[Heading, ...] = ()
    whole: tuple[Span, ...] = ()
    metadata: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A piece of a document: whole sentences under one heading path.

    ``text`` is exactly ``document.text[start:end]``.
    """

    id: PassageId
    document_id: DocumentId
    ordinal: int
    start: int
    end: int
    text: str
    heading_path: tuple[str, ...] = ()
    page: int | None = None
    locale: str = ""
