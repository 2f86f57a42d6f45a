"""Pooled groundedness and accuracy: do the expected facts stand in the evidence.

A term has to stand in *one* text, never across the seam of two.  Unanswerable
cases have no groundedness: a right refusal is measured by ``abstention`` alone.
"""

from collections.abc import Iterable, Sequence

from lastro.eval.scorers.scorer import Measure, Needs, Scorer
from lastro.eval.scorers.view import NO_TEXT, View, ids
from lastro.model.case import Case
from lastro.model.score import Score, Scored, Unscored
from lastro.text.terms import Folded, Match, holds


def all_held(
    terms: Iterable[str],
    pool: Sequence[Folded],
    match: Match,
    locale: str | None = None,
) -> bool:
    """Say whether every term stands in at least one text of the pool.

    >>> from lastro.text.terms import folded
    >>> pool = [folded("in 4 Months"), folded("no fee")]
    >>> all_held(["4 months", "Fee"], pool, Match.SUBSTRING)
    True
    >>> all_held(["4 months no fee"], pool, Match.SUBSTRING)
    False
    """
    return all(
        any(holds(text, term, match, locale or "") for text in pool) for term in terms
    )


def _no_terms(case: Case) -> str:
    if not case.answerable:
        return "the case is not answerable"
    return "" if case.expected_terms else "no expected_terms"


def _nothing_expected(case: Case) -> str:
    if not case.answerable:
        return "the case is not answerable"
    if case.expected_terms or case.expected_doc_ids:
        return ""
    return "neither expected_doc_ids nor expected_terms"


def _grounded(match: Match) -> Measure:
    def measure(case: Case, view: View, _k: int) -> Score:
        if view.pool is None:
            return Unscored(NO_TEXT)
        if view.abstained or not view.documents:
            return Scored(0.0)
        held = all_held(case.expected_terms, view.pool, match, case.locale)
        return Scored(float(held))

    return measure


def _accurate(match: Match) -> Measure:
    def measure(case: Case, view: View, _k: int) -> Score:
        if view.pool is None:
            return Unscored(NO_TEXT)
        if view.abstained:
            return Scored(0.0)
        if not ids(case.expected_doc_ids) <= (view.documents or frozenset()):
            return Scored(0.0)
        held = all_held(case.expected_terms, view.pool, match, case.locale)
        return Scored(float(held))

    return measure


def groundedness_scorers(match: Match) -> tuple[Scorer, ...]:
    """Return pooled groundedness and accuracy for one way of matching terms."""
    return (
        Scorer(
            name="groundedness",
            what="1 if every expected term stands in the answer or in one evidence "
            "text, there is evidence, and nothing was declined",
            binary=True,
            needs=Needs.GOLD,
            applies=_no_terms,
            measure=_grounded(match),
            reads=("expected_terms", "answerable", "evidence", "answer_text"),
            reads_answer=True,
            remark="pooled: any text will do, the answer's own too",
        ),
        Scorer(
            name="accuracy",
            what="1 if all expected documents are in the evidence, all expected "
            "terms occur, and nothing was declined",
            binary=True,
            needs=Needs.GOLD,
            applies=_nothing_expected,
            measure=_accurate(match),
            reads=("expected_doc_ids", "expected_terms", "evidence", "answer_text"),
            reads_answer=True,
        ),
    )
