"""One run of an ingest: what is found is compared with the store and taken in.

The run decides what becomes of every source and writes it into store and
ledger, batch by batch, each batch one transaction.  It knows no index.
"""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from lastro.corpus.found import Found, Readable, Skipped, Unreadable
from lastro.corpus.identity import taken
from lastro.corpus.split import split
from lastro.index.ledger import Ledger, Line, Outcome, Owner
from lastro.index.places import elsewhere, from_path, outermost, within
from lastro.index.store import Store

_KEPT = "the version indexed before is kept"


@dataclass(slots=True)
class Tally:
    """What has become of the sources so far; ``passages`` are the new ones.

    ``renamed`` are ids before and after, of files that have another id now.
    """

    counts: Counter[Outcome] = field(default_factory=Counter)
    skipped: list[tuple[str, str]] = field(default_factory=list)
    failed: list[tuple[str, str]] = field(default_factory=list)
    passages: int = 0
    notes: list[str] = field(default_factory=list)
    renamed: list[tuple[str, str]] = field(default_factory=list)

    def said(self) -> tuple[str, ...]:
        """Return the notes, renamed files among them."""
        if not self.renamed:
            return tuple(self.notes)
        count, (before, now) = len(self.renamed), self.renamed[0]
        files = "1 file has" if count == 1 else f"{count} files have"
        example = "" if count == 1 else "for example "
        return (*self.notes, f"{files} another id now: {example}{before} is {now}")


class Run:
    """Takes batches in; :meth:`reconcile` is the end of a run with ``--sync``.

    ``given`` are the sources of this run, absolute and with links resolved;
    ``roots`` the folders of earlier runs: a document keeps its name under them.
    """

    def __init__(self, store: Store, given: Sequence[str], *, sync: bool) -> None:
        self.tally = Tally()
        self._store = store
        self._sync = sync
        self._given = given
        self._ledger = Ledger(store.db)
        self._moved: Counter[str] = Counter()
        self._unread: dict[str, str] = {}
        self._seq = 0
        with store.writing():
            self._ledger.start()
        self.roots = list(filter(os.path.isdir, self._ledger.given()))

    def id_at(self, place: str) -> str:
        """Return the id that the file at ``place`` got from its path, if any."""
        known, _ = self._ledger.at(place)
        return known if known and from_path(known, place) else ""

    def admit(self, found: Readable) -> Found:
        """Return ``found``, or the complaint that its id is that of another file."""
        owner = self._ledger.owner(found.document.id)
        return self._refusal(found, owner) or found

    def _refusal(
        self, found: Readable, owner: Owner | None
    ) -> Skipped | Unreadable | None:
        """Refuse a document that would take the place of another file's."""
        document, place, line = found.document, found.place, found.line
        if owner is None or not elsewhere(owner, place, line):
            return None
        other = owner.source if owner.source != document.source else owner.place
        if self._store.live(document.id) == document.version:
            why = f"the same document as {other}"
            return Skipped(source=document.source, why=why, place=place, line=line)
        why = taken(document.id, other, card=line > 0)
        return Unreadable(source=document.source, why=why, place=place, line=line)

    def take(self, batch: Iterable[Found]) -> int:
        """Take a batch in: acknowledged, all of it, when this returns.

        Returns how many passages are new.
        """
        before = self.tally.passages
        with self._change():
            for found in batch:
                match found:
                    case Readable():
                        self._document(found)
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

    def _document(self, found: Readable) -> None:
        document = found.document
        owner = self._ledger.owner(document.id)
        refused = self._refusal(found, owner)
        if refused is not None:
            failed = isinstance(refused, Unreadable)
            self._without(Outcome.FAILED if failed else Outcome.SKIPPED, refused)
            return
        live = self._store.live(document.id)
        if live == document.version:
            outcome = Outcome.UNCHANGED
        else:
            passages = split(document)
            if not passages:
                self._without(Outcome.SKIPPED, _empty(found))
                return
            outcome = Outcome.UPDATED if live else Outcome.INDEXED
            if live:
                self._store.end(document.id, self._next())
            self._store.add(document, passages, self._next())
            self.tally.passages += len(passages)
        if owner and owner.place != found.place:
            self._moved[owner.given] += 1
        if owner and owner.source != document.source and outcome is Outcome.UNCHANGED:
            self._store.move(document.id, document.source)
        if self._renamed(found) and outcome is Outcome.INDEXED:
            outcome = Outcome.UPDATED
        self._ledger.write(
            Line(
                source=document.source,
                document=document.id,
                place=found.place,
                line=found.line,
                given=self._under(found.place),
                outcome=outcome,
            )
        )
        self.tally.counts[outcome] += 1

    def _renamed(self, found: Readable) -> bool:
        """End the document that this file was under another id: it is one document."""
        before, _ = self._ledger.at(found.place) if not found.line else ("", False)
        now = found.document.id
        if not found.place or before in {"", now}:
            return False
        self._store.end(before, self._next())
        self._ledger.forget(before)
        self.tally.renamed.append((before, now))
        return True

    def _without(self, outcome: Outcome, found: Skipped | Unreadable) -> None:
        why = found.why
        failed = outcome is Outcome.FAILED
        earlier = self._earlier(found)
        # With --sync a source that holds nothing to index any more is gone.
        if earlier and (failed or not self._sync):
            why = f"{why}; {_KEPT}"
        if failed:
            for document in earlier:
                self._ledger.keep(document, why)
            if not (found.line and found.id):
                name = found.source.removesuffix(f":{found.line}")
                self._unread[found.place] = name
        self._ledger.write_without_document(
            Line(
                source=found.source,
                place=found.place,
                line=found.line,
                given=self._under(found.place),
                outcome=outcome,
                why=why,
            )
        )
        self.tally.counts[outcome] += 1
        listed = self.tally.failed if failed else self.tally.skipped
        listed.append((found.source, why))

    def _earlier(self, found: Skipped | Unreadable) -> set[str]:
        """Return the documents whose new version was not taken in.

        Not those that another source has given: a repeat changes nothing.
        """
        owner = self._ledger.owner(found.id) if found.id else None
        earlier: set[str] = set()
        if owner and not owner.seen and not elsewhere(owner, found.place, found.line):
            earlier.add(found.id)
        if not found.line:
            document, seen = self._ledger.at(found.place)
            if document and not seen:
                earlier.add(document)
        return earlier

    def _under(self, place: str) -> str:
        """Return the outermost source of all runs that holds a place."""
        return outermost((*self.roots, *self._given), place)

    def reconcile(self) -> None:
        """Remove the documents that the sources no longer hold, all at once.

        The scope is what is at or below this run's sources, and below a source that
        has moved: more than half of its documents are found under those now.
        """
        with self._change():
            scope = {*self._given}
            for other, count in sorted(self._moved.items()):
                known = any(within(other, place) for place in scope)
                if not known and count > len(self._ledger.unseen([other])):
                    scope.add(other)
                    self.tally.notes.append(
                        f"{other} is taken as moved: most of its documents are here now"
                    )
            kept: Counter[str] = Counter()
            for document, place in self._ledger.unseen(scope):
                blocking = self._blocking(place)
                if blocking:
                    kept[blocking] += 1
                elif self._store.end(document, self._next()):
                    self.tally.counts[Outcome.REMOVED] += 1
                    self._ledger.forget(document)
            self._ledger.forget_unseen(scope)
            self._ledger.tidy()
        self.tally.notes += [
            f"{count} documents were not seen but are kept: {source} could not be"
            " read whole"
            for source, count in sorted(kept.items())
        ]

    def _blocking(self, place: str) -> str:
        """Return the source that could not be read and holds a place, if any."""
        return next(
            (
                source
                for unread, source in self._unread.items()
                if within(place, unread)
            ),
            "",
        )


def _empty(found: Readable) -> Skipped:
    return Skipped(
        source=found.document.source,
        why="no text to index",
        id=found.document.id,
        place=found.place,
        line=found.line,
    )
