"""Means carry their n of eligible and an interval that never claims certainty."""

import math
import tracemalloc
from dataclasses import dataclass

import numpy as np
import pytest
from scipy import stats

from lastro.errors import UsageError
from lastro.eval.aggregate import (
    DIMENSIONS,
    MANY,
    RESAMPLES,
    SEED,
    aggregate,
    apart,
    bootstrap,
    bootstraps,
    slices,
    summarise,
    wilson,
)
from lastro.eval.results import CaseResult
from lastro.model.case import Category, QueryType
from lastro.model.ids import CaseId
from lastro.model.score import Failed, Score, Scored, Unscored


@dataclass(frozen=True)
class Named:
    name: str
    binary: bool = False


def graded(*values: float) -> dict[str, float]:
    return {f"c{i:05d}": value for i, value in enumerate(values)}


def result(case_id: str, *scores: Score, locale: str | None = None) -> CaseResult:
    return CaseResult(id=CaseId(case_id), locale=locale, scores=scores)


@pytest.mark.parametrize("n", [1, 2, 7, 29, 200, 5000])
def test_wilson_is_scipys(n: int) -> None:
    for k in sorted({0, 1, n // 3, n - 1, n}):
        theirs = stats.binomtest(k, n).proportion_ci(method="wilson")

        assert wilson(k / n, n) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


@pytest.mark.parametrize("n", [2, 3, 10, 29, 200, 5000])
def test_the_bootstrap_is_the_slow_definition_and_scipys(n: int) -> None:
    values = np.random.default_rng(n).random(n)
    rng = np.random.Generator(np.random.PCG64(SEED))
    means = [
        float(np.mean([values[i] for i in rng.integers(0, n, size=n)]))
        for _ in range(RESAMPLES)
    ]
    slow = tuple(np.percentile(means, [2.5, 97.5], method="linear"))
    theirs = stats.bootstrap(
        (values,),
        np.mean,
        n_resamples=RESAMPLES,
        method="percentile",
        rng=np.random.default_rng(SEED),
    ).confidence_interval

    found = bootstrap(values.tolist())

    assert found == pytest.approx(slow, abs=1e-12)
    assert found == pytest.approx((theirs.low, theirs.high), abs=1e-12)


@pytest.mark.parametrize("tail", [0.025, 0.0185, 0.2])
def test_the_ends_are_numpys_percentiles_to_the_last_bit(tail: float) -> None:
    for n in (2, 7, 33, 999):
        values = np.random.default_rng(n).random(n)
        rng = np.random.Generator(np.random.PCG64(SEED))
        index = rng.integers(0, n, size=(RESAMPLES, n))
        means = values[index].mean(axis=1)
        low, high = np.percentile(means, [100 * tail, 100 - 100 * tail])

        assert bootstrap(values.tolist(), tail=tail) == (float(low), float(high))


def test_a25_many_intervals_at_once_are_those_of_each_alone() -> None:
    rng = np.random.default_rng(2)
    sizes = (5, 40, 5, 40, 700, 40, MANY + 1, MANY + 1, 2)
    many = [rng.integers(0, 9, size) / 8 for size in sizes]
    many.append(rng.random(MANY + 1))  # mostly distinct: drawn by index all the same

    together = bootstraps(many, resamples=200)

    assert together == [bootstrap(each.tolist(), resamples=200) for each in many]
    assert bootstraps(many[::-1], resamples=200) == together[::-1]
    assert bootstraps([]) == []


def test_over_many_cases_the_counts_give_the_same_law() -> None:
    values = np.random.default_rng(3).choice([0.0, 0.25, 0.5, 1.0], MANY + 1)
    half = 1.959964 * values.std() / math.sqrt(values.size)

    low, high = bootstrap(values.tolist(), resamples=4000)

    assert low == pytest.approx(values.mean() - half, abs=half / 8)
    assert high == pytest.approx(values.mean() + half, abs=half / 8)


def test_a_graded_metric_has_a_bootstrap_interval_with_its_recipe() -> None:
    summary = summarise(graded(0.0, 0.5, 1.0, 1.0), binary=False)

    assert summary.mean == 0.625
    assert (summary.method, summary.resamples, summary.seed) == ("bootstrap", 1000, 17)
    assert summary.ci_lo is not None
    assert summary.ci_hi is not None
    assert 0 <= summary.ci_lo < 0.625 < summary.ci_hi <= 1


def test_shares_that_crowd_at_one_end_have_the_interval_of_as_many_answers() -> None:
    values = [1.0] * 26 + [0.5, 0.5, 0.0]
    variance = float(np.var(values))
    like = 29 * (27 / 29) * (2 / 29) / variance

    summary = summarise(graded(*values), binary=False)

    assert (summary.method, summary.resamples) == ("wilson-effective", 0)
    assert (summary.ci_lo, summary.ci_hi) == pytest.approx(wilson(27 / 29, like))


def test_a_graded_metric_of_zeros_and_ones_that_crowd_is_like_a_binary_one() -> None:
    values = graded(*[1.0] * 28, 0.0)

    there, here = (summarise(values, binary=binary) for binary in (True, False))

    assert (there.method, here.method) == ("wilson", "wilson-effective")
    assert (here.ci_lo, here.ci_hi) == pytest.approx((there.ci_lo, there.ci_hi))


@pytest.mark.parametrize(
    ("ones", "method"), [(16, "bootstrap"), (17, "wilson-effective")]
)
def test_up_to_a_third_of_skewness_the_bootstrap_stays(ones: int, method: str) -> None:
    values = [0.0, *[0.5] * 5, *[1.0] * ones]
    skewness = abs(stats.skew(values)) / math.sqrt(len(values))

    assert (skewness > 1 / 3) == (method != "bootstrap")
    assert summarise(graded(*values), binary=False).method == method


def test_values_that_are_no_shares_keep_the_bootstrap() -> None:
    assert summarise(graded(*[2.0] * 20, 0.0), binary=False).method == "bootstrap"


def test_a_binary_metric_has_a_wilson_interval() -> None:
    summary = summarise(graded(0.0, 1.0, 1.0), binary=True)

    assert (summary.method, summary.resamples) == ("wilson", 0)
    assert (summary.ci_lo, summary.ci_hi) == wilson(2 / 3, 3)


@pytest.mark.parametrize("value", [0.0, 1.0])
def test_a_graded_metric_at_its_boundary_has_a_wilson_interval(value: float) -> None:
    summary = summarise(graded(*[value] * 20), binary=False)

    assert summary.method == "wilson"
    assert (summary.ci_lo, summary.ci_hi) == wilson(value, 20)
    assert summary.ci_hi - summary.ci_lo > 0.1  # type: ignore[operator]


def test_a17_equal_scores_strictly_inside_never_give_an_interval_of_no_width() -> None:
    summary = summarise(graded(*[0.5] * 20), binary=False)

    assert summary.method == "wilson"
    assert (summary.ci_lo, summary.ci_hi) == wilson(0.5, 20)


def test_a16_one_case_has_no_interval() -> None:
    summary = summarise(graded(0.5), binary=False)

    assert (summary.mean, summary.n, summary.method) == (0.5, 1, "none")
    assert (summary.ci_lo, summary.ci_hi) == (None, None)


def test_a16_resamples_are_as_large_as_the_sample_and_with_replacement() -> None:
    values = np.random.default_rng(1).random(400)
    width = 2 * 1.96 * values.std() / math.sqrt(values.size)

    low, high = bootstrap(values.tolist(), resamples=4000)

    assert high - low == pytest.approx(width, rel=0.1)


@pytest.mark.parametrize("failed", [0, 3])
def test_a18_a20_no_score_gives_no_mean_rather_than_nan(failed: int) -> None:
    summary = summarise({}, binary=False, failed=failed)

    assert summary.mean is None
    assert (summary.n, summary.eligible, summary.method) == (0, failed, "none")


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_a02_a_score_that_is_not_finite_is_excluded_and_counted(bad: float) -> None:
    summary = summarise(graded(1.0, bad, 0.0), binary=False, failed=1)

    assert (summary.mean, summary.n) == (0.5, 2)
    assert (summary.failed, summary.eligible) == (2, 4)


def test_a21_a32_the_denominator_is_what_was_attempted_and_both_are_shown() -> None:
    broken = [result(f"b{i}", Failed("no trace")) for i in range(2)]
    judged = [result(f"c{i}", Scored(float(i < 2))) for i in range(6)]

    summary = aggregate([*broken, *judged], [Named("m", binary=True)])["m"]

    assert summary.mean == pytest.approx(2 / 6)
    assert (summary.n, summary.failed, summary.eligible) == (6, 2, 8)


def test_a_metric_that_no_case_carries_is_absent() -> None:
    results = [result("a", Scored(1.0), Unscored("no gold"))]

    assert list(aggregate(results, [Named("m"), Named("none")])) == ["m"]


def test_a_metric_whose_cases_all_broke_was_carried_by_none() -> None:
    assert aggregate([result("a", Failed("no trace"))], [Named("m")]) == {}


def test_a_metric_of_nothing_but_nan_has_no_mean() -> None:
    summary = aggregate([result("a", Scored(math.nan))], [Named("m")])["m"]

    assert (summary.mean, summary.n, summary.failed) == (None, 0, 1)


def test_an_unscored_case_is_not_eligible() -> None:
    results = [result("a", Scored(1.0)), result("b", Unscored("no gold"))]

    assert aggregate(results, [Named("m")])["m"].eligible == 1


def test_the_order_of_results_changes_no_byte() -> None:
    values = np.random.default_rng(5).random(50)
    results = [result(f"c{i:02d}", Scored(float(v))) for i, v in enumerate(values)]

    assert aggregate(results[::-1], [Named("m")]) == aggregate(results, [Named("m")])


def test_a25_one_metric_or_slice_never_gets_the_result_of_another() -> None:
    results = [
        result("a", Scored(0.0), Scored(1.0), locale="ko"),
        result("b", Scored(0.5), Scored(0.25), locale="pt-BR"),
    ]
    metrics = [Named("m"), Named("other")]

    by_locale = slices(results, metrics)["by_locale"]

    assert aggregate(results, metrics)["m"].mean == 0.25
    assert aggregate(results, metrics)["other"].mean == 0.625
    assert by_locale["ko"]["m"].mean == 0.0
    assert by_locale["pt-BR"]["other"].mean == 0.25


def test_slices_are_by_category_locale_query_type_and_tag() -> None:
    one = CaseResult(
        id=CaseId("a"),
        category=Category.ADVERSARIAL,
        locale="es-419",
        query_type=QueryType.COMPARISON,
        tags=("hard", "table", "hard"),
        scores=(Scored(1.0),),
    )
    two = result("b", Scored(0.0))

    found = slices([one, two], [Named("m")])

    assert {name: list(group) for name, group in found.items()} == {
        "by_category": ["adversarial", "golden"],
        "by_locale": ["es-419", "unset"],
        "by_query_type": ["comparison", "unset"],
        "by_tag": ["hard", "table"],
    }
    assert found["by_tag"]["hard"]["m"].n == 1


def test_where_no_case_has_a_locale_there_is_nothing_to_slice_by() -> None:
    assert slices([result("a", Scored(1.0))], [Named("m")])["by_locale"] == {}


def test_a_slice_with_broken_cases_counts_only_its_own() -> None:
    results = [
        result("a", Failed("no trace"), locale="ko"),
        result("b", Scored(1.0), locale="ko"),
        result("c", Scored(1.0), locale="en"),
    ]

    by_locale = slices(results, [Named("m")])["by_locale"]

    assert by_locale["ko"]["m"].eligible == 2
    assert by_locale["en"]["m"].eligible == 1


def test_a_system_is_told_apart_only_by_a_difference_that_excludes_zero() -> None:
    ahead = graded(*[1.0] * 20)
    level = graded(*[1.0, 0.0] * 10)
    other = graded(*[0.0, 1.0] * 10)

    asked = [
        ((ahead, level), True),
        ((level, other), False),
        ((level, ahead), False),
        ((ahead, ahead), False),
        ((ahead, graded(*[0.5] * 20)), True),
        ((graded(1.0), graded(0.0)), False),
        ((ahead, {}), False),
    ]

    assert apart([pair for pair, _ in asked]) == [told for _, told in asked]
    assert [apart([pair])[0] for pair, _ in asked] == [told for _, told in asked]


def test_memory_of_a_bootstrap_is_flat() -> None:
    values = np.random.default_rng(0).random(5000).tolist()
    bootstrap(values[:10])
    tracemalloc.start()

    bootstrap(values, resamples=10_000)

    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 20_000_000


def labelled(name: str, locale: str | None, kind: QueryType | None) -> CaseResult:
    return CaseResult(
        id=CaseId(name),
        locale=locale,
        query_type=kind,
        tags=("a", "b", "a"),
        scores=(Scored(1.0),),
    )


def test_combined_slices_are_asked_for_and_carry_the_same_summaries() -> None:
    results = [
        labelled("1", "ko", QueryType.COMPARISON),
        labelled("2", "ko", QueryType.SINGLE_DOC),
        labelled("3", "en", QueryType.COMPARISON),
        labelled("4", None, QueryType.COMPARISON),
        labelled("5", "ko", QueryType.COMPARISON),
    ]
    found = slices(results, [Named("m")], combine=["locale+query_type"])
    both = found["by_locale+query_type"]
    assert list(both) == [
        "en+comparison",
        "ko+comparison",
        "ko+single_doc",
        "unset+comparison",
    ]
    assert both["ko+comparison"] == aggregate([results[0], results[4]], [Named("m")])
    assert list(found)[:4] == list(DIMENSIONS)
    assert set(slices(results, [Named("m")])) == set(DIMENSIONS)


def test_a_case_stands_under_each_of_its_tags_in_a_combination() -> None:
    found = slices([labelled("1", "ko", None)], [Named("m")], combine=["tag+locale"])
    assert list(found["by_tag+locale"]) == ["a+ko", "b+ko"]


def test_cases_without_any_of_the_labels_have_no_combined_slices() -> None:
    combine = ["locale+query_type"]
    found = slices([labelled("1", None, None)], [Named("m")], combine=combine)
    assert found["by_locale+query_type"] == {}


@pytest.mark.parametrize("wrong", ["colour", "locale+colour", "", "locale+", "LOCALE"])
def test_a_slice_by_what_cases_are_not_labelled_with_is_refused(wrong: str) -> None:
    with pytest.raises(UsageError, match="there are: category, locale, query_type"):
        slices([], [Named("m")], combine=[wrong])


def test_a_dimension_that_stands_twice_is_refused() -> None:
    with pytest.raises(UsageError, match="twice"):
        slices([], [Named("m")], combine=["locale+locale"])
