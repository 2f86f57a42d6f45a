"""What a scorer is: a named, directed judgement of one case by its trace.

A scorer sees a case and a trace and nothing else.  It never raises: what broke
is a ``Failed``, what cannot be measured an ``Unscored`` that says why.
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum

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
        view = trace if trace is None or isinstance(trace, View) else View(trace)
        return every_score((self,), case, view, k)[0]

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


def every_score(
    scorers: Iterable[Scorer], case: Case, view: View | None, k: int
) -> list[Score]:
    """Judge one case by every scorer, in their order; as :meth:`Scorer.score` does.

    What several of them ask of the case alone, or of the trace alone, is looked up
    once.

    Raises:
        UsageError: k is under 1, which no case can be judged with.
    """
    said: dict[Applies | Absent, Unscored | None] = {}
    found: list[Score] = []
    for scorer in scorers:
        cut = k if scorer.k is None else scorer.k
        if cut < 1:
            refuse_cut(cut)
        if (applies := scorer.applies) not in said:
            why = applies(case)
            said[applies] = Unscored(why) if why else None
        score = said[applies] or _by_trace(scorer, case, view, cut, said)
        found.append(score)
    return found


def _by_trace(
    scorer: Scorer,
    case: Case,
    view: View | None,
    k: int,
    said: dict[Applies | Absent, Unscored | None],
) -> Score:
    if view is None:
        return _NO_TRACE
    if (error := view.trace.error) is not None:
        return scorer.judged_broken(case, view, k, error.kind)
    if (absent := scorer.absent) is None:
        return scorer.judged(case, view, k)
    if absent not in said:
        said[absent] = absent(view)
    return said[absent] or scorer.judged(case, view, k)


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
