"""What a scorer is: a named, directed judgement of one case by its trace.

A scorer sees a case and a trace and nothing else.  It never raises: what broke
is a ``Failed``, what cannot be measured an ``Unscored`` that says why.
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from lastro.errors import UsageError
from lastro.eval.scorers.view import View
from lastro.model.case import Case
from lastro.model.score import Failed, Score, Scored, Unscored
from lastro.model.trace import Trace

NO_TRACE = "no trace"  # what broke a case that left none
_NO_TRACE = Failed(NO_TRACE)

Measure = Callable[[Case, View, int], Score]
Applies = Callable[[Case], str]
Absent = Callable[[View], Unscored | None]


class Better(StrEnum):
    """Which way a metric points."""

    HIGHER = "higher"
    LOWER = "lower"


class Needs(StrEnum):
    """What a case must be labelled with before a scorer has something to judge."""

    GOLD = "gold"
    ANSWERABILITY = "answerability"
    ALWAYS = "always"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scorer:
    """A named, directed judgement of one trace: one line of the table.

    ``applies`` looks at the case alone and says why there is nothing to
    judge, or the empty string.  ``measure`` then looks at the trace.
    ``reads_answer``: a turn that ended in an error has no answer, so it is
    failed; what stood in the trace before that (retrieval, stages, decision)
    is measured all the same.  ``k`` overrides the configured cut-off.
    ``absent``, where several scorers need one part of a trace, says of the trace
    alone that it is not there.
    """

    name: str
    what: str
    binary: bool
    needs: Needs
    applies: Applies
    measure: Measure
    reads: tuple[str, ...]
    reads_answer: bool
    better: Better = Better.HIGHER
    headline: bool = False
    remark: str = ""
    k: int | None = None
    absent: Absent | None = None

    def score(self, case: Case, trace: Trace | View | None, k: int) -> Score:
        """Judge one case; ``trace`` of None means that the run left none.

        A view that several scorers are handed spares them looking again, and
        changes no value.

        Raises:
            UsageError: k is under 1, which no case can be judged with.
        """
        cut = _usable(k if self.k is None else self.k)
        if why := self.applies(case):
            return Unscored(why)
        if trace is None:
            return _NO_TRACE
        view = View.of(trace)
        if (error := view.trace.error) is not None:
            return self.judged_broken(case, view, cut, error.kind)
        absent = None if self.absent is None else self.absent(view)
        return absent or self.judged(case, view, cut)

    def judged(self, case: Case, view: View, k: int) -> Score:
        """Judge a case that this scorer applies to, by the trace that it left."""
        try:
            found = self.measure(case, view, k)
        except ValueError as error:  # what a case or a trace holds makes no sense
            return Failed(f"the scorer broke: {error}")
        except Exception as error:  # noqa: BLE001 - one metric must not end a run
            return Failed(f"the scorer broke: {type(error).__name__}")
        if isinstance(found, Scored) and not math.isfinite(found.value):
            return Failed(f"the scorer broke: {found.value} is no score")
        return found

    def judged_broken(self, case: Case, view: View, k: int, kind: str) -> Score:
        """Judge a case whose turn ended in an error of some kind."""
        found = None if self.reads_answer else self.judged(case, view, k)
        if found is None or isinstance(found, Unscored):
            return Failed(f"the turn broke: {kind}")
        return found


class Panel:
    """Several scorers, asked together; each gives what :meth:`Scorer.score` gives.

    What several of them ask of the case alone, or of the trace alone, is looked up
    once; and cases that lack the same share what is said of that.
    """

    def __init__(self, scorers: Iterable[Scorer], k: int) -> None:
        """Seat the scorers; ``k`` cuts off where they have no cut-off of their own.

        Raises:
            UsageError: a cut-off is under 1, which no case can be judged with.
        """
        self.scorers = tuple(scorers)
        self._cuts = [_usable(k if s.k is None else s.k) for s in self.scorers]
        self._applies = tuple({each.applies: None for each in self.scorers})
        self._absents = tuple({s.absent: None for s in self.scorers if s.absent})
        self._sheet = lru_cache(maxsize=1024)(self._blank)

    def scores(self, case: Case, view: View | None) -> list[Score]:
        """Judge one case by every scorer, in their order; no view means no trace."""
        spared = tuple([applies(case) for applies in self._applies])
        error = None if view is None else view.trace.error
        gone: tuple[Unscored | None, ...] = ()
        if view is not None and error is None:
            gone = tuple([absent(view) for absent in self._absents])
        blank, left = self._sheet(spared, gone)
        scores = blank.copy()
        for at, scorer, cut in left:
            if view is None:
                scores[at] = _NO_TRACE
            elif error is None:
                scores[at] = scorer.judged(case, view, cut)
            else:
                scores[at] = scorer.judged_broken(case, view, cut, error.kind)
        return scores

    def _blank(
        self, spared: tuple[str, ...], gone: tuple[Unscored | None, ...]
    ) -> tuple[list[Score], list[tuple[int, Scorer, int]]]:
        """Return what is said before judging, and who is still to be asked."""
        said: dict[Applies | Absent | None, Unscored | None] = {
            applies: Unscored(why) if why else None
            for applies, why in zip(self._applies, spared, strict=True)
        }
        if gone:
            said |= zip(self._absents, gone, strict=True)
        found = [said[s.applies] or said.get(s.absent) for s in self.scorers]
        seats = enumerate(zip(self.scorers, self._cuts, strict=True))
        left = [(at, *seat) for at, seat in seats if found[at] is None]
        return [each or _NO_TRACE for each in found], left


def _usable(cut: int) -> int:
    if cut < 1:
        refuse_cut(cut)
    return cut


def refuse_cut(k: object) -> None:
    """Refuse a cut-off that nothing can be judged with.

    Raises:
        UsageError: it is no whole number from 1 on.
    """
    if not isinstance(k, int) or k < 1:
        raise UsageError(f"k must be at least 1, not {k!r}")


def always(_case: Case) -> str:
    """Apply to every case."""
    return ""
