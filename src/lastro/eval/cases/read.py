"""Reading files of cases: a checked set, or every problem of the files at once."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from os import PathLike, fspath

from lastro.errors import InputError, Problem
from lastro.eval.cases.build import MULTI_DOC, build
from lastro.eval.cases.fingerprint import case_set_hash
from lastro.eval.cases.row import Row, Shared, word
from lastro.eval.cases.seen import Ids, Seen
from lastro.model.case import Case, Origin
from lastro.text.ids import unseen
from lastro.trace.lines import Unreadable, numbered, parse

_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Merge:
    """Two spellings of one id: they compare as one, both stay as written."""

    first: str
    other: str


@dataclass(frozen=True, kw_only=True)
class CaseSet:
    """The cases of one or more files, in the order of the files.

    ``lines`` says where each case stands (file, line); ``unknown`` counts the
    fields that no case has; ``warnings`` are sentences for people.
    """

    cases: tuple[Case, ...]
    lines: tuple[tuple[str, int], ...]
    warnings: tuple[str, ...]
    merges: tuple[Merge, ...]
    unknown: dict[str, int]

    @cached_property
    def hash(self) -> str:
        """The hash of the set: the same for any order of rows and line ends."""
        return case_set_hash(self.cases)

    @property
    def private(self) -> bool:
        """True if a case is private: only aggregates may be reported then."""
        origins = (c.provenance.origin for c in self.cases if c.provenance)
        return Origin.PRIVATE in origins


def read(*paths: str | PathLike[str]) -> CaseSet:
    """Read cases from files of JSON Lines.

    Raises:
        InputError: with every problem of every file: file, line and field.
    """
    reader = _Reader()
    for path in paths:
        reader.file(fspath(path))
    if not reader.problems and not reader.cases:
        names = ", ".join(fspath(path) for path in paths)
        reader.problems.append(Problem(file=names, line=0, field="", what="no cases"))
    if reader.problems:
        raise InputError(reader.problems)
    return CaseSet(
        cases=tuple(reader.cases),
        lines=tuple(reader.lines),
        warnings=tuple(reader.warnings()),
        merges=tuple(reader.merges),
        unknown=dict(sorted(reader.unknown.items())),
    )


@dataclass(slots=True)
class _Reader:
    """What has been read so far, across files."""

    cases: list[Case] = field(default_factory=list)
    lines: list[tuple[str, int]] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    merges: list[Merge] = field(default_factory=list)
    unknown: Counter[str] = field(default_factory=Counter)
    _case_ids: Ids = field(default_factory=Ids)
    _gold_ids: Ids = field(default_factory=Ids)
    _folded: list[str] = field(default_factory=list)
    _renamed: list[str] = field(default_factory=list)
    _shared: Shared = field(default_factory=Shared)

    def file(self, path: str) -> None:
        """Read one file; its problems are kept, so that all are shown."""
        try:
            for number, raw in numbered(path):
                self._line(path, number, raw)
        except InputError as error:
            self.problems += error.problems

    def _line(self, path: str, number: int, raw: bytes) -> None:
        try:
            given = parse(raw)
        except Unreadable as error:
            self._problem(path, number, "", str(error))
            return
        if not isinstance(given, dict):
            what = f"a case is a JSON object, not {word(given)}"
            self._problem(path, number, "", what)
            return
        row = Row(given, shared=self._shared)
        case = build(row)
        place = path, number
        where = f"{path}:{number}"
        self._case_id(row, place)
        for name, identifier, numeric in row.ids:
            self._gold_id(Seen(identifier, place, numeric), name)
        for name, what in row.problems:
            self._problem(path, number, name, what)
        self.unknown.update(row.unknown())
        self._folded += [f"{where} {name} {other!r}" for name, other in row.folded]
        if given.get("query_type") == MULTI_DOC:
            self._renamed.append(where)
        if case is not None:
            self.cases.append(case)
            self.lines.append(place)

    def _problem(self, path: str, number: int, name: str, what: str) -> None:
        self.problems.append(Problem(file=path, line=number, field=name, what=what))

    def _case_id(self, row: Row, place: tuple[str, int]) -> None:
        """Refuse an id that another case has, naming both lines."""
        value = row.given.get("id")
        if isinstance(value, bool) or not isinstance(value, str | int):
            return
        if unseen(str(value)):
            return
        now = Seen(str(value), place, isinstance(value, int))
        before = self._case_ids.first(now)
        if before is now:
            return
        what = f"{now.shown} stands at {before.where} already"
        if before.shown != now.shown:
            what = f"{now.shown} is the same id as {before.shown} at {before.where}"
        self._problem(*place, "id", what)

    def _gold_id(self, now: Seen, name: str) -> None:
        """Report two spellings of one document; refuse 1 beside "1"."""
        before = self._gold_ids.first(now)
        if before.numeric != now.numeric:
            what = f"{now.shown} is the same id as {before.shown} at {before.where}"
            self._problem(*now.place, name, what)
        elif before.id != now.id:
            merge = Merge(before.id, now.id)
            if merge not in self.merges:
                self.merges.append(merge)

    def warnings(self) -> Iterator[str]:
        """Yield what was read otherwise than it stands there."""
        if self.unknown:
            names = ", ".join(f"{k} ({n})" for k, n in sorted(self.unknown.items()))
            yield f"unknown fields, kept and not used: {names}"
        if self._folded:
            yield f"gold ids named twice, counted once: {_some(self._folded)}"
        if self._renamed:
            yield f"{MULTI_DOC} is read as comparison: {_some(self._renamed)}"
        for merge in self.merges:
            first, other = ascii(merge.first), ascii(merge.other)
            yield f"two spellings of one id, compared as one: {first}, {other}"


def _some(items: list[str]) -> str:
    shown = ", ".join(items[:_SHOWN])
    return shown if len(items) <= _SHOWN else f"{shown} and {len(items) - _SHOWN} more"
