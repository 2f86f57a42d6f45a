"""How likely chance drops any of a family: by hand, by all flips, and by design."""

import math
from collections.abc import Mapping, Sequence
from itertools import product

import numpy as np
import pytest

from lastro.eval.verdict.chance import by_chance

SLACK = 0.03  # of 2,000 draws, three standard errors


def column(values: Sequence[float], start: int = 0) -> dict[str, float]:
    return {f"c{place:03d}": by for place, by in enumerate(values, start)}


def by_all_flips(family: Sequence[Mapping[str, float]]) -> list[float]:
    """Return what the draws estimate: every pattern of signs of the cases."""
    ids = sorted({case for each in family for case in each})
    sizes = [math.sqrt(sum(by * by for by in each.values())) or 1.0 for each in family]

    def far(signs: Mapping[str, int]) -> list[float]:
        return [
            -sum(signs[case] * by for case, by in each.items()) / size
            for each, size in zip(family, sizes, strict=True)
        ]

    seen = far(dict.fromkeys(ids, 1))
    draws = [
        max(far(dict(zip(ids, signs, strict=True))))
        for signs in product((1, -1), repeat=len(ids))
    ]
    return [
        sum(each >= one - 1e-9 for each in draws) / len(draws) if one > 0 else 1.0
        for one in seen
    ]


@pytest.mark.parametrize(
    "family",
    [
        [column([-1.0] * 5)],
        [column([-1.0, -1.0, -1.0, 1.0, -1.0, -1.0, -1.0])],
        [column([-1.0] * 4), column([-1.0] * 5, start=3)],
        [column([-1.0, -0.5, 0.25, -1.0]), column([-0.1, 0.7, -0.9, -1.0, -1.0])],
        [column([-1.0] * 6), column([-1.0] * 6), column([1.0, -1.0], start=8)],
    ],
)
def test_the_draws_estimate_what_all_flips_give(
    family: Sequence[Mapping[str, float]],
) -> None:
    found = by_chance(family, seed=17, resamples=20_000).ps

    assert found == pytest.approx(by_all_flips(family), abs=0.011)


def test_five_cases_all_down_are_one_pattern_of_32() -> None:
    (p,) = by_chance([column([-1.0] * 5)], seed=17).ps

    assert p == pytest.approx(1 / 32, abs=SLACK / 3)


def test_what_moves_together_is_looked_at_once() -> None:
    one = column([-1.0] * 6)

    alone = by_chance([one], seed=17).ps[0]

    assert set(by_chance([one] * 40, seed=17).ps) == {alone}


def test_what_does_not_move_costs_nothing() -> None:
    one = column([-1.0] * 6)
    still = [column([0.0] * 50), {}] * 40

    assert by_chance([one, *still], seed=17).ps[0] == by_chance([one], seed=17).ps[0]


def test_what_moves_apart_is_corrected_for() -> None:
    one = column([-1.0] * 5)
    others = [column([1.0, -1.0] * 10, start=20 * place) for place in range(1, 20)]

    assert by_chance([one, *others], seed=17).ps[0] > 0.3


@pytest.mark.parametrize("values", [[], [0.0, 0.0], [1.0] * 9, [1.0, -1.0]])
def test_where_nothing_dropped_p_is_1(values: Sequence[float]) -> None:
    assert by_chance([column(values)], seed=17).ps == (1.0,)


def test_without_a_family_or_a_difference_nothing_is_critical() -> None:
    assert by_chance([], seed=17).ps == ()
    assert by_chance([], seed=17).critical is None
    assert by_chance([column([0.0] * 3)], seed=17).critical is None


def test_of_many_cases_one_metric_is_critical_where_the_normal_is() -> None:
    found = by_chance([column([1.0, -1.0] * 500)], seed=17, resamples=20_000)

    assert found.critical == pytest.approx(1.645, abs=0.05)


def test_a_drop_beyond_what_is_critical_has_a_p_of_at_most_5_percent() -> None:
    rng = np.random.default_rng(3)
    for _ in range(40):
        family = [column(rng.choice([-1, -1, 0, 1], 30).tolist()) for _ in range(4)]
        found = by_chance(family, seed=17)
        assert found.critical is not None
        for each, p in zip(family, found.ps, strict=True):
            size = math.sqrt(sum(by * by for by in each.values()))
            far = -sum(each.values()) / size
            assert (far > found.critical + 1e-6) <= (p <= 0.05)
            assert (far < found.critical - 1e-6) <= (p > 0.05)


def test_neither_the_order_of_cases_nor_the_last_bit_changes_a_byte() -> None:
    values = [-1.0, 0.5, -0.25, -1.0, 1 / 3, -2 / 3] * 9
    one = column(values)
    turned = {case: one[case] for case in sorted(one, reverse=True)}
    nearly = {case: by + 1e-16 for case, by in one.items()}

    found = [by_chance([each, column([-1.0])], seed=17) for each in (one, turned)]

    assert found[0] == found[1] == by_chance([nearly, column([-1.0])], seed=17)


def test_an_unchanged_system_is_seldom_taken_for_a_worse_one() -> None:
    rng = np.random.default_rng(5)
    alarms = 0
    for seed in range(400):
        then, now = rng.random((2, 60, 1)) + rng.random((2, 60, 8)) > 0.8
        by = now.astype(float) - then
        family = [column(each.tolist()) for each in by.T]
        alarms += min(by_chance(family, seed=seed, resamples=500).ps) <= 0.05

    assert 0.01 <= alarms / 400 <= 0.05 + SLACK
