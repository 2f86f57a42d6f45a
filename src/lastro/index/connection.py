"""Opens the store's file as far as its folder allows, and says plainly what failed.

Where the folder can be written to, SQLite keeps a log and a table of readers
beside the file.  Where it cannot, the file is opened to read only; and if there
is no log, as one that does not change: then its size and time are watched.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from lastro.errors import KnowledgeBaseError

_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_CLOSED = frozenset({sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM})
_UNWRITABLE = "Copy the folder to where it can be written, and use the copy."
RESTORE = "Restore the file from a copy, or ingest the sources into a new folder."


class StoreFailed(KnowledgeBaseError):
    """The store itself cannot be used; nothing in the folder makes up for it."""


class Connection(NamedTuple):
    """An open store; ``seen`` is what the file looked like if it is taken as fixed."""

    db: sqlite3.Connection
    seen: tuple[int, ...] | None


def connect(path: Path, *, reading: bool) -> Connection:
    """Open the store at ``path``, which is there unless it is to be made.

    Raises:
        StoreFailed: it cannot be opened; or the folder is read-only, and the
            store is to be written, or holds a log that nobody has ended.
    """
    with only_our_errors(path):
        if _writable(path):
            db = _open(path, "rw" if reading else "rwc")
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = FULL")
            # What is deleted is overwritten: nothing of it stays in the file.
            db.execute("PRAGMA secure_delete = ON")
            return Connection(db, None)
        if not reading:
            raise StoreFailed(
                f"{path.parent} cannot be written to: the folder is read-only",
                hint=_UNWRITABLE,
            )
        log = _size(path, "-wal")
        if log > 0 or (log == 0 and _size(path, "-shm") >= 0):
            return Connection(_read_log(path), None)
        return Connection(_open(path, "ro&immutable=1"), looks(path))


def looks(path: Path) -> tuple[int, ...]:
    """Return what tells a store that another user has written from the same one."""
    stat = path.stat()
    log = _size(path, "-wal")
    return (stat.st_ino, stat.st_size, stat.st_mtime_ns, log)


def _read_log(path: Path) -> sqlite3.Connection:
    """Open a store with a log beside it, in a folder that cannot be written to."""
    db = _open(path, "ro")
    try:
        db.execute("PRAGMA user_version").fetchone()
    except sqlite3.OperationalError as error:
        db.close()
        raise StoreFailed(
            f"{path} cannot be read: a writer has not ended its work there, and the"
            " folder is read-only",
            hint=_UNWRITABLE,
        ) from error
    return db


def _open(path: Path, mode: str) -> sqlite3.Connection:
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}",
        uri=True,
        isolation_level=None,
        check_same_thread=False,
        timeout=10,
    )


def _writable(path: Path) -> bool:
    """Say whether file and folder can be written to; root is asked nothing else."""
    there = path if path.exists() else path.parent
    return os.access(path.parent, os.W_OK | os.X_OK) and os.access(there, os.W_OK)


def _size(path: Path, suffix: str) -> int:
    """Return the size of a file beside the store; -1: there is none."""
    try:
        return path.with_name(path.name + suffix).stat().st_size
    except FileNotFoundError:
        return -1


@contextmanager
def only_our_errors(path: Path) -> Iterator[None]:
    """Translate what SQLite and the system say of ``path``; nothing else leaves."""
    try:
        yield
    except sqlite3.ProgrammingError as error:
        raise StoreFailed(
            f"{path} was closed", hint="Open the knowledge base again."
        ) from error
    except sqlite3.Error as error:
        raise _said(path, getattr(error, "sqlite_errorcode", 0) & 0xFF) from error


@contextmanager
def only_our_rows(path: Path) -> Iterator[None]:
    """Translate what rows cause that we did not write."""
    try:
        yield
    except (ValueError, TypeError, KeyError, IndexError) as error:
        raise _said(path, sqlite3.SQLITE_CORRUPT) from error


def _said(path: Path, code: int) -> StoreFailed:
    """Say for people what one of SQLite's result codes means."""
    check = "Check the permissions of the folder and that its disk works."
    if code == sqlite3.SQLITE_FULL:
        return StoreFailed(
            f"the disk is full: {path} cannot be written",
            hint="Make room and run the command again: nothing was lost.",
        )
    if code in _BUSY:
        return StoreFailed(
            f"{path} is in use by another process", hint="Try again in a moment."
        )
    if code == sqlite3.SQLITE_READONLY:
        return StoreFailed(
            f"{path} cannot be written to: the folder is read-only", hint=_UNWRITABLE
        )
    if code in _CLOSED:
        why = "it cannot be opened"
        if path.exists() and not os.access(path, os.R_OK):
            why = "permission denied"
        return StoreFailed(f"{path} cannot be used: {why}", hint=check)
    if code == sqlite3.SQLITE_IOERR:
        return StoreFailed(
            f"{path} cannot be used: the disk could not read or write it", hint=check
        )
    return StoreFailed(f"the store is damaged: {path}", hint=RESTORE)
