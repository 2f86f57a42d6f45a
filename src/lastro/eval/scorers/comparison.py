"""Comparisons: is every side of the question covered by its own documents.

``comparison_groundedness`` sees what pooled groundedness cannot: one document
that mentions both sides grounds at most one of them.
"""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from lastro.eval.scorers.groundedness import all_held
from lastro.eval.scorers.scorer import Needs, Scorer
from lastro.eval.scorers.view import NO_EVIDENCE, NO_TEXT, Text, View, ids
from lastro.model.case import Case, QueryType, TargetSpec
from lastro.model.ranking import Stage
from lastro.model.score import Score, Scored, Unscored
from lastro.text.ids import canonical
from lastro.text.terms import Match


def covered(expected: AbstractSet[str], seen: AbstractSet[str]) -> float:
    """Share of the expected documents that were seen.

    Args:
        expected: ids of documents; not empty.
        seen: ids of documents; may be empty.

    Returns:
        A number in [0, 1]; higher is better.

    Edge cases:
        nothing seen gives 0.0.

    Reference:
        set recall; Manning, Raghavan & Schuetze (2008), section 8.3.

    >>> covered({"a", "b"}, {"a", "x"})
    0.5
    """
    return len(expected & seen) / len(expected)


def grounded_target(
    spec: TargetSpec, evidence: Sequence[Text], match: Match, locale: str | None = None
) -> bool:
    """Say whether one passage of the target's own documents holds all its terms."""
    own = ids(spec.expected_doc_ids)
    return any(
        item.document in own
        and all_held(spec.expected_terms, [item.text], match, locale)
        for item in evidence
    )


def _one_document(case: Case) -> str:
    if case.query_type is not QueryType.COMPARISON:
        return "not a comparison"
    if len(ids(case.expected_doc_ids)) < 2:
        return "fewer than two expected_doc_ids"
    return ""


def _one_target(case: Case) -> str:
    if case.query_type is not QueryType.COMPARISON:
        return "not a comparison"
    if len(case.expected_claim_citations) < 2:
        return "fewer than two targets in expected_claim_citations"
    return "" if case.answerable else "the case is not answerable"


def _target_recall(case: Case, view: View, _k: int) -> Score:
    seen = view.documents
    if seen is None:
        return Unscored(NO_EVIDENCE)
    return Scored(covered(ids(case.expected_doc_ids), seen))


def _pool_recall(case: Case, view: View, _k: int) -> Score:
    fused = (view.trace.stages or {}).get(Stage.FUSED)
    if fused is None:
        return Unscored("the trace has no stages.fused")
    seen = frozenset(canonical(entry.document_id) for entry in fused)
    return Scored(covered(ids(case.expected_doc_ids), seen))


def _recall_scorers() -> tuple[Scorer, ...]:
    return (
        Scorer(
            name="comparison_target_recall",
            what="|expected documents ∩ evidence documents| / |expected documents|",
            binary=False,
            needs=Needs.GOLD,
            applies=_one_document,
            measure=_target_recall,
            reads=("query_type", "expected_doc_ids", "evidence", "retrieved"),
            reads_answer=False,
        ),
        Scorer(
            name="comparison_pool_recall",
            what="the same over stages.fused, the candidates before balancing",
            binary=False,
            needs=Needs.GOLD,
            applies=_one_document,
            measure=_pool_recall,
            reads=("query_type", "expected_doc_ids", "stages.fused"),
            reads_answer=False,
        ),
    )


def comparison_scorers(match: Match) -> tuple[Scorer, ...]:
    """Return the comparison metrics for one way of matching terms."""

    def grounded(case: Case, view: View, _k: int) -> Score:
        if view.abstained:
            return Scored(0.0)
        evidence = view.texts
        if evidence is None:
            return Unscored(NO_TEXT)
        specs = case.expected_claim_citations
        held = (grounded_target(s, evidence, match, case.locale) for s in specs)
        return Scored(sum(held) / len(specs))

    return (
        *_recall_scorers(),
        Scorer(
            name="comparison_groundedness",
            what="targets of which one passage of their own documents holds all "
            "terms / targets; 0 if declined",
            binary=False,
            needs=Needs.GOLD,
            applies=_one_target,
            measure=grounded,
            reads=("query_type", "expected_claim_citations", "evidence", "abstained"),
            reads_answer=True,
            remark="never across two passages; the answer's text is not consulted",
        ),
    )
