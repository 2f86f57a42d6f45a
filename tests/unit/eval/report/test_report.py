"""A report shows every mean with its n, every bar with its state, and no lie."""

import dataclasses
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Protocol

import pytest
from measured import (
    CASES,
    HELD,
    HOSTILE,
    MISSED,
    THIN,
    TRACES,
    WITH_FLOORS,
    case,
    run_of,
    trace,
)

from lastro.eval.report.data import as_json, scores_lines
from lastro.eval.report.markdown import escape, markdown
from lastro.eval.report.number import mean, number, pair
from lastro.eval.report.page import headline
from lastro.eval.report.plain import plain
from lastro.eval.report.terminal import terminal, width
from lastro.eval.report.web import markup
from lastro.eval.results import Run
from lastro.eval.verdict import Bars, judge
from lastro.model.case import (
    Origin,
    Provenance,
)
from lastro.model.ids import CaseId
from lastro.model.score import Summary
from lastro.model.trace import Trace


class Golden(Protocol):
    def check(self, name: str, text: str) -> None: ...


@pytest.mark.parametrize(
    ("name", "run", "bars"),
    [
        ("held", run_of(), HELD),
        ("missed", WITH_FLOORS, MISSED),
        ("unmeasured", run_of(), THIN),
        ("nothing", run_of(CASES, ()), Bars()),
    ],
)
def test_golden_pages(golden: Golden, name: str, run: Run, bars: Bars) -> None:
    verdict = judge(run, bars)

    golden.check(f"eval/{name}.md", markdown(run, verdict))
    golden.check(f"eval/{name}.txt", terminal(run, verdict))
    golden.check(f"eval/{name}.json", as_json(run, verdict))


def test_golden_scores_lines(golden: Golden) -> None:
    golden.check("eval/scores.jsonl", "".join(scores_lines(run_of())))


@pytest.mark.parametrize(
    ("bars", "begins", "code"),
    [
        (
            Bars(),
            "MEASURED: no bar is set, so nothing was required; 5 of 8 cases failed",
            0,
        ),
        (HELD, "PASS: 1 of 1 bars held", 0),
        (MISSED, "FAIL: 1 of 2 bars missed: retrieval_hit_at_k", 1),
        (THIN, "COULD NOT MEASURE: retrieval_hit_at_k: 5 of 7 eligible", 3),
    ],
)
def test_a07_text_json_and_exit_code_come_of_one_verdict(
    bars: Bars, begins: str, code: int
) -> None:
    run = run_of()
    verdict = judge(run, bars)
    data = json.loads(as_json(run, verdict))["verdict"]

    assert verdict.exit_code == data["exit_code"] == code
    assert data["passed"] == (code == 0)
    assert headline(run, verdict).startswith(begins)
    assert markdown(run, verdict).startswith(f"# {escape(headline(run, verdict))}\n")
    assert terminal(run, verdict).startswith(headline(run, verdict))
    assert terminal(run, verdict).endswith(headline(run, verdict) + "\n")


def test_p07_every_metric_has_its_own_row_with_n_and_interval() -> None:
    run = run_of()
    lines = terminal(run, judge(run, Bars())).splitlines()

    for metric, summary in run.aggregates.items():
        rows = [each for each in lines if each.split()[:1] == [metric]]
        shown = f"{mean(summary)} ", f"{summary.n} of {summary.eligible}"
        assert any(all(part in row for part in shown) for row in rows)


def test_recall_is_called_a_conservative_lower_bound_beside_its_number() -> None:
    run = run_of()
    verdict = judge(run, Bars())

    for text in (terminal(run, verdict), markdown(run, verdict)):
        found = [line for line in text.splitlines() if "lower bound" in line]
        assert len(found) == 1
        assert "retrieval_recall_at_k" in found[0]
        assert mean(run.aggregates["retrieval_recall_at_k"]) in found[0]


def test_not_measured_is_never_shown_as_a_number() -> None:
    run = run_of(CASES, ())
    verdict = judge(run, Bars())
    metrics = terminal(run, verdict).split("\nMetrics\n")[1].split("\n\n")[0]

    assert "not measured" in metrics
    assert "0.000" not in metrics
    assert "1.000" not in metrics
    data = json.loads(as_json(run, verdict))
    assert data["aggregates"] == {}
    assert data["attribution"]["unknown"] == len(CASES)
    assert data["floors"] is None


def test_the_schema_of_the_json_has_the_published_keys() -> None:
    data = json.loads(as_json(WITH_FLOORS, judge(WITH_FLOORS, MISSED)))

    assert {
        "schema_version",
        "provenance",
        "aggregates",
        "slices",
        "attribution",
        "abstention",
        "floors",
        "verdict",
    } <= data.keys()
    assert data["abstention"] == {
        "correct_refusal": 1,
        "incorrect_answer": 0,
        "boundary_partial": 0,
    }
    assert data["verdict"]["bars"][0] == {
        "metric": "retrieval_hit_at_k",
        "required": 0.9,
        "observed": 0.8,
        "state": "active",
        "held": False,
        "why": "",
        "kind": "mean",
        "n": 5,
        "ci_lo": pytest.approx(0.375535, abs=1e-6),
        "ci_hi": pytest.approx(0.963776, abs=1e-6),
    }
    assert set(data["slices"]["by_locale"]) == {"en", "ko", "pt-BR"}


def test_g01_g21_abstention_is_its_own_outcome_in_both_directions() -> None:
    run = run_of()

    scores = [json.loads(line) for line in scores_lines(run)]

    refused = next(line for line in scores if line["id"] == "c6")
    assert refused["scores"]["abstention"] == 1.0
    assert "groundedness" in refused["unscored"]
    assert "accuracy" in refused["unscored"]


def test_p09_verdicts_stand_apart_and_no_answer_is_among_them() -> None:
    said = "what the system said"
    left = dataclasses.replace(TRACES[0], answer_text=said)
    (line,) = scores_lines(run_of((CASES[0],), (left,)))

    row = json.loads(line)
    assert {"failure", "broke", "scores", "unscored"} <= row.keys()
    assert all(isinstance(value, float) for value in row["scores"].values())
    assert said not in line


def test_l25_m39_an_unscored_metric_says_which_field_is_missing() -> None:
    (line,) = scores_lines(run_of((CASES[0],), (Trace(case_id=CaseId("c1")),)))

    unscored = json.loads(line)["unscored"]
    assert "retrieved" in unscored["retrieval_hit_at_k"]
    assert "cited_ids" in unscored["citation_coverage"]
    assert "expected_reason" in unscored["gate_accuracy"]


def test_p02_what_a_case_is_called_stays_text() -> None:
    run = run_of((case(HOSTILE, "en", tags=(HOSTILE, "t")),), ())
    verdict = judge(run, Bars())

    page = markdown(run, verdict)

    assert "<script>" not in page.replace("\\<script\\>", "")
    assert "\x1b" not in page + terminal(run, verdict)
    assert "\u202e" not in page + terminal(run, verdict)
    assert "\n# x" not in page


@pytest.mark.parametrize(
    "char",
    ["\ufffe", "\uffff", "\ufdd0", "\ufdef", "\U0001fffe", "\U0010ffff", "\u2067"],
)
def test_p04_what_is_no_character_is_seen_as_such_in_every_report(char: str) -> None:
    run = run_of((case(f"a{char}b", "en"),), ())
    verdict = judge(run, Bars())

    for shown in (
        markdown(run, verdict),
        terminal(run, verdict),
        markup.text(f"a{char}b"),
    ):
        assert char not in shown
        assert "a\ufffdb" in shown


def test_of_private_cases_none_is_named() -> None:
    secret = Provenance(origin=Origin.PRIVATE)
    cases = (CASES[0], case("hush", "en", provenance=secret))
    run = run_of(cases, (TRACES[0], trace("stray-hush", "x")))
    verdict = judge(run, Bars())

    for text in (
        terminal(run, verdict),
        markdown(run, verdict),
        as_json(run, verdict),
    ):
        assert "hush" not in text
    assert "Aggregates only: no case is named" in terminal(run, verdict)


def test_a_page_names_fifty_and_says_that_it_cut() -> None:
    run = run_of(tuple(case(f"c{i:03d}", "en") for i in range(60)), ())

    page = markdown(run, judge(run, Bars()))

    assert "The first 50 of 60 are named here." in page
    assert "| c049 |" in page
    assert "| c050 |" not in page


def test_a_lone_surrogate_in_an_id_can_still_be_written() -> None:
    run = run_of((case("a\ud800", "en"),), ())

    as_json(run, judge(run, Bars())).encode()
    "".join(scores_lines(run)).encode()
    terminal(run, judge(run, Bars())).encode()
    markdown(run, judge(run, Bars())).encode()


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "-"),
        (0.0, "0.000"),
        (1.0, "1.000"),
        (0.0004, "0.0004"),
        (0.99951, "0.9995"),
        (0.9996, "0.9996"),
        (0.99999, "0.99999"),
        (-0.0, "0.000"),
        (-0.25, "-0.250"),
        (2 / 3, "0.667"),
    ],
)
def test_a_number_near_0_or_1_is_not_taken_for_it(
    value: float | None, text: str
) -> None:
    assert number(value) == text


def test_two_numbers_that_differ_look_different() -> None:
    assert pair(0.79996, 0.8) == ("0.79996", "0.80000")
    assert pair(0.8, 0.8) == ("0.800", "0.800")
    assert pair(None, 0.8) == ("-", "0.800")


def test_a_mean_without_a_value_is_not_measured() -> None:
    nothing = Summary(
        mean=None,
        n=0,
        eligible=3,
        failed=3,
        ci_lo=None,
        ci_hi=None,
        method="none",
        resamples=0,
        seed=17,
    )

    assert mean(nothing) == "not measured"


def test_columns_line_up_with_wide_characters() -> None:
    assert width("수강료") == 6
    assert width("e\u0301") == 1
    assert plain("a\tb\u200e") == "a b\ufffd"


FAKES = Path(__file__).resolve().parents[3] / "fakes"

PROGRAM = """
import sys
from measured import CASES, TRACES, run_of
from lastro.eval.report.data import as_json, scores_lines
from lastro.eval.report.markdown import markdown
from lastro.eval.report.terminal import terminal
from lastro.eval.verdict import Bars, judge
turn = -1 if sys.argv[1] == "back" else 1
run = run_of(CASES[::turn], TRACES[::turn])
verdict = judge(run, Bars(min_hit=0.9, min_scored=0.5))
for text in (as_json, markdown, terminal):
    sys.stdout.write(text(run, verdict))
sys.stdout.write("".join(scores_lines(run)))
"""


def test_the_same_bytes_for_any_hash_seed_and_order_of_rows() -> None:
    def output(seed: str, order: str) -> bytes:
        environ = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONUTF8": "1"}
        environ["PYTHONPATH"] = str(FAKES)
        command = [sys.executable, "-c", PROGRAM, order]
        return subprocess.run(
            command, env=environ, check=True, capture_output=True
        ).stdout

    first = output("0", "forth")

    assert first
    assert output("1", "back") == first
    assert output("4242", "forth") == first
