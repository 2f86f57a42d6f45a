"""Laws of attribution: one label a failed case, none otherwise; nothing is lost."""

import random
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lastro.eval.attribution import attribute, failed, waterfall
from lastro.eval.score import score
from lastro.eval.scorers import SCORERS
from lastro.model.case import Case, QueryType, TargetSpec
from lastro.model.decision import ReasonCode
from lastro.model.failure import Failure
from lastro.model.ids import CaseId
from lastro.model.ranking import Stage
from lastro.model.trace import (
    PlanStep,
    Retrieved,
    Trace,
    TraceDecision,
    TraceError,
    TraceLeg,
    TracePassage,
    TraceStageEntry,
)

pytestmark = pytest.mark.property

_documents = st.sampled_from(["a", "b", "c"])
_lists = st.lists(_documents, max_size=3).map(tuple)
_words = st.lists(st.sampled_from(["one", "two"]), max_size=2).map(tuple)
_reasons = st.sampled_from([ReasonCode.OK, ReasonCode.LOW_CONFIDENCE])
_bools = st.none() | st.booleans()
_entry = st.builds(TraceStageEntry, passage_id=_documents, document_id=_documents)
_order = st.lists(_entry, max_size=4).map(tuple)
_LEGS = ("lexical", "dense", "reranker")
_report = st.builds(
    TraceLeg,
    status=st.sampled_from(["ok", "off", "failed", "odd"]),
    hits=st.none() | st.integers(0, 4),
)

cases = st.builds(
    Case,
    id=st.just(CaseId("c")),
    query=st.just("q"),
    query_type=st.none() | st.sampled_from(list(QueryType)),
    answerable=st.booleans(),
    must_refuse=st.booleans(),
    must_cite_one_of=_lists,
    relevant_ids=_lists,
    expected_terms=_words,
    expected_reason=st.none() | _reasons,
    expected_claim_citations=st.lists(
        st.builds(
            TargetSpec,
            target=st.sampled_from(["left", "right"]),
            expected_doc_ids=st.lists(_documents, min_size=1, max_size=3).map(tuple),
            expected_terms=st.sampled_from([("one",), ("two",), ("one", "two")]),
        ),
        max_size=3,
    ).map(tuple),
)
traces = st.builds(
    Trace,
    case_id=st.just(CaseId("c")),
    retrieved=st.none()
    | st.lists(st.builds(Retrieved, id=_documents), max_size=6).map(tuple),
    stages=st.none() | st.fixed_dictionaries({}, optional=dict.fromkeys(Stage, _order)),
    legs=st.none() | st.fixed_dictionaries({}, optional=dict.fromkeys(_LEGS, _report)),
    evidence=st.none()
    | st.lists(
        st.builds(
            TracePassage,
            document_id=_documents,
            text=st.none() | st.sampled_from(["one", "two", "one two"]),
        ),
        max_size=3,
    ).map(tuple),
    gold_not_indexed=st.none() | _lists,
    decision=st.none() | st.builds(TraceDecision, reason=st.none() | _reasons),
    answer_text=st.none() | st.sampled_from(["one", "two"]),
    cited_ids=st.none() | _lists,
    abstained=_bools,
    refused=_bools,
    plan=st.none()
    | st.lists(st.builds(PlanStep, query=st.just("q")), max_size=3).map(tuple),
    error=st.none()
    | st.builds(TraceError, kind=st.sampled_from(["timeout", "crash: X"])),
)
counted = st.lists(st.none() | st.sampled_from(list(Failure)), max_size=40)


@given(cases, st.none() | traces)
@settings(max_examples=500, deadline=None)
def test_a_case_has_a_label_if_and_only_if_it_failed(
    case: Case, trace: Trace | None
) -> None:
    scores = {each.name: each.score(case, trace, 2) for each in SCORERS}

    found = attribute(case, trace, scores)

    errored = trace is None or trace.error is not None
    assert (found is not None) == failed(scores, errored=errored)


@given(cases, traces)
@settings(max_examples=200, deadline=None)
def test_a_run_counts_each_failed_case_under_one_label(
    case: Case, trace: Trace
) -> None:
    run = score([case], [(1, trace)], k=2)

    (result,) = run.results
    assert list(run.attribution) == list(Failure)
    assert sum(run.attribution.values()) == (result.failure is not None)
    assert result.failures == (result.failure is not None)


@given(counted, st.integers(0, 9))
def test_survivors_never_grow_and_what_is_lost_adds_up(
    labels: list[Failure | None], unmeasured: int
) -> None:
    counts = {label: labels.count(label) for label in Failure}
    total = len(labels) + unmeasured

    layers = waterfall(counts, total, unmeasured=unmeasured)

    left = [layer.left for layer in layers]
    assert left == sorted(left, reverse=True)
    assert left[0] == total
    assert left[-1] == labels.count(None)
    assert sum(layer.lost for layer in layers) == total - left[-1]
    for above, layer in pairwise(layers):
        assert layer.left == above.left - layer.lost


@given(st.lists(st.tuples(cases, traces), max_size=5), st.randoms())
@settings(max_examples=100, deadline=None)
def test_the_order_of_cases_changes_nothing(
    pairs: list[tuple[Case, Trace]], shuffle: random.Random
) -> None:
    def named(place: int, case: Case, trace: Trace) -> tuple[Case, Trace]:
        own = CaseId(f"c{place}")
        return (
            Case(**{**_fields(case), "id": own}),  # type: ignore[arg-type]
            Trace(**{**_fields(trace), "case_id": own}),  # type: ignore[arg-type]
        )

    rows = [named(place, *pair) for place, pair in enumerate(pairs)]
    other = list(rows)
    shuffle.shuffle(other)

    assert _attribution(rows) == _attribution(other)


def _fields(value: Case | Trace) -> dict[str, object]:
    return {name: getattr(value, name) for name in value.__slots__}


def _attribution(rows: list[tuple[Case, Trace]]) -> dict[Failure, int]:
    traced = enumerate((trace for _, trace in rows), 1)
    return score([case for case, _ in rows], traced, k=2).attribution
