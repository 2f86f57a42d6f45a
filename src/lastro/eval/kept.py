"""Results of many cases in little room: columns of codes instead of objects.

A hundred thousand results as objects take 70 MB and, at the end, as much again.
What cases share (labels, and most scores) is held once here and named by a
number; a result is made anew whenever it is looked at.
"""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from operator import attrgetter, le
from typing import overload

import numpy as np
import numpy.typing as npt

from lastro.eval.results import CaseResult
from lastro.model.ids import CaseId
from lastro.model.score import Failed, Score, Scored, Unscored

Codes = npt.NDArray[np.uint32]
Rows = npt.NDArray[np.intp]

_ALONE = ("id", "scores", "confidence")  # the fields that cases do not share
_SHARED = tuple(each.name for each in fields(CaseResult) if each.name not in _ALONE)
_shared = attrgetter(*_SHARED)


@dataclass(slots=True, kw_only=True, eq=False)
class Kept(Sequence[CaseResult]):
    """Results with ``metrics`` scores each, in the order they were put in."""

    metrics: int
    forms: list[CaseResult] = field(default_factory=list)
    scores: list[Score] = field(default_factory=list)
    _ids: list[CaseId] = field(default_factory=list)
    _confidences: list[float | None] = field(default_factory=list)
    _form_at: "array[int]" = field(default_factory=lambda: array("I"))
    _codes: "array[int]" = field(default_factory=lambda: array("I"))
    _by_form: dict[object, int] = field(default_factory=dict)
    _by_score: dict[object, int] = field(default_factory=dict)
    _by_address: dict[int, int] = field(default_factory=dict)

    def put(self, result: CaseResult, row: int | None = None) -> int:
        """Keep a result, in place of the one of ``row`` if given; return its row."""
        # Scores that are kept live on here, so that their addresses are theirs.
        known = map(self._by_address.get, map(id, result.scores))
        codes = array(
            "I",
            [
                self._code(score) if code is None else code
                for code, score in zip(known, result.scores, strict=True)
            ],
        )
        if len(codes) != self.metrics:
            raise ValueError(f"{len(codes)} scores are not {self.metrics}")
        form = self._form(result)
        if row is None:
            self._ids.append(result.id)
            self._confidences.append(result.confidence)
            self._form_at.append(form)
            self._codes += codes
            return len(self._ids) - 1
        self._ids[row] = result.id
        self._confidences[row] = result.confidence
        self._form_at[row] = form
        self._codes[row * self.metrics : (row + 1) * self.metrics] = codes
        return row

    def _form(self, result: CaseResult) -> int:
        """Return the number of what a result shares with others."""
        shared = _shared(result)
        found = self._by_form.setdefault(shared, len(self.forms))
        if found == len(self.forms):
            form = CaseResult(id=CaseId(""), **dict(zip(_SHARED, shared, strict=True)))
            self.forms.append(form)
        return found

    def _code(self, score: Score) -> int:
        # A plain key: a dataclass hashes and compares in Python, five times slower.
        key: object
        match score:
            case Scored():
                key = (score.value, score.notes)
            case Unscored():
                key = score.why
            case Failed():
                key = (score.what,)
        found = self._by_score.setdefault(key, len(self.scores))
        if found == len(self.scores):
            self.scores.append(score)
            self._by_address[id(score)] = found
        return found

    @property
    def codes(self) -> Codes:
        """The scores: a row a result, a column a metric, places in ``scores``."""
        found = np.frombuffer(self._codes, dtype=np.uint32)
        return found.reshape(len(self), self.metrics)

    def alike(self) -> Iterator[tuple[CaseResult, Rows]]:
        """Yield what results share, without id and scores, and the rows of those."""
        if not self._ids:
            return
        form_at = self._forms_of_rows()
        rows = np.argsort(form_at, kind="stable")
        ends = np.cumsum(np.bincount(form_at, minlength=len(self.forms)))
        for form, some in zip(self.forms, np.split(rows, ends[:-1]), strict=True):
            if some.size:
                yield form, some

    def _forms_of_rows(self) -> Codes:
        return np.frombuffer(self._form_at, dtype=np.uint32)

    @property
    def confident(self) -> bool:
        """Whether any result carries a confidence."""
        return any(each is not None for each in self._confidences)

    def ids(self, rows: Rows) -> list[CaseId]:
        """Return the ids of some results."""
        return [self._ids[row] for row in rows]

    def measured(self, metric: int) -> dict[str, float]:
        """Return by id what was measured of one metric, where it was."""
        pairs = zip(self._ids, self.codes[:, metric].tolist(), strict=True)
        return {
            case_id: score.value
            for case_id, code in pairs
            if isinstance(score := self.scores[code], Scored)
        }

    def by_id(self) -> "Kept":
        """Return the same results in the order of their ids."""
        if all(map(le, self._ids, self._ids[1:])):
            return self
        order = sorted(range(len(self)), key=self._ids.__getitem__)
        return Kept(
            metrics=self.metrics,
            forms=self.forms,
            scores=self.scores,
            _ids=[self._ids[row] for row in order],
            _confidences=[self._confidences[row] for row in order],
            _form_at=array("I", self._forms_of_rows()[order].tobytes()),
            _codes=array("I", self.codes[order].tobytes()),
            _by_form=self._by_form,
            _by_score=self._by_score,
            _by_address=self._by_address,
        )

    def __len__(self) -> int:
        """Return how many results there are."""
        return len(self._ids)

    @overload
    def __getitem__(self, row: int) -> CaseResult: ...
    @overload
    def __getitem__(self, row: slice) -> tuple[CaseResult, ...]: ...
    def __getitem__(self, row: int | slice) -> CaseResult | tuple[CaseResult, ...]:
        """Return the result of a row, or those of several."""
        if isinstance(row, slice):
            return tuple(self[each] for each in range(len(self))[row])
        at = range(len(self))[row]
        start = at * self.metrics
        return self._made(at, self._codes[start : start + self.metrics])

    def __iter__(self) -> Iterator[CaseResult]:
        """Yield every result."""
        for row in range(len(self)):
            start = row * self.metrics
            yield self._made(row, self._codes[start : start + self.metrics])

    def _made(self, row: int, codes: Iterable[int]) -> CaseResult:
        form = self.forms[self._form_at[row]]
        return CaseResult(
            id=self._ids[row],
            category=form.category,
            locale=form.locale,
            query_type=form.query_type,
            tags=form.tags,
            scores=tuple(map(self.scores.__getitem__, codes)),
            broke=form.broke,
            failure=form.failure,
            repeats=form.repeats,
            failures=form.failures,
            answerable=form.answerable,
            abstained=form.abstained,
            confidence=self._confidences[row],
        )

    def __eq__(self, other: object) -> bool:
        """Tell whether another sequence holds the same results in the same order."""
        if not isinstance(other, Kept | tuple | list):
            return NotImplemented
        return len(self) == len(other) and all(map(CaseResult.__eq__, self, other))

    __hash__ = None  # type: ignore[assignment]


def kept(results: Iterable[CaseResult], metrics: int) -> Kept:
    """Return results in the order of their ids, and in little room.

    Results that are kept in that way already are not copied.
    """
    if isinstance(results, Kept):
        return results.by_id()
    found = Kept(metrics=metrics)
    for result in results:
        found.put(result)
    return found.by_id()
