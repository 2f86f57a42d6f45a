"""What a scan of sources yields: one value a document, and never an exception.

A document that cannot be read is a result like any other, so that one of them
stops nothing and none of them is passed over in silence.
"""

from dataclasses import dataclass

from lastro.model.document import Document


@dataclass(frozen=True, slots=True)
class Readable:
    """A document that was read."""

    document: Document


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """Something that is no document to read here, and why; nothing went wrong.

    ``id`` is the document's id where its place already tells it, else empty.
    """

    source: str
    why: str
    id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unreadable:
    """A document that should have been read and could not be, and why.

    ``id`` as in :class:`Skipped`: a sync must not remove an old version only
    because the new one could not be read.
    """

    source: str
    why: str
    id: str = ""


Found = Readable | Skipped | Unreadable
