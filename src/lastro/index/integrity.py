"""Whether the files of a lexical index still are what was written.

Every file of tantivy ends with a footer that holds the checksum of what stands
before it.  Tantivy itself reads on over a flipped bit and finds something else,
or nothing; this file notices.
"""

import json
import struct
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

META = "meta.json"
_MAGIC = 1337
_SEGMENT = 32  # characters of a segment's name
_TAIL = struct.Struct("<II")
_BLOCK = 1 << 20


def size(folder: Path) -> int:
    """Return how many bytes a check of ``folder`` reads."""
    return sum(path.stat().st_size for path in folder.glob("*.*") if path.is_file())


def damage(folder: Path) -> str:
    """Return what is wrong with the index in ``folder``; empty: nothing is."""
    try:
        segments = _segments(folder)
        for path in sorted(folder.iterdir()):
            name = path.name.split(".")[0]
            if name in segments and not _intact(path):
                return f"{path.name} was damaged"
    except FileNotFoundError as error:
        return f"{Path(error.filename).name} was missing"
    except (OSError, ValueError, KeyError, TypeError):
        return f"{META} was damaged"
    return ""


def dead_share(folder: Path) -> float:
    """Return the share of the rows that are deleted but still in the files."""
    counts = _segments(folder).values()
    rows = sum(rows for rows, _ in counts)
    return sum(dead for _, dead in counts) / rows if rows else 0.0


def strays(folder: Path) -> list[Path]:
    """Return the files of a commit that a kill has cut off: no commit needs them.

    Their names come again, and tantivy does not write over a file.
    """
    wanted = {
        _name(segment): str((segment["deletes"] or {}).get("opstamp", ""))
        for segment in _listed(folder)
    }
    found: list[Path] = []
    for path in folder.iterdir():
        name, *rest = path.name.split(".")
        if len(name) != _SEGMENT or name == path.name:
            continue
        over = rest[-1] == "del" and rest[0] != wanted.get(name)
        if name not in wanted or over:
            found.append(path)
    return found


def _segments(folder: Path) -> dict[str, tuple[int, int]]:
    return {
        _name(segment): (
            int(segment["max_doc"]),
            int((segment["deletes"] or {}).get("num_deleted_docs", 0)),
        )
        for segment in _listed(folder)
    }


def _listed(folder: Path) -> list[dict[str, Any]]:
    meta = json.loads((folder / META).read_text(encoding="utf-8"))
    listed: list[dict[str, Any]] = meta["segments"]
    return listed


def _name(segment: Mapping[str, Any]) -> str:
    return str(segment["segment_id"]).replace("-", "")


def _intact(path: Path) -> bool:
    with path.open("rb") as file:
        length = file.seek(0, 2)
        if length < _TAIL.size:
            return False
        file.seek(length - _TAIL.size)
        footer_length, magic = _TAIL.unpack(file.read(_TAIL.size))
        body = length - _TAIL.size - footer_length
        if magic != _MAGIC or body < 0:
            return False
        file.seek(body)
        expected = json.loads(file.read(footer_length))["crc"]
        file.seek(0)
        found = 0
        while body > 0:
            block = file.read(min(_BLOCK, body))
            if not block:
                return False
            found = zlib.crc32(block, found)
            body -= len(block)
    return bool(found == expected)
