"""Writing segments: new vectors, what is over, and all of it made anew.  No store."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from lastro.index.dense import quantised
from lastro.index.segments import (
    DEAD,
    SEGMENT_DIGITS,
    Draft,
    Entry,
    Keys,
    Manifest,
    Opened,
    Tag,
    sealed,
)

if TYPE_CHECKING:
    from lastro.index.embedder import Vectors

_ROWS = 65_536


class Vector(NamedTuple):
    """Whose vector a row is, and what filters look at."""

    row: int
    document: int
    tag: Tag


class Segment:
    """A segment that is being written; nothing of it counts before :meth:`seal`."""

    def __init__(self, folder: Path, number: int) -> None:
        self._folder = folder
        self._name = f"{number:0{SEGMENT_DIGITS}d}"
        self._vectors = Draft(folder, f"{self._name}.vec")
        self._keys: list[Keys] = []
        self.count = 0
        self.last = 0

    def add(self, rows: NDArray[np.int8], keys: Keys) -> None:
        """Add vectors that are whole numbers already."""
        self._vectors.write(rows.tobytes())
        self._keys.append(keys)
        self.count += len(rows)
        self.last = int(keys.row[-1])

    def seal(self) -> Entry:
        """Write it to the disk, and return its line in the manifest."""
        columns = [
            np.concatenate(column).tobytes() for column in zip(*self._keys, strict=True)
        ]
        vectors = self._vectors.seal()
        keys = sealed(self._folder, f"{self._name}.key", columns)
        return Entry(count=self.count, vectors=vectors, keys=keys)

    def drop(self) -> None:
        """Give it up."""
        self._vectors.drop()


class Tags:
    """The tags of an index, numbered in the order in which they came."""

    def __init__(self, known: Sequence[Tag]) -> None:
        self._codes = {tag: code for code, tag in enumerate(known)}

    def code(self, tag: Tag) -> int:
        """Return the number of a tag; a new one gets the next."""
        return self._codes.setdefault(tag, len(self._codes))

    def all(self) -> tuple[Tag, ...]:
        """Return every tag, by number."""
        return tuple(self._codes)


def keyed(
    found: Sequence[Vector], vectors: "Vectors", tags: Tags
) -> tuple[NDArray[np.int8], Keys]:
    """Return vectors as whole numbers, with their keys."""
    rows, scale = quantised(vectors)
    return rows, Keys(
        np.array([one.row for one in found], np.int64),
        np.array([one.document for one in found], np.int64),
        scale,
        np.array([tags.code(one.tag) for one in found], np.uint32),
    )


def without(
    folder: Path, manifest: Manifest, over: Iterable[int], applied: int
) -> tuple[Entry, ...]:
    """Return the segments once the documents ``over`` are out of them.

    A segment that is not touched keeps its files; a new list of what is over
    stands beside the old one, which another manifest may still need.
    """
    documents = np.array(sorted(over), np.int64)
    entries: list[Entry] = []
    for entry in manifest.segments:
        opened = Opened(folder, entry, manifest.identity.dimension)
        held = np.flatnonzero(np.isin(opened.keys.document, documents))
        dead = np.union1d(opened.dead, held).astype(DEAD)
        if len(dead) == entry.over:
            entries.append(entry)
        elif len(dead) < entry.count:
            stem = entry.vectors.name.removesuffix(".vec")
            file = sealed(folder, f"{stem}.{applied:012d}.dead", [dead.tobytes()])
            entries.append(msgspec.structs.replace(entry, dead=file, over=len(dead)))
    return tuple(entries)


def merged(folder: Path, manifest: Manifest, number: int) -> tuple[Entry, ...]:
    """Return one segment of all that is live, written anew; none, if nothing is."""
    segment = Segment(folder, number)
    try:
        for rows, keys in _live(folder, manifest):
            segment.add(rows, keys)
    except BaseException:
        segment.drop()
        raise
    if segment.count:
        return (segment.seal(),)
    segment.drop()
    return ()


def _live(folder: Path, manifest: Manifest) -> Iterator[tuple[NDArray[np.int8], Keys]]:
    for entry in manifest.segments:
        opened = Opened(folder, entry, manifest.identity.dimension)
        alive = np.flatnonzero(opened.alive())
        for at in range(0, len(alive), _ROWS):
            some = alive[at : at + _ROWS]
            yield opened.vectors[some], opened.keys.at(some)
