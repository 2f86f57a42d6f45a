"""Thresholds that name the reason that people would name: fitted, pure."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from lastro.gate.decide import decide
from lastro.gate.features import Features
from lastro.gate.policy import RetrievalPolicy
from lastro.model.decision import ReasonCode


@dataclass(frozen=True, slots=True)
class _Threshold:
    """A setting, its upper end, what it is held against, and how to change it."""

    name: str
    most: float
    seen: Callable[[Features], float | None]
    moved: Callable[[RetrievalPolicy, float], RetrievalPolicy]


_THRESHOLDS = (
    _Threshold(
        "min_score", 50.0, lambda f: f.top_score, lambda p, v: replace(p, min_score=v)
    ),
    _Threshold(
        "min_score_margin",
        5.0,
        lambda f: f.margin,
        lambda p, v: replace(p, min_score_margin=v),
    ),
    _Threshold(
        "min_coverage",
        1.0,
        lambda f: f.coverage,
        lambda p, v: replace(p, min_coverage=v),
    ),
    _Threshold(
        "min_coverage_weighted",
        1.0,
        lambda f: f.coverage_weighted,
        lambda p, v: replace(p, min_coverage_weighted=v),
    ),
)
FITTED = tuple(each.name for each in _THRESHOLDS)
_ROUNDS = 3
_CHOICES = 150  # of each threshold: what was seen, at steps of its rank
_DIGITS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """What a retrieval showed, and the reason that a person gave it."""

    seen: Features
    expected: ReasonCode


def agreement(judged: Sequence[Judged], policy: RetrievalPolicy) -> float:
    """Return the share of retrievals that get the reason that people gave them.

    Args:
        judged: not empty.
        policy: the thresholds to classify by.
    """
    right = sum(reason(one, policy) is one.expected for one in judged)
    return right / len(judged)


def reason(one: Judged, policy: RetrievalPolicy) -> ReasonCode:
    """Return the reason that names the decision under ``policy``."""
    return decide(one.seen, policy).reason


def confusion(
    judged: Sequence[Judged], policy: RetrievalPolicy
) -> Mapping[ReasonCode, Counter[ReasonCode]]:
    """Count, for each expected reason, what it was called."""
    found: dict[ReasonCode, Counter[ReasonCode]] = {}
    for one in judged:
        found.setdefault(one.expected, Counter())[reason(one, policy)] += 1
    return found


def fitted(judged: Sequence[Judged], policy: RetrievalPolicy) -> RetrievalPolicy:
    """Return ``policy`` with the thresholds that agree with people most.

    One threshold is looked for at a time, in the order of ``FITTED``, among what
    was seen; it moves only where more cases get their reason, and of equals the
    one nearest to what it was wins.  What is not seen moves nothing.
    """
    best = policy
    score = agreement(judged, best) if judged else 1.0
    for _ in range(_ROUNDS):
        before = score
        for threshold in _THRESHOLDS:
            best, score = _moved(judged, best, score, threshold)
        if score == before:
            break
    return best


def _moved(
    judged: Sequence[Judged],
    policy: RetrievalPolicy,
    score: float,
    threshold: _Threshold,
) -> tuple[RetrievalPolicy, float]:
    now = policy.thresholds[threshold.name]
    tried = [
        (-agreement(judged, threshold.moved(policy, value)), abs(value - now), value)
        for value in _choices(judged, threshold)
    ]
    if not tried or -min(tried)[0] <= score:
        return policy, score
    better, _, value = min(tried)
    return threshold.moved(policy, value), -better


def _choices(judged: Sequence[Judged], threshold: _Threshold) -> list[float]:
    """Return values between what was seen, within the range of the setting."""
    seen = (threshold.seen(one.seen) for one in judged)
    values = sorted({float(value) for value in seen if value is not None})
    between = [(a + b) / 2 for a, b in pairwise(values)]
    kept = between[:: max(1, len(between) // _CHOICES)]
    return sorted(
        {round(each, _DIGITS) for each in kept if 0 <= each <= threshold.most}
    )
