"""A bar that was not measured is never a pass, and 3 outranks 1."""

import math
from collections.abc import Mapping

import pytest

from lastro.errors import UsageError
from lastro.eval.results import CaseResult, GoldUsed, Run
from lastro.eval.verdict import HIT, RECALL, Bars, judge, verdict
from lastro.model.ids import CaseId
from lastro.model.score import BarState, Failed, Scored, Summary


def summary(mean: float | None, n: int = 10, failed: int = 0) -> Summary:
    return Summary(
        mean=mean,
        n=n,
        eligible=n + failed,
        failed=failed,
        ci_lo=None,
        ci_hi=None,
        method="none",
        resamples=0,
        seed=17,
    )


GOOD = {HIT: summary(0.9), RECALL: summary(0.8), "groundedness": summary(0.7)}
SLICES: Mapping[str, Mapping[str, Mapping[str, Summary]]] = {
    "by_locale": {"pt-BR": {HIT: summary(0.6)}, "ko": {}},
    "by_tag": {"v1.2": {HIT: summary(0.5), "stage.fused.hit_at_k": summary(0.4)}},
}


def run(*results: CaseResult, aggregates: Mapping[str, Summary]) -> Run:
    return Run(
        metrics=(HIT,),
        results=results,
        aggregates=aggregates,
        slices={},
        k=4,
        gold=GoldUsed(),
    )


def broken(case_id: str) -> CaseResult:
    return CaseResult(
        id=CaseId(case_id), scores=(Failed("no trace"),), broke="no trace"
    )


def test_without_a_bar_a_run_that_could_be_read_exits_0() -> None:
    found = verdict(GOOD)

    assert found.passed
    assert found.exit_code == 0


def test_the_shipped_bars_are_always_listed_and_seen_to_be_inactive() -> None:
    found = verdict({HIT: summary(0.9)})

    assert [(bar.metric, bar.state, bar.required) for bar in found.bars] == [
        (HIT, BarState.INACTIVE, None),
        (RECALL, BarState.INACTIVE, None),
    ]
    assert [bar.observed for bar in found.bars] == [0.9, None]
    assert not any(bar.held for bar in found.bars)


def test_a08_a11_a_missed_bar_exits_1_and_is_named() -> None:
    found = verdict(GOOD, min_hit=0.95)

    assert found.exit_code == 1
    assert [(bar.metric, bar.observed, bar.required) for bar in found.breaches] == [
        (HIT, 0.9, 0.95)
    ]


@pytest.mark.parametrize(
    ("required", "code"), [(0.8999999, 0), (0.9, 0), (0.9 + 1e-12, 0), (0.9001, 1)]
)
def test_exactly_at_the_bar_holds(required: float, code: int) -> None:
    assert verdict(GOOD, min_hit=required).exit_code == code


def test_the_mean_of_three_tenths_holds_a_bar_of_three_tenths() -> None:
    assert verdict({HIT: summary(0.1 + 0.2 - 1e-16)}, min_hit=0.3).exit_code == 0


@pytest.mark.parametrize("mean", [math.nan, math.inf, -math.inf])
def test_a04_a29_a_mean_that_is_not_finite_never_passes(mean: float) -> None:
    found = verdict({HIT: summary(mean)}, min_hit=0.0)

    assert found.exit_code == 3
    assert found.bars[0].state is BarState.NOT_MEASURED
    assert found.bars[0].observed is None


def test_a06_a_bar_on_a_metric_that_no_case_carries_is_not_measured() -> None:
    found = verdict(GOOD, minimums={"refusal": 0.5})

    assert found.exit_code == 3
    assert found.bars[-1].state is BarState.NOT_MEASURED
    assert found.unmeasured == ("refusal: no case carries it",)


def test_a03_a12_a31_nothing_collected_exits_3() -> None:
    assert verdict({}).exit_code == 3
    assert judge(run(aggregates={}), Bars()).unmeasured == ("there are no cases",)
    assert judge(run(aggregates={}), Bars()).exit_code == 3


def test_a09_a13_a30_a_run_whose_cases_all_broke_exits_3_not_1() -> None:
    measured = run(broken("a"), broken("b"), aggregates={HIT: summary(0.1)})

    found = judge(measured, Bars(min_hit=0.5))

    assert found.exit_code == 3
    assert found.unmeasured[0] == "every case broke (2 of 2)"


def test_a_run_with_some_broken_cases_and_no_bar_exits_0() -> None:
    fine = CaseResult(id=CaseId("b"), scores=(Scored(1.0),))

    assert judge(run(broken("a"), fine, aggregates=GOOD), Bars()).exit_code == 0


def test_a32_a_bar_on_a_partly_broken_metric_is_not_measured() -> None:
    found = verdict({HIT: summary(1.0, n=9, failed=1)}, min_hit=0.5)

    assert found.exit_code == 3
    assert "9 of 10 eligible cases were scored" in found.bars[0].why


@pytest.mark.parametrize(("share", "code"), [(0.9, 0), (0.91, 3), (0.0, 0)])
def test_how_many_must_be_scored_can_be_chosen(share: float, code: int) -> None:
    thin = {HIT: summary(1.0, n=9, failed=1)}

    assert verdict(thin, min_hit=0.5, min_scored=share).exit_code == code


def test_a_metric_without_any_score_is_not_measured_whatever_is_required() -> None:
    nothing = {HIT: summary(None, n=0, failed=3), RECALL: summary(1.0)}

    assert verdict(nothing, min_hit=0.0, min_scored=0.0).exit_code == 3


def test_3_outranks_1() -> None:
    found = verdict(GOOD, min_hit=0.99, minimums={"refusal": 0.5})

    assert found.breaches
    assert found.exit_code == 3
    assert not found.passed


def test_a_bar_may_be_set_on_a_slice() -> None:
    path = f"by_locale.pt-BR.{HIT}"

    assert verdict(GOOD, SLICES, minimums={path: 0.6}).exit_code == 0
    assert verdict(GOOD, SLICES, minimums={path: 0.7}).breaches[0].metric == path


@pytest.mark.parametrize(
    ("path", "observed"),
    [(f"by_tag.v1.2.{HIT}", 0.5), ("by_tag.v1.2.stage.fused.hit_at_k", 0.4)],
)
def test_the_key_of_a_slice_and_a_metric_may_hold_dots(
    path: str, observed: float
) -> None:
    assert verdict(GOOD, SLICES, minimums={path: 0.1}).bars[-1].observed == observed


@pytest.mark.parametrize(
    ("path", "why"),
    [
        (f"by_locale.fr.{HIT}", "no case is in that slice; there are: pt-BR, ko"),
        (f"by_locale.ko.{HIT}", "no case of that slice carries it"),
    ],
)
def test_a_bar_on_a_slice_that_is_not_there_is_not_measured(
    path: str, why: str
) -> None:
    found = verdict(GOOD, SLICES, minimums={path: 0.5})

    assert found.exit_code == 3
    assert found.bars[-1].why == why


@pytest.mark.parametrize(
    "name", ["hit", "by_lcoale.ko.retrieval_hit_at_k", "by_locale.ko.hits", ""]
)
def test_a_bar_on_an_unknown_metric_is_wrong_usage_and_lists_the_names(
    name: str,
) -> None:
    with pytest.raises(UsageError, match="retrieval_recall_at_k"):
        verdict(GOOD, SLICES, minimums={name: 0.5})


@pytest.mark.parametrize("required", [math.nan, math.inf, -0.1, 80.0])
def test_a_bar_that_is_no_share_is_wrong_usage(required: float) -> None:
    with pytest.raises(UsageError, match="between 0 and 1"):
        verdict(GOOD, min_hit=required)
    with pytest.raises(UsageError, match="between 0 and 1"):
        verdict(GOOD, min_scored=required)


def test_a_minimum_of_none_is_listed_as_inactive() -> None:
    found = verdict(GOOD, minimums={"groundedness": None})

    assert found.bars[-1].state is BarState.INACTIVE
    assert found.exit_code == 0
