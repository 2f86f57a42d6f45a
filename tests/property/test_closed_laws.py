"""Of private cases no report holds a text, an id or a tag, wherever it stood."""

import dataclasses
from collections.abc import Mapping
from enum import Enum

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from measured import FLOORS

from lastro.eval.report.build import annotations
from lastro.eval.report.closed import check, closed, closed_verdict
from lastro.eval.report.data import as_json, report, scores_lines
from lastro.eval.report.junit import junit
from lastro.eval.report.markdown import markdown
from lastro.eval.report.terminal import terminal
from lastro.eval.report.view import views
from lastro.eval.report.web import html
from lastro.eval.results import Run
from lastro.eval.score import score
from lastro.eval.verdict import Bars, judge
from lastro.model.answer import Role, Turn
from lastro.model.case import (
    Case,
    Category,
    Origin,
    Provenance,
    QueryType,
    TargetSpec,
)
from lastro.model.ids import CaseId
from lastro.model.trace import (
    PlanStep,
    Retrieved,
    Trace,
    TraceCitation,
    TraceClaim,
    TraceDecision,
    TraceError,
    TraceLeg,
    TracePassage,
    TraceStageEntry,
)

pytestmark = pytest.mark.property

MARK = "zqx"  # stands in no word of ours, and in every planted one


def planted(name: str) -> str:
    """A text that gives away where it was planted."""
    return f"{MARK}-{name}"


def case(number: int, *, answerable: bool, kind: QueryType) -> Case:
    """A case whose every field of text holds the mark."""
    doc, term = planted("doc"), planted("term")
    return Case(
        id=CaseId(planted(f"case{number}")),
        query=planted("query"),
        prior_turns=(Turn(Role.USER, planted("turn")),),
        locale=planted("locale"),
        category=list(Category)[number % 3],
        query_type=kind,
        answerable=answerable,
        must_cite_one_of=(doc,),
        relevant_ids=(doc,),
        expected_doc_ids=(doc, planted("doc2")),
        expected_terms=(term,),
        expected_citation_terms=(term,),
        expected_claim_citations=(
            TargetSpec(
                target=planted("side"), expected_doc_ids=(doc,), expected_terms=(term,)
            ),
            TargetSpec(
                target=planted("side2"), expected_doc_ids=(doc,), expected_terms=(term,)
            ),
        ),
        expected_missing_targets=(planted("missing"),),
        must_refuse=not answerable,
        tags=(planted("tag"),),
        provenance=Provenance(
            origin=Origin.PRIVATE, source=planted("source"), licence=planted("licence")
        ),
        extra={planted("key"): planted("value")},
    )


def left(number: int, *, abstained: bool, broke: bool) -> Trace:
    """A trace whose every field of text holds the mark."""
    doc = planted("doc")
    entry = TraceStageEntry(passage_id=planted("p"), document_id=doc, score=1.0)
    passage = TracePassage(document_id=doc, passage_id=doc, text=planted("term"))
    citation = TraceCitation(document_id=doc, quote=planted("quote"))
    return Trace(
        case_id=CaseId(planted(f"case{number}")),
        query=planted("query"),
        system=planted("system"),
        at=planted("at"),
        retrieved=(Retrieved(id=doc, text=planted("text")),),
        stages={"lexical": (entry,), planted("stage"): (entry,)},
        legs={planted("leg"): TraceLeg(status=planted("status"))},
        evidence=(passage,),
        gold_not_indexed=(planted("gone"),),
        decision=TraceDecision(
            reason=planted("reason"),
            confidence=0.5,
            reasons=(planted("reason"),),
            features={planted("feature"): 0.5},
        ),
        answer_text=planted("answer"),
        answer={planted("k"): planted("v")},
        cited_ids=(doc,),
        claims=(TraceClaim(text=planted("claim"), citations=(citation,)),),
        abstained=abstained,
        refused=abstained,
        plan=(PlanStep(query=planted("step"), target=planted("side")),),
        error=TraceError(kind=planted("kind"), provider=planted("who"))
        if broke
        else None,
        usage={planted("usage"): 1.0},
        provenance={planted("where"): planted("what")},
    )


@st.composite
def private_runs(draw: st.DrawFn) -> tuple[Run, tuple[Case, ...], tuple[Trace, ...]]:
    numbers = range(draw(st.integers(1, 5)))
    asked = tuple(
        case(n, answerable=draw(st.booleans()), kind=draw(st.sampled_from(QueryType)))
        for n in numbers
    )
    traces = tuple(
        left(n, abstained=draw(st.booleans()), broke=draw(st.booleans()))
        for n in (*numbers, 99)
    )
    run = score(asked, enumerate(traces[draw(st.integers(0, 2)) :], 1))
    more = {**run.provenance, planted("new"): 1, "kb": {"documents": 3, MARK: MARK}}
    return dataclasses.replace(run, provenance=more, floors=FLOORS), asked, traces


BARS = Bars(
    min_hit=0.5,
    minimums={
        f"by_tag.{planted('tag')}.groundedness": 0.5,
        f"by_locale.{planted('other')}.groundedness": 0.5,
        "by_locale.ko.groundedness": 0.5,
        "groundedness": 0.9,
    },
    min_scored=0.1,
)


@settings(deadline=None, max_examples=80)
@given(private_runs())
def test_no_report_holds_what_was_planted(
    given_run: tuple[Run, tuple[Case, ...], tuple[Trace, ...]],
) -> None:
    run, asked, traces = given_run
    verdict = dataclasses.replace(judge(run, BARS), notes=(planted("note"),))

    shown = dataclasses.replace(run, private=False)
    assert MARK in as_json(shown, verdict)  # it is there to be found

    for written in (
        as_json(run, verdict),
        markdown(run, verdict),
        terminal(run, verdict),
        html(run, verdict, views(run, asked, traces)),
        junit(run, verdict),
        *annotations(run, verdict),
        *scores_lines(run),
    ):
        assert MARK not in written.lower()
    assert not list(scores_lines(run))


@settings(deadline=None, max_examples=40)
@given(private_runs())
def test_closing_changes_no_figure_and_closing_twice_nothing(
    given_run: tuple[Run, tuple[Case, ...], tuple[Trace, ...]],
) -> None:
    run = given_run[0]
    verdict = judge(run, BARS)
    once = closed(run)

    assert once.aggregates == run.aggregates
    assert once.attribution == run.attribution
    assert once.refusals == run.refusals
    assert len(once.results) == len(run.results)
    assert len(once.broken) == len(run.broken)
    assert len(once.stray) == len(run.stray)
    assert sum(once.reasons.values()) == sum(run.reasons.values())
    assert closed(once) == once
    assert {*(result.id for result in once.results), *once.stray} == {""}
    assert closed_verdict(verdict).exit_code == verdict.exit_code
    assert len(closed_verdict(verdict).breaches) == len(verdict.breaches)
    assert closed_verdict(closed_verdict(verdict)) == closed_verdict(verdict)


@settings(deadline=None, max_examples=40)
@given(private_runs())
def test_what_is_closed_passes_the_walk(
    given_run: tuple[Run, tuple[Case, ...], tuple[Trace, ...]],
) -> None:
    run = given_run[0]

    check(report(run, judge(run, BARS)))


def texts(value: object) -> set[str]:
    """Every text that stands in a value, for the test of the test."""
    if isinstance(value, Enum):
        return set()
    if isinstance(value, str):
        return {value}
    if isinstance(value, Mapping):
        return set().union(*map(texts, (*value.keys(), *value.values())))
    if isinstance(value, list | tuple):
        return set().union(*map(texts, value))
    if dataclasses.is_dataclass(value):
        return texts([getattr(value, f.name) for f in dataclasses.fields(value)])
    return set()


@pytest.mark.parametrize(
    "value",
    [
        case(1, answerable=True, kind=QueryType.COMPARISON),
        left(1, abstained=False, broke=True),
    ],
)
def test_the_mark_is_planted_in_every_text(value: object) -> None:
    assert {text for text in texts(value) if MARK not in text} <= {"lexical"}
