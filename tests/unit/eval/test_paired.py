"""Two systems on the same cases: the difference, its interval, p, and what n allows."""

import itertools
import math
import subprocess
import sys
import time
import tracemalloc
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from lastro.errors import EvaluationError
from lastro.eval.paired import Paired, holm, paired, student, tail


def cases(*values: float) -> dict[str, float]:
    return {f"c{i:05d}": value for i, value in enumerate(values)}


def drawn(n: int, seed: int) -> dict[str, float]:
    return cases(*np.random.default_rng(seed).random(n).tolist())


def by_hand(differences: list[Fraction]) -> float:
    """The sign-flip test as it is defined, in exact fractions."""
    none = Fraction(0)
    seen = abs(sum(differences, none))
    flips = list(itertools.product((1, -1), repeat=len(differences)))
    sums = (
        abs(sum((s * d for s, d in zip(signs, differences, strict=True)), none))
        for signs in flips
    )
    return sum(each >= seen for each in sums) / len(flips)


def test_a_small_comparison_by_hand() -> None:
    found = paired(cases(0.0, 0.5, 0.5, 1.0), cases(1.0, 0.5, 1.0, 1.0))

    assert (found.n, found.mean_a, found.mean_b) == (4, 0.5, 0.875)
    assert found.difference == 0.375
    assert found.p == 0.5  # of the four signs of 1.0 and 0.5 two reach 1.5
    assert (found.ci_lo, found.ci_hi) == (0.0, 1.0)


def test_only_cases_of_both_are_compared() -> None:
    found = paired(cases(0.0, 1.0), {"c00001": 1.0, "c00009": 0.0})

    assert (found.n, found.difference) == (1, 0.0)


def test_a18_a20_nothing_in_common_gives_nothing_rather_than_nan() -> None:
    assert paired({"a": 1.0}, {"b": 0.0}) == Paired(n=0)
    assert paired({}, {}) == Paired(n=0)


@pytest.mark.parametrize("n", [1, 2, 29, 200])
def test_m26_identical_runs_differ_by_nothing(n: int) -> None:
    run = drawn(n, 3)

    found = paired(run, dict(run))

    assert (found.difference, found.p) == (0.0, 1.0)
    assert (found.ci_lo, found.ci_hi, found.detectable) == (None, None, None)
    assert not found.above_zero
    assert not found.below_zero


def test_m26_the_last_bit_of_a_division_is_no_difference() -> None:
    one, other = cases(*[0.1 + 0.2] * 20), cases(*[0.3] * 20)
    assert one != other

    found = paired(one, other)

    assert (found.difference, found.p, found.ci_lo) == (0.0, 1.0, None)


def test_what_cancels_is_zero_and_not_above_it() -> None:
    thirds = [1 / 3, 1 / 3, 1 / 3, 0.1, 0.2, -0.3, -1.0] * 3
    found = paired(cases(*[0.0] * 21), cases(*thirds))

    assert found.difference == 0.0
    assert found.p == 1.0


def test_a16_one_case_has_no_interval_and_p_is_one() -> None:
    found = paired(cases(0.0), cases(1.0))

    assert (found.n, found.difference, found.p) == (1, 1.0, 1.0)
    assert (found.ci_lo, found.ci_hi, found.detectable) == (None, None, None)
    assert not found.above_zero


@pytest.mark.parametrize("shift", [0.25, -1.0])
def test_equal_differences_are_both_ends_and_have_no_width(shift: float) -> None:
    found = paired(cases(*[1.0] * 20), cases(*[1.0 + shift] * 20))

    assert found.difference == shift
    assert (found.ci_lo, found.ci_hi, found.detectable) == (shift, shift, None)
    assert found.p == pytest.approx(2 / 10_001, abs=2 / 10_001)
    assert found.above_zero == (shift > 0)
    assert found.below_zero == (shift < 0)


def test_a17_equal_differences_of_few_cases_have_no_interval() -> None:
    five, six = (paired(cases(*[0.0] * n), cases(*[1.0] * n)) for n in (5, 6))

    assert (five.p, five.ci_lo, five.ci_hi) == (2 / 2**5, None, None)
    assert not five.above_zero
    assert (six.p, six.ci_lo, six.ci_hi) == (2 / 2**6, 1.0, 1.0)
    assert six.above_zero


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_a20_a_score_that_is_no_number_is_refused_with_its_cases(bad: float) -> None:
    with pytest.raises(EvaluationError, match="c00001"):
        paired(cases(0.5, bad, 1.0), cases(0.5, 0.5, 0.5))


@pytest.mark.parametrize("n", [2, 5, 29, 200, 3000])
def test_the_interval_is_scipys_at_the_wider_level(n: int) -> None:
    a, b = drawn(n, n), drawn(n, n + 1)
    theirs = stats.bootstrap(
        (np.array([b[i] - a[i] for i in a]),),
        np.mean,
        n_resamples=2000,
        confidence_level=1 - 2 * tail(n),
        method="percentile",
        rng=np.random.default_rng(17),
    ).confidence_interval

    found = paired(a, b, resamples=2000)

    assert (found.ci_lo, found.ci_hi) == pytest.approx(theirs, abs=1e-9)


@pytest.mark.parametrize("z", [0.8416212335729143, 1.959963984540054])
@pytest.mark.parametrize("freedom", [1, 2, 3, 28, 199, 200, 201, 4999, 10**6])
def test_students_quantiles_are_scipys(z: float, freedom: int) -> None:
    theirs = stats.t.ppf(stats.norm.cdf(z), freedom)

    assert student(z, freedom) == pytest.approx(theirs, abs=2e-9)


@pytest.mark.parametrize("n", [2, 10, 29, 1000])
def test_the_tails_are_hesterbergs(n: int) -> None:
    wide = math.sqrt(n / (n - 1)) * stats.t.ppf(0.975, n - 1)

    assert tail(n) == pytest.approx(stats.norm.cdf(-wide), abs=1e-9)


@pytest.mark.parametrize("seed", range(20))
def test_a27_p_of_few_cases_is_that_of_every_sign_and_scipys(seed: int) -> None:
    rng = np.random.default_rng(seed)
    parts = rng.integers(-12, 13, size=9)
    differences = [Fraction(int(part), 12) for part in parts]
    b = cases(*(max(float(d), 0.0) for d in differences))
    a = cases(*(max(float(-d), 0.0) for d in differences))
    theirs = stats.permutation_test(
        (parts,), np.sum, permutation_type="samples", n_resamples=10_000
    )

    found = paired(a, b)

    assert found.p == by_hand(differences)
    assert found.p == pytest.approx(theirs.pvalue, abs=1e-12)


@pytest.mark.parametrize(("up", "down"), [(40, 20), (30, 28), (25, 3)])
def test_p_of_drawn_signs_is_near_the_exact_one(up: int, down: int) -> None:
    exact = stats.binomtest(up, up + down).pvalue
    b = cases(*[1.0] * up, *[0.0] * down)
    a = cases(*[0.0] * up, *[1.0] * down)

    found = paired(a, b, resamples=40_000)

    error = math.sqrt(exact * (1 - exact) / 40_000) + 1 / 40_000
    assert found.p == pytest.approx(exact, abs=4 * error)


def test_p_of_drawn_signs_is_never_zero() -> None:
    found = paired(cases(*[0.0] * 100), cases(*[1.0] * 99, 0.5), resamples=999)

    assert found.p == 1 / 1000


def test_cases_that_do_not_differ_have_no_sign() -> None:
    few = paired(cases(0.0, 0.0, 0.0), cases(1.0, 1.0, 1.0))
    among = paired(cases(*[0.0] * 60), cases(1.0, 1.0, 1.0, *[0.0] * 57))

    assert few.p == among.p == 0.25


def test_the_smallest_difference_found_is_that_of_the_t_test() -> None:
    a, b = drawn(50, 1), drawn(50, 2)
    s = np.std([b[i] - a[i] for i in a], ddof=1)
    reach = stats.t.ppf(0.975, 49) + stats.t.ppf(0.8, 49)

    assert paired(a, b).detectable == pytest.approx(reach * s / math.sqrt(50), 1e-9)


def test_a27_the_same_bytes_whatever_the_hash_seed_row_order_and_threads() -> None:
    code = (
        "import random, numpy as np; from lastro.eval.paired import paired;"
        "r = np.random.default_rng(1); n = 300;"
        "rows = [(str(i), x, y) for i, (x, y) in enumerate(r.random((n, 2)).tolist())];"
        "random.seed(SEED); random.shuffle(rows);"
        "print(paired({i: x for i, x, _ in rows}, {i: y for i, _, y in rows}))"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", code.replace("SEED", seed)],
            capture_output=True,
            check=True,
            env={"PYTHONHASHSEED": seed, "OMP_NUM_THREADS": seed},
        ).stdout
        for seed in ("1", "2", "7")
    }

    assert len(said) == 1


def test_ten_thousand_resamples_of_five_thousand_cases_are_quick_and_small() -> None:
    a, b = drawn(5000, 1), drawn(5000, 2)
    paired(a, b, resamples=10)
    start = time.process_time()
    paired(a, b)
    took = time.process_time() - start
    tracemalloc.start()

    paired(a, b)

    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert took < 2  # 0.3 s alone; the bar of 0.5 s is that of bench/scoring.py
    assert peak < 20_000_000


def test_holm_by_hand_and_by_its_definition() -> None:
    assert holm([0.01, 0.04, 0.03]) == (0.03, 0.06, 0.06)
    assert holm([0.5, 0.9]) == (1.0, 1.0)
    assert holm([None, 0.04, None]) == (None, 0.04, None)
    assert holm([]) == ()
