"""Taking documents into a knowledge base, and out of it again.

Both hold the writer's lock, change the store in acknowledged batches, and bring
the index up behind it.  An interrupt loses the batch in hand and nothing else.
"""

import secrets
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import lastro
from lastro.corpus.found import Found, Readable
from lastro.corpus.sources import scan
from lastro.index import folder
from lastro.index.asked import readable, refuse_no_text
from lastro.index.connection import only_our_errors
from lastro.index.ledger import Ledger, Outcome
from lastro.index.lock import WAIT, writing
from lastro.index.places import resolved
from lastro.index.publish import SMALL, Publisher
from lastro.index.run import Run, Tally
from lastro.index.store import Store

_BATCH_DOCUMENTS = 256
_BATCH_CHARACTERS = 4_000_000
# Between two publications new documents wait in the store, unseen by searches.
_PUBLISH_PASSAGES = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestReport:
    """What became of the sources, and what the knowledge base holds now.

    ``skipped`` and ``failed`` list each source with why.
    """

    indexed: int
    unchanged: int
    updated: int
    removed: int
    skipped: tuple[tuple[str, str], ...]
    failed: tuple[tuple[str, str], ...]
    documents: int
    passages: int
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveReport:
    """Which documents were removed, and which ids nobody knows."""

    removed: tuple[str, ...]
    unknown: tuple[str, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far an ingest is: ``done`` counts sources, ``rate`` them by second."""

    done: int
    indexed: int
    unchanged: int
    updated: int
    skipped: int
    failed: int
    passages: int
    seconds: float

    @property
    def rate(self) -> float:
        """Sources a second so far."""
        return self.done / self.seconds if self.seconds > 0 else 0.0


def ingest(  # noqa: PLR0913 - the choices of an ingest, all with defaults
    kb: Path,
    sources: Sequence[str | Path],
    *,
    sync: bool = False,
    locale: str = "",
    collection: str = "",
    progress: Callable[[Progress], None] | None = None,
    clock: Callable[[], float] = time.monotonic,
    wait: float = WAIT,
    small: int = SMALL,
) -> IngestReport:
    """Take the documents of ``sources`` into the knowledge base at ``kb``.

    Args:
        kb: its folder; made if it does not exist.
        sources: files and folders.
        sync: also remove the documents that the sources no longer hold.
        locale: the documents' language; empty: their own, or detected.
        collection: a name to file them under.
        progress: called after every batch.
        clock: returns seconds, for the rate.
        wait: how long to wait for another writer, in seconds.
        small: up to how many passages an index is made anew when stale.

    Raises:
        SourceError: a source does not exist; nothing was done.
        UsageError: no source, or no such language.
        KnowledgeBaseBusy: another process is writing.
        KnowledgeBaseError: ``kb`` is something else, or cannot be written.
    """
    wanted = partial(scan, sources, locale=locale, collection=collection)
    wanted()  # a source that is not there is refused before anything is made
    began = clock()
    with _open(kb, wait, small) as (store, publisher):
        run = Run(store, resolved(sources), sync=sync)
        pending = 0
        # Closed at once when interrupted, and with it the file in hand.
        found = wanted(roots=run.roots, known=run)
        with closing(_batches(found)) as batches:
            for batch in batches:
                pending += run.take(batch)
                if progress is not None:
                    progress(_progress(run.tally, clock() - began))
                if pending >= _PUBLISH_PASSAGES:
                    publisher.publish()
                    pending = 0
        if sync:
            run.reconcile()
        publisher.publish()
        publisher.settle()
        return _report(run.tally, store, publisher)


def remove(kb: Path, ids: Iterable[str], *, wait: float = WAIT) -> RemoveReport:
    """Remove documents by id: all of them at once, from everywhere.

    Ids that nobody knows are named in the report and stop nothing.

    Raises:
        KnowledgeBaseBusy: another process is writing.
        KnowledgeBaseError: ``kb`` is none, or cannot be written.
    """
    folder.read(kb)
    removed: list[str] = []
    unknown: list[str] = []
    with _open(kb, wait) as (store, publisher):
        with store.writing() as db:
            seq = store.state().applied + 1
            ledger = Ledger(db)
            for name in dict.fromkeys(ids):
                refuse_no_text("a document's id", name)
                identifier = readable(name)
                known = store.end(identifier, seq)
                ledger.forget(identifier)
                (removed if known else unknown).append(name)
            ledger.tidy()
            if removed:
                store.number(applied=seq)
        publisher.publish()
        publisher.settle(erase=bool(removed))
        notes = tuple(publisher.notes)
    return RemoveReport(removed=tuple(removed), unknown=tuple(unknown), notes=notes)


@contextmanager
def _open(
    kb: Path, wait: float, small: int = SMALL
) -> Iterator[tuple[Store, Publisher]]:
    """Hold the lock of ``kb`` with its store and index; make it if it is new."""
    folder.make(kb)
    with writing(kb, wait=wait):
        made = folder.make(kb)
        with Store(kb, create=not made) as store, only_our_errors(store.path):
            if not made:
                store.prepare(secrets.token_hex(8))
                folder.write(kb, f"lastro {lastro.__version__}")
            publisher = Publisher(kb, store, small=small)
            try:
                yield store, publisher
            finally:
                publisher.close()


def _batches(found: Iterable[Found]) -> Generator[list[Found], None, None]:
    batch: list[Found] = []
    characters = 0
    for one in found:
        batch.append(one)
        if isinstance(one, Readable):
            characters += len(one.document.text)
        if len(batch) >= _BATCH_DOCUMENTS or characters >= _BATCH_CHARACTERS:
            yield batch
            batch, characters = [], 0
    if batch:
        yield batch


def _progress(tally: Tally, seconds: float) -> Progress:
    counts = tally.counts
    return Progress(
        done=counts.total(),
        indexed=counts[Outcome.INDEXED],
        unchanged=counts[Outcome.UNCHANGED],
        updated=counts[Outcome.UPDATED],
        skipped=counts[Outcome.SKIPPED],
        failed=counts[Outcome.FAILED],
        passages=tally.passages,
        seconds=seconds,
    )


def _report(tally: Tally, store: Store, publisher: Publisher) -> IngestReport:
    counts = tally.counts
    documents, passages = store.totals()
    return IngestReport(
        indexed=counts[Outcome.INDEXED],
        unchanged=counts[Outcome.UNCHANGED],
        updated=counts[Outcome.UPDATED],
        removed=counts[Outcome.REMOVED],
        skipped=tuple(tally.skipped),
        failed=tuple(tally.failed),
        documents=documents,
        passages=passages,
        notes=(*tally.said(), *publisher.notes),
    )
