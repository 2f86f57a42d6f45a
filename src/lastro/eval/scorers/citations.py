"""Citations: does the answer point at the right documents, and truly.

Citations are the ones in the trace; markers inside an answer's text are read by
importers, never here.
"""

from lastro.eval.scorers.scorer import Needs, Scorer
from lastro.eval.scorers.view import NO_CITATIONS, cited, ids
from lastro.model.case import Case
from lastro.model.score import Score, Scored, Unscored
from lastro.model.trace import Trace


def _nothing_to_cite(case: Case) -> str:
    if not case.answerable:
        return "the case is not answerable"
    return "" if case.must_cite_one_of else "no gold: must_cite_one_of"


def _coverage(case: Case, trace: Trace, _k: int) -> Score:
    pointed = cited(trace)
    if pointed is None:
        return Unscored(NO_CITATIONS)
    return Scored(float(not ids(case.must_cite_one_of).isdisjoint(pointed)))


def citation_scorers() -> tuple[Scorer, ...]:
    """Return the citation metrics, in report order."""
    return (
        Scorer(
            name="citation_coverage",
            what="1 if the answer cites one of must_cite_one_of",
            binary=True,
            needs=Needs.GOLD,
            applies=_nothing_to_cite,
            measure=_coverage,
            reads=("must_cite_one_of", "answerable", "cited_ids", "claims"),
            reads_answer=True,
        ),
    )
