"""Scores of single cases to one summary a metric."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

import numpy as np

from lastro.eval.aggregate.interval import (
    RESAMPLES,
    SEED,
    Interval,
    Values,
    bootstraps,
    effective,
    wilson,
)
from lastro.eval.aggregate.table import Column, Rows, Table
from lastro.eval.kept import kept
from lastro.eval.results import CaseResult
from lastro.model.score import Aggregates, Summary

_BOOTSTRAP, _NONE = "bootstrap", "none"


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
    column = Column(np.array(finite, dtype=np.float64), broken)
    return _summaries([(column, binary)], seed, resamples)[0]


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
    return over(Table(kept(results, len(metrics))), metrics, None, seed, resamples)


def over(
    found: Table,
    metrics: Sequence[Named],
    cases: Rows | None,
    seed: int,
    resamples: int,
) -> Aggregates:
    """Summarise the metrics of a table over some of its cases, or over all."""
    columns = {
        metric: column
        for row, metric in enumerate(metrics)
        if (column := found.column(row, cases)) is not None
    }
    pairs = [(column, metric.binary) for metric, column in columns.items()]
    names = (metric.name for metric in columns)
    return dict(zip(names, _summaries(pairs, seed, resamples), strict=True))


def _summaries(
    columns: Sequence[tuple[Column, bool]], seed: int, resamples: int
) -> list[Summary]:
    """Summarise columns, each with whether its metric is binary."""
    planned = [_planned(column.values, binary=binary) for column, binary in columns]
    left = [
        column.values
        for (column, _), (_, method, _) in zip(columns, planned, strict=True)
        if method == _BOOTSTRAP
    ]
    drawn = iter(bootstraps(left, seed=seed, resamples=resamples))
    found = []
    for (column, _), (mean, method, known) in zip(columns, planned, strict=True):
        interval = next(drawn) if method == _BOOTSTRAP else known
        found.append(
            Summary(
                mean=mean,
                n=column.values.size,
                eligible=column.values.size + column.failed,
                failed=column.failed,
                ci_lo=interval[0] if interval else None,
                ci_hi=interval[1] if interval else None,
                method=method,
                resamples=resamples if method == _BOOTSTRAP else 0,
                seed=seed,
            )
        )
    return found


def _planned(
    values: Values, *, binary: bool
) -> tuple[float | None, str, Interval | None]:
    """Return mean, method and interval; that of a bootstrap is still to be drawn."""
    n = values.size
    if not n:
        return None, _NONE, None
    mean = math.fsum(values.tolist()) / n
    if n == 1:
        return mean, _NONE, None
    # Of repeated cases a binary score is a mean, and no longer 0 or 1.
    answers = binary and bool(np.isin(values, (0.0, 1.0)).all())
    if values.min() != values.max() and not answers:
        if (like := effective(values, mean)) is not None:
            return mean, "wilson-effective", wilson(mean, like)
        return mean, _BOOTSTRAP, None
    if 0 <= mean <= 1:
        return mean, "wilson", wilson(mean, n)
    return mean, _NONE, None
