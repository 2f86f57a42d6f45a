"""JUnit: a build that reads it comes to the same end as the exit code."""

import xml.etree.ElementTree as ET

import pytest
from measured import CASES, HELD, MISSED, THIN, TRACES, case, run_of

from lastro.eval.report.junit import junit
from lastro.eval.results import Run
from lastro.eval.verdict import Bars, judge
from lastro.model.case import Origin, Provenance
from lastro.model.score import Bar, BarKind, BarState, Verdict


def parsed(run: Run, verdict: Verdict) -> ET.Element:
    return ET.fromstring(junit(run, verdict).encode())  # noqa: S314 - our own text


def outcomes(root: ET.Element, suite: str) -> dict[str, str]:
    (found,) = root.findall(f"testsuite[@name='{suite}']")
    return {
        each.get("name", ""): each[0].tag if len(each) else "passed" for each in found
    }


@pytest.mark.parametrize(
    ("run", "bars", "code", "failures", "errors"),
    [
        (run_of(), HELD, 0, 0, 0),
        (run_of(), MISSED, 1, 1, 0),
        (run_of(), THIN, 3, 0, 1),
        (run_of(), Bars(), 0, 0, 0),
        (run_of(CASES, ()), Bars(), 3, 0, 1),
        (run_of(CASES, ()), Bars(min_hit=0.5), 3, 0, 2),
        (run_of((), ()), Bars(), 3, 0, 1),
    ],
)
def test_a07_a11_failures_and_errors_say_what_the_exit_code_says(
    run: Run, bars: Bars, code: int, failures: int, errors: int
) -> None:
    verdict = judge(run, bars)
    root = parsed(run, verdict)

    assert verdict.exit_code == code
    assert root.get("failures") == str(failures)
    assert root.get("errors") == str(errors)


def test_a32_every_count_is_that_of_what_stands_below_it() -> None:
    root = parsed(run_of(), judge(run_of(), MISSED))

    for above in (root, *root.iter("testsuite")):
        tests = list(above.iter("testcase"))
        assert above.get("tests") == str(len(tests))
        for name, tag in (("failures", "failure"), ("errors", "error")):
            assert above.get(name) == str(sum(t.find(tag) is not None for t in tests))
        skipped = sum(t.find("skipped") is not None for t in tests)
        assert above.get("skipped") == str(skipped)


def test_a_bar_that_is_inert_is_skipped_and_says_why() -> None:
    root = parsed(run_of(), judge(run_of(), MISSED))

    assert outcomes(root, "bars") == {
        "retrieval_hit_at_k": "failure",
        "retrieval_recall_at_k": "skipped",
        "by_locale.ko.groundedness": "passed",
        "refusal": "skipped",
    }
    (skipped,) = root.findall(".//testcase[@name='refusal']/skipped")
    assert skipped.get("message") == "inactive: no threshold is set"


def all_cases(*, held: bool) -> Verdict:
    bar = Bar(
        metric="cases",
        required=0.2 if held else 1.0,
        observed=0.375,
        state=BarState.ACTIVE,
        held=held,
        kind=BarKind.CASES,
        n=8,
    )
    return Verdict(bars=(bar,))


@pytest.mark.parametrize("held", [True, False])
def test_cases_stand_in_it_where_a_bar_asks_for_them(held: bool) -> None:
    root = parsed(run_of(), all_cases(held=held))
    found = outcomes(root, "cases")

    assert len(found) == len(CASES)
    assert found["c1"] == "passed"
    assert found["c5"] == ("skipped" if held else "failure")
    assert (root.get("failures") == "0") is held
    assert "one_sided_comparison: " in junit(run_of(), all_cases(held=held))


def test_a10_fail_on_case_names_every_failing_case() -> None:
    run = run_of()
    verdict = judge(run, Bars(fail_on_case=True, min_scored=0.5))
    root = parsed(run, verdict)

    assert verdict.exit_code == 1
    assert outcomes(root, "bars")["cases (cases)"] == "failure"
    failed = [
        name for name, said in outcomes(root, "cases").items() if said != "passed"
    ]
    assert failed == ["c2", "c3", "c5", "c7|<b>", "c8"]


def test_a30_where_cases_broke_they_are_errors_and_no_case_a_failure() -> None:
    run = run_of()
    root = parsed(run, judge(run, Bars(fail_on_case=True)))
    found = outcomes(root, "cases")

    assert outcomes(root, "bars")["cases (cases)"] == "error"
    assert {name for name, said in found.items() if said == "error"} == {
        str(result.id) for result in run.broken
    }
    assert root.get("failures") == "0"
    assert "the bar of cases was not measured: one_sided" in junit(
        run, judge(run, Bars(fail_on_case=True))
    )


def test_without_such_a_bar_no_case_is_named() -> None:
    assert "c5" not in junit(run_of(), judge(run_of(), HELD))


def test_of_private_cases_none_is_named() -> None:
    secret = case("hush", "en", provenance=Provenance(origin=Origin.PRIVATE))

    assert "hush" not in junit(run_of((secret,), TRACES), all_cases(held=False))


@pytest.mark.parametrize(
    "name",
    [
        "\x00\x1b[31m",
        "]]>",
        "<&\"'>",
        "\ud800",
        "\ufffe\uffff",
        "a\nb",
        "\u202e::error",
    ],
)
def test_p03_p04_what_xml_cannot_hold_is_filtered(name: str) -> None:
    bar = Bar(
        metric=name, required=0.5, observed=0.4, state=BarState.ACTIVE, held=False
    )
    skipped = Bar(
        metric="x",
        required=None,
        observed=None,
        state=BarState.INACTIVE,
        held=False,
        why=name,
    )
    root = parsed(run_of(), Verdict(bars=(bar, skipped), unmeasured=(name,)))

    assert root.get("tests") == "3"
