"""Laws of what chance does to a family: to look further never makes a drop surer."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lastro.eval.verdict.chance import by_chance

pytestmark = pytest.mark.property

CASES = [f"c{place}" for place in range(12)]
Metric = dict[str, float]

steps = st.sampled_from((-1.0, -0.5, -1 / 3, 0.0, 0.25, 1.0))
metrics = st.lists(steps, min_size=12, max_size=12).map(
    lambda row: dict(zip(CASES, row, strict=True))
)
families = st.lists(metrics, min_size=1, max_size=4)
all_moved: Metric = dict.fromkeys(CASES, 0.25)  # so that every family has these cases


@given(families)
def test_p_is_a_share_above_0_and_1_where_nothing_dropped(family: list[Metric]) -> None:
    found = by_chance(family, seed=17, resamples=200)

    for metric, p in zip(family, found.ps, strict=True):
        assert 0 < p <= 1
        if sum(metric.values()) >= 1e-9:
            assert p == 1


@given(families, metrics)
def test_to_look_at_one_more_never_makes_a_drop_surer(
    family: list[Metric], more: Metric
) -> None:
    before = by_chance([all_moved, *family], seed=17, resamples=200)
    after = by_chance([all_moved, *family, more], seed=17, resamples=200)

    assert all(x <= y for x, y in zip(before.ps, after.ps, strict=False))
    assert before.critical is not None
    assert after.critical is not None
    assert before.critical <= after.critical


@given(families)
def test_to_look_at_the_same_twice_costs_nothing(family: list[Metric]) -> None:
    once = by_chance(family, seed=17, resamples=200)
    twice = by_chance([*family, *family], seed=17, resamples=200)

    assert twice.ps == once.ps * 2
    assert twice.critical == once.critical


@given(families)
@settings(max_examples=40)
def test_the_scale_of_a_metric_changes_nothing(family: list[Metric]) -> None:
    smaller = [{case: by / 16 for case, by in metric.items()} for metric in family]

    found = by_chance(smaller, seed=17, resamples=200).ps

    assert found == by_chance(family, seed=17, resamples=200).ps


@given(metrics, st.sampled_from(CASES))
def test_a_case_that_drops_further_never_helps(metric: Metric, case: str) -> None:
    worse = metric | {case: -1.0}
    far, further = (
        -sum(each.values()) / (sum(by * by for by in each.values()) ** 0.5 or 1.0)
        for each in (metric, worse)
    )

    before, after = (by_chance([m, all_moved], seed=17) for m in (metric, worse))

    if further >= far and metric[case] != 0.0:
        assert after.ps[0] <= before.ps[0] + 0.05  # the draws' own error
