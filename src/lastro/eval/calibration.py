"""Does a confidence mean what it says: ECE, Brier, risk against coverage.  Pure.

What a confidence claims here is "the knowledge base holds the answer, and the
search found it"; whether the answer was written well is for other metrics.
"""

import math
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from lastro.eval.results import Calibration, CaseResult, ConfidenceBin, RiskPoint

HIT = "retrieval_hit_at_k"
OUTCOME = "the case is answerable and retrieval_hit_at_k is 1"
BINS = 10
STEPS = 100  # a curve has a point for each hundredth of the cases, at most

_EDGES = tuple(step / BINS for step in range(BINS + 1))


class Seen(NamedTuple):
    """A confidence in [0, 1], and whether it was right: 1 or 0."""

    confidence: float
    outcome: float


def calibration(
    results: Iterable[CaseResult], hits: Mapping[str, float]
) -> Calibration | None:
    """Return how well the confidences of a run fit what came of it.

    Args:
        results: the judged cases.
        hits: ``retrieval_hit_at_k`` of each case that it was measured on, by id.

    Returns:
        None if no case carries a confidence.  Right is an answerable case whose
        gold was retrieved; an unanswerable case is wrong, since the base does
        not hold its answer.  An answerable case without a hit that is 0 or 1
        (no gold, or its repeats disagree) has no outcome.  A confidence that is
        no number from 0 to 1 is no measurement.  What is left out is counted.
    """
    seen, no_outcome, unusable, without = [], 0, 0, 0
    for result in results:
        confidence, outcome = result.confidence, _outcome(result, hits)
        if confidence is None:
            without += 1
        elif not 0 <= confidence <= 1:  # nor is NaN
            unusable += 1
        elif outcome is None:
            no_outcome += 1
        else:
            seen.append(Seen(confidence, outcome))
    if not seen and not no_outcome and not unusable:
        return None
    bins = binned(seen)
    return Calibration(
        n=len(seen),
        outcome=OUTCOME,
        ece=expected_error(bins) if seen else None,
        brier=brier(seen) if seen else None,
        area=area(seen) if seen else None,
        bins=bins,
        curve=curve(seen),
        no_outcome=no_outcome,
        unusable=unusable,
        without=without,
    )


def _outcome(result: CaseResult, hits: Mapping[str, float]) -> float | None:
    if not result.answerable:
        return 0.0
    hit = hits.get(result.id)
    return hit if hit in {0.0, 1.0} else None


def binned(seen: Iterable[Seen]) -> tuple[ConfidenceBin, ...]:
    """Sort confidences into ten bins of equal width, [low, high); the last is closed.

    >>> [(b.low, b.n) for b in binned([Seen(0.3, 1), Seen(1.0, 1)]) if b.n]
    [(0.3, 1), (0.9, 1)]
    """
    inside: list[list[Seen]] = [[] for _ in range(BINS)]
    for one in seen:
        inside[min(bisect_right(_EDGES, one.confidence) - 1, BINS - 1)].append(one)
    return tuple(
        ConfidenceBin(
            low=low,
            high=high,
            n=len(group),
            confidence=_mean([one.confidence for one in group]),
            correct=_mean([one.outcome for one in group]),
        )
        for low, high, group in zip(_EDGES, _EDGES[1:], inside, strict=False)
    )


def _mean(values: Sequence[float]) -> float | None:
    return math.fsum(values) / len(values) if values else None


def expected_error(bins: Iterable[ConfidenceBin]) -> float:
    """Return the expected calibration error: 0 is perfect, 1 is always sure and wrong.

    Args:
        bins: at least one holds a case.

    Reference:
        Naeini, Cooper & Hauskrecht (2015); Guo et al. (2017), equation 3:
        Σ n_b / n · |share right - mean confidence| over bins of equal width.

    >>> expected_error(binned([Seen(0.9, 1), Seen(0.9, 0)]))
    0.4
    """
    filled = [
        (each.n, abs(each.correct - each.confidence))
        for each in bins
        if each.correct is not None and each.confidence is not None
    ]
    return math.fsum(n * gap for n, gap in filled) / sum(n for n, _ in filled)


def brier(seen: Sequence[Seen]) -> float:
    """Return the mean squared distance of confidence and outcome, in [0, 1].

    Args:
        seen: not empty.

    Reference:
        Brier (1950), in the two-class form: Σ (confidence - outcome)² / n;
        ``sklearn.metrics.brier_score_loss``.

    >>> brier([Seen(1.0, 1), Seen(0.5, 0)])
    0.125
    """
    return math.fsum((c - outcome) ** 2 for c, outcome in seen) / len(seen)


def auroc(seen: Sequence[Seen]) -> float | None:
    """Return the chance that what was right is surer than what was wrong, ties half.

    Returns:
        A number in [0, 1], .5 for a constant; None where one of the two is missing.

    Reference:
        Mann & Whitney (1947); ``sklearn.metrics.roc_auc_score``.

    >>> auroc([Seen(0.9, 1), Seen(0.5, 0), Seen(0.5, 1)])
    0.75
    """
    right = math.fsum(outcome for _, outcome in seen)
    wrong = len(seen) - right
    if not right or not wrong:
        return None
    won, under = 0.0, wrong
    for _, size, lost in _ties(seen):  # the surest first
        won += (size - lost) * (under - lost / 2)
        under -= lost
    return won / (right * wrong)


def area(seen: Sequence[Seen]) -> float:
    """Return the area under the risk-coverage curve, in [0, 1]; lower is better.

    The mean, over j = 1 to n, of the share of wrong ones among the j most
    confident.  Among equal confidences the order is unknown: the value is the
    expectation over all their orders, so that the order of cases changes
    nothing and a constant confidence gets the share of wrong ones.

    Args:
        seen: not empty.

    Reference:
        Geifman & El-Yaniv (2017), and as AURC Geifman, Uziel & El-Yaniv (2019).

    >>> area([Seen(0.9, 1), Seen(0.1, 0)])
    0.25
    """
    risks: list[float] = []
    above = wrong_above = 0.0
    for _, size, wrong in _ties(seen):
        risks += [
            (wrong_above + wrong * j / size) / (above + j) for j in range(1, size + 1)
        ]
        above, wrong_above = above + size, wrong_above + wrong
    return math.fsum(risks) / len(seen)


def curve(seen: Sequence[Seen]) -> tuple[RiskPoint, ...]:
    """Return coverage and risk from each confidence on, the most confident first.

    Equal confidences are one point: no threshold parts them.  Of many points
    those are kept that reach another hundredth of the cases, and the last.
    """
    points: list[RiskPoint] = []
    above = wrong_above = reached = 0
    for confidence, size, wrong in _ties(seen):
        above, wrong_above = above + size, wrong_above + wrong
        if above * STEPS // len(seen) > reached:
            reached = above * STEPS // len(seen)
            points.append(
                RiskPoint(
                    confidence=confidence,
                    coverage=above / len(seen),
                    risk=wrong_above / above,
                )
            )
    return tuple(points)


def _ties(seen: Iterable[Seen]) -> Iterable[tuple[float, int, int]]:
    """Yield each confidence, descending: how many have it, how many are wrong."""
    ordered = sorted(seen, key=lambda one: -one.confidence)
    for confidence, group in groupby(ordered, key=lambda one: one.confidence):
        outcomes = [one.outcome for one in group]
        yield confidence, len(outcomes), outcomes.count(0)
