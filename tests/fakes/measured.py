"""Eight cases and what a system left behind of them, small enough to know by heart."""

import dataclasses

from lastro.eval.results import FloorScore, Run
from lastro.eval.score import score
from lastro.eval.verdict import Bars
from lastro.model.case import Case, Category, QueryType, TargetSpec
from lastro.model.ids import CaseId
from lastro.model.trace import Retrieved, Trace, TraceDecision, TraceError, TracePassage

HOSTILE = "<script>alert(1)</script>|\n# x\x1b[31m\u202e`"


def case(case_id: str, locale: str, **more: object) -> Case:
    plain_case = Case(
        id=CaseId(case_id),
        query="q",
        locale=locale,
        query_type=QueryType.SINGLE_DOC,
        must_cite_one_of=("x",),
        expected_terms=("fee",),
    )
    return dataclasses.replace(plain_case, **more)  # type: ignore[arg-type]


def side(name: str) -> TargetSpec:
    return TargetSpec(target=name, expected_doc_ids=(name,), expected_terms=("fee",))


CASES = (
    case("c1", "en"),
    case("c2", "en", relevant_ids=("x", "z"), tags=("table",)),
    case("c3", "pt-BR"),
    case("c4", "ko", tags=("table", "수강료")),
    case(
        "c5",
        "ko",
        query_type=QueryType.COMPARISON,
        expected_doc_ids=("x", "y"),
        expected_claim_citations=(side("x"), side("y")),
    ),
    case(
        "c6",
        "en",
        category=Category.NO_MATCH,
        query_type=QueryType.ABSTENTION,
        answerable=False,
        must_cite_one_of=(),
        expected_terms=(),
    ),
    case("c7|<b>", "pt-BR"),
    case("c8", "pt-BR"),
)


def trace(case_id: str, *found: str, abstained: bool = False) -> Trace:
    passages = tuple(TracePassage(document_id=d, text=f"The fee of {d}") for d in found)
    return Trace(
        case_id=CaseId(case_id),
        system="naive",
        retrieved=tuple(Retrieved(id=each) for each in found),
        evidence=passages,
        cited_ids=found[:1],
        decision=TraceDecision(reason="ok" if found else "insufficient_context"),
        abstained=abstained,
        refused=abstained,
    )


TRACES = (
    trace("c1", "x"),
    trace("c2", "y", "x"),
    trace("c3", "y", "z"),
    trace("c4", "x", "y"),
    trace("c5", "x"),
    trace("c6", abstained=True),
    Trace(
        case_id=CaseId("c7|<b>"),
        system="naive",
        error=TraceError(kind="timeout", provider="openai"),
    ),
    trace("stray", "x"),
)

FLOORS = {
    "one_passage": {
        "retrieval_hit_at_k": FloorScore(mean=0.6, n=5, headroom=0.5, told_apart=False),
    },
    "random": {
        "retrieval_hit_at_k": FloorScore(mean=0.1, n=5, headroom=7 / 9, told_apart=True)
    },
}


def run_of(cases: tuple[Case, ...] = CASES, traces: tuple[Trace, ...] = TRACES) -> Run:
    run = score(cases, enumerate(traces, 1))
    provenance = {**run.provenance, "lastro": "0.0.0"}
    return dataclasses.replace(run, provenance=provenance)


WITH_FLOORS = dataclasses.replace(run_of(), floors=FLOORS)
HELD = Bars(min_hit=0.5, min_scored=0.5)
MISSED = Bars(
    min_hit=0.9,
    minimums={"by_locale.ko.groundedness": 0.5, "refusal": None},
    min_scored=0.5,
)
THIN = Bars(min_hit=0.5)
