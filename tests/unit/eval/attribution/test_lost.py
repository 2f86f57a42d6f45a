"""Gold that did not come back is looked for stage by stage."""

import pytest

from lastro.eval.attribution import lost
from lastro.model.case import Case
from lastro.model.failure import Failure
from lastro.model.ids import CaseId
from lastro.model.trace import Trace, TraceLeg, TraceStageEntry

CASE = Case(id=CaseId("c"), query="q", must_cite_one_of=("gold", "other"))


def order(text: str) -> tuple[TraceStageEntry, ...]:
    return tuple(
        TraceStageEntry(passage_id=f"{each}::{at}", document_id=each)
        for at, each in enumerate(text.split())
    )


def where(legs: dict[str, str] | None = None, /, **stages: str) -> Failure:
    trace = Trace(
        case_id=CaseId("c"),
        retrieved=(),
        stages={name: order(text) for name, text in stages.items()},
        legs=None
        if legs is None
        else {
            name: TraceLeg(status=status.split()[0], hits=int(status.split()[1]))
            for name, status in legs.items()
        },
    )
    return lost(CASE, trace)


@pytest.mark.parametrize(
    ("stages", "expected"),
    [
        ({}, Failure.RETRIEVAL_MISS),
        ({"lexical": "x y"}, Failure.CANDIDATE_MISS),
        ({"lexical": ""}, Failure.CANDIDATE_MISS),
        ({"lexical": "x", "dense": "y"}, Failure.CANDIDATE_MISS),
        ({"lexical": "x", "dense": "y gold"}, Failure.FUSION_MISS),
        ({"lexical": "x other"}, Failure.FUSION_MISS),
        # Without a reranker the fused order decides the window.
        ({"lexical": "gold", "fused": "x y gold"}, Failure.FUSION_MISS),
        ({"lexical": "gold", "fused": "x y"}, Failure.FUSION_MISS),
        ({"lexical": "gold", "fused": "gold x", "reranked": "x"}, Failure.RERANK_MISS),
        (
            {"lexical": "gold", "fused": "gold x", "reranked": "x gold"},
            Failure.RERANK_MISS,
        ),
        # Dropped before the reranker saw it.
        ({"lexical": "gold", "fused": "x", "reranked": "x"}, Failure.FUSION_MISS),
        ({"lexical": "gold", "fused": "x", "reranked": "gold"}, Failure.FUSION_MISS),
        ({"dense": "gold", "reranked": "x"}, Failure.FUSION_MISS),
        ({"dense": "gold", "reranked": "x gold"}, Failure.RERANK_MISS),
        # What the legs found is not known.
        ({"fused": "x"}, Failure.RETRIEVAL_MISS),
        ({"fused": "x gold"}, Failure.FUSION_MISS),
        ({"reranked": "x gold"}, Failure.RERANK_MISS),
        ({"reranked": "x"}, Failure.RETRIEVAL_MISS),
        ({"selected": "x"}, Failure.RETRIEVAL_MISS),
    ],
)
def test_the_stage_that_lost_it(stages: dict[str, str], expected: Failure) -> None:
    assert where(**stages) is expected


@pytest.mark.parametrize("status", ["off", "failed", "blind"])
def test_a_leg_that_gave_no_candidates_needs_no_stage(status: str) -> None:
    legs = {"lexical": "ok 1", "dense": f"{status} 0"}

    assert where(legs, lexical="x") is Failure.CANDIDATE_MISS
    assert where(legs, lexical="gold") is Failure.FUSION_MISS


def test_no_leg_that_answered_has_no_candidates() -> None:
    legs = {"lexical": "failed 0", "dense": "off 0"}

    assert where(legs, fused="") is Failure.CANDIDATE_MISS


@pytest.mark.parametrize("status", ["ok 3", "SUCCESS 3"])
def test_a_leg_whose_candidates_are_not_in_the_trace_may_have_found_it(
    status: str,
) -> None:
    legs = {"lexical": "ok 1", "dense": status}

    assert where(legs, lexical="x") is Failure.RETRIEVAL_MISS
    assert where(legs, lexical="x", fused="x") is Failure.RETRIEVAL_MISS
    assert where(legs, lexical="x", fused="x gold") is Failure.FUSION_MISS


def test_what_the_reranker_did_not_read_was_lost_at_fusion() -> None:
    stages = {"lexical": "gold", "fused": "x y gold", "reranked": "y x gold"}

    assert where({"reranker": "ok 2"}, **stages) is Failure.FUSION_MISS
    assert where({"reranker": "ok 3"}, **stages) is Failure.RERANK_MISS
    assert where(None, **stages) is Failure.RERANK_MISS
