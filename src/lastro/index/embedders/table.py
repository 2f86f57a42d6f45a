r"""A table of word pieces in one file: written by the bench, read by mapping it.

Two lines come first, ``lastro static table 1`` and a line of JSON; then the
pieces' scores (float32), the pieces (UTF-8, a line break between two), and a row
of int8 for each piece.  ``revision`` in the JSON is the hash of what follows it.
"""

import hashlib
import json
import mmap
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lastro.errors import EmbedderError

_MAGIC = b"lastro static table 1\n"
# The line of JSON has about 100 characters: a file without it is read no further.
_HEAD = 1_000
_HINT = "Install Lastro again, or use `--legs lexical`: it searches by words alone."


@dataclass(frozen=True, slots=True)
class Table:
    """The pieces, the logarithm of how likely each is, and its row."""

    revision: str
    pieces: tuple[str, ...]
    scores: tuple[float, ...]
    rows: NDArray[np.int8]


def packed(
    pieces: Sequence[str], scores: Sequence[float], rows: NDArray[np.int8]
) -> bytes:
    """Return the file of a table; the same table gives the same bytes."""
    words = "\n".join(pieces).encode()
    body = np.asarray(scores, dtype="<f4").tobytes() + words + rows.tobytes()
    head = {
        "revision": hashlib.sha256(body).hexdigest()[:16],
        "pieces": len(pieces),
        "letters": len(words),
        "dimension": rows.shape[1],
    }
    return _MAGIC + json.dumps(head).encode() + b"\n" + body


def opened(file: Path) -> Table:
    """Map the table in ``file``; its rows are read as they are needed.

    Raises:
        EmbedderError: the file is missing, cannot be read, or is not whole.
    """
    try:
        with file.open("rb") as stream:
            mapped = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError) as error:  # ValueError: the file is empty
        raise EmbedderError(
            f"the table of the static embedder cannot be read: {file}", hint=_HINT
        ) from error
    try:
        return _read(mapped)
    except (ValueError, KeyError, TypeError) as error:
        raise EmbedderError(
            f"the table of the static embedder is damaged: {file}", hint=_HINT
        ) from error


def _read(mapped: mmap.mmap) -> Table:
    if mapped[: len(_MAGIC)] != _MAGIC:
        raise ValueError("not a table")
    line = mapped[len(_MAGIC) : _HEAD].split(b"\n", 1)[0]
    head: dict[str, Any] = json.loads(line)
    count, letters, wide = head["pieces"], head["letters"], head["dimension"]
    scores = len(_MAGIC) + len(line) + 1
    words = scores + 4 * count
    rows = words + letters
    if len(mapped) != rows + count * wide:
        raise ValueError("not of the length that it says")
    pieces = tuple(mapped[words:rows].decode().split("\n"))
    if len(pieces) != count:
        raise ValueError("not as many pieces as it says")
    return Table(
        revision=str(head["revision"]),
        pieces=pieces,
        scores=tuple(np.frombuffer(mapped, "<f4", count, scores).tolist()),
        rows=np.frombuffer(mapped, np.int8, offset=rows).reshape(count, wide),
    )
