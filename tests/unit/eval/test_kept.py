"""Results in columns: what goes in comes out, in little room."""

import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastro.eval.kept import Kept, kept
from lastro.eval.results import CaseResult
from lastro.model.case import Category, QueryType
from lastro.model.failure import Failure
from lastro.model.ids import CaseId
from lastro.model.score import Failed, Score, Scored, Unscored

METRICS = 3
TEXTS = st.text(max_size=3)
SCORES: st.SearchStrategy[Score] = st.one_of(
    st.builds(
        Scored,
        st.floats(0, 1, allow_nan=False),
        st.lists(TEXTS, max_size=2).map(tuple),
    ),
    st.builds(Unscored, TEXTS),
    st.builds(Failed, TEXTS),
)
RESULTS = st.builds(
    CaseResult,
    id=st.text(max_size=2).map(CaseId),
    category=st.sampled_from(Category),
    locale=st.none() | st.just("ko"),
    query_type=st.none() | st.sampled_from(QueryType),
    tags=st.lists(TEXTS, max_size=2).map(tuple),
    scores=st.tuples(SCORES, SCORES, SCORES),
    broke=TEXTS,
    failure=st.none() | st.sampled_from(Failure),
    repeats=st.integers(1, 3),
    failures=st.integers(0, 3),
    answerable=st.booleans(),
    abstained=st.none() | st.floats(0, 1),
    confidence=st.none() | st.floats(0, 1),
)


@given(st.lists(RESULTS, max_size=8))
def test_what_goes_in_comes_out(results: list[CaseResult]) -> None:
    held = Kept(metrics=METRICS)

    rows = [held.put(result) for result in results]

    assert rows == list(range(len(results)))
    assert held == results
    assert [held[row] for row in rows] == results
    assert held[1:] == tuple(results[1:])
    assert held.by_id() == sorted(results, key=lambda result: result.id)


@given(st.lists(RESULTS, min_size=1, max_size=6), RESULTS, st.data())
def test_a_result_takes_the_place_of_another(
    results: list[CaseResult], other: CaseResult, data: st.DataObject
) -> None:
    held = Kept(metrics=METRICS)
    for result in results:
        held.put(result)
    row = data.draw(st.integers(0, len(results) - 1))

    assert held.put(other, row) == row

    results[row] = other
    assert held == results


@given(st.lists(RESULTS, max_size=8))
def test_what_results_share_is_told_with_their_rows(results: list[CaseResult]) -> None:
    held = kept(results, METRICS)

    seen = {int(row): form for form, rows in held.alike() for row in rows}

    assert sorted(seen) == list(range(len(results)))
    for row, form in seen.items():
        there = held[row]
        assert (form.locale, form.tags, form.failure) == (
            there.locale,
            there.tags,
            there.failure,
        )


@given(st.lists(RESULTS, max_size=8, unique_by=lambda result: result.id))
def test_one_metric_by_id_holds_what_was_measured(results: list[CaseResult]) -> None:
    found = kept(results, METRICS).measured(1)

    assert found == {
        result.id: score.value
        for result in results
        if isinstance(score := result.scores[1], Scored)
    }


def test_a_score_is_no_other_kind_of_the_same_words() -> None:
    scores = (Unscored("x"), Failed("x"), Scored(1.0, ("x",)))
    held = kept([CaseResult(id=CaseId("a"), scores=scores)], METRICS)

    assert held[0].scores == scores


def test_a_result_with_other_metrics_is_refused() -> None:
    with pytest.raises(ValueError, match="1 scores are not 3"):
        Kept(metrics=METRICS).put(CaseResult(id=CaseId("a"), scores=(Scored(1.0),)))


def test_what_is_kept_in_columns_already_is_not_copied() -> None:
    held = kept([CaseResult(id=CaseId("a"), scores=(Scored(1.0),) * 3)], METRICS)

    assert kept(held, METRICS) is held


def test_a_result_takes_less_room_than_its_scores_would() -> None:
    """34 metrics of 2,000 cases: a pointer each alone would be 272 bytes a case."""
    held = Kept(metrics=34)
    tracemalloc.start()
    try:
        for number in range(2000):
            scores = tuple(Scored(number % 7 / 7) for _ in range(34))
            held.put(CaseResult(id=CaseId("c"), scores=scores))
        size, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert size / 2000 < 250
