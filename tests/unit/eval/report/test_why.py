"""What ``lastro why`` shows: a picture that fits the window and steers nothing."""

import json
from dataclasses import replace
from typing import Protocol

import pytest

from lastro.eval.report.terminal import width
from lastro.eval.report.turn import Layer, turn
from lastro.eval.report.why import DRAWN, fitted, folded, picture, why
from lastro.eval.report.why_data import why_data
from lastro.model.case import Case, QueryType, TargetSpec
from lastro.model.decision import ReasonCode
from lastro.model.failure import Failure
from lastro.model.ids import CaseId
from lastro.model.trace import (
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


class Golden(Protocol):
    def check(self, name: str, text: str) -> None: ...


def order(*documents: str) -> tuple[TraceStageEntry, ...]:
    return tuple(
        TraceStageEntry(passage_id=f"{each}::000", document_id=each)
        for each in documents
    )


LEAK = "The fee is 30 euros, the rent 90 euros."
SIDES = Case(
    id=CaseId("en.compare"),
    query="Is the fee or the rent higher?",
    query_type=QueryType.COMPARISON,
    must_cite_one_of=("a", "b"),
    expected_terms=("30 euros", "90 euros"),
    expected_claim_citations=(
        TargetSpec(target="fee", expected_doc_ids=("a",), expected_terms=("30 euros",)),
        TargetSpec(
            target="rent", expected_doc_ids=("b",), expected_terms=("90 euros",)
        ),
    ),
    expected_reason=ReasonCode.OK,
)
ONE_SIDED = Trace(
    case_id=SIDES.id,
    query=SIDES.query,
    retrieved=(Retrieved(id="a::000", parent_id="a"),),
    stages={
        "lexical": order("a", "x", "y", "z", "b"),
        "fused": order("a", "x", "y", "z", "b"),
    },
    legs={"lexical": TraceLeg(status="ok"), "dense": TraceLeg(status="failed")},
    evidence=(TracePassage(document_id="a", passage_id="a::000", text=LEAK),),
    decision=TraceDecision(
        reason="ok", confidence=0.8123, reasons=("ok", "low_confidence")
    ),
    cited_ids=("a",),
    claims=(
        TraceClaim(
            text="The fee is 30 euros.",
            target="fee",
            citations=(
                TraceCitation(document_id="a", passage_id="a::000"),
                TraceCitation(document_id="a", passage_id="a::000"),
            ),
        ),
        TraceClaim(text="Nobody knows why.", target="fee"),
    ),
    abstained=False,
)


def shown(case: Case | None, trace: Trace | None, columns: int = 100) -> str:
    return why(turn(case, trace, 4), columns)


def line_of(text: str, begins: str) -> str:
    return next(
        line.strip() for line in text.splitlines() if line.strip().startswith(begins)
    )


def test_the_pinned_leak_as_a_picture(golden: Golden) -> None:
    golden.check("why/one_sided.txt", shown(SIDES, ONE_SIDED))


def test_a_picture_says_what_was_lost_where_and_shouts_what_was_down() -> None:
    text = shown(SIDES, ONE_SIDED)

    assert text.startswith("en.compare  one_sided_comparison\n")
    assert line_of(text, "fused").endswith("1 at 1, 2 at 5 of 5  <- LOST HERE 2")
    assert line_of(text, "dense") == "dense     FAILED"
    assert "DENSE WAS DOWN" in text
    assert "Decision: ok, confidence 0.812" in text
    assert "also: low_confidence" in text
    assert "expected: ok" in text
    assert "side 2, all its terms in its own documents: IN NO PASSAGE" in text
    assert "[a::000]  ok" in text
    assert "cites nothing  claim_missing_citation" in text
    assert "side rent: expected_claim_missing" in text
    assert "comparison_groundedness 0.500" in text


def test_without_a_case_the_layers_are_shown_without_gold() -> None:
    text = shown(None, ONE_SIDED)

    assert "shown without gold" in text
    assert line_of(text, "fused") == "fused              ····|·" + " " * 24 + "of 5"
    assert "No label: give the cases with --cases" in text
    assert "Is the fee or the rent higher?" in text


def test_a_case_without_a_trace_says_so() -> None:
    text = shown(SIDES, None)

    assert "The run left no trace of it." in text
    assert "unknown: the run left no trace of it\n  Run the case again." in text
    assert "report it" not in text
    assert "\n\n\n" not in text


def test_a_case_that_did_not_fail_says_so() -> None:
    case = Case(id=CaseId("c"), query="q", must_cite_one_of=("a",))
    trace = Trace(case_id=case.id, retrieved=(Retrieved(id="a"),))

    assert "It did not fail." in shown(case, trace)


def test_what_is_not_in_a_trace_is_said_and_never_shown_as_empty() -> None:
    text = shown(None, Trace(case_id=CaseId("c")))

    assert line_of(text, "fused").split() == ["fused", "not", "in", "the", "trace"]
    assert "There was no retrieval step." in text
    assert "Decision: not in the trace" in text
    assert "abstained: not known, refused: not known" in text
    assert "Claims: not in the trace" in text
    assert "the trace does not hold the question" in text
    assert "Evidence" not in text


def test_what_stands_in_for_evidence_is_said() -> None:
    text = shown(SIDES, replace(ONE_SIDED, evidence=None))

    assert "Evidence: 1 passage, those retrieved: the trace names no evidence" in text
    assert "Evidence: 1 passage\n" in shown(SIDES, ONE_SIDED)


def test_an_error_is_shouted_and_names_who_failed() -> None:
    error = TraceError(kind="timeout", provider="openai")
    case = Case(id=CaseId("c"), query="q")

    text = shown(case, Trace(case_id=CaseId("c"), error=error))

    assert "THE TURN BROKE: timeout of openai" in text
    assert "provider_error: " in text


def test_gold_that_the_base_does_not_hold_is_shouted() -> None:
    case = Case(id=CaseId("c"), query="q", must_cite_one_of=("a",))
    trace = Trace(case_id=case.id, retrieved=(), gold_not_indexed=("a",))

    text = shown(case, trace)

    assert "NOT IN THE KNOWLEDGE BASE: a" in text
    assert "corpus_gap: " in text


def test_a_label_that_a_leg_may_explain_names_the_leg() -> None:
    case = Case(id=CaseId("c"), query="q", must_cite_one_of=("a",))
    legs = {"lexical": TraceLeg(status="ok"), "dense": TraceLeg(status="blind")}
    trace = Trace(
        case_id=case.id, retrieved=(), legs=legs, stages={"lexical": order("x")}
    )

    text = shown(case, trace)

    assert "candidate_miss: " in text
    assert "Begin with the leg that was down: dense." in text
    assert line_of(text, "dense") == "dense     BLIND"


def test_a_missing_citation_says_where_its_document_never_was_found() -> None:
    case = Case(
        id=CaseId("c"), query="q", relevant_ids=("a", "b"), must_cite_one_of=("b",)
    )
    trace = Trace(case_id=case.id, retrieved=(Retrieved(id="a"),), cited_ids=("a",))

    text = shown(case, trace)

    assert "citation_miss: " in text
    assert "What it has to cite was not found either." in text


def test_what_declined_without_saying_that_it_refused() -> None:
    case = Case(id=CaseId("c"), query="q", answerable=False, must_refuse=True)
    trace = Trace(case_id=case.id, abstained=True, refused=False)

    assert "It declined, and did not say that it refused." in shown(case, trace)


def test_claims_that_cannot_be_read_end_nothing() -> None:
    trace = Trace(case_id=CaseId("c"), answer={"claims": 7}, retrieved=())

    assert "Claims: cannot be read, answer.claims is not a list" in shown(None, trace)
    assert why_data(turn(None, trace, 4))["claims"] == {
        "made": None,
        "why": "answer.claims is not a list",
    }


def test_a_long_order_is_cut_and_says_so() -> None:
    names = tuple(f"d{i}" for i in range(DRAWN + 6))
    near = Layer(name="fused", order=names, ranks=(3,), cut=4)
    far = Layer(name="fused", order=names, ranks=(DRAWN + 1,), cut=4)

    assert picture(near, ["●"]) == "··●·|" + "·" * 20 + "..."
    assert picture(far, ["●"]) == "····|" + "·" * 20 + "..."
    assert picture(Layer(name="retrieved", order=names[:4], cut=4), []) == "····"
    assert picture(Layer(name="cited", order=()), ["●"]) == ""
    assert picture(Layer(name="dense", order=None), ["●"]) == ""


@pytest.mark.parametrize("columns", [60, 100])
def test_no_line_is_wider_than_the_window(columns: int) -> None:
    texts = ("한국어 문서입니다. " * 30, "x" * 500, "a b " * 200)
    trace = Trace(
        case_id=CaseId("c" * 300),
        query="왜 " * 200,
        evidence=tuple(TracePassage(document_id="d", text=text) for text in texts),
        claims=tuple(TraceClaim(text=text) for text in texts),
    )

    lines = shown(None, trace, columns).splitlines()

    assert max(map(width, lines)) <= columns
    assert any("…" in line for line in lines)


def test_folded_lines_lose_no_word() -> None:
    line = "  one two  three four five"

    assert " ".join(" ".join(folded(line, 12)).split()) == "one two three four five"
    assert list(folded("short", 12)) == ["short"]
    assert list(folded("", 12)) == [""]
    assert fitted("한국어", 6) == "한국어"
    assert fitted("한국어", 5) == "한국…"


HOSTILE = "\x1b[2J\u202e\x07\r\n::error::x"


def test_p02_no_text_of_a_trace_steers_the_terminal_or_a_build() -> None:
    trace = Trace(
        case_id=CaseId(HOSTILE),
        query=HOSTILE,
        evidence=(TracePassage(document_id=HOSTILE, text=HOSTILE),),
        claims=(TraceClaim(text=HOSTILE),),
        legs={HOSTILE: TraceLeg(status="failed"), "dense": TraceLeg(status=HOSTILE)},
        decision=TraceDecision(reason=HOSTILE, reasons=(HOSTILE,)),
        error=TraceError(kind=HOSTILE, provider=HOSTILE),
        gold_not_indexed=(HOSTILE,),
    )

    text = shown(None, trace)

    assert not {"\x1b", "\u202e", "\x07", "\r"} & set(text)
    assert not any(line.strip().startswith("::") for line in text.splitlines())


def test_the_json_holds_what_the_picture_shows_and_nothing_is_cut() -> None:
    data = json.loads(json.dumps(why_data(turn(SIDES, ONE_SIDED, 4)), allow_nan=False))

    assert data["failure"] == Failure.ONE_SIDED_COMPARISON
    assert data["failing"]["comparison_groundedness"] == 0.5
    assert [each["name"] for each in data["layers"]] == [
        "lexical",
        "dense",
        "fused",
        "retrieved",
        "evidence",
        "cited",
    ]
    fused = data["layers"][2]
    assert (fused["ranks"], fused["lost"], fused["cut"]) == ({"1": 1, "2": 5}, ["2"], 4)
    assert data["layers"][1] == {
        "name": "dense",
        "status": "failed",
        "documents": None,
        "cut": None,
        "ranks": None,
        "lost": [],
    }
    assert data["down"] == ["dense"]
    assert data["sides"] == {"1": [1], "2": []}
    assert data["claims"]["made"][1]["codes"] == ["claim_missing_citation"]
    assert data["claims"]["missing"] == ["side rent: expected_claim_missing"]
    assert data["evidence"][0]["gold"] == ["1"]
    assert data["evidence"][0]["text"] == LEAK


def test_the_json_of_a_turn_that_is_not_there_knows_nothing() -> None:
    data = why_data(turn(SIDES, None, 4))

    assert data["failure"] == Failure.UNKNOWN
    assert data["evidence"] is None
    assert data["claims"] is None
    assert "decision" not in data
    assert data["layers"] == []
    assert why_data(turn(None, ONE_SIDED, 4))["judged"] is False


TERM = Case(
    id=CaseId("c"), query="q", must_cite_one_of=("a",), expected_terms=("30 euros",)
)


@pytest.mark.parametrize(
    ("trace", "said"),
    [
        (
            Trace(case_id=TERM.id, retrieved=(Retrieved(id="a"),)),
            "Which terms stand in it is not known: the trace holds no text.",
        ),
        (
            Trace(case_id=TERM.id, error=TraceError(kind="unfinished"), evidence=()),
            "Which terms stand in it is not known: the turn broke.",
        ),
    ],
)
def test_not_known_is_never_shown_as_no(trace: Trace, said: str) -> None:
    text = shown(TERM, trace)

    assert said in text
    assert "NO PASSAGE" not in text
    assert why_data(turn(TERM, trace, 4))["terms"] is None


def test_what_a_turn_that_broke_retrieved_is_not_known() -> None:
    trace = Trace(case_id=TERM.id, error=TraceError(kind="unfinished"))

    text = shown(TERM, trace)

    assert "What was retrieved is not known: the turn broke." in text
    assert "no retrieval step" not in text


@pytest.mark.parametrize(
    ("targets", "cited", "what", "todo"),
    [
        (("fee",), "a", "no claim names the side rent", "See why the answer says"),
        (("fee", "rent"), "a", "claim 2 cites no document of its side rent", "Compare"),
        (("fee", "rent"), "", "claim 2 cites nothing", "Compare each claim"),
    ],
)
def test_an_unsupported_claim_is_told_by_what_was_found(
    targets: tuple[str, ...], cited: str, what: str, todo: str
) -> None:
    case = replace(SIDES, query_type=None, expected_terms=())
    there = (TracePassage(document_id="a", text=LEAK),)
    point = (TraceCitation(document_id="a"),)
    claims = tuple(
        TraceClaim(text=LEAK, target=each, citations=point if cited or not at else ())
        for at, each in enumerate(targets)
    )
    trace = Trace(
        case_id=case.id,
        retrieved=(Retrieved(id="a"),),
        evidence=there,
        claims=claims,
        decision=TraceDecision(reason="ok"),
        abstained=False,
    )

    text = shown(case, trace)

    assert line_of(text, "unsupported_claim: ") == f"unsupported_claim: {what}"
    assert todo in text


@pytest.mark.parametrize(
    ("stages", "said"),
    [
        (None, "retrieval_miss: not in the first 4 (it stands at 6)"),
        (
            {"lexical": order("a"), "fused": order("u", "v", "w", "x", "a")},
            "fusion left it out of the first 4 (it stands at 5)",
        ),
    ],
)
def test_gold_below_the_cut_is_told_with_its_place(
    stages: dict[str, tuple[TraceStageEntry, ...]] | None, said: str
) -> None:
    found = tuple(Retrieved(id=each) for each in (*"uvwxy", "a"))
    case = replace(TERM, expected_terms=())

    text = shown(case, Trace(case_id=TERM.id, retrieved=found, stages=stages))

    assert said in text
