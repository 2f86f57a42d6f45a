"""What a scan of sources yields: one value a document, and never an exception.

A document that cannot be read is a result like any other, so that one of them
stops nothing and none of them is passed over in silence.

Each has the ``place`` of its file, absolute and with links resolved: by it the
ledger knows a file again.  ``line`` is the line of a card in it; 0: the file is
one document.
"""

from dataclasses import dataclass
from typing import Protocol

from lastro.model.document import Document


@dataclass(frozen=True, slots=True)
class Readable:
    """A document that was read."""

    document: Document
    place: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """Something that is no document to read here, and why; nothing went wrong.

    ``id`` is the document's id where its place already tells it, else empty.
    """

    source: str
    why: str
    id: str = ""
    place: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Unreadable:
    """A document that should have been read and could not be, and why.

    ``id`` as in :class:`Skipped`: a sync must not remove an old version only
    because the new one could not be read.
    """

    source: str
    why: str
    id: str = ""
    place: str = ""
    line: int = 0


Found = Readable | Skipped | Unreadable


class Known(Protocol):
    """What is known of files from earlier runs."""

    def id_at(self, place: str) -> str:
        """Return the id that the file at ``place`` got from its path, if any."""

    def admit(self, found: Readable) -> Found:
        """Return ``found``, or the complaint that its id is that of another file."""
