"""Aggregates only: what is not on the list is not said, and none of it is guessed."""

import dataclasses
import json

import pytest
from measured import CASES, FLOORS, MISSED, TRACES, case, run_of, trace

from lastro.errors import EvaluationError
from lastro.eval.baseline import from_run
from lastro.eval.report.closed import check, closed, closed_verdict
from lastro.eval.report.data import as_json
from lastro.eval.report.listed import is_word, slice_key
from lastro.eval.report.terminal import terminal
from lastro.eval.results import Run
from lastro.eval.scorers import SCORERS
from lastro.eval.verdict import Bars, judge
from lastro.model.score import Bar, BarState, Verdict

PRIVATE = dataclasses.replace(run_of(), private=True, floors=FLOORS)


def test_a_new_metric_is_on_the_list_with_its_line_in_the_table() -> None:
    assert all(is_word(scorer.name) for scorer in SCORERS)
    assert set(closed(PRIVATE).aggregates) == set(run_of().aggregates)


def test_the_figures_stay() -> None:
    data = json.loads(as_json(PRIVATE, judge(PRIVATE, MISSED)))
    whole = json.loads(as_json(run_of(), judge(run_of(), MISSED)))

    for key in ("aggregates", "attribution", "abstention", "gold", "counts", "reasons"):
        assert data[key] == whole[key]
    assert data["private"] is True
    assert data["broken"] == {}
    assert data["scorer_failures"] == data["stray_traces"] == []
    assert set(data["slices"]) == {"by_category", "by_locale", "by_query_type"}
    assert data["slices"]["by_locale"] == whole["slices"]["by_locale"]
    assert data["verdict"]["bars"] == whole["verdict"]["bars"]


def test_who_judged_and_who_answered_is_named() -> None:
    named = {
        "judge": "http://localhost:80/v1#tiny, prompt 0a1b",
        "models": {"provider": "quote", "embedder": "e5@1", "silva": "x"},
    }
    run = dataclasses.replace(PRIVATE, provenance={**PRIVATE.provenance, **named})
    data = json.loads(as_json(run, judge(run, MISSED)))

    assert data["provenance"]["judge"] == named["judge"]
    assert data["provenance"]["models"] == {"provider": "quote", "embedder": "e5@1"}


def test_what_is_left_out_is_counted() -> None:
    data = json.loads(as_json(PRIVATE, judge(PRIVATE, MISSED)))

    assert data["provenance"]["not_shown"] == {"slices": 2}
    assert "not_shown" in terminal(PRIVATE, judge(PRIVATE, MISSED))


@pytest.mark.parametrize(
    ("value", "named"),
    [
        ({"aggregates": {"my_metric": {}}}, "under aggregates is"),
        ({"slices": {"by_locale": {"Ms Silva": {}}}}, "under slices.by_locale is"),
        ({"verdict": {"unmeasured": ["who: Ms Silva"]}}, "under verdict.unmeasured is"),
        ({"verdict": [["Ms Silva"]]}, "a value under verdict is"),
        ({"Ms Silva": 1}, "a name under the report is"),
        ({"counts": b"Silva"}, "a value under counts is"),
    ],
)
def test_a_name_that_is_not_listed_refuses_the_report_and_is_not_repeated(
    value: object, named: str
) -> None:
    with pytest.raises(EvaluationError) as caught:
        check(value)

    assert named in str(caught.value)
    assert "nothing was written" in str(caught.value)
    assert "Silva" not in str(caught.value) + caught.value.hint


@pytest.mark.parametrize(
    ("dimension", "key", "said"),
    [
        ("by_locale", "pt-BR", True),
        ("by_locale", "es-419", True),
        ("by_locale", "zh-Hant-TW", True),
        ("by_locale", "unset", True),
        ("by_locale", "en-x-silva", False),
        ("by_locale", "Silva", False),
        ("by_locale", "pt-BR\n", False),
        ("by_category", "golden", True),
        ("by_category", "silva", False),
        ("by_query_type", "comparison", True),
        ("by_tag", "table", False),
        ("by_locale+query_type", "ko+comparison", True),
        ("by_locale+query_type", "ko", False),
        ("by_locale+query_type", "ko+silva", False),
    ],
)
def test_a_slice_is_named_where_it_can_say_nothing_else(
    dimension: str, key: str, said: bool
) -> None:
    assert slice_key(dimension, key) is said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("groundedness: no case carries it", True),
        ("groundedness: 3 of 7 eligible cases were scored", True),
        ("recall: 3 of 7 eligible cases were scored", False),
        ("abstention.answered: n is 3, and --min-n asks for 30", True),
        ("by_query_type+locale.comparison+ko.accuracy: no case carries it", True),
        ("by_tag+locale.silva+ko.accuracy: no case carries it", False),
        ("beyond tolerance, p 1.2e-05 (corrected for all 30 tested)", True),
        ("baseline: incomparable", True),
        ("baseline: incomparable: Ms Silva", False),
        ("groundedness: Ms Silva was not found", False),
        ("Ms Silva: no case carries it", False),
        ("every case broke (3 of 3)", True),
        ("every case broke (Ms Silva)", False),
        ("a" * 64, True),
        ("a" * 63, False),
    ],
)
def test_a_sentence_is_said_whole_or_not_at_all(text: str, said: bool) -> None:
    assert is_word(text) is said


@pytest.mark.parametrize(
    ("why", "said"),
    [
        ("no case is in that slice; there are: silva", "no case is in that slice"),
        ("3 of 8 cases failed: silva (unknown)", "3 of 8 cases failed"),
        ("incomparable: silva", "incomparable"),
        (
            "beyond tolerance, p 0.01 (corrected for all 9 tested); lower: silva",
            "beyond tolerance, p 0.01 (corrected for all 9 tested)",
        ),
        ("because of silva", "not shown"),
    ],
)
def test_a_reason_is_told_without_the_cases_it_lists(why: str, said: str) -> None:
    bar = Bar(
        metric="cases",
        required=1.0,
        observed=None,
        state=BarState.NOT_MEASURED,
        held=False,
        why=why,
    )
    verdict = Verdict(bars=(bar,), unmeasured=(f"cases: {why}",))

    found = closed_verdict(verdict)

    assert found.bars[0].why == said
    assert found.unmeasured == (f"cases: {said}",)


def answered(n: int, found: str) -> Run:
    asked = tuple(case(f"silva{i:02d}", "ko" if i % 2 else "en") for i in range(n))
    left = tuple(trace(each.id, found if i else "x") for i, each in enumerate(asked))
    return dataclasses.replace(run_of(asked, left), private=True)


@pytest.mark.parametrize("n", [2, 12])
@pytest.mark.parametrize("bars", [{}, {"min_n": 20}, {"min_n": 8}])
def test_every_bar_against_a_private_baseline_is_told_in_words_of_the_list(
    n: int, bars: dict[str, int]
) -> None:
    then, now = answered(12, "x"), answered(n, "no")
    required = Bars(
        baseline=from_run(then),
        fail_on_case=True,
        min_lower={"by_locale.ko.groundedness": 0.9, "abstention.answered": 0.5},
        **bars,  # type: ignore[arg-type]
    )

    verdict = closed_verdict(judge(now, required))

    assert len(verdict.bars) > 4 or n == 2
    assert not [bar for bar in verdict.bars if "not shown" in f"{bar.why}{bar.metric}"]
    assert "silva" not in as_json(now, judge(now, required))


def test_cases_that_are_not_private_are_left_alone() -> None:
    assert "c3" in terminal(run_of(CASES, TRACES), judge(run_of(), MISSED))
