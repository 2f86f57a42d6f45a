"""Laws of the answer metrics: range, and what may not change a value."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import document_ids, traces

from lastro.eval.scorers import SCORERS, Scorer
from lastro.model.case import Case, QueryType, TargetSpec
from lastro.model.ids import CaseId
from lastro.model.score import Failed, Score, Scored
from lastro.model.trace import Trace, TracePassage

pytestmark = pytest.mark.property

BY_NAME = {scorer.name: scorer for scorer in SCORERS}
WORDS = ("fee", "30 days", "60 days", "Garantía", "예산")
expected_terms = st.lists(st.sampled_from(WORDS), max_size=3).map(tuple)
evidence_texts = st.lists(st.sampled_from((*WORDS, "130 days", "x")), max_size=4).map(
    " ".join
)
evidence = st.lists(
    st.builds(TracePassage, document_id=document_ids, text=evidence_texts), max_size=5
).map(tuple)
specs = st.builds(
    TargetSpec,
    target=st.sampled_from(["A", "B", "C"]),
    expected_doc_ids=st.lists(document_ids, min_size=1, max_size=3).map(tuple),
    expected_terms=st.lists(st.sampled_from(WORDS), min_size=1, max_size=2).map(tuple),
)
cases = st.builds(
    Case,
    id=st.just(CaseId("c")),
    query=st.just("q"),
    query_type=st.none() | st.sampled_from(list(QueryType)),
    answerable=st.booleans(),
    must_cite_one_of=st.lists(document_ids, max_size=3).map(tuple),
    expected_doc_ids=st.lists(document_ids, max_size=3).map(tuple),
    expected_terms=expected_terms,
    expected_claim_citations=st.lists(specs, max_size=3).map(tuple),
    must_refuse=st.booleans(),
)


@given(cases, traces, st.integers(1, 6))
def test_a02_m37_every_score_of_any_trace_is_in_range_or_has_a_reason(
    case: Case, trace: Trace, k: int
) -> None:
    for scorer in SCORERS:
        found = scorer.score(case, trace, k)
        if isinstance(found, Scored):
            assert 0.0 <= found.value <= 1.0
            assert not scorer.binary or found.value in (0.0, 1.0)
        if isinstance(found, Failed):
            assert found.what.startswith("the turn broke: ")
        assert scorer.score(case, trace, k) == found


def score(scorer: Scorer, case: Case, pool: tuple[TracePassage, ...]) -> Score:
    return scorer.score(case, Trace(case_id=CaseId("c"), evidence=pool), 4)


@pytest.mark.parametrize(
    "name",
    [
        "groundedness",
        "accuracy",
        "comparison_groundedness",
        "comparison_target_recall",
    ],
)
@given(
    case=cases, pool=evidence, more=evidence, chance=st.randoms(use_true_random=False)
)
def test_g10_more_evidence_never_hurts_and_its_order_is_nothing(
    name: str,
    case: Case,
    pool: tuple[TracePassage, ...],
    more: tuple[TracePassage, ...],
    chance: random.Random,
) -> None:
    scorer = BY_NAME[name]
    mixed = list(pool)
    chance.shuffle(mixed)
    before, after = score(scorer, case, pool), score(scorer, case, pool + more)

    assert score(scorer, case, tuple(mixed)) == before
    assert score(scorer, case, pool + pool) == before
    if isinstance(before, Scored) and isinstance(after, Scored):
        assert after.value >= before.value


@given(cases, evidence)
def test_every_side_grounded_means_grounded_by_its_own_documents(
    case: Case, pool: tuple[TracePassage, ...]
) -> None:
    foreign = tuple(
        TracePassage(document_id=f"not {item.document_id}", text=item.text)
        for item in pool
    )
    found = score(BY_NAME["comparison_groundedness"], case, foreign)

    if isinstance(found, Scored):
        assert found.value == 0.0
