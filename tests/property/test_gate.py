"""Laws of the gate: rules only take away, thresholds only demand."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rankings import GOOD, hit, ranking, term

from lastro.gate.confidence import confidence
from lastro.gate.decide import RULES, decide
from lastro.gate.features import Features, features
from lastro.gate.policy import RetrievalPolicy
from lastro.model.decision import ReasonCode

pytestmark = pytest.mark.property

share = st.floats(0, 1)
score = st.floats(0, 20)
count = st.integers(0, 5)


@st.composite
def seen(draw: st.DrawFn) -> Features:
    """Features as a retrieval that found something could show them."""
    informative = draw(count)
    central = draw(st.integers(0, informative))
    return replace(
        GOOD,
        informative=informative,
        unknown=draw(st.integers(0, informative - central)),
        central=central,
        central_missing=draw(st.integers(0, central)),
        subjects=draw(st.integers(0, central)),
        trouble=draw(count),
        top_score=draw(score),
        margin=draw(st.none() | score),
        coverage=draw(share),
        coverage_weighted=draw(share),
    )


policies = st.builds(
    RetrievalPolicy,
    min_score=st.floats(0, 50),
    min_score_margin=st.floats(0, 5),
    min_coverage=share,
    min_coverage_weighted=share,
    min_terms=st.integers(1, 10),
)


@given(seen(), policies, st.integers(0, len(RULES)))
def test_adding_a_rule_never_makes_more_retrievals_ok(
    facts: Features, policy: RetrievalPolicy, kept: int
) -> None:
    fewer = decide(facts, policy, apply=RULES[:kept])
    if decide(facts, policy).reason is ReasonCode.OK:
        assert fewer.reason is ReasonCode.OK
    assert len(fewer.reasons) <= len(decide(facts, policy).reasons)


@given(seen(), policies, policies)
def test_lowering_a_threshold_never_makes_fewer_ok(
    facts: Features, one: RetrievalPolicy, other: RetrievalPolicy
) -> None:
    lower = RetrievalPolicy(
        min_score=min(one.min_score, other.min_score),
        min_score_margin=min(one.min_score_margin, other.min_score_margin),
        min_coverage=min(one.min_coverage, other.min_coverage),
        min_coverage_weighted=min(
            one.min_coverage_weighted, other.min_coverage_weighted
        ),
        min_terms=min(one.min_terms, other.min_terms),
    )
    kept = {reason.code for reason in decide(facts, lower).reasons}
    assert kept <= {reason.code for reason in decide(facts, one).reasons}


@given(st.lists(st.floats(0.1, 20), min_size=1, max_size=4))
def test_passages_of_one_document_are_never_ambiguous(scores: list[float]) -> None:
    chosen = [hit(value, document="a", ordinal=at) for at, value in enumerate(scores)]
    found = decide(features(ranking([term("jam")], chosen)), RetrievalPolicy())
    assert ReasonCode.AMBIGUOUS_RETRIEVAL not in [r.code for r in found.reasons]


@given(st.lists(st.tuples(st.sampled_from("abc"), score), min_size=1, max_size=4))
def test_a_near_copy_inside_a_document_changes_no_margin(
    rows: list[tuple[str, float]],
) -> None:
    chosen = [
        hit(value, document=name, ordinal=at) for at, (name, value) in enumerate(rows)
    ]
    copies = [
        replace(item, passage=replace(item.passage, ordinal=9)) for item in chosen
    ]
    asked = [term("jam")]
    alone = features(ranking(asked, chosen))
    assert features(ranking(asked, [*chosen, *copies])).margin == alone.margin


@given(seen())
def test_confidence_is_a_share(facts: Features) -> None:
    assert 0.0 <= confidence(facts) <= 1.0


@given(seen(), score, share, share, score)
def test_confidence_rises_with_what_speaks_for_a_retrieval(
    facts: Features, more: float, wider: float, weighted: float, apart: float
) -> None:
    better = replace(
        facts,
        top_score=max(facts.top_score or 0.0, more),
        coverage=max(facts.coverage or 0.0, wider),
        coverage_weighted=max(facts.coverage_weighted or 0.0, weighted),
        margin=None if facts.margin is None else max(facts.margin, apart),
        unknown=0,
        central_missing=0,
    )
    assert confidence(better) >= confidence(facts) - 1e-12
