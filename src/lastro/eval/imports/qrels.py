"""Judgements of TREC and BEIR to cases: what is judged above zero is gold.

A file is read whole: its lines may stand in any order.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from os import PathLike, fspath

from lastro.errors import InputError, Problem
from lastro.eval.imports.columns import (
    Block,
    Shape,
    Table,
    groups,
    raw_blocks,
    refuse_pipe,
)
from lastro.eval.imports.told import some
from lastro.model.case import Case
from lastro.model.ids import CaseId
from lastro.text.ids import canonical

# What a header calls its last column: no judgement is spelled like that.
HEADS = frozenset(
    {
        "score",
        "relevance",
        "relevancy",
        "rel",
        "label",
        "grade",
        "rating",
        "judgement",
        "judgment",
    }
)
_TREC = ("query", "iteration", "document", "judgement")
_BEIR = ("query", "document", "judgement")


@dataclass(slots=True)
class Judged:
    """One query and its judgements, by comparable id of the document.

    ``written`` has the ids that the file spells otherwise than they compare.
    """

    query: str
    documents: dict[str, float] = field(default_factory=dict)
    written: dict[str, str] = field(default_factory=dict)

    @property
    def gold(self) -> tuple[str, ...]:
        """The documents judged above zero, in the order of the file."""
        found = [name for name, value in self.documents.items() if value > 0]
        return tuple(self.written.get(name, name) for name in found)


@dataclass(frozen=True, slots=True)
class Asked:
    """What a query says, and in which language, where that is known."""

    text: str
    locale: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Qrels:
    """The judgements of a file, by comparable query id; ``warnings`` are for people."""

    judged: Mapping[str, Judged]
    warnings: tuple[str, ...]

    def cases(self, queries: Mapping[str, Asked] | None = None) -> tuple[Case, ...]:
        """Return a case a query; its text is its id where ``queries`` has none."""
        known = queries or {}
        asked = (
            (each, known.get(key) or Asked(each.query))
            for key, each in self.judged.items()
        )
        return tuple(
            Case(
                id=CaseId(each.query),
                query=query.text,
                locale=query.locale,
                relevant_ids=each.gold,
            )
            for each, query in asked
        )


def read_qrels(path: str | PathLike[str]) -> Qrels:
    """Read judgements: TREC's four columns, or BEIR's three between tabs.

    A header is recognised by the name of its last column, and told.  A document
    judged twice alike counts once; judged differently it is a problem.

    Raises:
        InputError: with every problem of the file, by line.
    """
    refuse_pipe(path)
    reader = _Reader(Table(fspath(path), _shape(path)))
    for block in reader.table.blocks():
        reader.take(block)
    reader.table.close()
    if not reader.judged:
        problem = Problem(file=fspath(path), line=0, field="", what="no judgements")
        raise InputError([problem])
    return Qrels(judged=reader.judged, warnings=tuple(reader.warnings()))


def _shape(path: str | PathLike[str]) -> Shape:
    """Tell the two kinds of judgements apart by the first line that holds one."""
    for raw in raw_blocks(path):
        for line in raw.split(b"\n"):
            if not line.strip() or line.startswith(b"#"):
                continue
            tabs = line.count(b"\t")
            if tabs == 2:
                return Shape(names=_BEIR, tabs=True)
            blanks = len(line.split()) != len(_TREC)
            return Shape(names=_TREC, tabs=tabs == 3 and blanks)
    return Shape(names=_TREC)


@dataclass(slots=True)
class _Reader:
    """What has been read of a file so far."""

    table: Table
    judged: dict[str, Judged] = field(default_factory=dict)
    _begun: bool = False
    _head: str = ""
    _again: list[str] = field(default_factory=list)
    _spelled: dict[str, str] = field(default_factory=dict)

    def take(self, block: Block) -> None:
        """Read some rows."""
        if not self._begun:
            self._begun = True
            block = self._below_header(block)
        width = len(self.table.shape.names)
        queries = self.table.texts(block, 0)
        documents = self.table.texts(block, width - 2)
        values = self.table.numbers(block, width - 1)
        for query, start, end in groups(queries):
            judged = self.judged.setdefault(canonical(query), Judged(query))
            if judged.query != query:
                self._spelled[query] = judged.query
            fresh = dict(zip(documents[start:end], values[start:end], strict=True))
            once = len(fresh) == end - start and "".join(fresh).isascii()
            if once and judged.documents.keys().isdisjoint(fresh):
                judged.documents.update(fresh)
            else:
                for at in range(start, end):
                    self._one(judged, documents[at], values[at], block.lines[at])

    def _below_header(self, block: Block) -> Block:
        row = block.row(0)
        if row[-1].lower() in HEADS:
            self._head = f"line {block.lines[0]} is a header: {', '.join(row)}"
            return block.below(1)
        if len(row) == len(_BEIR):
            self._head = f"no header: line {block.lines[0]} is a judgement"
        return block

    def _one(self, judged: Judged, document: str, value: float, line: int) -> None:
        """Take one judgement, of a document that may have been judged before."""
        key = canonical(document)
        if key not in judged.documents:
            judged.documents[key] = value
            if key != document:
                judged.written[key] = document
            return
        written = judged.written.get(key, key)
        if written != document:
            self._spelled[document] = written
        if (before := judged.documents[key]) == value:
            self._again.append(f"{judged.query} {document}")
            return
        what = f"{document!r} is judged {value:g}, and {before:g} further up"
        self.table.wrong(line, _TREC[-1], f"{what}, for {judged.query!r}")

    def warnings(self) -> Iterator[str]:
        """Yield what was read otherwise than people may think."""
        if self._head:
            yield self._head
        if self.table.comments:
            yield f"comment lines, passed over: {self.table.comments}"
        if self._again:
            yield f"judged twice alike, counted once: {some(self._again)}"
        for name, first in self._spelled.items():
            yield f"two spellings of one id, compared as one: {first!a}, {name!a}"
        values = {v for each in self.judged.values() for v in each.documents.values()}
        if max(values) > 1:
            yield f"judgements are graded up to {max(values):g}: above 0 is gold"
        if any(value % 1 for value in values):
            yield "judgements that are no whole numbers: above 0 is gold"
        bare = [each.query for each in self.judged.values() if not each.gold]
        if bare:
            yield (
                f"queries without a document judged above 0: {len(bare)} of "
                f"{len(self.judged)}, not measured: {some(bare)}"
            )
