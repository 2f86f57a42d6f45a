"""A missed bar names the cases that scored under it, lowest first."""

import pytest

from lastro.eval.report.missed import missed
from lastro.eval.results import Run
from lastro.eval.score import score
from lastro.eval.verdict import Bars, judge
from lastro.model.case import Case, Origin, Provenance
from lastro.model.ids import CaseId
from lastro.model.trace import Retrieved, Trace

HIT = "retrieval_hit_at_k"


def run_of(origin: Origin = Origin.SYNTHETIC) -> Run:
    rows = [("a", "pt-BR", "x"), ("b", "pt-BR", "no"), ("c", "en", "no")]
    cases = [
        Case(
            id=CaseId(name),
            query="?",
            locale=locale,
            must_cite_one_of=("x",),
            provenance=Provenance(origin=origin),
        )
        for name, locale, _ in rows
    ]
    traces = [
        Trace(case_id=CaseId(name), retrieved=(Retrieved(id=found),))
        for name, _, found in rows
    ]
    return score(cases, enumerate(traces, 1))


@pytest.mark.parametrize(
    ("bar", "ids"),
    [
        (HIT, "b, c"),
        (f"by_locale.pt-BR.{HIT}", "b"),
        (f"by_locale+category.en+golden.{HIT}", "c"),
    ],
)
def test_the_cases_under_the_bar_are_named(bar: str, ids: str) -> None:

    run = run_of()
    verdict = judge(run, Bars(minimums={bar: 0.9}))

    assert list(missed(run, verdict)) == [(bar, ids)]


@pytest.mark.parametrize(
    ("bar", "ids"),
    [("abstention.answered", "shy"), ("abstention.declined", "bold")],
)
def test_declining_wrongly_in_either_direction_is_named(bar: str, ids: str) -> None:
    cases = [
        Case(id=CaseId(name), query="?", answerable=answerable)
        for name, answerable in (("shy", True), ("kind", True), ("bold", False))
    ]
    traces = [
        Trace(case_id=CaseId(name), abstained=name == "shy")
        for name in ("shy", "kind", "bold")
    ]
    run = score(cases, enumerate(traces, 1))

    verdict = judge(run, Bars(minimums={bar: 0.9}))

    assert list(missed(run, verdict)) == [(bar, ids)]


def test_a_case_exactly_at_the_bar_is_not_under_it() -> None:
    cases = [
        Case(id=CaseId(name), query="?", relevant_ids=("x", "y"))
        for name in ("half", "none")
    ]
    traces = [
        Trace(case_id=CaseId("half"), retrieved=(Retrieved(id="x"),)),
        Trace(case_id=CaseId("none"), retrieved=()),
    ]
    run = score(cases, enumerate(traces, 1))

    verdict = judge(run, Bars(min_recall=0.5))

    assert list(missed(run, verdict)) == [("retrieval_recall_at_k", "none")]


def test_a_bar_that_holds_names_nobody() -> None:
    run = run_of()

    assert list(missed(run, judge(run, Bars(min_hit=0.1)))) == []


def test_nothing_of_a_private_run_is_named() -> None:
    run = run_of(Origin.PRIVATE)

    assert list(missed(run, judge(run, Bars(min_hit=0.9)))) == []
