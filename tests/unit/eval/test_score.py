"""Cases and traces are joined by id; what is missing is named, never dropped."""

import gc
import tracemalloc
from collections.abc import Iterator

import pytest

from lastro.errors import InputError, UsageError
from lastro.eval.results import CaseResult, Run
from lastro.eval.score import score, sheet
from lastro.eval.verdict import Bars, judge
from lastro.model.case import Case
from lastro.model.ids import CaseId
from lastro.model.trace import Retrieved, Trace, TraceDecision, TraceError, TracePassage


def case(case_id: str, *gold: str, answerable: bool = True) -> Case:
    return Case(
        id=CaseId(case_id),
        query=f"what of {case_id}?",
        locale="en",
        must_cite_one_of=gold,
        answerable=answerable,
    )


def trace(case_id: str, *found: str, abstained: bool | None = False) -> Trace:
    return Trace(
        case_id=CaseId(case_id),
        system="naive",
        retrieved=tuple(Retrieved(id=each) for each in found),
        decision=TraceDecision(reason="ok"),
        abstained=abstained,
    )


def judged(cases: list[Case], *traces: Trace, k: int = 4) -> Run:
    return score(cases, enumerate(traces, 1), k=k)


def by_id(run: Run) -> dict[str, CaseResult]:
    return {str(result.id): result for result in run.results}


def test_a_case_is_joined_with_its_trace_by_id() -> None:
    run = judged([case("a", "x"), case("b", "y")], trace("b", "z"), trace("a", "x"))

    found = {key: run.scores(result) for key, result in by_id(run).items()}
    assert found["a"]["retrieval_hit_at_k"] == 1.0
    assert found["b"]["retrieval_hit_at_k"] == 0.0
    assert run.aggregates["retrieval_hit_at_k"].mean == 0.5


def test_l18_ids_join_in_nfc() -> None:
    run = judged([case("ac\u0327a\u0303o", "x")], trace("a\u00e7\u00e3o", "x"))

    assert not run.broken
    assert not run.stray


def test_m17_m30_r15_a_case_without_a_trace_is_failed_and_named() -> None:
    run = judged([case("a", "x"), case("b", "x")], trace("a", "x"))

    hit = run.aggregates["retrieval_hit_at_k"]
    assert (hit.mean, hit.n, hit.failed, hit.eligible) == (1.0, 1, 1, 2)
    assert [(r.id, r.broke) for r in run.broken] == [("b", "no trace")]
    assert len(run.results) == 2


def test_a_broken_case_is_not_eligible_for_what_its_labels_rule_out() -> None:
    cases = [case("a", answerable=False), case("b", "x"), case("c", "x")]

    run = judged(cases, trace("a", abstained=True), trace("c", "x"))

    abstention = run.aggregates["abstention"]
    assert (abstention.n, abstention.eligible) == (1, 1)
    assert run.aggregates["retrieval_hit_at_k"].eligible == 2


def test_a_trace_without_a_case_is_counted_and_named() -> None:
    run = judged([case("a", "x")], trace("z"), trace("a", "x"), trace("b"))

    assert run.stray == ("b", "z")
    assert len(run.results) == 1


def test_two_traces_of_one_case_are_refused_naming_both_lines() -> None:
    lines = [(3, trace("a")), (5, trace("b")), (9, trace("a"))]

    with pytest.raises(InputError) as caught:
        score([case("a")], lines, source="traces.jsonl")

    (problem,) = caught.value.problems
    assert (problem.file, problem.line, problem.field) == ("traces.jsonl", 9, "case_id")
    assert "line 3" in problem.what


def test_l10_l11_l14_two_cases_of_one_id_are_refused() -> None:
    with pytest.raises(InputError, match="'a' is the id of an earlier case"):
        judged([case("a"), case("a")], trace("a"))


@pytest.mark.parametrize("k", [0, -1])
def test_k_under_1_is_wrong_usage(k: int) -> None:
    with pytest.raises(UsageError, match="at least 1"):
        sheet([case("a")], k=k)


def test_a09_a_turn_that_ended_in_an_error_is_failed() -> None:
    broken = Trace(
        case_id=CaseId("a"), error=TraceError(kind="timeout", provider="openai")
    )

    run = judged([case("a", "x")], broken)

    assert by_id(run)["a"].broke == "the turn broke: timeout"
    assert run.aggregates == {}
    assert judge(run, Bars()).exit_code == 3


def test_r16_a_scorer_that_breaks_fails_its_metric_and_nothing_else() -> None:
    bad = Trace(
        case_id=CaseId("a"),
        retrieved=(Retrieved(id="x", text="the x"),),
        answer={"claims": "not a list"},
    )

    run = judged([case("a", "x"), case("b", "x")], bad, trace("b", "x"))

    assert run.scores(by_id(run)["a"])["retrieval_hit_at_k"] == 1.0
    assert "citation_coverage" in run.failed(by_id(run)["a"])
    assert not run.broken


def test_m41_traces_without_a_retrieval_step_are_not_measured_rather_than_zero() -> (
    None
):
    run = judged([case("a", "x")], Trace(case_id=CaseId("a"), abstained=False))

    assert "retrieval_hit_at_k" not in run.aggregates
    assert "no retrieval step" in run.unscored(by_id(run)["a"])["retrieval_hit_at_k"]


def test_m14_m15_m16_a_retrieval_that_found_nothing_is_zero_for_that_case_only() -> (
    None
):
    cases = [case(each, "x") for each in "abcd"]

    run = judged(cases, trace("a", "x"), trace("b", "x"), trace("c", "x"), trace("d"))

    assert run.aggregates["retrieval_hit_at_k"].mean == 0.75


def test_m13_a03_no_cases_give_a_run_that_could_not_be_measured() -> None:
    run = judged([])

    assert run.aggregates == {}
    assert judge(run, Bars()).exit_code == 3


def test_a26_only_the_documented_fields_are_needed() -> None:
    run = judged([Case(id=CaseId("a"), query="q")], Trace(case_id=CaseId("a")))

    assert run.aggregates == {}
    assert not run.broken


def test_the_three_outcomes_of_an_unanswerable_case_are_counted() -> None:
    cases = [case(each, answerable=False) for each in "abcd"]
    evidence = (TracePassage(document_id="x", text="t"),)
    beside = Trace(case_id=CaseId("c"), evidence=evidence, abstained=True)

    run = judged(
        cases,
        trace("a", abstained=True),
        trace("b", "x"),
        beside,
        trace("d", abstained=None),
    )

    assert run.refusals.correct_refusal == 1
    assert run.refusals.incorrect_answer == 1
    assert run.refusals.boundary_partial == 1
    assert run.aggregates["abstention"].n == 3


def test_what_was_used_as_gold_is_counted() -> None:
    wide = Case(id=CaseId("c"), query="q", relevant_ids=("x",), must_cite_one_of=("y",))

    run = judged([case("a", "x"), case("b"), wide])

    assert (run.gold.relevant_ids, run.gold.must_cite_one_of, run.gold.none) == (
        1,
        1,
        1,
    )


def test_the_order_of_cases_and_traces_changes_nothing() -> None:
    cases = [case(each, "x") for each in "abc"]
    traces = [trace("a", "x"), trace("b", "y", "x"), trace("c")]

    assert judged(cases, *traces) == judged(cases[::-1], *traces[::-1])


def test_provenance_names_the_cases_and_never_a_clock() -> None:
    cases = [case("a", "x")]

    run = judged(cases, trace("a", "x"), k=2)

    assert set(run.provenance) == {
        "case_set",
        "cases",
        "k",
        "lastro",
        "match",
        "systems",
    }
    assert run.provenance["systems"] == ["naive"]


def test_k_cuts_the_window() -> None:
    hits = ("a", "b", "x")

    assert judged([case("a", "x")], trace("a", *hits), k=2).aggregates[
        "retrieval_hit_at_k"
    ].mean == pytest.approx(0.0)
    assert judged([case("a", "x")], trace("a", *hits), k=3).aggregates[
        "retrieval_hit_at_k"
    ].mean == pytest.approx(1.0)


def test_traces_are_read_once_and_only_scores_are_kept() -> None:
    n = 1000
    cases = [case(f"c{i}", "x") for i in range(n)]

    def traces() -> Iterator[tuple[int, Trace]]:
        for i in range(n):
            yield (
                i + 1,
                Trace(
                    case_id=CaseId(f"c{i}"),
                    retrieved=(Retrieved(id="x"),),
                    provenance={"bulk": str(i) * 20_000},
                ),
            )

    gc.collect()
    tracemalloc.start()
    run = score(cases, traces())
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert run.aggregates["retrieval_hit_at_k"].mean == 1.0
    assert peak < 5_000_000  # the traces are some 57 MB


def test_g21_declining_is_measured_in_both_directions() -> None:
    cases = [case("a", "x"), case("b", "x"), case("c", "x")]
    cases += [case("d", answerable=False), case("e", answerable=False)]

    def both(*declines: str) -> tuple[float | None, float | None]:
        run = judged(cases, *(trace(c.id, abstained=c.id in declines) for c in cases))
        ways = run.both_ways
        assert ways.declined is not None
        assert ways.answered is not None
        return ways.declined.mean, ways.answered.mean

    assert both() == (0.0, 1.0)
    assert both("a", "b", "c", "d", "e") == (1.0, 0.0)
    assert both("a", "d") == (0.5, 2 / 3)


def test_g21_who_does_not_say_is_not_eligible_and_who_broke_is() -> None:
    cases = [case(each, "x") for each in "abcd"]
    broken = Trace(case_id=CaseId("c"), abstained=True, error=TraceError(kind="t"))

    run = judged(cases, trace("a"), trace("b", abstained=None), broken)

    ways = run.both_ways
    assert ways.declined is None
    assert ways.answered is not None
    shown = ways.answered.mean, ways.answered.n, ways.answered.eligible
    assert shown == (1.0, 1, 3)


def test_g23_of_unanswerable_cases_declining_is_all_that_is_judged() -> None:
    run = judged([case("a", answerable=False)], trace("a", "y", abstained=True))

    (result,) = run.results
    assert run.scores(result) == {"abstention": 1.0}
    assert result.failure is None
    assert run.both_ways.answered is None


def test_a_result_carries_what_declining_and_calibration_are_counted_by() -> None:
    sure = Trace(
        case_id=CaseId("a"),
        abstained=True,
        decision=TraceDecision(reason="ok", confidence=0.25),
    )

    found = by_id(judged([case("a"), case("b", answerable=False)], sure))

    assert (found["a"].answerable, found["a"].abstained) == (True, 1.0)
    assert found["a"].confidence == 0.25
    assert (found["b"].answerable, found["b"].abstained) == (False, None)
    assert found["b"].confidence is None


def test_further_cut_offs_have_keys_of_their_own_beside_k() -> None:
    cases, left = [case("a", "y")], [(1, trace("a", "w", "x", "y"))]
    run = score(cases, left, k=2, at=[3, 1, 3])

    found = run.scores(run.results[0])
    assert [name for name in found if name.startswith("retrieval_hit")] == [
        "retrieval_hit_at_k",
        "retrieval_hit_at_1",
        "retrieval_hit_at_3",
    ]
    assert found["retrieval_hit_at_k"] == found["retrieval_hit_at_1"] == 0
    assert found["retrieval_recall_at_3"] == 1
    assert found["retrieval_ndcg_at_3"] == pytest.approx(0.5)
    assert run.aggregates["retrieval_ndcg_at_3"].n == 1
    assert run.provenance["at"] == [1, 3]
    assert "at" not in score(cases, left).provenance


def test_a_further_cut_off_gives_what_k_gives() -> None:
    cases, left = [case("a", "y", "z")], [(1, trace("a", *"vwxyz"))]
    run = score(cases, left, k=4, at=[4])

    for name in ("hit", "recall", "ndcg"):
        values = run.scores(run.results[0])
        assert values[f"retrieval_{name}_at_4"] == values[f"retrieval_{name}_at_k"]


@pytest.mark.parametrize("wrong", [0, -1])
def test_a_further_cut_off_under_1_is_wrong_usage(wrong: int) -> None:
    with pytest.raises(UsageError, match="at least 1"):
        sheet([case("a")], k=4, at=[wrong])


def test_slices_are_combined_on_request_and_nonsense_is_found_before_judging() -> None:
    cases, left = [case("a", "x"), case("b", "x")], [(1, trace("a", "x"))]
    run = score(cases, left, combine=["locale+category"])

    found = run.slices["by_locale+category"]["en+golden"]
    assert found == run.aggregates
    with pytest.raises(UsageError, match="colour"):
        sheet(cases, k=4, combine=["locale+colour"])


def test_equal_scores_of_two_cases_are_one_object_since_a_run_may_hold_millions() -> (
    None
):
    run = judged([case("a", "x"), case("b", "y")], trace("a", "x"), trace("b", "y"))

    pairs = zip(*(result.scores for result in run.results), strict=True)
    assert all(one is other for one, other in pairs)
