"""Taking documents into a knowledge base, and out of it again.

Both hold the writer's lock, change the store in acknowledged batches, and bring
the index up behind it.  An interrupt loses the batch in hand and nothing else.
"""

import secrets
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import lastro
from lastro.corpus.found import Found, Readable
from lastro.corpus.sources import scan
from lastro.errors import UsageError
from lastro.index import folder
from lastro.index.asked import readable, refuse_no_text
from lastro.index.connection import only_our_errors
from lastro.index.korean import morphology
from lastro.index.ledger import Ledger, Outcome
from lastro.index.lock import WAIT, writing
from lastro.index.places import resolved
from lastro.index.publish import SMALL, Publisher
from lastro.index.reports import (
    NONE,
    EmbedReport,
    EmbedWith,
    IngestReport,
    Progress,
    RemoveReport,
)
from lastro.index.run import Run, Tally
from lastro.index.store import Store

if TYPE_CHECKING:  # numpy comes with them
    from lastro.index.embed import Filler

_BATCH_DOCUMENTS = 256
_BATCH_CHARACTERS = 4_000_000
# Between two publications new documents wait in the store, unseen by searches.
_PUBLISH_PASSAGES = 20_000
_PUBLISH_COSTLY = 500


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
    vectors: EmbedWith | None = None,
    korean: str = "",
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
        vectors: who makes vectors; None: the base gets none.
        korean: what a base that is made takes Korean words apart with, for good:
            ``bigrams`` or ``kiwi``; empty: bigrams, or what the base has.

    Raises:
        SourceError: a source does not exist; nothing was done.
        UsageError: no source, no such language, or the base takes Korean words
            apart with something else.
        EmbedderError: the embedder cannot be used; nothing was done.
        EmbedderMismatch: the base has vectors of another one; nothing was done.
        KnowledgeBaseBusy: another process is writing.
        KnowledgeBaseError: ``kb`` is something else, or cannot be written.
    """
    wanted = partial(scan, sources, locale=locale, collection=collection)
    wanted()  # a source that is not there is refused before anything is made
    began = clock()
    with _open(kb, wait, small, vectors, korean) as (store, publisher, filler):
        if filler is not None and vectors is not None:
            filler.use(vectors.name)
        most = _PUBLISH_COSTLY if filler and filler.costly else _PUBLISH_PASSAGES
        run = Run(store, resolved(sources), sync=sync)
        pending = 0
        # Closed at once when interrupted, and with it the file in hand.
        found = wanted(roots=run.roots, known=run)
        with closing(_batches(found)) as batches:
            for batch in batches:
                pending += run.take(batch)
                if progress is not None:
                    progress(_progress(run.tally, clock() - began))
                if pending >= most:
                    publisher.publish()
                    pending = 0
        if sync:
            run.reconcile()
        publisher.publish()
        publisher.settle()
        return _report(run.tally, store, publisher, filler)


def embed(
    kb: Path, vectors: EmbedWith, *, otherwise: str = "", wait: float = WAIT
) -> EmbedReport:
    """Give every passage of the base at ``kb`` a vector; anew, if others made them.

    What has its vector already keeps it; interrupted, the next run goes on.
    ``otherwise`` names the embedder of a base that has none, if none is given.

    Raises:
        EmbedderError: the embedder cannot be used; nothing was done.
        KnowledgeBaseBusy: another process is writing.
        KnowledgeBaseError: ``kb`` is none, or cannot be written.
    """
    folder.read(kb)
    with _open(kb, wait, vectors=vectors) as (store, publisher, filler):
        assert filler is not None  # noqa: S101  (there are vectors)
        if vectors.name == NONE:
            filler.leave()
        else:
            known = store.state().embedder
            filler.use(vectors.name or known or otherwise, anew=True)
        publisher.publish()
        publisher.settle()
        return EmbedReport(
            embedder=store.state().embedder,
            passages=store.totals()[1],
            pending=filler.waiting(),
            embedding=filler.failure,
            notes=tuple(publisher.notes),
        )


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
    with _open(kb, wait) as (store, publisher, _):
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
    kb: Path,
    wait: float,
    small: int = SMALL,
    vectors: EmbedWith | None = None,
    korean: str = "",
) -> "Iterator[tuple[Store, Publisher, Filler | None]]":
    """Hold the lock of ``kb`` with its store and indexes; make it if it is new."""
    if korean:
        _refuse_other_korean(kb, korean)
    folder.make(kb)
    with writing(kb, wait=wait):
        made = folder.make(kb)
        if korean:  # it may have been made in the meantime
            _refuse_other_korean(kb, korean)
        with Store(kb, create=not made) as store, only_our_errors(store.path):
            if not made:
                store.prepare(secrets.token_hex(8))
                made_by = f"lastro {lastro.__version__}"
                folder.write(kb, made_by, korean or folder.BIGRAMS)
            filler = _filler(kb, store, vectors)
            publisher = Publisher(kb, store, filler, small=small)
            try:
                yield store, publisher, filler
            finally:
                publisher.close()


def _refuse_other_korean(kb: Path, wanted: str) -> None:
    """Raise before anything is made, if the base cannot be as it is wanted."""
    if wanted not in folder.KOREAN:
        raise UsageError(f"korean {wanted!r}: it is one of {', '.join(folder.KOREAN)}")
    morphology(wanted)
    if folder.exists(kb) and (has := folder.read(kb).korean) != wanted:
        raise UsageError(
            f"{kb} takes Korean words apart with {has}, and not with {wanted}",
            hint="That is chosen when a knowledge base is made: make another one.",
        )


def _filler(kb: Path, store: Store, vectors: EmbedWith | None) -> "Filler | None":
    if vectors is None and not store.state().embedder:
        return None
    from lastro.index.embed import Filler  # noqa: PLC0415  (numpy: only for vectors)

    if vectors is None:
        return Filler(kb, store, None)
    return Filler(
        kb, store, vectors.embedders, progress=vectors.progress, clock=vectors.clock
    )


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


def _report(
    tally: Tally, store: Store, publisher: Publisher, filler: "Filler | None"
) -> IngestReport:
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
        embedder=store.state().embedder,
        pending=filler.waiting() if filler and store.state().embedder else 0,
        embedding=filler.failure if filler else "",
        notes=(*tally.said(), *publisher.notes),
    )
