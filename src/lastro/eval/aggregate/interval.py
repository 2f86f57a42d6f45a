"""Intervals of means: a share's, and the bootstrap's.  The recipe is in the package."""

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

SEED = 17
RESAMPLES = 1000
MANY = 10_000

_Z = 1.959963984540054  # the standard normal's 0.975 quantile
_CROWDED = 1 / 3  # skewness of the mean from which values crowd: decision 0093
_NOISE = 1e-18  # a variance that the last bits of equal values have
_TAIL = 0.025  # of the resampled means, beyond each end of an interval
_CHUNK = 1 << 14  # indices drawn at a time: what a cache holds takes half the time

Interval = tuple[float, float]
_Values = npt.NDArray[np.float64]


def wilson(mean: float, n: float) -> Interval:
    """Return the 95 % Wilson score interval of a share.

    Args:
        mean: the share, in [0, 1].
        n: how many were counted, at least 1; need not be whole.

    Returns:
        Bounds in [0, 1]; the lower is exactly 0 for a mean of 0, the upper
        exactly 1 for a mean of 1, and they never meet.

    Reference:
        Wilson (1927); ``scipy.stats.binomtest(k, n).proportion_ci(method="wilson")``.

    >>> [round(bound, 6) for bound in wilson(1.0, 8)]
    [0.675592, 1.0]
    """
    square = _Z * _Z / n
    centre = mean + square / 2
    half = _Z * math.sqrt(mean * (1 - mean) / n + square / (4 * n))
    low = 0.0 if mean == 0 else max(0.0, (centre - half) / (1 + square))
    high = 1.0 if mean == 1 else min(1.0, (centre + half) / (1 + square))
    return low, high


def bootstrap(
    values: Sequence[float],
    *,
    seed: int = SEED,
    resamples: int = RESAMPLES,
    tail: float = _TAIL,
) -> Interval:
    """Return the 95 % percentile bootstrap interval of the mean.

    Args:
        values: one a case, in the order of the case ids; must not be empty.
        seed: of the generator; the same seed gives the same bytes.
        resamples: how often ``len(values)`` of them are drawn, with replacement.
        tail: the share of the resampled means beyond each end.

    Returns:
        Percentiles (linear) of the resampled means: by default 2.5 and 97.5.

    Reference:
        Efron & Tibshirani (1993), chapter 13; ``scipy.stats.bootstrap`` with
        ``method="percentile"`` and ``rng=numpy.random.default_rng(seed)``.
    """
    drawn = np.asarray(values, dtype=np.float64)
    if drawn.size > MANY:
        return _interval(drawn, seed, resamples, tail)
    return _remembered(drawn.tobytes(), seed, resamples, tail)


# A slice that holds every case has the values of the whole, and a metric of the last
# stage those of the answer: two thirds of the draws of a run are of equal values.
@lru_cache(maxsize=64)
def _remembered(packed: bytes, seed: int, resamples: int, tail: float) -> Interval:
    return _interval(np.frombuffer(packed), seed, resamples, tail)


def _interval(drawn: _Values, seed: int, resamples: int, tail: float) -> Interval:
    rng = np.random.Generator(np.random.PCG64(seed))
    distinct, counts = np.unique(drawn, return_counts=True)
    if drawn.size > MANY and distinct.size * 10 < drawn.size:
        means = _means_by_counts(distinct, counts, rng, resamples)
    else:
        means = _means_by_index(drawn, rng, resamples)
    low, high = np.percentile(means, (100 * tail, 100 - 100 * tail), method="linear")
    return float(low), float(high)


def effective(values: Sequence[float], mean: float) -> float | None:
    """Return how many yes-or-no cases tell as much, where shares crowd at one end.

    ``mean * (1 - mean) * n / variance``, which is n where all are 0 or 1.  There
    a percentile interval is too short on the far side; None where it is not.
    """
    n = len(values)
    away = np.asarray(values) - mean
    square, cube = (math.fsum((away**power).tolist()) / n for power in (2, 3))
    shares = min(values) >= 0 and max(values) <= 1 and square >= _NOISE
    if shares and abs(cube) > _CROWDED * square**1.5 * math.sqrt(n):
        return mean * (1 - mean) * n / square
    return None


def _means_by_index(
    values: _Values, rng: np.random.Generator, resamples: int
) -> _Values:
    # Row by row the generator gives what one large call would: only memory differs.
    rows = max(1, _CHUNK // values.size)
    means = np.empty(resamples)
    for start in range(0, resamples, rows):
        stop = min(resamples, start + rows)
        index = rng.integers(0, values.size, size=(stop - start, values.size))
        means[start:stop] = values.take(index).mean(axis=1)
    return means


def _means_by_counts(
    distinct: _Values,
    counts: npt.NDArray[np.intp],
    rng: np.random.Generator,
    resamples: int,
) -> _Values:
    n = int(counts.sum())
    rows = max(1, _CHUNK // distinct.size)
    means = np.empty(resamples)
    for start in range(0, resamples, rows):
        stop = min(resamples, start + rows)
        drawn = rng.multinomial(n, counts / n, size=stop - start)
        means[start:stop] = (drawn * distinct).sum(axis=1) / n
    return means


def apart(
    system: Mapping[str, float],
    floor: Mapping[str, float],
    *,
    seed: int = SEED,
    resamples: int = RESAMPLES,
) -> bool:
    """Tell whether ``system`` lies above ``floor`` on the cases both were scored on.

    The paired difference, its bootstrap interval, the lower end above zero.  A
    difference that is the same on every case has no interval: then its sign
    counts, from two cases on.
    """
    differences = [system[i] - floor[i] for i in sorted(system.keys() & floor.keys())]
    if len(differences) < 2:
        return False
    if min(differences) == max(differences):
        return differences[0] > 0
    return bootstrap(differences, seed=seed, resamples=resamples)[0] > 0
