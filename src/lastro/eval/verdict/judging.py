"""Bars and aggregates to a verdict: floors here, drops and cases beside."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lastro.eval.results import Run, Slices
from lastro.eval.verdict.bars import (
    ANSWERED,
    DECLINED,
    EPSILON,
    TOLERANCE,
    Bars,
    Required,
    listed,
    names,
    path,
    refuse_unusable,
    too_few,
)
from lastro.eval.verdict.sliced import of_a_slice
from lastro.model.score import Aggregates, Bar, BarKind, BarState, Summary, Verdict

if TYPE_CHECKING:
    from lastro.eval.baseline import Baseline


def verdict(  # noqa: PLR0913 - each bar is a choice of its own
    aggregates: Aggregates,
    slices: Slices | None = None,
    *,
    min_recall: float | None = None,
    min_hit: float | None = None,
    baseline: "Baseline | None" = None,
    tolerance: float = TOLERANCE,
    minimums: Mapping[str, float | None] | None = None,
    min_lower: Mapping[str, float | None] | None = None,
    min_scored: float = 1.0,
    min_n: int = 1,
) -> Verdict:
    """Judge aggregates by bars.

    Args:
        aggregates: the metrics of a run; empty if nothing was collected.
        slices: the same by slice, for bars that name one.
        min_recall: the least mean of ``retrieval_recall_at_k``.
        min_hit: the least mean of ``retrieval_hit_at_k``.
        baseline: what no metric may drop below.  Aggregates alone say nothing of
            single cases: the difference is that of two means, with an interval
            that is wider for it.  ``judge`` pairs the cases of a run.
        tolerance: how far a metric may drop; 0.03 more in a locale.
        minimums: the least mean of any metric, overall or in a slice.
        min_lower: the least lower end of its interval, likewise.
        min_scored: the least share of eligible cases that were scored.
        min_n: the least number of cases of any bar that is set.

    Raises:
        UsageError: a bar names no metric, is set twice, asks for no share
            between 0 and 1, or for fewer than 1 case.
    """
    bars = Bars(
        min_recall=min_recall,
        min_hit=min_hit,
        baseline=baseline,
        tolerance=tolerance,
        minimums=minimums or {},
        min_lower=min_lower or {},
        min_scored=min_scored,
        min_n=min_n,
    )
    seen = _Seen(aggregates, slices or {})
    refuse_unusable(bars, aggregates)
    found = [*_floors(seen, bars)]
    notes: tuple[str, ...] = ()
    if baseline is not None:
        from lastro.eval.verdict.drops import unpaired_drops  # noqa: PLC0415

        dropped = unpaired_drops(baseline, aggregates, seen.slices, bars)
        found, notes = [*found, *dropped.bars], dropped.notes
    return _verdict(found, seen, notes)


def judge(run: Run, bars: Bars) -> Verdict:
    """Judge a run.

    As ``verdict``, and against a baseline case by case; a run whose cases all
    broke was not measured.

    Raises:
        UsageError: as ``verdict``.
    """
    refuse_unusable(bars, run.aggregates)
    both = {ANSWERED: run.both_ways.answered, DECLINED: run.both_ways.declined}
    said = {name: summary for name, summary in both.items() if summary is not None}
    seen = _Seen(run.aggregates, run.slices, said, run)
    found = [*_floors(seen, bars)]
    notes: tuple[str, ...] = ()
    if bars.fail_on_case:
        from lastro.eval.verdict.cases import every_case  # noqa: PLC0415

        found.append(every_case(run, bars.min_n, bars.min_scored))
    if bars.baseline is not None:
        from lastro.eval.verdict.drops import drops  # noqa: PLC0415  (20 ms)

        dropped = drops(bars.baseline, run, bars)
        found, notes = [*found, *dropped.bars], dropped.notes
    return _verdict(found, seen, notes)


@dataclass(frozen=True, slots=True)
class _Seen:
    """What was measured, and where a bar finds it."""

    aggregates: Aggregates
    slices: Slices
    both_ways: Mapping[str, Summary] = field(default_factory=dict)
    run: Run | None = None

    def find(self, name: str) -> Summary | str:
        """Return the summary that a bar names, or why there is none."""
        if name in {ANSWERED, DECLINED}:
            return self.both_ways.get(name, "no case says whether it was declined")
        parts = path(name, names(self.aggregates))
        if parts is None:
            return self.aggregates.get(name, "no case carries it")
        dimension, key, metric = parts
        if dimension not in self.slices and self.run is not None:
            groups: Mapping[str, Aggregates]
            groups = of_a_slice(self.run, dimension, metric)
        else:
            groups = self.slices.get(dimension, {})
        if key not in groups:
            return f"no case is in that slice; there are: {listed(groups)}"
        return groups[key].get(metric, "no case of that slice carries it")

    def missing(self) -> Iterator[str]:
        """Say what keeps anything from having been measured."""
        if self.run is not None and not self.run.results:
            yield "there are no cases"
            return
        if self.run is not None and len(self.run.broken) == len(self.run.results):
            n = len(self.run.results)
            yield f"every case broke ({n} of {n})"
        if not any(summary.n for summary in self.aggregates.values()):
            yield "no metric was measured on any case"


def _verdict(bars: list[Bar], seen: _Seen, notes: tuple[str, ...]) -> Verdict:
    unmeasured = [*seen.missing()]
    if unmeasured != ["there are no cases"]:
        unmeasured += [
            f"{bar.metric}: {bar.why}"
            for bar in bars
            if bar.state is BarState.NOT_MEASURED
        ]
    return Verdict(bars=tuple(bars), unmeasured=tuple(unmeasured), notes=notes)


def _floors(seen: _Seen, bars: Bars) -> Iterator[Bar]:
    for required in bars.required():
        yield _floor(required, seen.find(required.name), bars.min_scored)


def _floor(required: Required, found: Summary | str, min_scored: float) -> Bar:
    least = required.least
    if isinstance(found, str):
        observed, why, summary = None, found, None
    else:
        observed, summary = _observed(found, required.kind), found
        why = _gap(found, required, min_scored)
    if least is None:
        state, why = BarState.INACTIVE, "no threshold is set"
    else:
        state = BarState.NOT_MEASURED if why else BarState.ACTIVE
    return Bar(
        metric=required.name,
        required=least,
        observed=observed,
        state=state,
        held=state is BarState.ACTIVE
        and observed is not None
        and least is not None
        and observed >= least - EPSILON,
        why=why,
        kind=required.kind,
        n=summary.n if summary else None,
        ci_lo=_finite(summary.ci_lo) if summary else None,
        ci_hi=_finite(summary.ci_hi) if summary else None,
    )


def _observed(found: Summary, kind: BarKind) -> float | None:
    """Return what a bar looks at; what is not finite is no observation."""
    return _finite(found.ci_lo if kind is BarKind.LOWER else found.mean)


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None


def _gap(found: Summary, required: Required, min_scored: float) -> str:
    """Say why a summary is too thin for a bar, or nothing."""
    if found.n == 0:
        return f"0 of {found.eligible} eligible cases were scored"
    if _finite(found.mean) is None:
        return "its mean is not a finite number"
    if few := too_few(found.n, found.eligible, min_scored):
        return few
    if found.n < required.min_n:
        return f"n is {found.n}, and --min-n asks for {required.min_n}"
    if _observed(found, required.kind) is None:
        return f"n is {found.n}: there is no interval, so no lower end"
    return ""
