"""Laws of judge groundedness: a share of verdicts, or no number at all."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reading_judge import Reading

from lastro.eval.scorers import Scorer, scorers
from lastro.eval.scorers.judge import Judgement, Ruling, best
from lastro.model.case import Case
from lastro.model.ids import CaseId
from lastro.model.score import Failed, Score, Scored
from lastro.model.trace import Trace, TraceCitation, TraceClaim, TracePassage

pytestmark = pytest.mark.property

CASE = Case(id=CaseId("c"), query="q")
TEXTS = st.text("ab ", min_size=1, max_size=4)
RULINGS = st.lists(st.sampled_from(Ruling), max_size=6)


@st.composite
def traces(draw: st.DrawFn) -> Trace:
    """Return claims that cite evidence, nothing, or what is not there."""
    texts = draw(st.lists(TEXTS, min_size=1, max_size=4))
    ids = st.sampled_from([f"d{n}" for n in range(len(texts) + 1)])
    citations = st.lists(
        ids.map(lambda one: TraceCitation(document_id=one)), max_size=2
    )
    made = st.builds(TraceClaim, text=TEXTS, citations=citations.map(tuple))
    return Trace(
        case_id=CASE.id,
        evidence=tuple(
            TracePassage(document_id=f"d{n}", text=text) for n, text in enumerate(texts)
        ),
        claims=tuple(draw(st.lists(made, min_size=1, max_size=5))),
    )


def scored(trace: Trace, by: Reading) -> Score:
    return scorer(by).score(CASE, trace, 4)


def scorer(by: Reading) -> Scorer:
    return next(s for s in scorers(judge=by) if s.name == "judge_groundedness")


@given(traces(), st.frozensets(TEXTS, max_size=3))
def test_g07_g18_a_share_of_all_claims_or_nothing(
    trace: Trace, left_open: frozenset[str]
) -> None:
    by = Reading(open=left_open)
    found = scored(trace, by)
    claims = trace.claims or ()

    asked = {claim for claim, _ in by.asked}
    if asked & left_open or any(not claim.text.strip() for claim in claims):
        assert isinstance(found, Failed)
    else:
        assert isinstance(found, Scored)
        assert 0 <= found.value <= 1
        wrong = len(found.notes) - 1
        assert found.value == (len(claims) - wrong) / len(claims)
        assert f"claims {len(claims)}, verdicts {len(claims)}," in found.notes[0]


@given(traces())
def test_g10_text_that_says_nothing_on_a_claim_changes_no_value(trace: Trace) -> None:
    other = TracePassage(document_id="other", text="zzz")
    evidence = trace.evidence or ()
    more = Trace(
        case_id=trace.case_id, claims=trace.claims, evidence=(other, *evidence, other)
    )

    assert scored(trace, Reading()) == scored(more, Reading())


def rank(rulings: Sequence[Ruling]) -> Ruling:
    """Say again, slowly, what readings come to."""
    for ruling in (Ruling.SUPPORTED, Ruling.UNAVAILABLE, Ruling.CONTRADICTED):
        if ruling in rulings:
            return ruling
    return Ruling.UNSUPPORTED


@given(RULINGS, st.data())
def test_the_order_of_readings_changes_nothing(
    rulings: list[Ruling], data: st.DataObject
) -> None:
    shuffled = data.draw(st.permutations(rulings))
    more = [*shuffled, Ruling.UNSUPPORTED]

    for order in (rulings, shuffled, more):
        assert best(map(Judgement, order)).ruling is rank(rulings)
