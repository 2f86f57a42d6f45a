"""The writer's lock: one process at a time writes to a knowledge base.

The kernel holds the lock, so it ends with the process, however that ends.
Readers never take it, except to catch an index up that nobody else is writing.
"""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lastro.errors import KnowledgeBaseBusy, KnowledgeBaseError
from lastro.index.folder import LOCK

WAIT = 5.0


@contextmanager
def writing(kb: Path, *, wait: float = WAIT) -> Iterator[None]:
    """Hold the writer's lock of ``kb``; wait at most ``wait`` seconds for it.

    Raises:
        KnowledgeBaseBusy: another process, or another thread, still holds it.
        KnowledgeBaseError: the folder cannot be written to.
    """
    # Reading needs no lock, and this import costs more than a whole search.
    from filelock import FileLock, Timeout  # noqa: PLC0415

    lock = FileLock(kb / LOCK, is_singleton=False)
    try:
        lock.acquire(timeout=wait)
    except Timeout as error:
        raise KnowledgeBaseBusy(
            f"another process is writing to {kb} (waited {wait:g} s)"
        ) from error
    except (OSError, NotImplementedError) as error:
        raise KnowledgeBaseError(
            f"{kb} cannot be written to: {_why(error)}",
            hint="Check the permissions of the folder and the space on the disk.",
        ) from error
    try:
        yield
    finally:
        lock.release()


def _why(error: OSError | NotImplementedError) -> str:
    if isinstance(error, NotImplementedError):
        return "its disk does not know locks"
    if error.errno == errno.EROFS:
        return "the folder is read-only"
    return (error.strerror or "the system refused it").lower()
