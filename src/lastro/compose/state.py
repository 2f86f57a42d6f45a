"""What tells one state of a knowledge base from every other."""

import hashlib
from collections.abc import Iterable

from lastro.index.store import Listing


def listing(documents: Iterable[Listing]) -> tuple[tuple[str, ...], str]:
    """Return the ids of all documents, and a hash of all that they say."""
    digest = hashlib.sha256()
    ids = []
    for line in documents:
        ids.append(str(line.id))
        seen = (line.id, line.title, line.locale, line.version)
        digest.update(repr(seen).encode("utf-8", "replace"))
    return tuple(ids), digest.hexdigest()
