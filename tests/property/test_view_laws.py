"""Laws of the one look at a trace: who asks first, and how often, changes nothing."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import traces
from test_answer_metrics import cases

from lastro.eval.scorers import SCORERS, outcome
from lastro.eval.scorers.view import View
from lastro.model.case import Case
from lastro.model.ranking import Stage
from lastro.model.trace import Trace

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


@given(traces, st.integers(1, 6), st.integers(1, 6))
def test_a_window_is_that_of_its_own_cut_off_whichever_was_asked_before(
    trace: Trace, k: int, other: int
) -> None:
    view = View(trace)
    for stage in ("", *Stage):
        before = view.window(other, stage)
        found = view.window(k, stage)
        assert found == View(trace).window(k, stage)
        assert view.window(other, stage) == before
        if found is not None:
            assert before is not None
            assert found[: min(k, other)] == before[: min(k, other)]
