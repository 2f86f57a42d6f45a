"""A knowledge base is a folder: what it is made of, and the page people can read.

``lastro.toml`` says which format the folder has and may carry ``[settings]``.
Nothing here opens the store or an index.
"""

import errno
import os
import shutil
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from lastro.errors import KnowledgeBaseError

# 1: before a heading of a document was four values and a file had a place.
FORMAT = 2
PAGE = "lastro.toml"
STORE = "store.sqlite"
LEXICAL = "lexical"
DENSE = "dense"
VECTORS = "vectors.sqlite"
TRACES = "traces"
LOCK = "lock"
BIGRAMS, KIWI = "bigrams", "kiwi"
KOREAN = (BIGRAMS, KIWI)
_DRAFT = "lastro.toml.new"

# What a kill in the middle of making a knowledge base can leave behind.
_OURS = frozenset(
    {
        *(f"{name}{end}" for name in (STORE, VECTORS) for end in ("", "-wal", "-shm")),
        *(LEXICAL, DENSE, LOCK, _DRAFT),
    }
)

_CORRECT = "Correct the file, or restore it from a copy."
_TEXT = """\
# A Lastro knowledge base.  The documents are in store.sqlite; the folders
# lexical/ and dense/ are derived from it and are rebuilt when they are missing.
format = {format}
created_by = "{created_by}"
{korean}
# Values for this knowledge base; `lastro settings` lists what can stand here.
[settings]
"""

_KOREAN = """\
# What Korean words are taken apart with; all indexed terms depend on it.
korean = "{korean}"
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Folder:
    """What ``lastro.toml`` says; ``korean`` is what takes Korean words apart."""

    format: int
    created_by: str
    korean: str = BIGRAMS
    settings: Mapping[str, object] = field(default_factory=dict)


def read(kb: Path) -> Folder:
    """Read the page of the knowledge base at ``kb``.

    Raises:
        KnowledgeBaseError: there is none, it cannot be read, or it was made
            by another version.
    """
    try:
        with (kb / PAGE).open("rb") as file:
            page = tomllib.load(file)
    except (FileNotFoundError, NotADirectoryError):
        there = os.path.lexists(kb)
        what = "is not a knowledge base" if there else "does not exist"
        raise KnowledgeBaseError(f"{kb} {what}: no {PAGE} in it") from None
    except UnicodeDecodeError as error:
        raise KnowledgeBaseError(
            f"{kb / PAGE} is damaged: it is not UTF-8 text", hint=_CORRECT
        ) from error
    except tomllib.TOMLDecodeError as error:
        raise KnowledgeBaseError(
            f"{kb / PAGE} is not valid TOML: {error}", hint=_CORRECT
        ) from error
    except (OSError, ValueError) as error:
        raise refused(kb / PAGE, error) from error
    number, settings = page.get("format"), page.get("settings", {})
    if not isinstance(number, int) or not isinstance(settings, dict):
        raise KnowledgeBaseError(
            f"{kb / PAGE} is not the page of a knowledge base",
            hint=f'It needs a line "format = {FORMAT}"; [settings] must be a table.',
        )
    refuse_other(kb, number)
    return Folder(
        format=number,
        created_by=str(page.get("created_by", "")),
        korean=str(page.get("korean", BIGRAMS)),
        settings=settings,
    )


def refuse_other(kb: Path, number: int) -> None:
    """Raise if ``number`` is a format that this version does not read."""
    if number > FORMAT:
        raise KnowledgeBaseError(
            f"{kb} was made by a newer version of Lastro (format {number}; "
            f"this version reads up to {FORMAT})",
            hint="`pip install --upgrade lastro` brings the newer version.",
        )
    if number < FORMAT:
        raise KnowledgeBaseError(
            f"{kb} was made by an earlier version of Lastro (format {number}; "
            f"this version reads format {FORMAT})",
            hint="`lastro ingest SOURCES --kb NEW` makes it anew from its sources.",
        )


def refused(path: Path, error: OSError | ValueError) -> KnowledgeBaseError:
    """Return in plain words what the system did not allow at ``path``."""
    why = "no file can have this name"
    hint = "Give another folder as --kb."
    if isinstance(error, OSError):
        why = (error.strerror or "the system refused it").lower()
    if isinstance(error, PermissionError):
        hint = "Check the permissions of the folder, or give another one as --kb."
    if isinstance(error, OSError) and error.errno == errno.ENOSPC:
        return KnowledgeBaseError(
            f"the disk is full: {path} cannot be written",
            hint="Make room and run the command again: nothing was lost.",
        )
    if isinstance(error, OSError) and error.errno == errno.EROFS:
        why, hint = "the folder is read-only", "Give a folder that can be written to."
    return KnowledgeBaseError(f"{path} cannot be used: {why}", hint=hint)


@contextmanager
def only_our_errors(path: Path) -> Iterator[None]:
    """Translate what the system says of ``path``."""
    try:
        yield
    except (OSError, ValueError) as error:
        raise refused(path, error) from error


def exists(kb: Path) -> bool:
    """Return if there is a knowledge base, or something that calls itself one."""
    with only_our_errors(kb):
        return (kb / PAGE).exists()


def make(kb: Path) -> bool:
    """Make the folder, if it is not there; return if it holds a page already.

    Raises:
        KnowledgeBaseError: it holds something else, or cannot be made or read.
    """
    with only_our_errors(kb):
        refuse_foreign(kb)
        kb.mkdir(parents=True, exist_ok=True)
    made = exists(kb)
    if made:
        read(kb)
    return made


def refuse_foreign(kb: Path) -> None:
    """Raise if a knowledge base must not be made at ``kb``.

    An empty or a missing folder will do, and so will one in which the making
    was interrupted: it holds nothing but our own files.
    """
    if not kb.exists():
        return
    if not kb.is_dir():
        raise KnowledgeBaseError(f"{kb} is a file, not a folder")
    foreign = sorted({entry.name for entry in kb.iterdir()} - _OURS - {PAGE})
    if foreign and not exists(kb):
        raise KnowledgeBaseError(
            f"{kb} is not a knowledge base and not empty ({foreign[0]} is in it)",
            hint="Give a new or an empty folder as --kb.",
        )


def write(kb: Path, created_by: str, korean: str = BIGRAMS) -> None:
    """Write the page: the last step of making a knowledge base.

    ``korean`` says what Korean words are taken apart with, for good.
    """
    said = "" if korean == BIGRAMS else _KOREAN.format(korean=korean)
    draft = kb / _DRAFT
    with only_our_errors(kb):
        with draft.open("w", encoding="utf-8", newline="\n") as file:
            text = _TEXT.format(format=FORMAT, created_by=created_by, korean=said)
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(kb / PAGE)


def take_away(path: Path) -> None:
    """Make room where something else stands in the place of what can be made anew."""
    with only_our_errors(path):
        if path.is_symlink() or path.is_file():
            path.unlink()
        elif path.is_dir():
            shutil.rmtree(path)
