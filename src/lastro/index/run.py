"""One run of an ingest: what is found is compared with the store and taken in.

The run decides what becomes of every source and writes it into store and
ledger, batch by batch, each batch one transaction.  It knows no index.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from lastro.corpus.found import Found, Readable, Skipped, Unreadable
from lastro.corpus.identity import place_id
from lastro.corpus.split import split
from lastro.index.ledger import Ledger, Line, Outcome
from lastro.index.store import Store
from lastro.model.document import Document

_KEPT = "the version indexed before is kept"


@dataclass(slots=True)
class Tally:
    """What has become of the sources so far; ``passages`` are the new ones."""

    counts: Counter[Outcome] = field(default_factory=Counter)
    skipped: list[tuple[str, str]] = field(default_factory=list)
    failed: list[tuple[str, str]] = field(default_factory=list)
    passages: int = 0
    notes: list[str] = field(default_factory=list)


class Run:
    """Takes batches in; :meth:`reconcile` is the end of a run with ``--sync``.

    ``given`` are the sources of this run, absolute, by the name they have in
    what is found.
    """

    def __init__(self, store: Store, given: Mapping[str, str], *, sync: bool) -> None:
        self.tally = Tally()
        self._store = store
        self._sync = sync
        self._given = given
        self._ledger = Ledger(store.db)
        self._moved: Counter[str] = Counter()
        self._unread: list[str] = []
        self._seq = 0
        with store.writing():
            self._ledger.start()

    def roots(self) -> list[str]:
        """Return the folders of earlier runs: a document keeps its name under them."""
        return [path for path in self._ledger.given() if Path(path).is_dir()]

    def take(self, batch: Iterable[Found]) -> int:
        """Take a batch in: acknowledged, all of it, when this returns.

        Returns how many passages are new.
        """
        before = self.tally.passages
        with self._change():
            for found in batch:
                match found:
                    case Readable(document):
                        self._document(document)
                    case Skipped():
                        self._without(Outcome.SKIPPED, found)
                    case Unreadable():
                        self._without(Outcome.FAILED, found)
        return self.tally.passages - before

    @contextmanager
    def _change(self) -> Iterator[None]:
        """One transaction; it gets a sequence number if a document changes in it."""
        with self._store.writing():
            self._seq = 0
            yield
            if self._seq:
                self._store.number(applied=self._seq)

    def _next(self) -> int:
        if not self._seq:
            self._seq = self._store.state().applied + 1
        return self._seq

    def _document(self, document: Document) -> None:
        live = self._store.live(document.id)
        if live == document.version:
            outcome = Outcome.UNCHANGED
        else:
            passages = split(document)
            if not passages:
                why = "no text to index"
                empty = Skipped(source=document.source, why=why, id=document.id)
                self._without(Outcome.SKIPPED, empty)
                return
            outcome = Outcome.UPDATED if live else Outcome.INDEXED
            self._store.end(document.id, self._next())
            self._store.add(document, passages, self._next())
            self.tally.passages += len(passages)
        owner = self._ledger.owner(document.id)
        given = self._under(document.source)
        if owner and owner.given != given:
            self._moved[owner.given] += 1
        if owner and owner.source != document.source and outcome is Outcome.UNCHANGED:
            self._store.move(document.id, document.source)
        self._ledger.write(
            Line(
                source=document.source,
                document=document.id,
                given=given,
                outcome=outcome,
            )
        )
        self.tally.counts[outcome] += 1

    def _without(self, outcome: Outcome, found: Skipped | Unreadable) -> None:
        why = found.why
        failed = outcome is Outcome.FAILED
        # A document whose new version was not taken in; no repeat within this run.
        owner = self._ledger.owner(found.id) if found.id else None
        earlier = owner is not None and not owner.seen
        # With --sync a source that holds nothing to index any more is gone.
        if earlier and (failed or not self._sync):
            why = f"{why}; {_KEPT}"
        if earlier and failed:
            self._ledger.keep(found.id, why)
        if failed and not found.id:
            self._unread.append(_file(found.source))
        self._ledger.write_without_document(
            Line(
                source=found.source,
                given=self._under(found.source),
                outcome=outcome,
                why=why,
            )
        )
        self.tally.counts[outcome] += 1
        listed = self.tally.failed if failed else self.tally.skipped
        listed.append((found.source, why))

    def _under(self, source: str) -> str:
        """Return the argument of this run under which ``source`` was found."""
        for name, path in self._given.items():
            rest = source.removeprefix(name)
            if rest != source and (not rest or name[-1] == "/" or rest[0] in "/:"):
                return path
        return ""

    def reconcile(self) -> None:
        """Remove the documents that the sources no longer hold, all at once.

        The scope is what was recorded under this run's sources, and under a source that
        has moved: more than half of its documents are found under those now.
        """
        with self._change():
            scope = {*self._given.values()}
            for other, count in sorted(self._moved.items()):
                if other not in scope and count > len(self._ledger.unseen([other])):
                    scope.add(other)
                    self.tally.notes.append(
                        f"{other} is taken as moved: most of its documents are here now"
                    )
            kept: Counter[str] = Counter()
            for document, source in self._ledger.unseen(scope):
                blocking = self._blocking(source)
                if blocking:
                    kept[blocking] += 1
                elif self._store.end(document, self._next()):
                    self.tally.counts[Outcome.REMOVED] += 1
                    self._ledger.forget(document)
            self._ledger.forget_unseen(scope)
        self.tally.notes += [
            f"{count} documents were not seen but are kept: {source} could not be"
            " read whole"
            for source, count in sorted(kept.items())
        ]

    def _blocking(self, source: str) -> str:
        file = _file(source)
        for unread in self._unread:
            if file == unread or file.startswith((f"{unread}/", f"{unread}\\")):
                return unread
        return ""


def given(sources: Iterable[str | Path]) -> dict[str, str]:
    """Return the sources, absolute, by the name they have in a scan; longest first."""
    named = {place_id(Path(source).as_posix()): source for source in sources}
    return {
        name: str(Path(named[name]).resolve())
        for name in sorted(named, key=lambda name: (-len(name), name))
    }


def _file(source: str) -> str:
    """Return the file that a source names, without the line in it."""
    return re.sub(r"[:#]\d+$", "", source)
