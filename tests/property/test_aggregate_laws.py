"""Laws of aggregates: range, order of rows, and what an interval may claim."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lastro.eval.aggregate import summarise, wilson

pytestmark = pytest.mark.property

scores = st.dictionaries(
    st.text(min_size=1, max_size=4), st.floats(0, 1, allow_nan=False), max_size=30
)


@given(scores, st.booleans(), st.integers(0, 5))
@settings(deadline=None)
def test_a_mean_and_its_interval_stay_in_range(
    given_scores: dict[str, float], binary: bool, failed: int
) -> None:
    scored = {key: float(round(v)) if binary else v for key, v in given_scores.items()}

    found = summarise(scored, binary=binary, failed=failed, resamples=50)

    assert found.n == len(scored)
    assert found.eligible == found.n + found.failed
    assert (found.mean is None) == (found.n == 0)
    assert (found.ci_lo is None) == (found.n < 2)
    if found.mean is not None and found.ci_lo is not None and found.ci_hi is not None:
        assert 0 <= found.ci_lo < found.ci_hi <= 1
        assert min(scored.values()) - 1e-12 <= found.mean
        assert found.mean <= max(scored.values()) + 1e-12


@given(scores, st.randoms(use_true_random=False))
@settings(deadline=None)
def test_the_order_of_rows_changes_nothing(
    given_scores: dict[str, float], shuffle: random.Random
) -> None:
    rows = list(given_scores.items())
    shuffle.shuffle(rows)

    again = summarise(dict(rows), binary=False, resamples=50)

    assert again == summarise(given_scores, binary=False, resamples=50)


@given(st.integers(1, 500), st.data())
def test_a_wilson_interval_holds_the_share_and_is_never_a_point(
    n: int, data: st.DataObject
) -> None:
    k = data.draw(st.integers(0, n))

    low, high = wilson(k / n, n)

    assert 0 <= low <= k / n <= high <= 1
    assert low < high


@given(st.integers(2, 400), st.data())
def test_a_wilson_interval_rises_with_the_share(n: int, data: st.DataObject) -> None:
    k = data.draw(st.integers(0, n - 1))

    here, above = wilson(k / n, n), wilson((k + 1) / n, n)

    assert here[0] < above[0]
    assert here[1] < above[1]
