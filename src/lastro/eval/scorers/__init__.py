"""The scorers, in the order of the report.  Nothing happens on import but a table.

To add one: a function in its family's file, a line there, a test file.
"""

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
from lastro.eval.scorers.ranking import retrieval_scorers, stage_scorers
from lastro.eval.scorers.scorer import Better, Needs, Scorer
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
    "Scorer",
    "misaligned",
    "outcome",
    "scorers",
]


def scorers(
    match: Match = Match.SUBSTRING, judge: Judge | None = None
) -> tuple[Scorer, ...]:
    """Return every scorer in report order, for one way of matching terms.

    The one that asks a judge is left out where there is none.
    """
    left_out = JUDGE_GROUNDEDNESS if judge is None else ""
    return tuple(each for each in _table(match, judge) if each.name != left_out)


def _table(match: Match, judge: Judge | None) -> tuple[Scorer, ...]:
    return (
        *retrieval_scorers(),
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
