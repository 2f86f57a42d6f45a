"""The cache of vectors by what they were made from: text and embedder.

It spares the embedding of what was embedded before, and holds nothing that could
not be made again: damaged or strange, it is replaced by an empty one.
"""

import hashlib
import sqlite3
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Self, TypeVar

import numpy as np

from lastro.index import connection, folder
from lastro.index.connection import StoreFailed
from lastro.index.embedder import Embedder, Identity
from lastro.index.folder import VECTORS
from lastro.index.unit import unit
from lastro.index.window import embedded

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from lastro.index.embedder import Vectors

T = TypeVar("T")

_FORMAT = 1
_MAKE = f"""
BEGIN;
CREATE TABLE vectors (
    identity BLOB NOT NULL, text BLOB NOT NULL, value BLOB NOT NULL,
    UNIQUE (identity, text)
);
PRAGMA user_version = {_FORMAT};
COMMIT;
"""
_DAMAGE = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_ASKED = 500  # keys a query; SQLite takes 999 in its smallest build
_BATCH_SECONDS = 2.0  # what an interrupt may lose
_FIRST_BATCH = 4
_LARGEST_BATCH = 4096


class VectorCache:
    """Vectors of one embedder, for texts; open it in a ``with``.

    Who writes holds the writer's lock of the knowledge base; ``reading`` is for
    everybody else, and finds nothing where there is no file.

    Raises:
        StoreFailed: the folder cannot be written to, the disk is full, or
            another process keeps the file busy.  Damage is no error.
    """

    def __init__(self, kb: Path, identity: Identity, *, reading: bool = False) -> None:
        self._path = kb / VECTORS
        self._identity = fingerprint(identity)
        self._dimension = identity.dimension
        self._reading = reading
        self._blind = False
        self._db: sqlite3.Connection | None = None
        if not reading and not self._path.is_file():
            folder.take_away(self._path)
        self._made_good(self._ready)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        if self._db is not None:
            self._db.close()
            self._db = None

    def get(self, texts: Sequence[str]) -> "tuple[Vectors, NDArray[np.bool_]]":
        """Return a row a text, ``(n, dimension)``, and which rows are known.

        Known rows have length one, or are zeros; an unknown row is zeros.
        """
        rows = np.zeros((len(texts), self._dimension), dtype=np.float16)
        known = np.zeros(len(texts), dtype=np.bool_)
        places: dict[bytes, list[int]] = {}
        for at, text in enumerate(texts):
            places.setdefault(_key(text), []).append(at)
        for key, value in self._values(list(places)):
            rows[places[key]] = np.frombuffer(value, dtype="<f2")
            known[places[key]] = True
        return unit(rows), known

    def missing(self, texts: Sequence[str]) -> list[str]:
        """Return the texts that have no vector yet, each once, in their order."""
        wanted = {_key(text): text for text in texts}
        for key, _ in self._values(list(wanted)):
            del wanted[key]
        return list(wanted.values())

    def put(self, texts: Sequence[str], vectors: "Vectors") -> None:
        """Keep a row for each text, at half precision; all of them or none."""
        rows = np.asarray(vectors, dtype="<f2")
        keys = map(_key, texts)
        values = [
            (self._identity, key, _sealed(key, row.tobytes()))
            for key, row in zip(keys, rows, strict=True)
        ]
        self._made_good(partial(self._put, values))

    def embed_missing(
        self,
        texts: Sequence[str],
        embedder: Embedder,
        progress: Callable[[int, int], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Embed the texts that have no vector yet, and keep each batch at once.

        Args:
            texts: of any length; those that have a vector cost a look-up.
            embedder: of the identity that the cache was opened with.
            progress: gets how many of the missing are done, and how many there
                are: before the first batch, and after each.
            clock: in seconds; an interrupt loses about two of them.

        Raises:
            EmbedderError: the embedder failed; what was embedded before is kept.
            StoreFailed: the disk does not keep what is written to it.
        """
        for _ in range(2):  # what is lost to damage on the way is made once more
            wanted = self.missing(texts)
            if not wanted:
                return
            self._embed(wanted, embedder, progress, clock)
        if self.missing(texts):
            raise StoreFailed(
                f"{self._path} does not keep what is written to it",
                hint="Check that the disk works.",
            )

    def _embed(
        self,
        wanted: list[str],
        embedder: Embedder,
        progress: Callable[[int, int], None],
        clock: Callable[[], float],
    ) -> None:
        done, size = 0, _FIRST_BATCH
        progress(done, len(wanted))
        while done < len(wanted):
            batch = wanted[done : done + size]
            began = clock()
            self.put(batch, embedded(batch, embedder))
            done += len(batch)
            progress(done, len(wanted))
            pace = _BATCH_SECONDS / max(clock() - began, 1e-3)
            size = max(1, min(int(size * min(pace, 4.0)), _LARGEST_BATCH))

    def forget(self, keep: Iterable[str]) -> int:
        """Drop every vector but this embedder's of ``keep``; return how many.

        The file is written anew, so that nothing dropped can be read from it.
        """
        keys = [(_key(text),) for text in keep]
        return self._made_good(partial(self._forget, keys))

    def _put(self, values: list[tuple[bytes, bytes, bytes]]) -> None:
        with self._writing() as db:
            db.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", values)

    def _forget(self, keep: list[tuple[bytes]]) -> int:
        with self._writing() as db:
            db.execute("CREATE TEMP TABLE kept (text BLOB PRIMARY KEY)")
            db.executemany("INSERT OR IGNORE INTO kept VALUES (?)", keep)
            gone = db.execute(
                "DELETE FROM vectors WHERE identity != ?"
                " OR text NOT IN (SELECT text FROM kept)",
                (self._identity,),
            ).rowcount
            db.execute("DROP TABLE kept")
        if gone:
            self._compact(db)
        return gone

    def _compact(self, db: sqlite3.Connection) -> None:
        with connection.only_our_errors(self._path):
            # A disk without room for a second file leaves it as it is.
            with suppress(sqlite3.OperationalError):
                db.execute("VACUUM")
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def _values(self, keys: Sequence[bytes]) -> Iterator[tuple[bytes, bytes]]:
        """Yield what is kept for keys; what does not carry its seal is not kept."""
        length = 2 * self._dimension
        for at in range(0, len(keys), _ASKED):
            asked = keys[at : at + _ASKED]
            for key, value in self._made_good(partial(self._rows, asked)):
                if len(value) == length + 4 and _sealed(key, value[:length]) == value:
                    yield key, value[:length]

    def _rows(self, keys: Sequence[bytes]) -> list[tuple[bytes, bytes]]:
        if self._db is None:
            return []
        marks = ",".join("?" * len(keys))
        with connection.only_our_errors(self._path):
            return self._db.execute(
                "SELECT text, value FROM vectors WHERE identity = ?"  # noqa: S608
                f" AND text IN ({marks})",  # only question marks are put in
                (self._identity, *keys),
            ).fetchall()

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """Give a transaction that ends with the block, or leaves nothing."""
        if self._db is None or self._reading:
            raise StoreFailed(
                f"{self._path} is not open for writing",
                hint="Open it as the holder of the writer's lock.",
            )
        with connection.only_our_errors(self._path):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
            except BaseException:
                with suppress(sqlite3.Error):
                    self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")

    def _ready(self) -> None:
        if self._db is not None or self._blind:
            return
        if self._reading and not self._path.exists():
            return
        with connection.only_our_errors(self._path):
            self._db = connection.connect(self._path, reading=self._reading).db
            self._db.execute("PRAGMA temp_store = MEMORY")
            version = self._db.execute("PRAGMA user_version").fetchone()[0]
            if version == _FORMAT:
                self._db.execute("SELECT identity, text, value FROM vectors LIMIT 1")
                return
            if self._reading or version:
                raise sqlite3.DatabaseError  # made by another version
            self._db.executescript(_MAKE)

    def _made_good(self, work: Callable[[], T]) -> T:
        """Do it; where the file proves damaged, do it again with an empty one."""
        try:
            return work()
        except StoreFailed as error:
            if not _is_damage(error.__cause__):
                raise
        self.close()
        if self._reading:
            self._blind = True
        else:
            for suffix in ("", "-wal", "-shm"):
                self._path.with_name(VECTORS + suffix).unlink(missing_ok=True)
        self._ready()
        return work()


def fingerprint(identity: Identity) -> bytes:
    """Return 16 bytes that tell one embedder's vectors from another's."""
    fields = (
        identity.name,
        identity.revision,
        str(identity.dimension),
        identity.query_prefix,
        identity.passage_prefix,
    )
    return _key("\0".join(fields))


def _key(text: str) -> bytes:
    data = text.encode("utf-8", "surrogatepass")
    return hashlib.blake2b(data, digest_size=16).digest()


def _sealed(key: bytes, value: bytes) -> bytes:
    """Return a value with a checksum behind it: SQLite does not see a flipped bit."""
    return value + zlib.crc32(value, zlib.crc32(key)).to_bytes(4, "little")


def _is_damage(error: BaseException | None) -> bool:
    if not isinstance(error, sqlite3.DatabaseError):
        return False
    if isinstance(error, sqlite3.ProgrammingError):
        return False  # our own fault, not the file's
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
    # An ordinary error is a table or a column that is not there.
    return code in _DAMAGE or code == sqlite3.SQLITE_ERROR
