"""What a scorer is: a named, directed judgement of one case by its trace.

A scorer sees a case and a trace and nothing else.  It never raises: what broke
is a ``Failed``, what cannot be measured an ``Unscored`` that says why.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from lastro.errors import UsageError
from lastro.eval.scorers.view import View
from lastro.model.case import Case
from lastro.model.score import Failed, Score, Scored, Unscored
from lastro.model.trace import Trace

NO_TRACE = "no trace"  # what broke a case that left none

Measure = Callable[[Case, View, int], Score]
Applies = Callable[[Case], str]


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

    def score(self, case: Case, trace: Trace | View | None, k: int) -> Score:
        """Judge one case; ``trace`` of None means that the run left none.

        A view that several scorers are handed spares them looking again, and
        changes no value.

        Raises:
            UsageError: k is under 1, which no case can be judged with.
        """
        cut = k if self.k is None else self.k
        if cut < 1:
            refuse_cut(cut)
        why = self.applies(case)
        if why:
            return _unscored(why)
        if trace is None:
            return Failed(NO_TRACE)
        view = trace if isinstance(trace, View) else View(trace)
        error = view.trace.error
        if error is None:
            return self._measured(case, view, cut)
        found = None if self.reads_answer else self._measured(case, view, cut)
        if found is None or isinstance(found, Unscored):
            return Failed(f"the turn broke: {error.kind}")
        return found

    def _measured(self, case: Case, view: View, k: int) -> Score:
        try:
            found = self.measure(case, view, k)
        except ValueError as error:  # what a case or a trace holds makes no sense
            return Failed(f"the scorer broke: {error}")
        except Exception as error:  # noqa: BLE001 - one metric must not end a run
            return Failed(f"the scorer broke: {type(error).__name__}")
        if isinstance(found, Unscored):
            return _unscored(found.why)
        if isinstance(found, Scored) and not math.isfinite(found.value):
            return Failed(f"the scorer broke: {found.value} is no score")
        return found


# Most metrics ask for labels that most cases lack: why is said once, and shared.
@lru_cache(maxsize=256)
def _unscored(why: str) -> Unscored:
    return Unscored(why)


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
