"""A knowledge base is a folder: what it is made of, and the page people can read.

``lastro.toml`` says which format the folder has and may carry ``[settings]``.
Nothing here opens the store or an index.
"""

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from lastro.errors import KnowledgeBaseError

FORMAT = 1
PAGE = "lastro.toml"
STORE = "store.sqlite"
LEXICAL = "lexical"
TRACES = "traces"
LOCK = "lock"
_DRAFT = "lastro.toml.new"

# What a kill in the middle of making a knowledge base can leave behind.
_OURS = frozenset({STORE, f"{STORE}-wal", f"{STORE}-shm", LEXICAL, LOCK, _DRAFT})

_TEXT = """\
# A Lastro knowledge base.  The documents are in store.sqlite; the folder
# lexical/ is derived from it and is rebuilt when it is missing.
format = {format}
created_by = "{created_by}"

# Values for this knowledge base; `lastro settings` lists what can stand here.
[settings]
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Folder:
    """What ``lastro.toml`` says."""

    format: int
    created_by: str
    settings: Mapping[str, object] = field(default_factory=dict)


def read(kb: Path) -> Folder:
    """Read the page of the knowledge base at ``kb``.

    Raises:
        KnowledgeBaseError: there is none, it cannot be read, or it was made
            by a newer version.
    """
    try:
        with (kb / PAGE).open("rb") as file:
            page = tomllib.load(file)
    except (FileNotFoundError, NotADirectoryError):
        what = "is not a knowledge base" if kb.exists() else "does not exist"
        raise KnowledgeBaseError(f"{kb} {what}: no {PAGE} in it") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise KnowledgeBaseError(
            f"{kb / PAGE} is not valid TOML: {error}",
            hint="Correct the line, or restore the file from a copy.",
        ) from error
    except OSError as error:
        raise KnowledgeBaseError(
            f"{kb / PAGE} cannot be read: {error.strerror}",
            hint="Check the permissions of the folder.",
        ) from error
    number, settings = page.get("format"), page.get("settings", {})
    if not isinstance(number, int) or not isinstance(settings, dict):
        raise KnowledgeBaseError(
            f"{kb / PAGE} is not the page of a knowledge base",
            hint='It needs a line "format = 1"; [settings] must be a table.',
        )
    refuse_newer(kb, number)
    return Folder(
        format=number, created_by=str(page.get("created_by", "")), settings=settings
    )


def refuse_newer(kb: Path, number: int) -> None:
    """Raise if ``number`` is a format that this version does not know."""
    if number > FORMAT:
        raise KnowledgeBaseError(
            f"{kb} was made by a newer version of Lastro (format {number}; "
            f"this version reads up to {FORMAT})",
            hint="`pip install --upgrade lastro` brings the newer version.",
        )


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
    if foreign and not (kb / PAGE).exists():
        raise KnowledgeBaseError(
            f"{kb} is not a knowledge base and not empty ({foreign[0]} is in it)",
            hint="Give a new or an empty folder as --kb.",
        )


def write(kb: Path, created_by: str) -> None:
    """Write the page: the last step of making a knowledge base."""
    draft = kb / _DRAFT
    with draft.open("w", encoding="utf-8", newline="\n") as file:
        file.write(_TEXT.format(format=FORMAT, created_by=created_by))
        file.flush()
        os.fsync(file.fileno())
    draft.replace(kb / PAGE)
