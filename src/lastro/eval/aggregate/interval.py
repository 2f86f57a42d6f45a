"""Intervals of means: a share's, and the bootstrap's.  The recipe is in the package."""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence

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
Values = npt.NDArray[np.float64]


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
    return bootstraps([values], seed=seed, resamples=resamples, tail=tail)[0]


def bootstraps(
    many: Sequence[Sequence[float] | Values],
    *,
    seed: int = SEED,
    resamples: int = RESAMPLES,
    tail: float = _TAIL,
) -> list[Interval]:
    """Return for each of several samples what :func:`bootstrap` returns for it.

    Which places are drawn depends on how many values there are and not on what
    they are: for samples of one size they are drawn once.
    """
    samples = [np.asarray(values, dtype=np.float64) for values in many]
    means: dict[int, Values] = {}
    alike: dict[int, list[int]] = defaultdict(list)
    for place, values in enumerate(samples):
        counted = _counted(values)
        if counted is None:
            alike[values.size].append(place)
        else:
            means[place] = _means_by_counts(*counted, _generator(seed), resamples)
    for places in alike.values():
        own = [samples[place] for place in places]
        found = _means_by_index(own, _generator(seed), resamples)
        means.update(zip(places, found, strict=True))
    return [_ends(means[place], tail) for place in range(len(samples))]


def _generator(seed: int) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(seed))


def _ends(means: Values, tail: float) -> Interval:
    ordered = np.sort(means)
    return _percentile(ordered, 100 * tail), _percentile(ordered, 100 - 100 * tail)


def _percentile(ordered: Values, percent: float) -> float:
    # numpy.percentile(method="linear") to the last bit, in a tenth of its time:
    # a run with slices has a thousand intervals.
    place = (ordered.size - 1) * (percent / 100)
    low = math.floor(place)
    beyond = place - low
    below = float(ordered[low])
    above = float(ordered[min(low + 1, ordered.size - 1)])
    if beyond < 0.5:
        return below + (above - below) * beyond
    return above - (above - below) * (1 - beyond)


def _counted(values: Values) -> tuple[Values, npt.NDArray[np.intp]] | None:
    """Return distinct values and how often each is there, if many and few distinct."""
    if values.size <= MANY:
        return None
    distinct, counts = np.unique(values, return_counts=True)
    return (distinct, counts) if distinct.size * 10 < values.size else None


def effective(values: Values, mean: float) -> float | None:
    """Return how many yes-or-no cases tell as much, where shares crowd at one end.

    ``mean * (1 - mean) * n / variance``, which is n where all are 0 or 1.  There
    a percentile interval is too short on the far side; None where it is not.
    """
    n = values.size
    away = values - mean
    square, cube = (math.fsum((away**power).tolist()) / n for power in (2, 3))
    shares = values.min() >= 0 and values.max() <= 1 and square >= _NOISE
    if shares and abs(cube) > _CROWDED * square**1.5 * math.sqrt(n):
        return mean * (1 - mean) * n / square
    return None


def _means_by_index(
    samples: Sequence[Values], rng: np.random.Generator, resamples: int
) -> list[Values]:
    # Row by row the generator gives what one large call would: only memory differs.
    size = samples[0].size
    rows = max(1, _CHUNK // size)
    means = [np.empty(resamples) for _ in samples]
    for start in range(0, resamples, rows):
        stop = min(resamples, start + rows)
        index = rng.integers(0, size, size=(stop - start, size))
        for values, found in zip(samples, means, strict=True):
            found[start:stop] = values.take(index).mean(axis=1)
    return means


def _means_by_counts(
    distinct: Values,
    counts: npt.NDArray[np.intp],
    rng: np.random.Generator,
    resamples: int,
) -> Values:
    n = int(counts.sum())
    rows = max(1, _CHUNK // distinct.size)
    means = np.empty(resamples)
    for start in range(0, resamples, rows):
        stop = min(resamples, start + rows)
        drawn = rng.multinomial(n, counts / n, size=stop - start)
        means[start:stop] = (drawn * distinct).sum(axis=1) / n
    return means


def apart(
    pairs: Sequence[tuple[Mapping[str, float], Mapping[str, float]]],
    *,
    seed: int = SEED,
    resamples: int = RESAMPLES,
) -> list[bool]:
    """Tell of each system and floor if it lies above on the cases both were scored on.

    The paired difference, its bootstrap interval, the lower end above zero.  A
    difference that is the same on every case has no interval: then its sign
    counts, from two cases on.
    """
    found: list[bool] = []
    unsure: dict[int, list[float]] = {}
    for place, (system, floor) in enumerate(pairs):
        both = sorted(system.keys() & floor.keys())
        differences = [system[case] - floor[case] for case in both]
        if len(differences) > 1 and min(differences) != max(differences):
            unsure[place] = differences
        found.append(len(differences) > 1 and differences[0] > 0)
    ends = bootstraps(list(unsure.values()), seed=seed, resamples=resamples)
    for place, (low, _) in zip(unsure, ends, strict=True):
        found[place] = low > 0
    return found
