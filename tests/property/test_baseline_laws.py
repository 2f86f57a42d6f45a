"""Laws of bars and baselines: what is asked more strictly is never held sooner."""

import json
from collections.abc import Sequence
from dataclasses import replace

import pytest
from held import GROUNDED, HIT, column, run
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from two_runs import Cell

from lastro.eval.baseline import from_run
from lastro.eval.baseline_text import dumps, loads
from lastro.eval.results import Run
from lastro.eval.verdict import Bars, judge, verdict
from lastro.model.score import BarKind, BarState, Verdict

pytestmark = pytest.mark.property

shares = st.floats(0, 1, allow_nan=False)
cells: st.SearchStrategy[Cell] = st.sampled_from((0.0, 1.0, 0.5, 1 / 3, None, "broke"))
columns = st.lists(cells, min_size=1, max_size=12)


@st.composite
def tables(draw: st.DrawFn) -> Run:
    """Return a run of a few cases in two locales."""
    n = draw(st.integers(1, 8))
    rows = {f"c{i}": [draw(cells), draw(cells)] for i in range(n)}
    return run(
        rows, locales={name: draw(st.sampled_from(("ko", "en"))) for name in rows}
    )


def states(found: Verdict) -> dict[tuple[str, BarKind], tuple[BarState, bool]]:
    return {(bar.metric, bar.kind): (bar.state, bar.held) for bar in found.bars}


@given(columns, shares, shares)
def test_raising_a_floor_never_turns_a_miss_into_a_hold(
    of: Sequence[Cell], one: float, two: float
) -> None:
    low, high = sorted((one, two))
    for name in ("minimums", "min_lower"):
        bars = [Bars(**{name: {HIT: least}}) for least in (low, high)]  # type: ignore[arg-type]
        loose, strict = (judge(column(of), each).bars[-1] for each in bars)
        assert loose.state == strict.state
        assert loose.held >= strict.held


@given(tables(), tables(), shares, shares)
@settings(max_examples=40)
def test_tolerating_less_never_turns_a_miss_into_a_hold(
    then: Run, now: Run, one: float, two: float
) -> None:
    low, high = sorted((one, two))
    of = from_run(then)
    now = replace(now, provenance=then.provenance)

    strict, loose = (
        judge(now, Bars(baseline=of, tolerance=t, min_scored=0.0)) for t in (low, high)
    )

    for key, (state, held) in states(strict).items():
        assert states(loose)[key][0] == state
        assert states(loose)[key][1] >= held


@given(columns, shares, st.integers(1, 14))
def test_asking_for_more_cases_never_turns_anything_into_a_hold(
    of: Sequence[Cell], least: float, n: int
) -> None:
    few, many = (
        judge(column(of), Bars(min_hit=least, min_n=m)).bars[0] for m in (n, n + 1)
    )

    assert few.held >= many.held


@given(tables(), tables(), shares)
@settings(max_examples=40)
def test_3_outranks_1_and_1_outranks_0(then: Run, now: Run, least: float) -> None:
    bars = Bars(
        minimums={HIT: least, GROUNDED: least},
        min_lower={GROUNDED: least},
        fail_on_case=True,
        baseline=from_run(then),
    )

    found = judge(replace(now, provenance=then.provenance), bars)

    unmeasured = any(bar.state is BarState.NOT_MEASURED for bar in found.bars)
    if unmeasured:
        assert found.exit_code == 3
    if found.exit_code == 0:
        assert all(bar.held for bar in found.bars if bar.state is BarState.ACTIVE)
        assert not unmeasured
    assert found.passed == (found.exit_code == 0)


@given(tables())
@settings(max_examples=40)
def test_nothing_drops_against_itself(of: Run) -> None:
    found = judge(of, Bars(baseline=from_run(of), min_scored=0.0))

    assert not found.breaches


@given(st.lists(shares, min_size=1, max_size=9))
def test_a_drop_is_never_a_miss_by_means_alone_either_against_itself(
    of: list[float],
) -> None:
    one = column(of)

    assert not verdict(one.aggregates, baseline=from_run(one)).breaches


@given(tables(), st.booleans())
@settings(max_examples=40)
def test_a_baseline_is_read_back_as_it_was_written(of: Run, private: bool) -> None:
    assume(of.aggregates)  # of nothing measured no baseline is kept
    kept = from_run(replace(of, private=private))

    assert loads(json.loads(dumps(kept)), "b.json") == kept


@given(tables(), tables())
@settings(max_examples=40)
def test_kept_in_a_file_it_judges_as_it_does_at_once(then: Run, now: Run) -> None:
    assume(then.aggregates)
    kept = from_run(then)
    again = loads(json.loads(dumps(kept)), "b.json")
    now = replace(now, provenance=then.provenance)

    assert judge(now, Bars(baseline=kept)) == judge(now, Bars(baseline=again))
