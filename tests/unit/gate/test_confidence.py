"""Confidence is the documented formula, and its words change exactly at borders."""

from dataclasses import replace

import pytest
from rankings import GOOD

from lastro.gate.confidence import confidence, word
from lastro.model.decision import ConfidenceWord


def test_a_worked_example() -> None:
    seen = replace(
        GOOD,
        informative=4,
        unknown=1,
        top_score=1.5,
        coverage_weighted=0.5,
        margin=5.0,
    )
    by_hand = 0.75**0.5 * (0.4 * 0.5 + 0.4 * 0.5 + 0.2 * 0.5)
    assert confidence(seen) == pytest.approx(by_hand)


def test_a_missing_second_document_leaves_the_margin_whole() -> None:
    alone = replace(GOOD, top_score=1.5, coverage_weighted=1.0, margin=None)
    assert confidence(alone) == pytest.approx(0.4 * 0.5 + 0.4 + 0.2)


@pytest.mark.parametrize(
    "nothing",
    [
        {"top_score": None, "coverage_weighted": None},
        {"coverage_weighted": 0.0},
        {"informative": 0},
    ],
)
def test_nothing_measured_is_nothing_to_rely_on(
    nothing: dict[str, float | None],
) -> None:
    assert confidence(replace(GOOD, **nothing)) == 0.0  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (1.0, ConfidenceWord.HIGH),
        (0.7, ConfidenceWord.HIGH),
        (0.7 - 1e-6, ConfidenceWord.MEDIUM),
        (0.4, ConfidenceWord.MEDIUM),
        (0.1 + 0.3, ConfidenceWord.MEDIUM),
        (0.4 - 1e-6, ConfidenceWord.LOW),
        (0.0, ConfidenceWord.LOW),
    ],
)
def test_the_words_change_at_their_borders(
    value: float, expected: ConfidenceWord
) -> None:
    assert word(value) is expected
