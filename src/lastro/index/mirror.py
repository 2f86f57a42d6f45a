"""An index in a folder that cannot be written to, opened through links to its files.

Tantivy takes a lock while it opens an index and makes a file for it, so it opens
none in a folder that is read-only.  What is open stays so when the links are gone.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from lastro.errors import KnowledgeBaseError

LOCK = ".tantivy-meta.lock"


def needed(folder: Path) -> bool:
    """Say whether the lock of the index in ``folder`` cannot be taken there."""
    lock = folder / LOCK
    free = os.access(lock, os.W_OK) if os.path.lexists(lock) else True
    return os.path.lexists(folder) and not (os.access(folder, os.W_OK) and free)


@contextmanager
def mirrored(folder: Path) -> Iterator[Path]:
    """Make a folder of links to the files in ``folder``, for as long as this lasts.

    Raises:
        KnowledgeBaseError: there is no place for it.
    """
    try:
        links = TemporaryDirectory(prefix="lastro-")
    except OSError as error:
        raise KnowledgeBaseError(
            f"{folder} cannot be opened: the folder is read-only, and no temporary"
            " one can be made",
            hint="Set TMPDIR to a folder that can be written to.",
        ) from error
    with links as name:
        for path in folder.absolute().iterdir():
            if path.suffix != ".lock":
                (Path(name) / path.name).symlink_to(path)
        yield Path(name)
