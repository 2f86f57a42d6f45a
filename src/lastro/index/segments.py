"""The files of the dense index: segments of vectors, and the manifest that lists them.

A segment is two files that never change: ``.vec`` holds a row of int8 for each
passage, ``.key`` whose row it is, by how much to multiply it, and what filters
look at.  What was replaced or removed stands in a ``.dead`` file beside them.
A *manifest* names all files as of one change of the store, with their sizes and
checksums.  Every file is written under a passing name, forced to the disk and
renamed; the manifest last.  Whoever reads one therefore reads it whole.
"""

import os
import shutil
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from lastro.errors import KnowledgeBaseError
from lastro.index.embedder import Identity
from lastro.index.store import State

LAYOUT = 1
SEGMENT_DIGITS = 6
# Up to this size a reader compares checksums when it opens an index: some 30 ms.
CHECKED = 32_000_000
_BLOCK = 1 << 20
DEAD = np.dtype("<i8")

Rows = NDArray[np.int8]


class Keys(NamedTuple):
    """Parallel columns: the file holds one after the other."""

    row: NDArray[np.int64]
    document: NDArray[np.int64]
    scale: NDArray[np.float32]
    tag: NDArray[np.uint32]

    def at(self, places: NDArray[np.int64]) -> "Keys":
        """Return the columns at some places, copied out of the file."""
        row, document, scale, tag = self
        return Keys(row[places], document[places], scale[places], tag[places])


# Of each column; little-endian on every machine.
_KINDS = tuple(map(np.dtype, ("<i8", "<i8", "<f4", "<u4")))


class File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file as it was written."""

    name: str
    size: int
    crc: int


class Tag(msgspec.Struct, frozen=True, array_like=True):
    """What a filter looks at."""

    locale: str
    detected: bool
    collection: str


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A segment: how many passages it holds, and how many of them are over."""

    count: int
    vectors: File
    keys: File
    dead: File | None = None
    over: int = 0


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The dense index as of the change ``applied`` of the store.

    It covers every live passage up to the row ``through``; a passage behind it
    has no vector yet.  ``probe`` is the vector of a text that never changes.
    """

    layout: int
    store: str
    applied: int
    through: int
    identity: Identity
    probe: tuple[float, ...]
    tags: tuple[Tag, ...] = ()
    segments: tuple[Entry, ...] = ()

    @property
    def live(self) -> int:
        """Return how many passages can be found."""
        return sum(entry.count - entry.over for entry in self.segments)

    @property
    def over(self) -> int:
        """Return how many passages are still in the files and cannot be found."""
        return sum(entry.over for entry in self.segments)

    def files(self) -> Iterator[File]:
        """Yield every file that this manifest needs."""
        for entry in self.segments:
            yield entry.vectors
            yield entry.keys
            if entry.dead is not None:
                yield entry.dead


class Opened:
    """A segment, mapped into memory."""

    def __init__(self, folder: Path, entry: Entry, dimension: int) -> None:
        shape = (entry.count, dimension)
        self.vectors: Rows = np.memmap(folder / entry.vectors.name, np.int8, "r")
        self.vectors = self.vectors.reshape(shape)
        self.keys = _columns(np.memmap(folder / entry.keys.name, np.uint8, "r"))
        self.dead = np.zeros(0, DEAD)
        if entry.dead is not None:
            self.dead = np.fromfile(folder / entry.dead.name, DEAD)

    def alive(self) -> NDArray[np.bool_]:
        """Return which passages are not over."""
        kept = np.ones(len(self.keys.row), dtype=bool)
        kept[self.dead] = False
        return kept


def _columns(block: NDArray[np.uint8]) -> Keys:
    sizes = [kind.itemsize for kind in _KINDS]
    count = len(block) // sum(sizes)
    ends = np.cumsum([size * count for size in sizes])[:-1]
    parts = np.split(block, ends)
    return Keys(*(part.view(kind) for part, kind in zip(parts, _KINDS, strict=True)))


def name_of(applied: int) -> str:
    """Return the name of the manifest for a change."""
    return f"{applied:012d}.json"


def manifests(folder: Path) -> list[int]:
    """Return the changes that there is a manifest for, newest first."""
    stems = (path.stem for path in folder.glob("*.json"))
    return sorted((int(stem) for stem in stems if stem.isdecimal()), reverse=True)


def load(folder: Path, applied: int, *, all_of_it: bool = False) -> Manifest:
    """Read the manifest for a change, and see that its files are what was written.

    Sizes are always compared; checksums up to 32 MB, or ``all_of_it``.

    Raises:
        FileNotFoundError: there is no manifest for it, or a file is gone.
        KnowledgeBaseError: a file is not what was written.
    """
    manifest = _read(folder / name_of(applied))
    if manifest.layout != LAYOUT:
        raise damaged(name_of(applied), "another version of Lastro wrote it")
    files = list(manifest.files())
    for file in files:
        size = (folder / file.name).stat().st_size
        if size != file.size:
            raise damaged(file.name, f"{size} bytes of {file.size}")
    if all_of_it or sum(file.size for file in files) <= CHECKED:
        for file in files:
            if checksum(folder / file.name) != file.crc:
                raise damaged(file.name, "its checksum differs")
    return manifest


def _read(path: Path) -> Manifest:
    try:
        body, crc = path.read_bytes().split(b"\n", 1)
        if int(crc, 16) != zlib.crc32(body):
            raise damaged(path.name, "its checksum differs")
        return msgspec.json.decode(body, type=Manifest)
    except (msgspec.DecodeError, ValueError) as error:
        raise damaged(path.name, "it cannot be read") from error


def newest(folder: Path, state: State) -> tuple[Manifest | None, str]:
    """Return the newest manifest that serves a store, and why a newer one does not.

    Every checksum is compared.
    """
    why = ""
    for applied in manifests(folder) if folder.is_dir() else ():
        try:
            manifest = load(folder, applied, all_of_it=True)
        except FileNotFoundError:
            why = why or "a file was missing"
        except (KnowledgeBaseError, OSError) as error:
            why = why or str(error)
        else:
            ours = (manifest.store, manifest.identity.name)
            if ours == (state.store, state.embedder) and applied <= state.applied:
                return manifest, why
            other = manifest.store != state.store or applied > state.applied
            whose = "another store" if other else "another embedder"
            why = why or f"it was that of {whose}"
    return None, why


def damaged(name: str, how: str) -> KnowledgeBaseError:
    """Return the error for a file that is not what was written."""
    return KnowledgeBaseError(
        f"the dense index is broken: {name}: {how}",
        hint="`lastro embed --kb KB` makes it anew.",
    )


def checksum(path: Path) -> int:
    """Return the CRC-32 of a file."""
    crc = 0
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            crc = zlib.crc32(block, crc)
    return crc


def save(folder: Path, manifest: Manifest) -> None:
    """Put a manifest in place: from here on it is what readers find."""
    body = msgspec.json.encode(manifest)
    line = f"\n{zlib.crc32(body):08x}\n".encode()
    sealed(folder, name_of(manifest.applied), [body, line])


def sealed(folder: Path, name: str, parts: Sequence[bytes | memoryview]) -> File:
    """Write a file whole or not at all, and return what it is."""
    draft = Draft(folder, name)
    try:
        for part in parts:
            draft.write(part)
        return draft.seal()
    except BaseException:
        draft.drop()
        raise


class Draft:
    """A file that is being written, under a passing name until :meth:`seal`."""

    def __init__(self, folder: Path, name: str) -> None:
        self._path = folder / name
        self._passing = folder / f"{name}.new"
        self._file = self._passing.open("wb")
        self._crc = self._size = 0

    def write(self, part: bytes | memoryview) -> None:
        """Add to the file."""
        self._file.write(part)
        self._crc = zlib.crc32(part, self._crc)
        self._size += memoryview(part).nbytes

    def seal(self) -> File:
        """Force the file to the disk and give it its name."""
        with self._file as file:
            file.flush()
            os.fsync(file.fileno())
        if self._path.is_dir():
            shutil.rmtree(self._path)  # not ours: ours are files
        self._passing.replace(self._path)
        _sync(self._path.parent)
        return File(self._path.name, self._size, self._crc)

    def drop(self) -> None:
        """Give the file up."""
        self._file.close()
        self._passing.unlink(missing_ok=True)


def _sync(folder: Path) -> None:
    """Force the names in a folder to the disk, where a system can."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def sweep(folder: Path, keep: Sequence[Manifest]) -> None:
    """Delete every file that none of the manifests needs."""
    needed = {file.name for manifest in keep for file in manifest.files()}
    needed |= {name_of(manifest.applied) for manifest in keep}
    for path in folder.iterdir():
        if path.name not in needed and path.is_file():
            path.unlink(missing_ok=True)
