"""Bars and aggregates in, one verdict out.  Nothing is measured or printed here."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from lastro.errors import UsageError
from lastro.eval.results import Run, Slices
from lastro.eval.scorers import SCORERS
from lastro.model.score import Aggregates, Bar, BarState, Summary, Verdict

HIT = "retrieval_hit_at_k"
RECALL = "retrieval_recall_at_k"
DIMENSIONS = ("by_category", "by_locale", "by_query_type", "by_tag")

_EPSILON = 1e-9  # exactly at the bar holds, whatever the last bit of a mean says


@dataclass(frozen=True, slots=True, kw_only=True)
class Bars:
    """What a build requires; None is a bar that is shipped but not set.

    A name of ``minimums`` is a metric or a metric of a slice, such as
    ``by_locale.pt-BR.retrieval_hit_at_k``.  ``min_scored`` is the share of the
    eligible cases that must have been scored for a bar to be judged at all.
    """

    min_recall: float | None = None
    min_hit: float | None = None
    minimums: Mapping[str, float | None] = field(default_factory=dict)
    min_scored: float = 1.0

    def required(self) -> tuple[tuple[str, float | None], ...]:
        """Every bar by name, the two that are always listed first."""
        shipped = ((HIT, self.min_hit), (RECALL, self.min_recall))
        return (*shipped, *self.minimums.items())


def verdict(
    aggregates: Aggregates,
    slices: Slices | None = None,
    *,
    min_recall: float | None = None,
    min_hit: float | None = None,
    minimums: Mapping[str, float | None] | None = None,
    min_scored: float = 1.0,
) -> Verdict:
    """Judge aggregates by bars.

    Args:
        aggregates: the metrics of a run; empty if nothing was collected.
        slices: the same by slice, for bars that name one.
        min_recall: the least mean of ``retrieval_recall_at_k``.
        min_hit: the least mean of ``retrieval_hit_at_k``.
        minimums: the least mean of any metric, overall or in a slice.
        min_scored: the least share of eligible cases that were scored.

    Raises:
        UsageError: a bar names no metric, or asks for no share between 0 and 1.
    """
    bars = Bars(
        min_recall=min_recall,
        min_hit=min_hit,
        minimums=minimums or {},
        min_scored=min_scored,
    )
    return _judge(aggregates, slices or {}, bars)


def judge(run: Run, bars: Bars) -> Verdict:
    """Judge a run: as ``verdict``, and a run whose cases all broke was not measured."""
    found = _judge(run.aggregates, run.slices, bars)
    if not run.results:
        return Verdict(bars=found.bars, unmeasured=("there are no cases",))
    if len(run.broken) == len(run.results):
        all_broke = f"every case broke ({len(run.results)} of {len(run.results)})"
        return Verdict(bars=found.bars, unmeasured=(all_broke, *found.unmeasured))
    return found


def refuse_unusable(bars: Bars) -> None:
    """Refuse bars that no run could be judged by, before anything is run.

    Raises:
        UsageError: a bar names no metric, or asks for no share between 0 and 1.
    """
    _check(bars.required(), bars.min_scored, {})


def _judge(aggregates: Aggregates, slices: Slices, bars: Bars) -> Verdict:
    required = bars.required()
    _check(required, bars.min_scored, aggregates)
    judged = tuple(
        _bar(name, least, _find(name, aggregates, slices), bars.min_scored)
        for name, least in required
    )
    nothing = not any(summary.n for summary in aggregates.values())
    unmeasured = ("no metric was measured on any case",) if nothing else ()
    missing = (
        f"{bar.metric}: {bar.why}"
        for bar in judged
        if bar.state is BarState.NOT_MEASURED
    )
    return Verdict(bars=judged, unmeasured=(*unmeasured, *missing))


def _bar(
    name: str, least: float | None, found: Summary | str, min_scored: float
) -> Bar:
    if isinstance(found, str):
        observed, why = None, found
    else:
        observed, why = _observed(found), _gap(found, min_scored)
    if least is None:
        state = BarState.INACTIVE
    else:
        state = BarState.NOT_MEASURED if why else BarState.ACTIVE
    held = (
        state is BarState.ACTIVE
        and observed is not None
        and least is not None
        and observed >= least - _EPSILON
    )
    return Bar(
        metric=name,
        required=least,
        observed=observed,
        state=state,
        held=held,
        why=why if least is not None else "no threshold is set",
    )


def _observed(found: Summary) -> float | None:
    # A mean that is not finite is no observation, wherever it came from.
    if found.mean is None or not math.isfinite(found.mean):
        return None
    return found.mean


def _gap(found: Summary, min_scored: float) -> str:
    """Say why a summary is too thin for a bar, or nothing."""
    counted = f"{found.n} of {found.eligible} eligible cases were scored"
    if found.n == 0:
        return counted
    if _observed(found) is None:
        return "its mean is not a finite number"
    if found.n < min_scored * found.eligible - _EPSILON:
        return f"{counted}, and --min-scored asks for {min_scored:.0%}"
    return ""


def _find(name: str, aggregates: Aggregates, slices: Slices) -> Summary | str:
    """Return the summary that a bar names, or why there is none."""
    path = _path(name, _names(aggregates))
    if path is None:
        return aggregates.get(name, "no case carries it")
    dimension, key, metric = path
    groups = slices.get(dimension, {})
    if key not in groups:
        return f"no case is in that slice; there are: {_listed(groups)}"
    return groups[key].get(metric, "no case of that slice carries it")


def _path(name: str, metrics: Iterable[str]) -> tuple[str, str, str] | None:
    """Split ``by_locale.pt-BR.metric``: keys and metrics may hold dots themselves."""
    dimension, _, rest = name.partition(".")
    if dimension not in DIMENSIONS:
        return None
    ends = [metric for metric in metrics if rest.endswith("." + metric)]
    if not ends:
        return None
    metric = max(ends, key=len)
    return dimension, rest[: -len(metric) - 1], metric


def _names(aggregates: Aggregates) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*(s.name for s in SCORERS), *aggregates)))


def _check(
    required: Sequence[tuple[str, float | None]],
    min_scored: float,
    aggregates: Aggregates,
) -> None:
    metrics = _names(aggregates)
    for name, least in (*required, ("--min-scored", min_scored)):
        if least is not None and not 0 <= least <= 1:
            raise UsageError(
                f"{name}: {least} is no share between 0 and 1",
                hint="Give a share: 0.8, not 80.",
            )
    for name, _ in required:
        if name not in metrics and _path(name, metrics) is None:
            raise UsageError(
                f"there is no metric {name!r}; there are: {_listed(metrics)}",
                hint="Name a metric, or one of a slice: by_locale.ko.METRIC "
                f"({', '.join(DIMENSIONS)}).",
            )


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names) or "none"
