"""A claim holds by point, interval and n; too few cases neither hold nor miss it."""

import pytest
from two_runs import HIT, RECALL, column, run

from lastro.errors import UsageError
from lastro.eval.compare import MIN_N, compare
from lastro.eval.compared import Claim
from lastro.eval.results import Run

WORSE = column([0.0] * 40)
BETTER = column([1.0] * 30 + [0.0] * 10)  # +0.75, far from zero
HARDLY = column([1.0] * 2 + [0.0] * 38)  # +0.05, zero not excluded


def claim(text: str, a: Run = WORSE, b: Run = BETTER, min_n: int = MIN_N) -> Claim:
    found = compare(a, b, claims=[text], min_n=min_n)
    assert found.exit_code == (
        3 if not found.claims[0].measured else 0 if found.claims[0].held else 1
    )
    return found.claims[0]


@pytest.mark.parametrize(
    ("text", "held"),
    [
        (f"{HIT} > 0", True),
        (f"{HIT}>0", True),
        (f" {HIT}  >=  +0.05 ", True),
        (f"{HIT} >= 0.75", True),
        (f"{HIT} >= 0.7500001", False),
        (f"{HIT} > 0.7499", True),
        (f"{HIT} > 0.75", False),
        (f"{HIT} >= 1", False),
        (f"{HIT} >= -0.02", True),
    ],
)
def test_the_point_has_to_reach_the_figure(text: str, held: bool) -> None:
    found = claim(text)

    assert (found.measured, found.held) == (True, held)
    assert ("does not reach" in found.why) == (not held)


def test_the_interval_has_to_lie_above_zero() -> None:
    found = claim(f"{HIT} >= +0.05", b=HARDLY)

    assert found.difference == 0.05
    assert (found.measured, found.held) == (True, False)
    assert found.ci_lo == 0.0
    assert "lower end" in found.why


def test_a_fall_never_holds_however_low_the_figure() -> None:
    assert not claim(f"{HIT} >= -1", a=BETTER, b=WORSE).held


def test_where_every_case_differs_by_the_same_that_is_the_lower_end() -> None:
    found = claim(f"{HIT} > 0", b=column([1.0] * 40))

    assert found.held
    assert (found.ci_lo, found.ci_hi) == (1.0, 1.0)
    assert "its interval lies above zero" in found.why


def test_a17_without_an_interval_no_claim_holds() -> None:
    found = claim(f"{HIT} > 0", a=column([0.0] * 5), b=column([1.0] * 5), min_n=2)

    assert (found.measured, found.held, found.ci_lo) == (True, False, None)
    assert "too few of them for an interval" in found.why


def test_m26_no_claim_holds_of_a_run_beside_itself() -> None:
    assert not claim(f"{HIT} > 0", a=BETTER, b=BETTER).held
    assert not claim(f"{HIT} >= 0", a=BETTER, b=BETTER).held


def test_a31_too_few_cases_are_not_measured_rather_than_missed() -> None:
    few = [1.0] * (MIN_N - 1)
    a, b = column([0.0] * (MIN_N - 1)), column(few)

    found = claim(f"{HIT} > 0", a=a, b=b)

    assert (found.measured, found.held, found.n) == (False, False, 29)
    assert "n is 29, --min-n asks for 30" in found.why
    assert claim(f"{HIT} > 0", a=a, b=b, min_n=29).held


def test_cases_of_one_run_alone_do_not_count() -> None:
    found = claim(f"{HIT} > 0", b=column([1.0] * 29))

    assert (found.measured, found.n) == (False, 29)


def test_a_metric_that_one_run_did_not_measure_is_not_measured() -> None:
    a = run({f"c{i}": [1.0, None] for i in range(40)})
    b = run({f"c{i}": [1.0, 1.0] for i in range(40)})

    found = claim(f"{RECALL} > 0", a=a, b=b)

    assert (found.measured, found.n) == (False, 0)
    assert "0 were measured in A, 40 in B" in found.why


def test_a_claim_may_be_about_a_slice() -> None:
    cells = {f"c{i:02d}": [0.0] for i in range(80)}
    locales = {name: "pt-BR" if int(name[1:]) < 40 else "ko" for name in cells}
    better = {name: [float(locales[name] == "ko")] for name in cells}
    a = run(cells, [HIT], locales=locales)
    b = run(better, [HIT], locales=locales)

    assert claim(f"by_locale.ko.{HIT} >= 1", a=a, b=b).held
    assert not claim(f"by_locale.pt-BR.{HIT} > 0", a=a, b=b).held
    assert claim(f"by_category.golden.{HIT} >= 0.5", a=a, b=b).held
    assert claim(f"by_locale+category.ko+golden.{HIT} >= 1", a=a, b=b).held
    assert "no case of both runs" in claim(f"by_locale.fr.{HIT} > 0", a=a, b=b).why


def test_a_stage_may_be_claimed_too() -> None:
    metric = "stage.fused.hit_at_k"

    assert claim(
        f"by_locale.en.{metric} > 0",
        column([0.0] * 40, metric),
        column([1.0] * 40, metric),
    ).held


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "is not METRIC >= FIGURE"),
        (HIT, "is not METRIC >= FIGURE"),
        (f"{HIT} >=", "is not METRIC >= FIGURE"),
        (f"{HIT} < 0.1", "is not METRIC >= FIGURE"),
        (f"{HIT} = 0.1", "is not METRIC >= FIGURE"),
        (f"{HIT} >= much", "is not METRIC >= FIGURE"),
        (f"{HIT} >= nan", "is not METRIC >= FIGURE"),
        (f"{HIT} >= 0.1 or so", "is not METRIC >= FIGURE"),
        (f"{HIT} >= 5", "no difference of shares"),
        (f"{HIT} > inf", "no difference of shares"),
        ("hit_rate > 0", "names 'hit_rate'; there are: retrieval_hit_at_k"),
        (f"by_colour.red.{HIT} > 0", "cannot be sliced by 'colour'"),
        (f"locale.ko.{HIT} > 0", "names 'locale.ko"),
        ("by_locale.ko > 0", "names 'by_locale.ko'"),
    ],
)
def test_a_claim_that_cannot_be_read_is_wrong_usage(text: str, why: str) -> None:
    with pytest.raises(UsageError) as told:
        compare(WORSE, BETTER, claims=[text])

    assert why in str(told.value)


def test_a_least_n_under_two_is_wrong_usage() -> None:
    with pytest.raises(UsageError, match="--min-n is 1"):
        compare(WORSE, BETTER, min_n=1)
