"""Every report.json and scores.jsonl is what the shipped schemas say."""

import dataclasses
import json

import pytest
from measured import CASES, FLOORS, HELD, MISSED, THIN, TRACES, run_of
from schemas import REPORT, SCORES, problems

from lastro.eval.report.data import SCHEMA_VERSION, as_json, scores_lines
from lastro.eval.results import Run
from lastro.eval.verdict import Bars, judge
from lastro.model.failure import Failure
from lastro.model.score import Bar, BarKind, BarState, Verdict

RUNS = {
    "whole": run_of(),
    "floors": dataclasses.replace(run_of(), floors=FLOORS),
    "private": dataclasses.replace(run_of(), private=True),
    "no traces": run_of(CASES, ()),
    "no cases": run_of((), ()),
    "only strays": run_of((), TRACES),
}
EVERY_KIND = Verdict(
    bars=tuple(
        Bar(metric="m", required=0.5, observed=0.4, state=state, held=False, kind=kind)
        for state in BarState
        for kind in BarKind
    ),
    notes=("what the baseline saw",),
)


@pytest.mark.parametrize("run", RUNS.values(), ids=RUNS)
@pytest.mark.parametrize("bars", [HELD, MISSED, THIN, Bars()])
def test_every_report_is_what_the_schema_says(run: Run, bars: Bars) -> None:
    assert problems(REPORT, as_json(run, judge(run, bars))) == []


def test_every_kind_and_state_of_a_bar_is_in_the_schema() -> None:
    assert problems(REPORT, as_json(run_of(), EVERY_KIND)) == []


@pytest.mark.parametrize("run", RUNS.values(), ids=RUNS)
def test_every_line_of_scores_is_what_the_schema_says(run: Run) -> None:
    for line in scores_lines(run):
        assert problems(SCORES, line) == []


def test_of_a_repeated_case_the_line_says_how_often() -> None:
    run = run_of()
    twice = dataclasses.replace(run.results[0], repeats=3, failures=1)
    run = dataclasses.replace(run, results=(twice,))

    (line,) = scores_lines(run)

    assert problems(SCORES, line) == []
    assert json.loads(line)["repeats"] == 3


def test_the_schema_knows_every_label_and_its_version() -> None:
    schema = REPORT.schema

    assert set(schema["properties"]["attribution"]["properties"]) == set(Failure)
    assert schema["properties"]["schema_version"] == {"const": SCHEMA_VERSION}
    assert {*Failure, None} == set(SCORES.schema["properties"]["failure"]["enum"])


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('"passed": true', '"passed": "yes"'),
        ('"cases": 8', '"cases": -1'),
        ('"schema_version": 2', '"schema_version": 1'),
        ('"unknown": 1', '"unheard_of": 1'),
        ('"mean": 0.8', '"mean": "0.8"'),
        ('"state": "active"', '"state": "asleep"'),
    ],
)
def test_the_schema_refuses_what_is_not_a_report(before: str, after: str) -> None:
    text = as_json(run_of(), judge(run_of(), HELD))

    assert before in text
    assert problems(REPORT, text.replace(before, after, 1))
