"""Each rule complains strictly below its threshold, and exactly on it does not."""

from dataclasses import replace

import pytest
from rankings import GOOD

from lastro.gate import rules
from lastro.gate.border import below
from lastro.gate.policy import RetrievalPolicy
from lastro.model.decision import ReasonCode

POLICY = RetrievalPolicy()
ALL = (
    rules.insufficient_context,
    rules.underspecified_query,
    rules.ambiguous_retrieval,
    rules.context_misaligned,
    rules.vague_but_high_risk,
    rules.low_confidence,
)


def test_a_good_retrieval_earns_no_complaint() -> None:
    assert [rule(GOOD, POLICY) for rule in ALL] == [None] * 6


@pytest.mark.parametrize(
    ("observed", "required", "expected"),
    [
        (1.5, 1.5, False),
        (2.0 - 1.85, 0.15, False),
        (1.5 - 5e-10, 1.5, False),
        (1.5 - 2e-9, 1.5, True),
        (1.49, 1.5, True),
        (0.0, 0.0, False),
    ],
)
def test_exactly_on_the_border_passes(
    observed: float, required: float, expected: bool
) -> None:
    assert below(observed, required) is expected


@pytest.mark.parametrize(("score", "complains"), [(1.5, False), (1.4999, True)])
def test_a_weak_top_score_is_insufficient(score: float, complains: bool) -> None:
    reason = rules.insufficient_context(replace(GOOD, top_score=score), POLICY)
    assert (reason is not None) is complains
    if reason:
        assert reason.code is ReasonCode.INSUFFICIENT_CONTEXT
        assert (reason.observed, reason.required) == (score, 1.5)


def test_no_hit_is_insufficient_even_at_a_threshold_of_zero() -> None:
    nothing = replace(GOOD, selected=0, documents=0, top_score=None)
    reason = rules.insufficient_context(nothing, RetrievalPolicy(min_score=0.0))
    assert reason is not None
    assert reason.observed is None


@pytest.mark.parametrize(("terms", "complains"), [(2, False), (1, True), (0, True)])
def test_too_few_informative_terms_are_underspecified(
    terms: int, complains: bool
) -> None:
    reason = rules.underspecified_query(replace(GOOD, informative=terms), POLICY)
    assert (reason is not None) is complains


@pytest.mark.parametrize(
    ("margin", "complains"),
    [(2.0 - 1.85, False), (0.15, False), (0.149, True), (0.0, True), (None, False)],
)
def test_two_documents_close_together_are_ambiguous(
    margin: float | None, complains: bool
) -> None:
    reason = rules.ambiguous_retrieval(replace(GOOD, margin=margin), POLICY)
    assert (reason is not None) is complains


@pytest.mark.parametrize(
    ("coverage", "weighted", "observed"),
    [
        (0.34, 0.34, None),
        (0.33, 0.5, 0.33),
        (0.5, 0.33, 0.33),
        (0.1, 0.2, 0.1),
    ],
)
def test_little_coverage_of_either_kind_is_misaligned(
    coverage: float, weighted: float, observed: float | None
) -> None:
    seen = replace(GOOD, coverage=coverage, coverage_weighted=weighted)
    reason = rules.context_misaligned(seen, POLICY)
    assert (reason.observed if reason else None) == observed


@pytest.mark.parametrize(
    ("trouble", "subjects", "complains"),
    [(1, 0, True), (1, 1, False), (0, 0, False), (2, 0, True)],
)
def test_trouble_without_a_subject_is_vague_but_high_risk(
    trouble: int, subjects: int, complains: bool
) -> None:
    seen = replace(GOOD, trouble=trouble, subjects=subjects)
    assert (rules.vague_but_high_risk(seen, POLICY) is not None) is complains


def test_a_missing_central_term_is_low_confidence_and_says_how_many() -> None:
    reason = rules.low_confidence(replace(GOOD, central_missing=1), POLICY)
    assert reason is not None
    assert reason.required in (0.0, 0.4)


def test_what_was_not_measured_earns_no_complaint_of_a_threshold() -> None:
    unmeasured = replace(
        GOOD, top_score=None, margin=None, coverage=None, coverage_weighted=None
    )
    assert [rule(unmeasured, POLICY) for rule in ALL[:5]] == [None] * 5


def test_a_retrieval_without_a_lexical_view_is_low_confidence_until_calibrated() -> (
    None
):
    unmeasured = replace(
        GOOD, top_score=None, margin=None, coverage=None, coverage_weighted=None
    )
    reason = rules.low_confidence(unmeasured, POLICY)
    assert reason is not None
    assert reason.observed == 0.0
