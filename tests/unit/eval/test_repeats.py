"""Several runs of a case are one case: its scores are means, its failures a count."""

import json
import math
from itertools import permutations

import pytest

from lastro.errors import InputError
from lastro.eval.aggregate import summarise
from lastro.eval.repeats import Repeats, mean, mean_score
from lastro.eval.report.data import as_json, scores_lines
from lastro.eval.report.terminal import terminal
from lastro.eval.results import CaseResult, Run
from lastro.eval.score import score
from lastro.eval.verdict import Bars, judge
from lastro.model.case import Case
from lastro.model.failure import Failure
from lastro.model.ids import CaseId
from lastro.model.score import Failed, Score, Scored, Unscored
from lastro.model.trace import Retrieved, Trace, TraceDecision, TraceError


def case(case_id: str, *, answerable: bool = True) -> Case:
    gold = ("x",) if answerable else ()
    return Case(
        id=CaseId(case_id), query="q", must_cite_one_of=gold, answerable=answerable
    )


def trace(
    case_id: str,
    found: str = "x",
    *,
    abstained: bool = False,
    confidence: float | None = None,
) -> Trace:
    return Trace(
        case_id=CaseId(case_id),
        retrieved=(Retrieved(id=found),),
        abstained=abstained,
        decision=TraceDecision(reason="ok", confidence=confidence),
    )


def broken(case_id: str) -> Trace:
    error = TraceError(kind="timeout", provider="openai")
    return Trace(case_id=CaseId(case_id), error=error)


def run_of(cases: list[Case], *traces: Trace) -> Run:
    return score(cases, enumerate(traces, 1), repeats=Repeats.MEAN)


def one(*traces: Trace) -> CaseResult:
    (found,) = run_of([case("a")], *traces).results
    return found


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ((Scored(1.0), Scored(0.0), Scored(0.0), Scored(1.0)), Scored(0.5)),
        (
            (Scored(1.0), Unscored("no claims"), Scored(0.5)),
            Scored(0.75, ("measured on 2 of 3 runs",)),
        ),
        (
            (Scored(1.0, ("b",)), Scored(1.0, ("a",)), Scored(1.0, ("b",))),
            Scored(1.0, ("a", "b")),
        ),
        (
            (Scored(1.0), Failed("timeout"), Failed("timeout"), Failed("auth")),
            Failed("3 of 4 runs: timeout"),
        ),
        ((Unscored("b"), Unscored("a"), Unscored("b")), Unscored("b")),
        ((Unscored("b"), Unscored("a")), Unscored("a")),
        ((Unscored("b"), Failed("f")), Failed("1 of 2 runs: f")),
    ],
)
def test_a_score_is_the_mean_of_its_runs_or_says_why_not(
    scores: tuple[Score, ...], expected: Score
) -> None:
    for order in permutations(scores):
        assert mean_score(order) == expected


def test_the_mean_of_many_equal_scores_is_that_score() -> None:
    assert mean_score([Scored(0.1)] * 3) == Scored(0.1)


def test_one_run_stays_as_it_is() -> None:
    run = CaseResult(id=CaseId("a"), scores=(Scored(1.0),))

    assert mean([run]) is run


def test_a_case_is_counted_once_however_often_it_ran() -> None:
    run = run_of([case("a"), case("b")], *[trace("a")] * 4, trace("a", "y"), trace("b"))

    hit = run.aggregates["retrieval_hit_at_k"]
    assert (hit.n, hit.mean) == (2, 0.9)
    assert [result.repeats for result in run.results] == [5, 1]
    assert run.provenance["runs_per_case"] == [1, 5]
    assert run.provenance["repeats"] == "mean"


def test_a10_a_case_that_always_fails_is_not_hidden_in_the_pooled_rate() -> None:
    cases = [case(each) for each in "abcd"]
    good = [trace(each) for each in "abc" for _ in range(5)]
    run = run_of(cases, *good, *[trace("d", "y")] * 5)

    always = run.results[3]
    assert (always.failures, always.repeats) == (5, 5)
    assert always.failure is Failure.RETRIEVAL_MISS
    assert run.scores(always)["retrieval_hit_at_k"] == 0.0
    assert run.attribution[Failure.RETRIEVAL_MISS] == 1
    line = json.loads(list(scores_lines(run))[3])
    assert (line["failures"], line["repeats"]) == (5, 5)
    assert "5 of 5" in terminal(run, judge(run, Bars()))


def test_a_case_that_fails_in_some_runs_says_in_how_many() -> None:
    found = one(trace("a"), trace("a", "y"), trace("a"), trace("a", "y"), broken("a"))

    assert (found.failures, found.repeats) == (3, 5)
    assert found.failure is Failure.RETRIEVAL_MISS
    assert found.broke == "1 of 5 runs: the turn broke: timeout"


def test_of_equally_common_labels_the_earlier_layer_counts() -> None:
    for runs in permutations([trace("a", "y"), broken("a"), trace("a")]):
        assert one(*runs).failure is Failure.PROVIDER_ERROR


def test_a_metric_that_broke_on_a_run_is_failed_and_says_on_how_many() -> None:
    run = run_of([case("a"), case("b")], trace("a"), broken("a"), trace("b"))

    failed = run.failed(run.results[0])
    assert failed["retrieval_hit_at_k"] == "1 of 2 runs: the turn broke: timeout"
    hit = run.aggregates["retrieval_hit_at_k"]
    assert (hit.n, hit.failed) == (1, 1)


def test_a_case_broke_if_any_run_did() -> None:
    assert one(broken("a"), broken("a")).broke == "2 of 2 runs: the turn broke: timeout"
    assert one(broken("a"), trace("a")).broke == "1 of 2 runs: the turn broke: timeout"
    assert not one(trace("a", "y"), trace("a")).broke


def test_no_bar_of_declining_holds_on_what_broken_runs_left() -> None:
    """A mean of the runs that went well is none of the case."""
    cases = [case("a"), case("u", answerable=False)]
    runs = [trace("a"), trace("u", abstained=True), *[broken("a"), broken("u")] * 4]
    run = run_of(cases, *runs)
    bars = Bars(minimums={"abstention.answered": 1.0, "abstention.declined": 1.0})

    assert (run.both_ways.answered, run.both_ways.declined) == (None, None)
    assert [result.id for result in run.broken] == ["a", "u"]
    assert json.loads(as_json(run, judge(run, bars)))["counts"]["broken"] == 2
    assert judge(run, bars).exit_code == 3


def test_what_each_run_did_is_counted_as_runs() -> None:
    run = run_of([case("u", answerable=False)], trace("u"), trace("u"))

    told = terminal(run, judge(run, Bars()))
    assert "outcome           runs" in told


def test_a_binary_metric_with_means_between_gets_no_wilson_interval() -> None:
    whole = run_of([case("a"), case("b")], trace("a"), trace("b", "y"))
    between = run_of(
        [case("a"), case("b")], trace("a"), trace("a", "y"), trace("b"), trace("b")
    )

    assert whole.aggregates["retrieval_hit_at_k"].method == "wilson"
    hit = between.aggregates["retrieval_hit_at_k"]
    assert (hit.mean, hit.method) == (0.75, "bootstrap")
    assert (hit.ci_lo, hit.ci_hi) == (0.5, 1.0)
    crowded = {"a": 0.5, "b": 1.0, "c": 1.0}
    assert summarise(crowded, binary=True) == summarise(crowded, binary=False)


def test_confidence_is_averaged_and_one_that_is_none_is_not_averaged_away() -> None:
    assert one(
        trace("a", confidence=0.2), trace("a", confidence=0.4), trace("a")
    ).confidence == pytest.approx(0.3)
    assert one(trace("a"), trace("a")).confidence is None
    for bad in (1.5, math.inf):
        assert (
            one(trace("a", confidence=0.1), trace("a", confidence=bad)).confidence
            == bad
        )
    found = one(trace("a", confidence=math.nan), trace("a", confidence=0.5))
    assert found.confidence is not None
    assert math.isnan(found.confidence)


def test_declining_is_the_share_of_runs_that_did() -> None:
    cases = [case("a"), case("b", answerable=False)]
    run = run_of(
        cases,
        trace("a"),
        trace("a", abstained=True),
        trace("b", abstained=True),
        trace("b", abstained=True),
    )

    assert [result.abstained for result in run.results] == [0.5, 1.0]
    assert run.both_ways.answered is not None
    assert run.both_ways.answered.mean == 0.5
    assert run.both_ways.declined is not None
    assert run.both_ways.declined.mean == 1.0


def test_a_confidence_whose_runs_disagree_on_the_outcome_has_none() -> None:
    run = run_of(
        [case("a")], trace("a", confidence=0.5), trace("a", "y", confidence=0.5)
    )

    assert run.calibration is not None
    assert (run.calibration.n, run.calibration.no_outcome) == (0, 1)


def test_the_order_of_runs_changes_no_byte() -> None:
    runs = [trace("a"), trace("a", "y"), broken("a"), trace("b"), trace("c", "y")]
    cases = [case(each) for each in "abc"]

    def page(order: tuple[Trace, ...]) -> str:
        run = run_of(cases, *order)
        return as_json(run, judge(run, Bars())) + "".join(scores_lines(run))

    assert len({page(order) for order in permutations(runs)}) == 1


def test_a_stray_trace_that_repeats_is_named_once() -> None:
    assert run_of([case("a")], trace("z"), trace("z"), trace("a")).stray == ("z",)


def test_without_repeats_two_traces_are_an_error_that_says_how_to_average() -> None:
    with pytest.raises(InputError, match="line 1 already; `--repeats mean`"):
        score([case("a")], enumerate([trace("a"), trace("a")], 1))


def test_runs_without_repeats_say_nothing_of_them() -> None:
    run = score([case("a")], [(1, trace("a"))])

    assert "repeats" not in run.provenance
    assert "repeats" not in json.loads(next(scores_lines(run)))
