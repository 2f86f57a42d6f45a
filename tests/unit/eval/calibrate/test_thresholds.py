"""Thresholds move only where more cases get the reason that people gave them."""

from dataclasses import replace

from rankings import GOOD

from lastro.eval.calibrate.thresholds import Judged, agreement, confusion, fitted
from lastro.gate.policy import RetrievalPolicy
from lastro.model.decision import ReasonCode

POLICY = RetrievalPolicy()
OK, WEAK = ReasonCode.OK, ReasonCode.INSUFFICIENT_CONTEXT


def scored(top_score: float, expected: ReasonCode) -> Judged:
    return Judged(seen=replace(GOOD, top_score=top_score), expected=expected)


def test_a_threshold_moves_to_where_people_draw_the_line() -> None:
    judged = [scored(3.0, WEAK), scored(3.2, WEAK), scored(4.0, OK), scored(5.0, OK)]

    found = fitted(judged, POLICY)

    assert agreement(judged, POLICY) == 0.5
    assert agreement(judged, found) == 1.0
    assert 3.2 < found.min_score < 4.0
    assert replace(found, min_score=POLICY.min_score) == POLICY


def test_what_agrees_already_moves_nothing() -> None:
    judged = [scored(1.0, WEAK), scored(4.0, OK)]

    assert fitted(judged, POLICY) == POLICY
    assert fitted([], POLICY) == POLICY


def test_of_equal_values_the_nearest_to_what_it_was_wins() -> None:
    judged = [scored(2.0, WEAK), scored(8.0, OK), scored(6.0, OK), scored(2.2, WEAK)]

    assert fitted(judged, POLICY).min_score == 4.1  # of 4.1 and 7.0, 7.0 agrees less


def test_what_a_reason_was_called_is_counted() -> None:
    judged = [scored(1.0, OK), scored(4.0, OK), scored(1.0, WEAK)]

    found = confusion(judged, POLICY)

    assert found == {OK: {WEAK: 1, OK: 1}, WEAK: {WEAK: 1}}
