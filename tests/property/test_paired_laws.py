"""Laws of comparing two systems: which came first, order, shifts, and Holm."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lastro.eval.paired import Paired, holm, paired

pytestmark = pytest.mark.property

# Shares as metrics give them: halves, thirds, twelfths, and any float.
shares = st.one_of(
    st.integers(0, 12).map(lambda twelfths: twelfths / 12),
    st.floats(0, 1, allow_nan=False),
)
runs = st.dictionaries(
    st.text(min_size=1, max_size=3), st.tuples(shares, shares), max_size=25
)
ps = st.lists(st.one_of(st.none(), st.floats(0, 1, allow_nan=False)), max_size=12)

Rows = dict[str, tuple[float, float]]


def compared(rows: Rows, *, swapped: bool = False) -> Paired:
    first = {key: pair[swapped] for key, pair in rows.items()}
    second = {key: pair[not swapped] for key, pair in rows.items()}
    return paired(first, second, resamples=200)


@given(runs)
@settings(deadline=None)
def test_the_other_way_round_everything_is_mirrored(rows: Rows) -> None:
    there, back = compared(rows), compared(rows, swapped=True)

    assert (there.n, there.p) == (back.n, back.p)
    assert (there.mean_a, there.mean_b) == (back.mean_b, back.mean_a)
    assert there.above_zero == back.below_zero
    if there.difference is not None and back.difference is not None:
        assert there.difference == -back.difference
    assert (there.ci_lo is None) == (back.ci_hi is None)
    if there.ci_lo is not None and back.ci_hi is not None:
        assert there.ci_lo == pytest.approx(-back.ci_hi, abs=1e-9)
        assert there.detectable == pytest.approx(back.detectable)


@given(runs, st.randoms(use_true_random=False))
@settings(deadline=None)
def test_the_order_of_rows_changes_no_byte(rows: Rows, shuffle: random.Random) -> None:
    mixed = list(rows.items())
    shuffle.shuffle(mixed)

    assert compared(dict(mixed)) == compared(rows)


@given(
    st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), max_size=25),
    st.integers(-12, 12),
)
@settings(deadline=None)
def test_what_both_gain_is_no_difference(
    twelfths: list[tuple[int, int]], by: int
) -> None:
    rows = {str(i): (a / 12, b / 12) for i, (a, b) in enumerate(twelfths)}
    moved = {
        str(i): ((a + by) / 12, (b + by) / 12) for i, (a, b) in enumerate(twelfths)
    }

    here, there = compared(rows), compared(moved)

    assert (here.n, here.p) == (there.n, there.p)
    assert here.difference == pytest.approx(there.difference, abs=1e-12)
    assert here.ci_lo == pytest.approx(there.ci_lo, abs=1e-12)
    assert here.ci_hi == pytest.approx(there.ci_hi, abs=1e-12)


@given(runs)
@settings(deadline=None)
def test_everything_is_in_range_and_an_interval_lies_around_what_was_seen(
    rows: Rows,
) -> None:
    found = compared(rows)

    assert found.n == len(rows)
    assert (found.difference is None) == (found.p is None) == (not rows)
    if found.p is not None:
        assert 0 < found.p <= 1
    if found.ci_lo is not None and found.ci_hi is not None:
        assert found.difference is not None
        assert -1 <= found.ci_lo <= found.difference + 1e-9
        assert found.difference - 1e-9 <= found.ci_hi <= 1
        assert found.n > 1
        assert (found.detectable is not None) == (found.ci_lo < found.ci_hi)
    if found.detectable is not None:
        assert found.detectable > 0


@given(runs, st.integers(1, 30))
@settings(deadline=None)
def test_cases_that_do_not_differ_change_no_p(rows: Rows, more: int) -> None:
    same = {f"same {i}": (0.5, 0.5) for i in range(more)}

    # Only where no sign is drawn: the grid of the steps knows n.
    few = dict(list(rows.items())[:10])
    few = {key: (round(12 * a) / 12, round(12 * b) / 12) for key, (a, b) in few.items()}
    assert compared({**few, **same}).p == (compared(few).p if few else 1.0)


@given(ps)
def test_holm_only_raises_keeps_the_order_and_stays_a_share(
    given_ps: list[float | None],
) -> None:
    corrected = holm(given_ps)

    assert len(corrected) == len(given_ps)
    pairs = []
    for p, after in zip(given_ps, corrected, strict=True):
        assert (p is None) == (after is None)
        if p is not None and after is not None:
            assert p <= after <= 1
            pairs.append((p, after))
    assert [after for _, after in sorted(pairs)] == sorted(a for _, a in pairs)
    if pairs:
        least = min(p for p, _ in pairs)
        assert min(after for _, after in pairs) == min(1.0, least * len(pairs))
