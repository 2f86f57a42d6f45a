"""Laws of calibration: range, order of cases, and equality with other definitions."""

import math
import random
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastro.eval.calibration import (
    Seen,
    area,
    binned,
    brier,
    curve,
    expected_error,
)

pytestmark = pytest.mark.property

# Few distinct confidences, so that ties and the edges of bins happen.
confidences = st.sampled_from([i / 10 for i in range(11)]) | st.floats(0, 1)
seens = st.lists(
    st.builds(Seen, confidences, st.sampled_from([0.0, 1.0])), min_size=1, max_size=40
)


@given(seens)
def test_all_three_lie_between_0_and_1(seen: list[Seen]) -> None:
    for value in (expected_error(binned(seen)), brier(seen), area(seen)):
        assert 0 <= value <= 1 + 1e-12


@given(seens, st.randoms())
def test_the_order_of_cases_changes_not_one_bit(
    seen: list[Seen], shuffle: random.Random
) -> None:
    other = list(seen)
    shuffle.shuffle(other)

    for measure in (brier, area, curve, binned):
        assert measure(other) == measure(seen)


@given(seens)
def test_brier_equals_numpy(seen: list[Seen]) -> None:
    p, o = np.array(seen).T

    assert brier(seen) == pytest.approx(float(np.mean((p - o) ** 2)), abs=1e-12)


@given(seens)
def test_the_expected_error_equals_a_slow_definition(seen: list[Seen]) -> None:
    p, o = np.array(seen).T
    edges = [i / 10 for i in range(11)]
    total = 0.0
    for i in range(10):
        upper = p <= 1 if i == 9 else p < edges[i + 1]
        inside = (p >= edges[i]) & upper
        if inside.any():
            total += inside.mean() * abs(o[inside].mean() - p[inside].mean())

    assert expected_error(binned(seen)) == pytest.approx(float(total), abs=1e-9)


@given(seens, st.randoms())
def test_the_area_without_ties_is_the_mean_of_the_running_risk(
    seen: list[Seen], shuffle: random.Random
) -> None:
    distinct = {one.confidence: one for one in seen}
    ordered = sorted(distinct.values(), key=lambda one: -one.confidence)
    wrong = np.array([1 - one.outcome for one in ordered])
    running = np.cumsum(wrong) / np.arange(1, len(wrong) + 1)
    shuffle.shuffle(ordered)

    assert area(ordered) == pytest.approx(float(running.mean()), abs=1e-12)


@given(seens)
def test_the_bins_hold_every_case_once(seen: list[Seen]) -> None:
    bins = binned(seen)

    assert sum(each.n for each in bins) == len(seen)
    for each in bins:
        assert (each.confidence is None) == (each.correct is None) == (each.n == 0)
        if each.confidence is not None:
            assert each.low - 1e-12 <= each.confidence <= each.high + 1e-12


@given(seens)
def test_the_curve_ends_at_everybody_and_falls_in_confidence(seen: list[Seen]) -> None:
    points = curve(seen)

    wrong = sum(1 - one.outcome for one in seen)
    assert points[-1].coverage == 1.0
    assert math.isclose(points[-1].risk, wrong / len(seen), abs_tol=1e-12)
    for above, below in pairwise(points):
        assert above.confidence > below.confidence
        assert above.coverage < below.coverage
