"""Does a confidence mean what it says: worked by hand, and against slow definitions."""

import dataclasses
import math
from collections.abc import Sequence
from itertools import pairwise, permutations

import pytest

from lastro.eval.calibration import Seen, area, binned, brier, calibration, curve
from lastro.eval.calibration import expected_error as ece
from lastro.eval.results import Calibration, CaseResult
from lastro.eval.score import score
from lastro.model.case import Case
from lastro.model.ids import CaseId
from lastro.model.trace import Retrieved, Trace, TraceDecision


def result(
    case_id: str, confidence: float | None, *, answerable: bool = True
) -> CaseResult:
    return CaseResult(id=CaseId(case_id), confidence=confidence, answerable=answerable)


def of(*pairs: tuple[float | None, float | None]) -> Calibration | None:
    """Calibrate answerable cases of a confidence and a hit each."""
    results = [result(f"c{i}", confidence) for i, (confidence, _) in enumerate(pairs)]
    hits = {f"c{i}": hit for i, (_, hit) in enumerate(pairs) if hit is not None}
    return calibration(results, hits)


def found(*pairs: tuple[float | None, float | None]) -> Calibration:
    there = of(*pairs)
    assert there is not None
    return there


def test_worked_by_hand() -> None:
    seen = found((0.95, 1), (0.85, 1), (0.85, 0), (0.15, 0))

    # bins: |1 - .95|·1, |.5 - .85|·2, |0 - .15|·1, over 4
    assert seen.ece == pytest.approx((0.05 + 0.7 + 0.15) / 4)
    # squares: .05², .15², .85², .15²
    assert seen.brier == pytest.approx((0.0025 + 0.0225 + 0.7225 + 0.0225) / 4)
    # risks at 1..4: 0, then the tie: (0 + 1/2)/2, (0 + 1)/3, then 2/4
    assert seen.area == pytest.approx((0 + 0.25 + 1 / 3 + 0.5) / 4)
    assert [(p.confidence, p.coverage, p.risk) for p in seen.curve] == [
        (0.95, 0.25, 0.0),
        (0.85, 0.75, pytest.approx(1 / 3)),
        (0.15, 1.0, 0.5),
    ]
    assert [(b.low, b.n) for b in seen.bins if b.n] == [(0.1, 1), (0.8, 2), (0.9, 1)]


def test_sure_and_right_is_perfect_and_sure_and_wrong_is_not() -> None:
    right, wrong = found((1.0, 1), (0.0, 0)), found((1.0, 0), (1.0, 0))

    assert (right.ece, right.brier) == (0.0, 0.0)
    assert (wrong.ece, wrong.brier, wrong.area) == (1.0, 1.0, 1.0)


@pytest.mark.parametrize(
    ("confidence", "low"),
    [
        (0.0, 0.0),
        (0.1, 0.1),
        (math.nextafter(0.1, 0), 0.0),
        (0.3, 0.3),
        (math.nextafter(0.3, 0), 0.2),
        (0.7, 0.7),
        (math.nextafter(0.7, 0), 0.6),
        (0.9, 0.9),
        (1.0, 0.9),
    ],
)
def test_a_bin_holds_its_lower_edge_and_the_last_holds_one(
    confidence: float, low: float
) -> None:
    (inside,) = (each for each in binned([Seen(confidence, 1)]) if each.n)

    assert inside.low == low
    assert inside.low <= confidence <= inside.high
    assert len(binned([])) == 10
    assert binned([])[0].confidence is None


def test_an_unanswerable_case_has_no_answer_to_be_sure_of() -> None:
    results = [result("a", 0.9), result("b", 0.9, answerable=False)]

    # A hit on an unanswerable case does not make it right.
    seen = calibration(results, {"a": 1.0, "b": 1.0})

    assert seen is not None
    assert (seen.n, seen.curve[-1].risk) == (2, 0.5)


def test_what_has_no_outcome_or_no_usable_confidence_is_counted_not_guessed() -> None:
    seen = found(
        (0.5, 1.0),
        (0.5, None),
        (0.5, 0.5),
        (None, 1.0),
        (math.nan, 1.0),
        (math.inf, 1.0),
        (1.01, 1.0),
        (-0.01, 0.0),
    )

    assert (seen.n, seen.no_outcome, seen.unusable, seen.without) == (1, 2, 4, 1)


def test_confidences_on_another_scale_are_told_and_give_no_numbers() -> None:
    seen = found((87.0, 1.0), (12.0, 0.0))

    assert (seen.n, seen.unusable) == (0, 2)
    assert (seen.ece, seen.brier, seen.area, seen.curve) == (None, None, None, ())


def test_without_any_confidence_there_is_no_calibration() -> None:
    assert of((None, 1.0)) is None
    assert of() is None


def test_a_constant_confidence_gets_the_share_of_wrong_ones() -> None:
    for order in permutations((1, 1, 0, 0, 0)):
        assert area([Seen(0.5, each) for each in order]) == pytest.approx(0.6)


def slow_area(seen: Sequence[Seen]) -> float:
    """Average the area over every order in which confidences do not rise."""
    areas = []
    for order in permutations(seen):
        if any(a.confidence < b.confidence for a, b in pairwise(order)):
            continue
        wrong = [1 - one.outcome for one in order]
        areas.append(sum(sum(wrong[:j]) / j for j in range(1, len(wrong) + 1)))
    return sum(areas) / len(areas) / len(seen)


@pytest.mark.parametrize(
    "pairs",
    [
        [(0.9, 1), (0.8, 0), (0.7, 1)],
        [(0.5, 1), (0.5, 0), (0.5, 1), (0.9, 0)],
        [(0.1, 0), (0.1, 1), (0.1, 0), (0.1, 1)],
        [(0.9, 1), (0.9, 0), (0.2, 0), (0.2, 1), (0.2, 1)],
        [(0.3, 0)],
    ],
)
def test_the_area_is_the_mean_over_all_orders_of_ties(
    pairs: list[tuple[float, float]],
) -> None:
    seen = [Seen(*pair) for pair in pairs]

    assert area(seen) == pytest.approx(slow_area(seen), abs=1e-12)


def test_a_long_curve_keeps_a_point_a_hundredth_and_its_end() -> None:
    seen = [Seen(i / 5000, i % 2) for i in range(5000)]

    points = curve(seen)

    assert len(points) == 100
    assert points[-1].coverage == 1.0
    assert points[-1].risk == 0.5
    assert points[0].coverage == 0.01
    assert len(curve(seen[:60])) == 60


def test_the_right_answers_first_is_the_best_order() -> None:
    best = area([Seen(0.9, 1), Seen(0.8, 1), Seen(0.2, 0)])
    worst = area([Seen(0.2, 1), Seen(0.8, 0), Seen(0.9, 0)])

    assert best == pytest.approx(1 / 9)
    assert worst == pytest.approx((1 + 1 + 2 / 3) / 3)


def test_a_run_is_calibrated_by_the_confidence_of_its_decisions() -> None:
    cases = [
        Case(id=CaseId("a"), query="q", must_cite_one_of=("x",)),
        Case(id=CaseId("b"), query="q", must_cite_one_of=("x",)),
        Case(id=CaseId("c"), query="q", answerable=False),
        Case(id=CaseId("d"), query="q"),
    ]
    traces = [
        Trace(
            case_id=case.id,
            retrieved=(Retrieved(id="x" if case.id == "a" else "y"),),
            decision=TraceDecision(reason="ok", confidence=0.8),
        )
        for case in cases
    ]

    seen = score(cases, enumerate(traces, 1)).calibration

    assert seen is not None
    assert (seen.n, seen.no_outcome) == (3, 1)
    assert seen.ece == pytest.approx(0.8 - 1 / 3)
    bare = [dataclasses.replace(trace, decision=None) for trace in traces]
    assert score(cases, enumerate(bare, 1)).calibration is None


def test_the_parts_say_what_the_whole_says() -> None:
    seen = [Seen(0.4, 1), Seen(0.6, 0)]
    whole = found((0.4, 1), (0.6, 0))

    assert whole.ece == ece(binned(seen))
    assert whole.brier == brier(seen)
    assert whole.area == area(seen)
