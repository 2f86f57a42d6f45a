"""Laws of aggregates: range, order of rows, and what an interval may claim."""

import random
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lastro.eval.aggregate import aggregate, keys, slices, summarise, wilson
from lastro.eval.results import CaseResult
from lastro.model.case import QueryType
from lastro.model.ids import CaseId
from lastro.model.score import Failed, Score, Scored, Unscored

pytestmark = pytest.mark.property


@dataclass(frozen=True)
class Metric:
    name: str = "m"
    binary: bool = True


scores = st.dictionaries(
    st.text(min_size=1, max_size=4), st.floats(0, 1, allow_nan=False), max_size=30
)


@given(scores, st.booleans(), st.integers(0, 5))
@settings(deadline=None)
def test_a_mean_and_its_interval_stay_in_range(
    given_scores: dict[str, float], binary: bool, failed: int
) -> None:
    scored = {key: float(round(v)) if binary else v for key, v in given_scores.items()}

    found = summarise(scored, binary=binary, failed=failed, resamples=50)

    assert found.n == len(scored)
    assert found.eligible == found.n + found.failed
    assert (found.mean is None) == (found.n == 0)
    assert (found.ci_lo is None) == (found.n < 2)
    if found.mean is not None and found.ci_lo is not None and found.ci_hi is not None:
        assert 0 <= found.ci_lo < found.ci_hi <= 1
        assert min(scored.values()) - 1e-12 <= found.mean
        assert found.mean <= max(scored.values()) + 1e-12


@given(scores, st.randoms(use_true_random=False))
@settings(deadline=None)
def test_the_order_of_rows_changes_nothing(
    given_scores: dict[str, float], shuffle: random.Random
) -> None:
    rows = list(given_scores.items())
    shuffle.shuffle(rows)

    again = summarise(dict(rows), binary=False, resamples=50)

    assert again == summarise(given_scores, binary=False, resamples=50)


@given(st.integers(1, 500), st.data())
def test_a_wilson_interval_holds_the_share_and_is_never_a_point(
    n: int, data: st.DataObject
) -> None:
    k = data.draw(st.integers(0, n))

    low, high = wilson(k / n, n)

    assert 0 <= low <= k / n <= high <= 1
    assert low < high


@given(st.integers(2, 400), st.data())
def test_a_wilson_interval_rises_with_the_share(n: int, data: st.DataObject) -> None:
    k = data.draw(st.integers(0, n - 1))

    here, above = wilson(k / n, n), wilson((k + 1) / n, n)

    assert here[0] < above[0]
    assert here[1] < above[1]


@given(
    st.lists(
        st.tuples(
            st.sampled_from([None, "en", "ko"]),
            st.sampled_from([None, *QueryType]),
            st.sampled_from([Scored(0.0), Scored(1.0), Failed("x"), Unscored("y")]),
        ),
        max_size=12,
    )
)
def test_a_combined_slice_parts_the_cases_finer_than_either_label_and_loses_none(
    rows: list[tuple[str | None, QueryType | None, Score]],
) -> None:
    results = [
        CaseResult(id=CaseId(f"c{n}"), locale=locale, query_type=kind, scores=(score,))
        for n, (locale, kind, score) in enumerate(rows)
    ]
    found = slices(results, [Metric()], combine=["query_type+locale"])
    both = found["by_query_type+locale"]
    for at, dimension in enumerate(("by_query_type", "by_locale")):
        for key, group in found[dimension].items():
            parts = [each for name, each in both.items() if name.split("+")[at] == key]
            n = sum(each["m"].n for each in parts if each)
            assert parts
            assert n == (group["m"].n if group else 0)


_any_score = st.sampled_from([0.0, 0.25, 1.0]).map(Scored) | st.sampled_from(
    [Failed("x"), Unscored("y"), Scored(float("nan"))]
)


@given(
    st.lists(
        st.tuples(
            st.sampled_from([None, "en", "ko"]),
            st.lists(st.sampled_from(["a", "b"]), max_size=2),
            st.tuples(_any_score, _any_score, _any_score),
        ),
        max_size=12,
    )
)
@settings(deadline=None)
def test_a25_a_slice_is_what_its_cases_come_to_alone(
    rows: list[tuple[str | None, list[str], tuple[Score, ...]]],
) -> None:
    metrics = [Metric(), Metric("n", binary=False), Metric("o", binary=False)]
    results = [
        CaseResult(id=CaseId(f"c{n}"), locale=locale, tags=tuple(tags), scores=scores)
        for n, (locale, tags, scores) in enumerate(rows)
    ]
    found = slices(results, metrics, combine=["locale+tag"], resamples=50)
    for dimension, groups in found.items():
        for key, group in groups.items():
            own = [each for each in results if key in keys(each, dimension)]
            assert own
            assert group == aggregate(own, metrics, resamples=50)
