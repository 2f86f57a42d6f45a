"""The scorers, in the order of the report.  Nothing happens on import but a table.

To add one: a function in its family's file, a line there, a test file.
"""

from collections.abc import Iterable

from lastro.eval.scorers.abstention import Outcome, abstention_scorers, outcome
from lastro.eval.scorers.alignment import (
    Misaligned,
    Misalignment,
    alignment_scorers,
    misaligned,
)
from lastro.eval.scorers.citations import citation_scorers
from lastro.eval.scorers.comparison import comparison_scorers
from lastro.eval.scorers.form import form_scorers
from lastro.eval.scorers.gate import gate_scorers
from lastro.eval.scorers.groundedness import groundedness_scorers
from lastro.eval.scorers.judge import JUDGE_GROUNDEDNESS, Judge, judge_scorers
from lastro.eval.scorers.ranking import own_cut, retrieval_scorers, stage_scorers
from lastro.eval.scorers.scorer import Better, Needs, Panel, Scorer
from lastro.eval.scorers.view import View
from lastro.text.terms import Match

__all__ = [
    "SCORERS",
    "Better",
    "Judge",
    "Match",
    "Misaligned",
    "Misalignment",
    "Needs",
    "Outcome",
    "Panel",
    "Scorer",
    "View",
    "known",
    "lines",
    "misaligned",
    "outcome",
    "scorers",
]


def scorers(
    match: Match = Match.SUBSTRING,
    judge: Judge | None = None,
    at: Iterable[int] = (),
) -> tuple[Scorer, ...]:
    """Return every scorer in report order, for one way of matching terms.

    The one that asks a judge is left out where there is none.  The retrieval
    metrics are there ``at`` further cut-offs too.

    Raises:
        UsageError: a cut-off is under 1.
    """
    left_out = JUDGE_GROUNDEDNESS if judge is None else ""
    return tuple(each for each in _table(match, judge, at) if each.name != left_out)


def lines(metrics: Iterable[str]) -> tuple[Scorer, ...]:
    """Return the lines of the table for a report that holds ``metrics``, in its order.

    All of ``SCORERS``, and those at further cut-offs that a name asks for.

    >>> [each.name for each in lines(["retrieval_ndcg_at_10"])][3:6]
    ['retrieval_hit_at_10', 'retrieval_recall_at_10', 'retrieval_ndcg_at_10']
    """
    cuts = {cut for metric in metrics if (cut := own_cut(metric)) is not None}
    return _table(Match.SUBSTRING, None, cuts) if cuts else SCORERS


def known(metric: str) -> bool:
    """Tell whether a metric is one of the table, at whatever cut-off.

    >>> known("retrieval_hit_at_10"), known("retrieval_hit_at_0"), known("x")
    (True, False, False)
    """
    return metric in _NAMES or own_cut(metric) is not None


def _table(
    match: Match, judge: Judge | None, at: Iterable[int] = ()
) -> tuple[Scorer, ...]:
    return (
        *retrieval_scorers(at),
        *citation_scorers(match),
        *groundedness_scorers(match),
        *comparison_scorers(match),
        *alignment_scorers(match),
        *abstention_scorers(),
        *form_scorers(),
        *gate_scorers(),
        *judge_scorers(judge),
        *stage_scorers(),
    )


# Every key that a report may hold: also the one that nobody has asked for.
SCORERS = _table(Match.SUBSTRING, None)
_NAMES = frozenset(scorer.name for scorer in SCORERS)
