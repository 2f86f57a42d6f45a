"""Whatever cases and traces are called and say, no report is broken by it."""

import dataclasses
import json
import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from measured import CASES, HELD, MISSED, THIN, TRACES
from schemas import REPORT, SCORES, problems

from lastro.eval.compared import Comparison, Moved
from lastro.eval.report.build import annotations, summary
from lastro.eval.report.data import as_json, scores_lines
from lastro.eval.report.junit import junit
from lastro.eval.report.markdown import markdown
from lastro.eval.report.terminal import terminal
from lastro.eval.report.view import views
from lastro.eval.report.web import compare_html, html
from lastro.eval.results import Run
from lastro.eval.score import score
from lastro.eval.verdict import Bars, judge
from lastro.model.case import Case, TargetSpec
from lastro.model.failure import Failure
from lastro.model.ids import CaseId
from lastro.model.score import Bar, BarKind, BarState, Verdict
from lastro.model.trace import (
    Retrieved,
    Trace,
    TraceCitation,
    TraceClaim,
    TraceDecision,
    TraceError,
    TracePassage,
)

pytestmark = pytest.mark.property

NASTY = (
    "<script>alert(1)</script>",
    "</style><script>",
    "]]>",
    "--><img src=x onerror=alert(1)>",
    "\x00\x01\x1b[2J\x7f\x85",
    "\ud800",
    "\udfff\ufffe\uffff",
    "\u202eevil\u2066",
    "::error::x",
    "##[set-env]",
    "a | b",
    "`code`",
    "\n# Heading\n\n- list",
    "\r\n| x | y |",
    "&amp;&lt;",
    "[link](javascript:alert(1))",
    "%0A::warning::",
    "\u2028\u2029",
    "수강료",
)
texts = st.lists(st.sampled_from(NASTY) | st.text(max_size=6), max_size=4).map("".join)
ids = texts.map(lambda text: text + "x")

FOLDS = re.compile(r"<details><summary>[0-9,]+ rows</summary>|</details>")


def cases(text: str, number: int) -> Case:
    return dataclasses.replace(
        CASES[4],
        id=CaseId(f"{text}{number}"),
        query=text or "q",
        locale=text or "en",
        must_cite_one_of=(f"{text}gold",),
        expected_terms=(text or "fee",),
        expected_claim_citations=(
            TargetSpec(
                target=text, expected_doc_ids=(f"{text}gold",), expected_terms=("fee",)
            ),
            TargetSpec(target="b", expected_doc_ids=("b",), expected_terms=("fee",)),
        ),
        tags=(text, "t"),
    )


def traces(text: str, number: int) -> Trace:
    return Trace(
        case_id=CaseId(f"{text}{number}"),
        system=text,
        retrieved=(Retrieved(id=text, text=text), Retrieved(id=f"{text}gold")),
        evidence=(TracePassage(document_id=text, passage_id=text, text=text),),
        decision=TraceDecision(reason=text, confidence=0.5, features={text: 0.5}),
        answer_text=text,
        claims=(
            TraceClaim(
                text=text,
                target=text,
                citations=(TraceCitation(document_id=text, quote=text),),
            ),
        ),
        abstained=False,
        error=TraceError(kind=text) if number == 1 else None,
    )


@st.composite
def runs(draw: st.DrawFn) -> tuple[Run, tuple[Case, ...], tuple[Trace, ...]]:
    told = draw(st.lists(ids, min_size=1, max_size=3))
    asked = tuple(cases(text, number) for number, text in enumerate(told))
    left = tuple(traces(text, number) for number, text in enumerate(told))
    kept = left[: draw(st.integers(0, len(left)))]
    return score(asked, enumerate(kept, 1)), asked, kept


@st.composite
def verdicts(draw: st.DrawFn) -> Verdict:
    bar = Bar(
        metric=draw(texts),
        required=0.5,
        observed=draw(st.none() | st.floats(0, 1)),
        state=draw(st.sampled_from(BarState)),
        held=draw(st.booleans()),
        why=draw(texts),
        kind=draw(st.sampled_from(BarKind)),
    )
    return Verdict(
        bars=(bar,),
        unmeasured=tuple(draw(st.lists(texts, max_size=2))),
        notes=tuple(draw(st.lists(texts, max_size=2))),
    )


class Browser(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.names: set[str] = set()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.names |= {name for name, _ in attrs}
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.names |= {name for name, _ in attrs}

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@settings(deadline=None, max_examples=60)
@given(runs(), verdicts())
def test_p02_html_is_well_formed_and_holds_no_script(
    given_run: tuple[Run, tuple[Case, ...], tuple[Trace, ...]], verdict: Verdict
) -> None:
    run, asked, left = given_run
    page = html(run, verdict, views(run, asked, left))
    seen = Browser()
    seen.feed(page)
    seen.close()

    assert seen.open == []
    assert not seen.tags & {"script", "img", "iframe", "a href", "object"}
    assert not [name for name in seen.names if name.startswith("on")]
    assert page.encode()
    assert not re.search(
        "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", page
    )


@settings(deadline=None, max_examples=40)
@given(runs(), texts, st.lists(ids, max_size=3), st.booleans())
def test_p02_two_runs_side_by_side_are_well_formed_whatever_they_are_called(
    given_run: tuple[Run, tuple[Case, ...], tuple[Trace, ...]],
    text: str,
    names: list[str],
    private: bool,
) -> None:
    cases_ = tuple(map(CaseId, names))
    moved = tuple(Moved(id=each, before=None, after=Failure.UNKNOWN) for each in cases_)
    found = Comparison(
        name_a=text,
        name_b=text,
        paired=1,
        only_a=cases_,
        only_b=(),
        differences=(),
        attribution={},
        moved=moved,
        differs={text: (text, [text])},
        private=private,
    )
    page = compare_html(found, given_run[0], given_run[0])
    seen = Browser()
    seen.feed(page)
    seen.close()

    assert seen.open == []
    assert "script" not in seen.tags
    assert page.encode()


@settings(deadline=None, max_examples=60)
@given(runs(), verdicts())
def test_p03_p04_junit_is_xml_with_right_counts(
    given_run: tuple[Run, tuple[Case, ...], tuple[Trace, ...]], verdict: Verdict
) -> None:
    text = junit(given_run[0], verdict)
    root = ET.fromstring(text.encode())  # noqa: S314 - our own text

    tests = list(root.iter("testcase"))
    assert root.get("tests") == str(len(tests))
    broken = [each for each in tests if each.find("error") is not None]
    failed = [each for each in tests if each.find("failure") is not None]
    if verdict.exit_code == 3:
        assert broken
    elif verdict.exit_code == 1:
        assert failed


@settings(deadline=None, max_examples=60)
@given(runs(), verdicts())
def test_p02_every_table_of_markdown_keeps_its_columns(
    given_run: tuple[Run, tuple[Case, ...], tuple[Trace, ...]], verdict: Verdict
) -> None:
    page = markdown(given_run[0], verdict)
    lines = page.split("\n")

    assert page.encode()
    assert page.splitlines() == lines[:-1]
    for line, after in pairwise(lines):
        if line.startswith("|") and after.startswith("|"):
            assert len(columns(line)) == len(columns(after))
    assert all(
        line == "" or line.startswith(("# ", "## ", "- ", "|")) or FOLDS.fullmatch(line)
        for line in lines
    )
    # A part that is folded is closed again: no text of a run opens or closes one.
    assert page.count("<details>") == page.count("</details>")


def columns(row: str) -> list[str]:
    return re.split(r"(?<!\\)(?:\\\\)*\|", row)


@settings(deadline=None, max_examples=60)
@given(runs(), verdicts())
def test_a02_a04_json_loads_and_holds_no_nan(
    given_run: tuple[Run, tuple[Case, ...], tuple[Trace, ...]], verdict: Verdict
) -> None:
    def refuse(name: str) -> None:
        raise AssertionError(name)

    text = as_json(given_run[0], verdict)
    assert json.loads(text.encode(), parse_constant=refuse)
    assert problems(REPORT, text) == []
    for line in scores_lines(given_run[0]):
        assert json.loads(line.encode(), parse_constant=refuse)
        assert problems(SCORES, line) == []


@settings(deadline=None, max_examples=60)
@given(runs(), verdicts())
def test_p04_a_log_is_not_steered(
    given_run: tuple[Run, tuple[Case, ...], tuple[Trace, ...]], verdict: Verdict
) -> None:
    text = terminal(given_run[0], verdict)

    assert text.encode()
    assert text.splitlines() == text.split("\n")[:-1]
    for line in text.splitlines():
        assert not line.lstrip().startswith("::")
        assert "##[" not in line
        assert "\x1b" not in line
    for line in annotations(given_run[0], verdict):
        assert re.match(r"::(error|warning|notice) title=[^:,\n]*::", line)
        assert len(line.splitlines()) == 1


@settings(deadline=None, max_examples=100)
@given(st.lists(texts, max_size=30).map("\n".join), st.integers(0, 600))
def test_p05_a_summary_fits_and_never_cuts_a_line(page: str, limit: int) -> None:
    page = page.encode("utf-8", "replace").decode()
    short = summary(page, limit=limit)

    assert len(short.encode()) <= limit or short == ""
    if short != page and short:
        kept = short.split("\nThis page was cut: ")[0]
        assert kept == "" or page.startswith(kept)
        assert kept == "" or kept.endswith(
            ("\n", "\r", *"\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029")
        )


@given(st.sampled_from([HELD, MISSED, THIN]))
def test_p11_every_sink_says_the_same_verdict(bars: Bars) -> None:
    run = score(CASES, enumerate(TRACES, 1))
    verdict = judge(run, bars)
    word = {0: "PASS", 1: "FAIL", 3: "COULD NOT MEASURE"}[verdict.exit_code]

    assert terminal(run, verdict).startswith(word)
    assert markdown(run, verdict).startswith(f"# {word}")
    assert f"</span>{word}</h1>" in html(run, verdict)
    assert json.loads(as_json(run, verdict))["verdict"]["exit_code"] == (
        verdict.exit_code
    )
    assert list(annotations(run, verdict))[-1].startswith(
        f"::notice title=lastro::{word}"
    )
