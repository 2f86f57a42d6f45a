"""Laws of the verdict: a better mean never turns a pass into a failure."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastro.eval.verdict import HIT, verdict
from lastro.model.score import Summary

pytestmark = pytest.mark.property
shares = st.floats(0, 1, allow_nan=False)


def summary(mean: float, n: int, failed: int) -> Summary:
    return Summary(
        mean=mean if n else None,
        n=n,
        eligible=n + failed,
        failed=failed,
        ci_lo=None,
        ci_hi=None,
        method="none",
        resamples=0,
        seed=17,
    )


@given(shares, shares, shares)
def test_a_verdict_is_monotone_in_the_mean(bar: float, one: float, two: float) -> None:
    low, high = sorted((one, two))

    worse = verdict({HIT: summary(low, 5, 0)}, min_hit=bar)
    better = verdict({HIT: summary(high, 5, 0)}, min_hit=bar)

    assert better.exit_code <= worse.exit_code


@given(shares, shares, st.integers(0, 5), st.integers(0, 5))
def test_a_pass_means_that_the_bar_was_measured_and_reached(
    bar: float, mean: float, n: int, failed: int
) -> None:
    found = verdict({HIT: summary(mean, n, failed)}, min_hit=bar)

    if found.exit_code == 0:
        assert n > 0
        assert failed == 0
        assert mean >= bar - 1e-9
    assert found.passed == (found.exit_code == 0)
