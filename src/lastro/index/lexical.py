"""The lexical index: tantivy, fed with the terms of our own analyser.

It is derived from the store and holds terms and row numbers, no text.
Every commit carries a *marker*: which store it belongs to, which analyser made
its terms, and the last change of the store that is in it.  Whoever has a
snapshot therefore knows as of which change to read the store.
"""

import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tantivy import Document as Row
from tantivy import Index, Occur, Query, Schema, SchemaBuilder, Searcher

from lastro.index import mirror
from lastro.index.entry import LENGTHS, UNKNOWN, Entry, row_of
from lastro.index.panics import only_our_errors
from lastro.text.analyse import index_text
from lastro.text.hangul import Morphology

HEAP = 64_000_000
_LAYOUT = "3"
# Words that show a change of the analyser: accents, stems, codes, Hangul.
_PROBE = "Licitações running conexión l'été R&D C++ .NET 5G TLS1.3 12,5 안녕하세요"
_SPARE = 16
_MOST = 16_384
_FEW = 16
# Scores are single precision: what differs beyond this is the order of a sum.
_DIGITS = 5


@cache
def schema() -> Schema:
    """Return the fields of a passage, and of the marker."""
    builder = SchemaBuilder()
    for field in ("body", "head"):
        # Stored: a search asks what its hits hold, and analysing them again takes
        # longer than all the rest of it.
        builder.add_text_field(
            field, stored=True, tokenizer_name="whitespace", index_option="freq"
        )
    for field in ("locale", "language", "collection"):
        builder.add_text_field(field, tokenizer_name="raw", index_option="basic")
    # Signed: deleting by a term of an unsigned field deletes nothing in 0.27.
    builder.add_integer_field("row", indexed=True, fast=True)
    builder.add_integer_field("document", indexed=True, fast=True)
    # How many terms the two texts have: tantivy knows it and does not tell.
    for field in LENGTHS.values():
        builder.add_integer_field(field, fast=True)
    builder.add_integer_field("applied", indexed=True, fast=True)
    builder.add_text_field("about", stored=True, tokenizer_name="raw")
    return builder.build()


@cache
def analyser(korean: Morphology | None = None) -> str:
    """Return a fingerprint of the analyser: other terms, other fingerprint."""
    terms = "\n".join(index_text(_PROBE, lang) for lang in ("", "en", "es", "ko", "pt"))
    own = f"{_LAYOUT}-{zlib.crc32(terms.encode()):08x}"
    return f"{own}-{korean.identity}" if korean else own


@dataclass(frozen=True, slots=True)
class Marker:
    """What an index says of itself; ``applied`` is a change of the store."""

    applied: int
    store: str
    analyser: str


class Scored(NamedTuple):
    """A passage that a query found."""

    score: float
    row: int


class Lexical:
    """The index in ``folder``, open for reading; ``korean`` made its terms."""

    def __init__(self, folder: Path, korean: Morphology | None = None) -> None:
        with only_our_errors(folder):
            self._folder = folder
            self._korean = korean
            self._index = None if mirror.needed(folder) else _opened(folder)

    def snapshot(self, *, stale: bool = False) -> "Snapshot":
        """Return the newest commit; later commits do not change it.

        ``stale`` says that deleted passages may still be in the files.
        """
        with only_our_errors(self._folder):
            if self._index is not None:
                self._index.reload()
                searcher = self._index.searcher()
                return Snapshot(self._folder, searcher, self._korean, stale=stale)
            with mirror.mirrored(self._folder) as links:
                searcher = _opened(links).searcher()
                return Snapshot(self._folder, searcher, self._korean, stale=stale)


def _opened(folder: Path) -> Index:
    index = Index.open(str(folder))
    index.config_reader("manual", 0)
    return index


class Snapshot:
    """One commit of the index; safe to use from many threads."""

    def __init__(
        self,
        folder: Path,
        searcher: Searcher,
        korean: Morphology | None,
        *,
        stale: bool,
    ) -> None:
        self._folder, self.korean = folder, korean
        self._stale = stale
        self._searcher = searcher
        every = Query.exists_query("applied")
        found = searcher.search(every, 1, order_by_field="applied").hits
        (applied,) = searcher.fast_field_values("applied", [found[0][1]])
        store, made_by = searcher.doc(found[0][1])["about"][0].split()
        self.rows = int(searcher.num_docs)
        self.marker = Marker(int(applied or 0), store, made_by)
        sums = {field: {"sum": {"field": name}} for field, name in LENGTHS.items()}
        self._sums = searcher.aggregate(Query.all_query(), sums)
        self.languages = tuple(
            "" if term == UNKNOWN else term
            for term, _ in searcher.terms_with_prefix("language", "")
        )

    @property
    def passages(self) -> int:
        """Return how many passages there are: all rows but the marker."""
        return self.rows - 1

    def average(self, field: str) -> float:
        """Return how many terms a row has in ``body`` or ``head``, on average."""
        return float(self._sums[field]["value"]) / self.rows

    def top(self, query: Query, count: int) -> list[Scored]:
        """Return the best ``count`` passages, and all that tie with the last."""
        with only_our_errors(self._folder):
            limit = count + _SPARE
            hits = self._searcher.search(query, limit, count=False).hits
            while len(hits) == limit < _MOST and _same(hits[-1], hits[count - 1]):
                limit *= 4
                hits = self._searcher.search(query, limit, count=False).hits
            end = count
            while end < len(hits) and _same(hits[end], hits[count - 1]):
                end += 1
            kept = hits[:end]
            rows = self._searcher.fast_field_values("row", [where for _, where in kept])
            return [
                Scored(round(score, _DIGITS), int(row or 0))
                for (score, _), row in zip(kept, rows, strict=True)
            ]

    def terms(self, rows: Iterable[int]) -> dict[int, tuple[str, str]]:
        """Return the terms of text and head, by blanks, of each row that is there."""
        wanted = [
            (Occur.Should, Query.term_query(schema(), "row", row, "basic"))
            for row in rows
        ]
        if not wanted:
            return {}
        with only_our_errors(self._folder):
            query = Query.boolean_query(wanted)
            hits = self._searcher.search(query, len(wanted), count=False).hits
            places = [where for _, where in hits]
            found = self._searcher.fast_field_values("row", places)
            texts = map(self._searcher.doc, places)
            return {
                int(row or 0): (
                    str(text.get_first("body")),
                    str(text.get_first("head")),
                )
                for row, text in zip(found, texts, strict=True)
            }

    def df(self, field: str, term: str) -> int:
        """Return how many passages hold a term in a field."""
        return self.counts(field, (term,))[term]

    def counts(self, field: str, terms: Iterable[str]) -> dict[str, int]:
        """Return how many passages hold each of the terms in a field."""
        with only_our_errors(self._folder):
            found = {term: self._searcher.doc_freq(field, term) for term in terms}
        if self._stale:
            # The count includes what was deleted; where that matters, count anew.
            few = [term for term, held in found.items() if 0 < held <= _FEW]
            found |= {term: self.df_all(field, (term,)) for term in few}
        return found

    def count(self, query: Query) -> int:
        """Return how many passages a query finds."""
        with only_our_errors(self._folder):
            found = self._searcher.search(query, 1, count=True)
            return int(found.count)  # type: ignore[attr-defined]  # not in its stub

    def values(self, field: str) -> list[str]:
        """Return the terms of a field in order, those of deleted passages as well."""
        with only_our_errors(self._folder):
            return sorted(t for t, _ in self._searcher.terms_with_prefix(field, ""))

    def df_all(self, field: str, terms: Sequence[str]) -> int:
        """Return how many passages hold all of the terms in a field."""
        return self.count(
            Query.boolean_query([(Occur.Must, _term(field, term)) for term in terms])
        )


class Writer:
    """Adds to and takes from the index in ``folder``; one commit a :meth:`publish`."""

    def __init__(
        self, folder: Path, store: str, korean: Morphology | None = None
    ) -> None:
        with only_our_errors(folder):
            self._folder = folder
            self._korean = korean
            self._about = f"{store} {analyser(korean)}"
            folder.mkdir(parents=True, exist_ok=True)
            self._writer = Index(schema(), str(folder)).writer(HEAP, 1)

    def add(self, entries: Iterable[Entry]) -> None:
        """Add passages."""
        with only_our_errors(self._folder):
            for entry in entries:
                self._writer.add_document(row_of(entry, self._korean))

    def drop(self, document: int) -> None:
        """Take all passages of a version of a document out."""
        with only_our_errors(self._folder):
            self._writer.delete_documents_by_term("document", document)

    def publish(self, before: int, applied: int) -> None:
        """Commit, and move the marker from the change ``before`` to ``applied``."""
        with only_our_errors(self._folder):
            self._writer.delete_documents_by_term("applied", before)
            row = Row()
            row.add_integer("applied", applied)
            row.add_text("about", self._about)
            self._writer.add_document(row)
            self._writer.commit()
            _share(self._folder)

    def close(self) -> None:
        """Wait for merges under way; what was not published is forgotten."""
        with only_our_errors(self._folder):
            self._writer.wait_merging_threads()
            _share(self._folder)


def _share(folder: Path) -> None:
    """Let whoever may read the index read its lists: they are made for us alone."""
    mode = (folder / mirror.LOCK).stat().st_mode & 0o666
    for name in ("meta.json", ".managed.json"):
        (folder / name).chmod(mode)


def _term(field: str, value: str) -> Query:
    return Query.term_query(schema(), field, value, "freq")


def _same(hit: tuple[float, object], other: tuple[float, object]) -> bool:
    return round(hit[0], _DIGITS) == round(other[0], _DIGITS)
