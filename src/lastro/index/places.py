"""Places: where files are, absolute and with links resolved, as the ledger has them."""

import os
from collections.abc import Iterable
from pathlib import Path

from lastro.corpus.identity import place_id
from lastro.index.ledger import Owner


def resolved(sources: Iterable[str | Path]) -> list[str]:
    """Return the places of sources, each once."""
    return sorted({Path(os.path.realpath(source)).as_posix() for source in sources})


def outermost(roots: Iterable[str], place: str) -> str:
    """Return the outermost of ``roots`` that holds a place; none: the place."""
    return min((root for root in roots if within(place, root)), key=len, default=place)


def within(place: str, folder: str) -> bool:
    """Return whether a place is a folder (or file), or below it.

    >>> within("/docs/ko/a.md", "/docs/ko"), within("/docs/ko2", "/docs/ko")
    (True, False)
    """
    return place == folder or place.startswith(folder.rstrip("/") + "/")


def elsewhere(owner: Owner, place: str, line: int) -> bool:
    """Return whether a document belongs to another file, and that is still there.

    Not so for cards: a corpus may be written out anew under another name.
    """
    if owner.place == place or (owner.line and line):
        return False
    file = Path(owner.place)
    try:
        return file.is_file() and not file.samefile(place)
    except PermissionError:
        return True  # what may not be looked at is not taken as gone
    except OSError:
        return file.is_file()


def from_path(identifier: str, place: str) -> bool:
    """Return whether a file got its id from its path.

    >>> from_path("ko/a.md", "/docs/ko/a.md"), from_path("a", "/docs/ko/a.md")
    (True, False)
    """
    return f"/{place_id(place)}".endswith(f"/{identifier}")
