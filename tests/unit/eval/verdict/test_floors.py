"""Floors on means, on lower ends, on declining, and on how many cases there are."""

import math
from dataclasses import replace

import pytest
from held import GROUNDED, HIT, column, run
from two_runs import named

from lastro.errors import UsageError
from lastro.eval.results import BothWays, CaseResult
from lastro.eval.scorers import SCORERS
from lastro.eval.verdict import ANSWERED, DECLINED, Bars, judge, verdict
from lastro.model.case import QueryType
from lastro.model.score import Bar, BarKind, BarState

EIGHT_OF_TEN = column([1.0] * 8 + [0.0] * 2)


def bar(found_by: Bars, of: object = EIGHT_OF_TEN) -> Bar:
    return judge(of, found_by).bars[-1]  # type: ignore[arg-type]


def test_a_bar_tells_the_n_and_the_interval_that_it_stands_on() -> None:
    seen = judge(EIGHT_OF_TEN, Bars(min_hit=0.5)).bars[0]

    assert (seen.kind, seen.n, seen.observed) == (BarKind.MEAN, 10, 0.8)
    assert seen.ci_lo == pytest.approx(0.490162, abs=1e-6)  # Wilson, 8 of 10
    assert seen.ci_hi == pytest.approx(0.943318, abs=1e-6)


@pytest.mark.parametrize(("least", "code"), [(0.49, 0), (0.5, 1)])
def test_a_floor_on_the_lower_end_looks_at_the_interval_not_at_the_mean(
    least: float, code: int
) -> None:
    found = judge(EIGHT_OF_TEN, Bars(min_lower={HIT: least}))

    assert found.exit_code == code
    assert found.bars[-1].kind is BarKind.LOWER
    assert found.bars[-1].observed == found.bars[-1].ci_lo


def test_a17_one_case_has_no_lower_end_so_its_bar_is_not_measured() -> None:
    found = judge(column([1.0]), Bars(min_lower={HIT: 0.0}))

    assert found.exit_code == 3
    assert found.bars[-1].why == "n is 1: there is no interval, so no lower end"


@pytest.mark.parametrize(("least", "code"), [(10, 0), (11, 3)])
def test_under_the_least_n_a_bar_is_not_measured(least: int, code: int) -> None:
    assert judge(EIGHT_OF_TEN, Bars(min_hit=0.5, min_n=least)).exit_code == code
    by_name = Bars(min_hit=0.5, min_n_of={HIT: least})
    assert judge(EIGHT_OF_TEN, by_name).exit_code == code


def test_the_least_n_asks_nothing_of_a_bar_that_is_not_set() -> None:
    found = judge(EIGHT_OF_TEN, Bars(min_n=1000))

    assert found.exit_code == 0
    assert {each.state for each in found.bars} == {BarState.INACTIVE}


def test_a_slice_has_an_n_of_its_own() -> None:
    of = run(
        {"a": [1.0, 1.0], "b": [1.0, 1.0], "c": [1.0, 1.0]},
        locales={"a": "ko", "b": "en", "c": "en"},
    )
    path = f"by_locale.ko.{GROUNDED}"

    found = judge(of, Bars(minimums={path: 0.5}, min_n=2))

    assert found.unmeasured == (f"{path}: n is 1, and --min-n asks for 2",)


def declining(answered: float, declined: float) -> object:
    def summary(mean: float) -> object:
        return replace(EIGHT_OF_TEN.aggregates[HIT], mean=mean)

    both = BothWays(answered=summary(answered), declined=summary(declined))  # type: ignore[arg-type]
    return replace(EIGHT_OF_TEN, both_ways=both)


@pytest.mark.parametrize(
    ("answered", "declined", "missed"),
    [
        (1.0, 0.0, [DECLINED]),  # who always answers
        (0.0, 1.0, [ANSWERED]),  # who always refuses
        (0.9, 0.9, []),
    ],
)
def test_g21_neither_always_answering_nor_always_refusing_passes(
    answered: float, declined: float, missed: list[str]
) -> None:
    both = Bars(minimums={ANSWERED: 0.8, DECLINED: 0.8})

    found = judge(declining(answered, declined), both)  # type: ignore[arg-type]

    assert [each.metric for each in found.breaches] == missed


def test_g21_declining_that_no_case_tells_of_is_not_measured() -> None:
    found = judge(EIGHT_OF_TEN, Bars(minimums={DECLINED: 0.0}))

    assert found.exit_code == 3
    assert found.bars[-1].why == "no case says whether it was declined"


def test_declining_is_not_measured_by_slice_and_a_bar_there_is_refused() -> None:
    with pytest.raises(UsageError, match="there is no metric"):
        judge(EIGHT_OF_TEN, Bars(minimums={f"by_locale.en.{ANSWERED}": 0.5}))


def test_a_bar_may_be_set_on_combined_dimensions() -> None:
    of = run(
        {"a": [1.0, 1.0], "b": [0.0, 1.0], "c": [0.0, 0.0], "d": [1.0, None]},
        locales={"a": "ko", "b": "ko", "c": "ko", "d": "en"},
    )
    kinds = {"a": QueryType.COMPARISON, "b": QueryType.COMPARISON}

    def kind(result: CaseResult) -> CaseResult:
        single = QueryType.SINGLE_DOC
        return replace(result, query_type=kinds.get(result.id, single))

    of = replace(of, results=tuple(map(kind, of.results)))
    path = f"by_locale+query_type.ko+comparison.{HIT}"
    nowhere = f"by_locale+query_type.pt-BR+comparison.{HIT}"
    unscored = f"by_locale+query_type.en+single_doc.{GROUNDED}"

    held = judge(of, Bars(minimums={path: 0.5}))
    missed = judge(of, Bars(minimums={path: 0.51}))
    thin = judge(of, Bars(minimums={nowhere: 0.1, unscored: 0.1}))

    assert (held.exit_code, held.bars[-1].n, held.bars[-1].observed) == (0, 2, 0.5)
    assert missed.exit_code == 1
    assert thin.exit_code == 3
    assert thin.bars[-2].why.startswith("no case is in that slice; there are: en+")
    assert thin.bars[-1].why == "no case of that slice carries it"


@pytest.mark.parametrize("figure", [math.nan, math.inf, -math.inf, -0.1, 1.1])
def test_a04_a_bar_that_is_no_share_is_wrong_usage_whichever_it_is(
    figure: float,
) -> None:
    for bars in (
        Bars(minimums={GROUNDED: figure}),
        Bars(min_lower={GROUNDED: figure}),
        Bars(tolerance=figure),
        Bars(min_scored=figure),
    ):
        with pytest.raises(UsageError, match="no share between 0 and 1"):
            judge(EIGHT_OF_TEN, bars)


def test_a_bar_on_no_case_at_all_is_wrong_usage() -> None:
    for bars in (Bars(min_n=0), Bars(min_n_of={HIT: 0})):
        with pytest.raises(UsageError, match="at least 1 case"):
            judge(EIGHT_OF_TEN, bars)


def test_one_floor_under_two_names_is_wrong_usage() -> None:
    with pytest.raises(UsageError, match="given twice"):
        judge(EIGHT_OF_TEN, Bars(min_hit=0.5, minimums={HIT: 0.6}))


def test_a_floor_given_by_its_long_name_is_listed_once() -> None:
    found = judge(EIGHT_OF_TEN, Bars(minimums={HIT: 0.6}))

    assert [each.metric for each in found.bars].count(HIT) == 1


def test_the_library_form_takes_each_bar_by_its_name() -> None:
    found = verdict(EIGHT_OF_TEN.aggregates, min_hit=0.9, min_lower={HIT: 0.4}, min_n=5)

    assert found.exit_code == 1
    assert [each.held for each in found.bars if each.required] == [False, True]


def test_m13_a20_no_cases_is_told_as_that_whatever_bars_there_are() -> None:
    nothing = named(run({}), cases=0)
    every = Bars(min_hit=0.5, min_lower={HIT: 0.1}, fail_on_case=True)

    found = judge(nothing, every)

    assert found.unmeasured == ("there are no cases",)
    assert found.exit_code == 3


def test_a02_a21_what_broke_stays_in_the_denominator_and_no_number_is_made_of_it() -> (
    None
):
    of = column([1.0, 1.0, "boom", None])

    strict, lenient = (
        judge(of, Bars(min_hit=0.9, min_scored=share)) for share in (1.0, 0.6)
    )

    assert strict.exit_code == 3
    assert strict.bars[0].why.startswith("2 of 3 eligible cases were scored")
    assert (lenient.exit_code, lenient.bars[0].n) == (0, 2)


def test_every_metric_of_the_table_may_carry_a_bar() -> None:
    for scorer in SCORERS:
        found = judge(EIGHT_OF_TEN, Bars(minimums={scorer.name: 0.0}))
        held = scorer.name == HIT
        assert found.exit_code == (0 if held else 3)
