"""Brings the dense index to where the store is.  Only for the holder of the lock.

Everything here is a function of the store and of the last manifest: killed at
any moment, the next holder comes to the same end.  An embedder that fails stops
nothing: what has no vector yet is counted, and is found by its words.
"""

import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from lastro.errors import EmbedderError, EmbedderMismatch, KnowledgeBaseError
from lastro.index import segments, waiting
from lastro.index.compact import Segment, Tags, keyed, merged, without
from lastro.index.dense import PROBE, Dense, differing
from lastro.index.embedder import Embedder
from lastro.index.folder import DENSE, VECTORS, take_away
from lastro.index.folder import only_our_errors as folder_errors
from lastro.index.segments import LAYOUT, SEGMENT_DIGITS, Entry, Manifest, Tag
from lastro.index.store import State, Store
from lastro.index.vectors import VectorCache
from lastro.index.window import embedded

if TYPE_CHECKING:
    from lastro.index.embedder import Vectors

DEAD_SHARE = 0.2
_SEGMENTS = 8
_BATCH = 256

Embedders = Callable[[str], Embedder]


class Filler:
    """The dense index of ``kb``, in the hands of whoever holds the writer's lock.

    Args:
        kb: the folder of the knowledge base.
        store: its store.
        embedders: gives an embedder by name.
        most: how many passages a costly embedder may be given; None: all.
        progress: called after every batch of passages.
        clock: returns seconds, for the rate.
    """

    def __init__(
        self,
        kb: Path,
        store: Store,
        embedders: Embedders | None,
        *,
        most: int | None = None,
        progress: Callable[[waiting.Progress], None] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.notes: list[str] = []
        self.failure = ""
        self._kb = kb
        self._folder = kb / DENSE
        self._store = store
        self._embedders = embedders
        self._embedder: Embedder | None = None
        self._most = most
        self._progress = progress
        self._clock = clock
        self._name = store.state().embedder
        self._manifest = self._usable(store.state()) if self._name else None

    def _usable(self, state: State) -> Manifest | None:
        """Return the newest manifest that serves the store, its files looked at."""
        if not self._folder.is_dir():
            take_away(self._folder)
        manifest, why = segments.newest(self._folder, state)
        if manifest is None and state.generation:
            why = why or "its folder was missing"
            self.notes.append(f"the dense index was rebuilt: {why}")
        return manifest

    def use(self, name: str, *, anew: bool = False) -> None:
        """Take the embedder ``name``; ``""``: the one that the base has.

        Raises:
            EmbedderError: it cannot be used; nothing was done.
            EmbedderMismatch: the base has vectors of another one, and they are
                not to be made ``anew``.
        """
        made = self._made(name) if name else None
        name = made.identity.name if made else self._name
        if not name:
            return
        other = bool(self._name) and name != self._name
        if other and not anew:
            raise EmbedderMismatch(
                f"the knowledge base has vectors of {self._name}, not of {name}",
                hint=f"`lastro embed --kb KB --embedder {name}` makes them anew.",
            )
        made = made or self._made(name)
        if anew and self._manifest and differing(self._manifest, made):
            self._manifest = None
        self._name, self._embedder = name, None if self._manifest else made
        self._manifest = self._manifest or self._begun()
        self._ready(made)

    @property
    def costly(self) -> bool:
        """Say whether vectors take long."""
        return self._embedder is not None and self._embedder.costly

    def leave(self) -> None:
        """Give the dense index up: the base is searched by words alone."""
        self._name, self._manifest, self._embedder = "", None, None
        with self._store.writing():
            self._store.note_embedder("")
        shutil.rmtree(self._folder, ignore_errors=True)
        for end in ("", "-wal", "-shm"):
            (self._kb / f"{VECTORS}{end}").unlink(missing_ok=True)

    def _made(self, name: str) -> Embedder:
        if self._embedders is None:
            raise EmbedderError(f"no embedder was given for {name}")
        return self._embedders(name)

    def _ready(self, made: Embedder | None = None) -> Embedder:
        """Return the embedder, once it is known to give the index's vectors."""
        if self._embedder is None:
            embedder = made or self._made(self._name)
            why = differing(self._manifest, embedder) if self._manifest else ""
            if why:
                raise EmbedderMismatch(why)
            self._embedder = embedder
        return self._embedder

    def advance(self, applied: int) -> bool:
        """Write the manifest for the change ``applied``; the last one stays.

        What is over is out of it, what is new is in it, as far as the embedder
        could be used: else ``failure`` says why not.  Returns if it is another.
        """
        self.failure = ""
        before = self._manifest or self._empty()
        if before is None:
            return False
        try:
            with folder_errors(self._folder):
                return self._advance(before, applied)
        except KnowledgeBaseError as error:
            # The words go on without: what is removed must not wait for vectors.
            self._failed(error)
            return False

    def _advance(self, before: Manifest, applied: int) -> bool:
        self._folder.mkdir(exist_ok=True)
        kept = without(self._folder, before, self._over(before, applied), applied)
        through, tags, added = self._filled(before)
        more = {"through": through, "tags": tags, "segments": (*kept, *added)}
        manifest = msgspec.structs.replace(before, applied=applied, **more)
        if manifest == self._manifest:
            return False
        # Vectors of another embedder serve until these are complete.
        segments.save(self._folder, manifest)
        if self._store.state().embedder != self._name:
            with self._store.writing():
                self._store.note_embedder(self._name)
        self._manifest = manifest
        return True

    def _empty(self) -> Manifest | None:
        """Return the manifest of an index without a vector; None: it cannot be."""
        if not self._name:
            return None
        try:
            return self._begun()
        except EmbedderError as error:
            self._failed(error)
            return None

    def _begun(self) -> Manifest:
        embedder = self._ready()
        return Manifest(
            layout=LAYOUT,
            store=self._store.state().store,
            applied=0,
            through=0,
            identity=embedder.identity,
            probe=tuple(map(float, embedder.passages([PROBE])[0])),
        )

    def _over(self, before: Manifest, applied: int) -> set[int]:
        """Return the documents that are in the segments and no longer in the base."""
        if before.applied >= self._store.state().purged:
            closed = self._store.db.execute(
                "SELECT row FROM documents WHERE seq_to > ? AND seq_to <= ?",
                (before.applied, applied),
            )
            return {row for (row,) in closed}
        rows = self._store.db.execute("SELECT row FROM documents WHERE seq_to IS NULL")
        live = {row for (row,) in rows}
        return Dense(self._folder, before).documents() - live

    def _filled(
        self, before: Manifest
    ) -> tuple[int, tuple[Tag, ...], tuple[Entry, ...]]:
        """Give vectors to what has none; return how far, all tags, new segments."""
        total = self.waiting()
        nothing = (before.through, before.tags, ())
        if not total:
            return nothing
        tags, segment = Tags(before.tags), Segment(self._folder, self._number())
        try:
            self._fill(segment, tags, total, before.through)
        except (EmbedderError, EmbedderMismatch) as error:
            self._failed(error)
        except BaseException:
            segment.drop()
            raise
        if segment.count:
            return segment.last, tags.all(), (segment.seal(),)
        segment.drop()
        return nothing

    def _fill(self, segment: Segment, tags: Tags, total: int, through: int) -> None:
        embedder, began = self._ready(), self._clock()
        if embedder.costly and self._most is not None and total > self._most:
            raise EmbedderError("it is left to `lastro embed`")

        def tell(done: int) -> None:
            spent = self._clock() - began
            if self._progress is not None:
                self._progress(waiting.Progress(done=done, total=total, seconds=spent))

        for batch in waiting.batches(self._store.db, through, _BATCH):
            texts = [one.text for one in batch]
            vectors = self._vectors(texts, embedder, segment.count, tell)
            segment.add(*keyed([one.whose for one in batch], vectors, tags))
            tell(segment.count)

    def _vectors(
        self,
        texts: list[str],
        embedder: Embedder,
        before: int,
        tell: Callable[[int], None],
    ) -> "Vectors":
        """Return a vector a text; costly ones are computed once and kept."""
        if not embedder.costly:
            return embedded(texts, embedder)
        with VectorCache(self._kb, embedder.identity) as cache:
            cache.embed_missing(
                texts, embedder, lambda done, _: tell(before + done), self._clock
            )
            return cache.get(texts)[0]

    def waiting(self) -> int:
        """Return how many passages have no vector yet."""
        through = self._manifest.through if self._manifest else 0
        return waiting.count(self._store.db, through, self._store.state().applied)

    def settle(self, *, erase: bool) -> None:
        """Make the segments one, if there are many or too much of them is over.

        With ``erase`` nothing that is over is left in their files.
        """
        if self._manifest is not None:
            with folder_errors(self._folder):
                self._settle(self._manifest, erase=erase)

    def _settle(self, manifest: Manifest, *, erase: bool) -> None:
        over, live = manifest.over, manifest.live
        stale = over and (erase or over > DEAD_SHARE * (over + live))
        if stale or len(manifest.segments) > _SEGMENTS:
            one = merged(self._folder, manifest, self._number())
            self._manifest = msgspec.structs.replace(manifest, segments=one)
            segments.save(self._folder, self._manifest)
        if erase and (self._kb / VECTORS).exists():
            with VectorCache(self._kb, manifest.identity) as cache:
                cache.forget(waiting.texts(self._store.db))
        self.tidy()

    def tidy(self) -> None:
        """Delete every file that the newest manifest does not need."""
        if self._manifest is not None and self._folder.is_dir():
            segments.sweep(self._folder, [self._manifest])

    def _number(self) -> int:
        """Return a number that no file of a segment has had yet."""
        stems = (path.name.partition(".")[0] for path in self._folder.iterdir())
        ours = (s for s in stems if len(s) == SEGMENT_DIGITS and s.isdecimal())
        return max(map(int, ours), default=0) + 1

    def _failed(self, error: EmbedderError | KnowledgeBaseError) -> None:
        """Keep why passages are without vectors; said once."""
        self.failure = self.failure or str(error)
