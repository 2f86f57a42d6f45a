"""Scores of single cases to one summary a metric."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from lastro.eval.aggregate.interval import (
    RESAMPLES,
    SEED,
    Interval,
    bootstrap,
    effective,
    wilson,
)
from lastro.eval.results import CaseResult
from lastro.model.score import Aggregates, Failed, Scored, Summary


class Named(Protocol):
    """What an aggregate must know of a scorer."""

    @property
    def name(self) -> str:
        """The metric's key."""

    @property
    def binary(self) -> bool:
        """Whether every score is 0 or 1."""


def summarise(
    scores: Mapping[str, float],
    *,
    binary: bool,
    failed: int = 0,
    seed: int = SEED,
    resamples: int = RESAMPLES,
) -> Summary:
    """Summarise one metric over its cases.

    Args:
        scores: the value of each scored case, by case id; may be empty.
        binary: whether the scorer only ever gives 0 or 1.
        failed: how many further cases broke.
        seed: of the bootstrap.
        resamples: of the bootstrap.

    Returns:
        Mean, n of eligible and interval.  A value that is not finite is no
        measurement: it leaves the mean and counts as failed.
    """
    finite = [scores[i] for i in sorted(scores) if math.isfinite(scores[i])]
    broken = failed + len(scores) - len(finite)
    return _summary(finite, binary=binary, failed=broken, drawn=(seed, resamples))


def _summary(
    values: Sequence[float], *, binary: bool, failed: int, drawn: tuple[int, int]
) -> Summary:
    seed, resamples = drawn
    n = len(values)
    mean = math.fsum(values) / n if n else None
    interval: Interval | None = None
    method = "none"
    if mean is not None and n > 1:
        # Of repeated cases a binary score is a mean, and no longer 0 or 1.
        if min(values) != max(values) and not (binary and {0.0, 1.0} >= set(values)):
            if (like := effective(values, mean)) is not None:
                method, interval = "wilson-effective", wilson(mean, like)
            else:
                method = "bootstrap"
                interval = bootstrap(values, seed=seed, resamples=resamples)
        elif 0 <= mean <= 1:
            method, interval = "wilson", wilson(mean, n)
    return Summary(
        mean=mean,
        n=n,
        eligible=n + failed,
        failed=failed,
        ci_lo=interval[0] if interval else None,
        ci_hi=interval[1] if interval else None,
        method=method,
        resamples=resamples if method == "bootstrap" else 0,
        seed=seed,
    )


def aggregate(
    results: Iterable[CaseResult],
    metrics: Sequence[Named],
    *,
    seed: int = SEED,
    resamples: int = RESAMPLES,
) -> Aggregates:
    """Summarise every metric that some case carries, in the order of ``metrics``.

    A metric whose cases all broke was carried by none, and is absent.  The
    order of ``results`` changes nothing.
    """
    ordered = sorted(results, key=lambda result: result.id)
    found: dict[str, Summary] = {}
    for column, metric in enumerate(metrics):
        scores = [result.scores[column] for result in ordered]
        values = [s.value for s in scores if isinstance(s, Scored)]
        failed = sum(isinstance(s, Failed) for s in scores)
        if values:
            finite = [value for value in values if math.isfinite(value)]
            found[metric.name] = _summary(
                finite,
                binary=metric.binary,
                failed=failed + len(values) - len(finite),
                drawn=(seed, resamples),
            )
    return found
