"""No case may fail: not in one of its runs, and not behind a mean."""

from dataclasses import replace

import pytest
from held import HIT, cases, run

from lastro.eval.results import CaseResult
from lastro.eval.verdict import Bars, judge
from lastro.model.failure import Failure
from lastro.model.ids import CaseId
from lastro.model.score import BarKind, BarState

STRICT = Bars(fail_on_case=True)


def one(name: str, failure: Failure | None = None, times: str = "") -> CaseResult:
    failures, _, repeats = times.partition("/")
    return CaseResult(
        id=CaseId(name),
        failure=failure,
        failures=int(failures) if times else int(failure is not None),
        repeats=int(repeats or 1),
    )


def test_where_no_case_failed_the_bar_holds() -> None:
    found = judge(cases(one("a"), one("b")), STRICT)
    bar = found.bars[-1]

    assert found.exit_code == 0
    assert (bar.kind, bar.metric, bar.observed, bar.n) == (
        BarKind.CASES,
        "cases",
        1.0,
        2,
    )


def test_without_the_bar_a_failed_case_breaks_no_build() -> None:
    assert judge(cases(one("a", Failure.UNGROUNDED)), Bars()).exit_code == 0


def test_a07_a_failed_case_misses_the_bar_and_is_named_with_its_layer() -> None:
    found = judge(cases(one("a"), one("b", Failure.GATE_MISS)), STRICT)

    assert found.exit_code == 1
    assert found.breaches[0].why == "1 of 2 cases failed: b (gate_miss)"
    assert found.breaches[0].observed == 0.5


def test_a10_what_always_fails_cannot_hide_behind_a_pooled_rate() -> None:
    steady = [one(f"ok{i}", times="0/5") for i in range(99)]
    found = judge(cases(*steady, one("z", Failure.UNGROUNDED, "5/5")), STRICT)

    assert found.exit_code == 1
    assert "z (ungrounded, failed 5 of 5)" in found.breaches[0].why


def test_a10_a_case_that_fails_in_one_of_its_runs_counts() -> None:
    some = one("b", Failure.UNGROUNDED, "3/5")
    found = judge(cases(one("a", times="0/5"), some), STRICT)

    assert found.breaches[0].why == (
        "1 of 2 cases failed: b (ungrounded, failed 3 of 5)"
    )


def test_what_fails_every_time_is_named_first_and_what_is_too_many_is_counted() -> None:
    often = [one(f"c{i:02d}", Failure.UNGROUNDED, "1/5") for i in range(13)]
    found = judge(cases(*often, one("z", Failure.UNGROUNDED, "5/5")), STRICT)

    assert found.breaches[0].why.startswith("14 of 14 cases failed: z (")
    assert found.breaches[0].why.endswith("and 2 more")


def test_private_cases_are_counted_and_not_named() -> None:
    private = replace(cases(one("secret", Failure.UNGROUNDED)), private=True)

    assert judge(private, STRICT).breaches[0].why == "1 of 1 cases failed"


def test_a09_a30_where_cases_broke_the_bar_is_not_measured_rather_than_missed() -> None:
    broke = replace(one("a"), broke="no trace")
    found = judge(cases(broke, one("b", Failure.UNGROUNDED)), STRICT)

    assert found.exit_code == 3
    assert found.bars[-1].state is BarState.NOT_MEASURED
    assert found.unmeasured == (
        "cases: 1 of 2 eligible cases were scored, and --min-scored asks for 100%",
    )


def test_of_those_that_may_break_one_that_broke_has_failed() -> None:
    broke = replace(one("a"), broke="no trace")
    some = Bars(fail_on_case=True, min_scored=0.5)
    found = judge(cases(broke, one("b")), some)

    assert found.exit_code == 1
    assert found.breaches[0].why == "1 of 2 cases failed: a (no trace)"


def test_a_run_whose_cases_all_broke_was_not_measured_rather_than_failed() -> None:
    found = judge(cases(replace(one("a"), broke="no trace")), STRICT)

    assert found.exit_code == 3
    assert found.unmeasured[0] == "every case broke (1 of 1)"


def test_under_the_least_n_the_cases_are_not_measured() -> None:
    found = judge(cases(one("a")), Bars(fail_on_case=True, min_n=2))

    assert found.bars[-1].state is BarState.NOT_MEASURED
    assert found.exit_code == 3


@pytest.mark.parametrize(("silent", "code"), [(1, 0), (2, 0), (3, 3)])
def test_a_case_of_which_nothing_was_measured_did_not_pass(
    silent: int, code: int
) -> None:
    of = run({f"c{at}": [None if at < silent else 1.0] for at in range(4)}, [HIT])

    bar = (found := judge(of, STRICT)).bars[-1]

    assert found.exit_code == code
    assert (bar.n, bar.held) == (4 - silent, not code)
    assert bar.why == (f"nothing that could fail a case was measured on {silent} of 4")
