"""Laws of the one look at a trace: who asks first, and how often, changes nothing."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import traces
from test_answer_metrics import cases

from lastro.eval.scorers import SCORERS, Panel, outcome
from lastro.eval.scorers.view import View
from lastro.model.case import Case
from lastro.model.ranking import Stage
from lastro.model.trace import Trace
from lastro.text.ids import canonical

pytestmark = pytest.mark.property


@given(cases, traces, st.integers(1, 6), st.randoms(use_true_random=False))
def test_a_shared_view_gives_every_scorer_what_a_look_of_its_own_gives(
    case: Case, trace: Trace, k: int, chance: random.Random
) -> None:
    alone = {scorer.name: scorer.score(case, trace, k) for scorer in SCORERS}
    shared = View(trace)
    order = list(SCORERS)
    for _ in range(2):
        chance.shuffle(order)
        assert {s.name: s.score(case, shared, k) for s in order} == alone
    assert outcome(case, shared) == outcome(case, trace)


@given(st.lists(st.tuples(cases, st.none() | traces), max_size=4), st.integers(1, 6))
def test_scorers_asked_together_give_what_each_of_them_gives(
    asked: list[tuple[Case, Trace | None]], k: int
) -> None:
    together = Panel(SCORERS, k)
    for case, trace in asked:
        alone = [scorer.score(case, trace, k) for scorer in SCORERS]
        view = None if trace is None else View(trace)
        assert together.scores(case, view) == alone


@given(traces, st.sampled_from(["", *Stage]))
def test_ranks_are_places_among_distinct_documents(trace: Trace, stage: str) -> None:
    found = View(trace).ranks(stage)
    if stage:
        entries = (trace.stages or {}).get(stage)
        named = None if entries is None else [each.document_id for each in entries]
    else:
        hits = trace.retrieved
        named = None if hits is None else [hit.parent_id or hit.id for hit in hits]

    assert (found is None) == (named is None)
    if found is not None and named is not None:
        distinct = list(dict.fromkeys(map(canonical, named)))
        assert found == {name: at for at, name in enumerate(distinct, 1)}
