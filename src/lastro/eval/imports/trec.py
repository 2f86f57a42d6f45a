"""Runs of TREC to traces: ranked by score, as trec_eval ranks them.

The rank column is no ranking, here as there.  What becomes of items of one
score is a choice (:class:`Ties`) and stands in the provenance.
"""

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import gt
from os import PathLike, fspath
from typing import TypeVar

from lastro.errors import InputError, Problem
from lastro.eval.imports.columns import Shape, Table, groups
from lastro.eval.imports.told import some
from lastro.eval.scorers.ties import Ties
from lastro.eval.scorers.view import comparable
from lastro.model.case import Case
from lastro.model.ids import CaseId
from lastro.model.trace import Hits, Trace
from lastro.text.ids import canonical

_Cell = TypeVar("_Cell")
FORMAT = "trec-run"
_SHAPE = Shape(
    names=("query", "Q0", "document", "rank", "score", "tag"),
    rest=True,  # what stands behind a tag belongs to it
)
_DECIDES = {
    Ties.GIVEN: "their order in the file decides",
    Ties.DOCNO: "their names decide, as in trec_eval",
    Ties.EXPECTED: "every order counts alike",
}


@dataclass(slots=True)
class Listed:
    """What a run lists for one query, line by line.

    ``ordered`` is known to be a ranking as it stands: scores fall from line to
    line, and no document is there twice.
    """

    query: str
    documents: list[str]
    scores: list[float]
    ordered: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TrecRun:
    """The lines of a run by comparable query id; ``warnings`` are for people."""

    path: str
    listed: Mapping[str, Listed]
    system: str
    warnings: tuple[str, ...]


def read_run(path: str | PathLike[str]) -> TrecRun:
    """Read a run of TREC: query, Q0, document, rank, score, tag.

    Nothing is ranked yet.  Lines may stand in any order.

    Raises:
        InputError: with every problem of the file, by line; or it has no lines.
    """
    table = Table(fspath(path), _SHAPE)
    listed: dict[str, Listed] = {}
    warnings: list[str] = []
    system = ""
    for block in table.blocks():
        system = system or block.row(0)[-1].split()[0]
        documents = table.texts(block, 2)
        scores = table.numbers(block, 4)
        for query, start, end in groups(table.texts(block, 0)):
            fresh = Listed(query, documents[start:end], scores[start:end])
            own = listed.setdefault(canonical(query), fresh)
            if own is fresh:
                # Asked here, where all of it is still in the processor's cache.
                once = block.plain and len(set(own.documents)) == end - start
                own.ordered = once and _falls(own.scores)
                continue
            if own.query != query:
                spelled = f"{own.query!a}, {query!a}"
                warnings.append(f"two spellings of one id, compared as one: {spelled}")
            own.documents += fresh.documents
            own.scores += fresh.scores
            own.ordered = False
    table.close()
    if not listed:
        raise InputError([Problem(file=table.path, line=0, field="", what="no lines")])
    if table.comments:
        warnings.append(f"comment lines, passed over: {table.comments}")
    return TrecRun(
        path=table.path,
        listed=listed,
        system=system,
        warnings=tuple(dict.fromkeys(warnings)),
    )


@dataclass(slots=True, kw_only=True)
class Ranker:
    """Puts the lines of a run in order, and counts what people should know.

    ``cut`` is where a tie matters; where it is None every tie is counted.
    ``exclude_self`` drops a document that is named as its query is.
    """

    ties: Ties = Ties.GIVEN
    cut: int | None = None
    exclude_self: bool = False
    tied: list[str] = field(default_factory=list)
    repeated: list[str] = field(default_factory=list)
    absent: list[str] = field(default_factory=list)
    excluded: list[str] = field(default_factory=list)
    stray: list[str] = field(default_factory=list)
    queries: int = 0

    def traces(self, run: TrecRun, cases: Iterable[Case] = ()) -> Iterator[Trace]:
        """Yield a trace a query, best first, then one a case that the run lacks.

        To TREC a query without a line is one that nothing was found for.

        Raises:
            InputError: there are cases, and the run has not one of them.
        """
        asked = {canonical(case.id): case for case in cases}
        _refuse_strangers(run, asked)
        said = self.provenance()
        # What is said of the run is said of what was asked, and of no stray query.
        beside = replace(self, tied=[], repeated=[], excluded=[])
        for key, listed in run.listed.items():
            stray = asked and key not in asked
            if stray:
                self.stray.append(listed.query)
            ranker = beside if stray else self
            yield Trace(
                case_id=CaseId(listed.query),
                system=run.system,
                retrieved=ranker.ranked(listed),
                provenance=said,
            )
        for key, case in asked.items():
            if key not in run.listed:
                self.absent.append(case.id)
                yield Trace(
                    case_id=case.id, system=run.system, retrieved=(), provenance=said
                )

    def ranked(self, listed: Listed) -> Hits:
        """Return the documents of one query, best first, each once."""
        self.queries += 1
        if listed.ordered and self.ties is not Ties.DOCNO and not self.exclude_self:
            return Hits(listed.documents, listed.scores)
        order = self._order(listed)
        names = comparable(_taken(listed.documents, order))
        own = canonical(listed.query) if self.exclude_self else None
        if len(set(names)) < len(names) or (own is not None and own in names):
            first: dict[str, int] = {}
            for at, name in zip(order, names, strict=True):
                if first.setdefault(name, at) != at:
                    self.repeated.append(f"{listed.query} {name}")
            if own is not None and first.pop(own, None) is not None:
                self.excluded.append(listed.query)
            order = list(first.values())
        scores = _taken(listed.scores, order)
        if self._divided(scores):
            self.tied.append(listed.query)
        return Hits(_taken(listed.documents, order), scores)

    def _order(self, listed: Listed) -> Sequence[int]:
        """Return the places of the lines, best first."""
        found, keys = listed.documents, self._keys(listed.scores)
        order: Sequence[int] = range(len(keys))
        if _falls(keys):
            return order
        if self.ties is Ties.DOCNO:
            order = sorted(order, key=found.__getitem__, reverse=True)
        return sorted(order, key=keys.__getitem__, reverse=True)

    def _keys(self, scores: Sequence[float]) -> Sequence[float]:
        # trec_eval keeps 32 bits of a score, and what is too large is infinite.
        return array("f", scores) if self.ties is Ties.DOCNO else scores

    def _divided(self, scores: Sequence[float]) -> bool:
        """Tell whether items of one score stand on both sides of the cut."""
        keys = self._keys(scores)
        if self.cut is None:
            return len(set(keys)) < len(keys)
        return len(keys) > self.cut and keys[self.cut - 1] == keys[self.cut]

    def provenance(self) -> dict[str, object]:
        """Return how the run was read: what each of its traces says of itself."""
        return {
            "format": FORMAT,
            "ties": str(self.ties),
            "exclude_self": self.exclude_self,
        }

    def counts(self) -> dict[str, int]:
        """Return what was counted, once all traces have been taken."""
        return {
            "queries": self.queries,
            "queries_with_ties": len(self.tied),
            "queries_without_lines": len(self.absent),
            "queries_without_case": len(self.stray),
            "repeated_documents": len(self.repeated),
            "excluded_documents": len(self.excluded),
        }

    def warnings(self) -> Iterator[str]:
        """Yield what people should know, once all traces have been taken."""
        if self.tied:
            where = "" if self.cut is None else f" across k={self.cut}"
            yield (
                f"ties{where}: {len(self.tied)} of {self.queries} queries; "
                f"{_DECIDES[self.ties]} (`--ties`): {some(self.tied)}"
            )
        if self.absent:
            yield (
                f"queries without a line in the run: {len(self.absent)}, nothing was "
                f"found for them: {some(self.absent)}"
            )
        if self.stray:
            yield (
                f"queries of the run without a case: {len(self.stray)}, not counted "
                f"with the others: {some(self.stray)}"
            )
        if self.repeated:
            yield (
                f"documents listed again for their query: {len(self.repeated)}, the "
                f"best place counts: {some(self.repeated)}"
            )
        if self.excluded:
            yield (
                f"documents named as their query, left out: {len(self.excluded)}: "
                f"{some(self.excluded)}"
            )


def _falls(keys: Sequence[float]) -> bool:
    return all(map(gt, keys, keys[1:]))


def _taken(column: list[_Cell], order: Sequence[int]) -> list[_Cell]:
    """Return a column in an order; the lines of most runs stand in theirs."""
    if isinstance(order, range):
        return column
    return [column[at] for at in order]


def _refuse_strangers(run: TrecRun, asked: Mapping[str, Case]) -> None:
    if asked and asked.keys().isdisjoint(run.listed):
        first = next(iter(run.listed.values())).query
        case = next(iter(asked.values())).id
        what = (
            f"not one of its {len(run.listed)} queries is a case: "
            f"it has {first!r}, the cases {case!r}"
        )
        raise InputError([Problem(file=run.path, line=0, field="query", what=what)])


def strangers(run: TrecRun, cases: Iterable[Case]) -> str:
    """Say if not one document of a run is gold of its query, with an id of each."""
    shown = ""
    for case in cases:
        listed = run.listed.get(canonical(case.id))
        if listed and case.retrieval_gold:
            gold = frozenset(comparable(case.retrieval_gold))
            if not gold.isdisjoint(comparable(listed.documents)):
                return ""
            pair = f"the run has {listed.documents[0]!r}, the gold"
            shown = shown or f"{pair} {case.retrieval_gold[0]!r}"
    return f"not one document of the run is gold: {shown}" if shown else ""
