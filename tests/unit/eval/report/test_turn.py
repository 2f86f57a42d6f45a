"""A turn is laid out layer by layer: where the gold stood, and where it was lost."""

import pytest

from lastro.eval.report.held import codes, evidence, grounding, unreadable
from lastro.eval.report.held import holders as holders_of
from lastro.eval.report.turn import Layer, Turn, turn
from lastro.model.case import Case, QueryType, TargetSpec
from lastro.model.failure import Failure
from lastro.model.ids import CaseId
from lastro.model.score import Scored
from lastro.model.trace import (
    Retrieved,
    Trace,
    TraceCitation,
    TraceClaim,
    TraceError,
    TraceLeg,
    TracePassage,
    TraceStageEntry,
)

CASE = Case(
    id=CaseId("c"),
    query="How much?",
    must_cite_one_of=("gold", "twin"),
    expected_terms=("30 euros",),
)


def order(text: str) -> tuple[TraceStageEntry, ...]:
    return tuple(
        TraceStageEntry(passage_id=f"{each}::{at}", document_id=each)
        for at, each in enumerate(text.split())
    )


def left(
    retrieved: str | None = None,
    *,
    legs: dict[str, str] | None = None,
    evidence: str | None = None,
    cited: str | None = None,
    **stages: str,
) -> Trace:
    return Trace(
        case_id=CaseId("c"),
        retrieved=None
        if retrieved is None
        else tuple(Retrieved(id=each) for each in retrieved.split()),
        stages={name: order(text) for name, text in stages.items()},
        legs=None if legs is None else {n: TraceLeg(status=s) for n, s in legs.items()},
        evidence=None
        if evidence is None
        else tuple(TracePassage(document_id=each) for each in evidence.split()),
        cited_ids=None if cited is None else tuple(cited.split()),
    )


def by_name(shown: Turn) -> dict[str, Layer]:
    return {layer.name: layer for layer in shown.layers}


def lost_at(trace: Trace, case: Case = CASE, k: int = 2) -> list[tuple[str, ...]]:
    return [
        (each.name, *each.lost) for each in turn(case, trace, k).layers if each.lost
    ]


@pytest.mark.parametrize(
    ("trace", "where"),
    [
        (left("x y", lexical="x", dense="y", fused="x y"), "dense"),
        (left("x y", lexical="x", fused="x y"), "lexical"),
        (left("x y", lexical="gold", fused="x y"), "fused"),
        (left("x y", lexical="gold", fused="x y gold"), "fused"),
        (left("x y", lexical="gold", fused="gold x y", reranked="x y"), "reranked"),
        (
            left("x y", lexical="gold", fused="x y gold", reranked="x y gold"),
            "reranked",
        ),
        (left("x y"), "retrieved"),
        (left("x y gold"), "retrieved"),
        (left("gold x", evidence="x"), "evidence"),
        (left("gold x", selected="x"), "evidence"),
        (left("gold x", evidence="gold", cited="x"), "cited"),
        (left(evidence="x"), "evidence"),
    ],
)
def test_gold_is_lost_at_the_first_layer_that_does_not_pass_it_on(
    trace: Trace, where: str
) -> None:
    assert lost_at(trace) == [(where, "●")]


@pytest.mark.parametrize(
    "trace",
    [
        left("x twin", lexical="twin", fused="x twin", evidence="twin", cited="twin"),
        # Whatever the stages say, what came back was not lost before.
        left("gold x", lexical="x", fused="x y gold"),
        left(),
        # Nothing tells of a search, so citing lost nothing of it.
        Trace(case_id=CASE.id, cited_ids=(), abstained=True),
        Trace(case_id=CASE.id, evidence=(), cited_ids=()),
    ],
)
def test_gold_that_came_through_was_lost_nowhere(trace: Trace) -> None:
    assert lost_at(trace) == []


def test_a_leg_whose_candidates_are_not_known_is_not_blamed() -> None:
    legs = {"lexical": "ok", "dense": "ok"}

    assert lost_at(left("x", legs=legs, lexical="x")) == [("retrieved", "●")]
    down = left("x", legs={"lexical": "ok", "dense": "failed"}, lexical="x")
    assert lost_at(down) == [("lexical", "●")]
    assert turn(CASE, down, 2).down == ("dense",)


def test_a_leg_that_is_off_was_not_asked() -> None:
    shown = turn(CASE, left("x", legs={"lexical": "ok", "dense": "off"}), 2)

    assert shown.down == ()
    assert by_name(shown)["dense"].status == "off"
    assert by_name(shown)["dense"].order is None


def test_ranks_count_documents_not_passages_and_start_at_one() -> None:
    shown = turn(CASE, left("gold", lexical="x x twin gold", fused="twin"), 2)

    found = by_name(shown)
    assert found["lexical"].order == ("x", "twin", "gold")
    assert found["lexical"].ranks == (2,)
    assert found["fused"].cut == 2
    assert found["lexical"].cut is None
    assert "reranked" not in found


SIDES = Case(
    id=CaseId("c"),
    query="Which?",
    query_type=QueryType.COMPARISON,
    must_cite_one_of=("a", "b"),
    expected_terms=("1 euro",),
    expected_claim_citations=(
        TargetSpec(target="left", expected_doc_ids=("a",), expected_terms=("1 euro",)),
        TargetSpec(target="right", expected_doc_ids=("b",), expected_terms=("2",)),
    ),
)


def test_each_side_of_a_comparison_is_followed_on_its_own() -> None:
    trace = left(
        "a x", lexical="a b", fused="a x b", evidence="a x", cited="a x", selected="b"
    )

    shown = turn(SIDES, trace, 2)

    assert [(one.mark, one.side) for one in shown.sought] == [
        ("1", "left"),
        ("2", "right"),
    ]
    assert lost_at(trace, SIDES) == [("fused", "2")]
    assert by_name(shown)["fused"].ranks == (1, 3)


def test_evidence_carries_the_marks_and_says_where_terms_stand() -> None:
    trace = Trace(
        case_id=CaseId("c"),
        evidence=(
            TracePassage(document_id="a", text="It is 1 euro, that is 2."),
            TracePassage(document_id="x", text="1 euro"),
            TracePassage(document_id="b"),
        ),
    )

    shown = turn(SIDES, trace, 2)

    assert [marks for _, marks in evidence(shown) or ()] == ["1", "", "2"]
    assert holders_of(shown) == {"1 euro": [1, 2]}
    assert grounding(shown) == {"1": [1], "2": []}


def test_claims_carry_their_codes_and_a_side_without_a_claim_its_own() -> None:
    trace = Trace(
        case_id=CaseId("c"),
        evidence=(TracePassage(document_id="a", text="It is 1 euro."),),
        claims=(
            TraceClaim(
                text="It is 1 euro.",
                target="left",
                citations=(TraceCitation(document_id="a"),),
            ),
            TraceClaim(text="It is nice."),
        ),
    )

    assert codes(turn(SIDES, trace, 2)) == (
        {
            2: ["claim_missing_citation"],
            0: ["side right: expected_claim_missing"],
        },
        "",
    )
    assert codes(turn(None, trace, 2)) == ({2: ["claim_missing_citation"]}, "")
    silent = Trace(case_id=CaseId("c"))
    assert codes(turn(None, silent, 2)) == ({}, "not checked: the trace has no claims")


def test_a_turn_is_judged_by_its_case() -> None:
    shown = turn(CASE, left("x", evidence="x", cited="x"), 2)

    assert shown.failure is Failure.RETRIEVAL_MISS
    assert shown.failing == {
        "retrieval_hit_at_k": Scored(0.0),
        "citation_coverage": Scored(0.0),
    }


def test_a_case_without_a_trace_and_a_trace_without_a_case() -> None:
    nothing = turn(CASE, None, 2)
    stray = turn(None, left("x"), 2)

    assert (nothing.failure, nothing.layers) == (Failure.UNKNOWN, ())
    assert (stray.name, stray.failure, stray.sought) == ("c", None, ())
    assert by_name(stray)["retrieved"].order == ("x",)


TEXTLESS = (Retrieved(id="gold"),)


@pytest.mark.parametrize(
    ("trace", "why"),
    [
        (None, "the run left no trace"),
        (Trace(case_id=CASE.id), "the trace holds no evidence"),
        (Trace(case_id=CASE.id, retrieved=TEXTLESS), "the trace holds no text"),
        (
            Trace(case_id=CASE.id, error=TraceError(kind="unfinished"), evidence=()),
            "the turn broke",
        ),
    ],
)
def test_what_cannot_be_looked_at_is_never_said_to_hold_nothing(
    trace: Trace | None, why: str
) -> None:
    found = turn(CASE, trace, 2)

    assert unreadable(found) == why
    assert holders_of(found) == {}


def test_evidence_that_is_empty_holds_nothing() -> None:
    found = turn(CASE, Trace(case_id=CASE.id, retrieved=(), evidence=()), 2)

    assert unreadable(found) == ""
    assert holders_of(found) == {"30 euros": []}
