"""The baseline bar: what a metric lost, overall and by locale.

All metrics and locales are one family: looked at one by one, some of fifty would
drop by chance in every other run of a system that did not change.  So a drop is a
miss only if it is beyond tolerance, its interval lies below zero, and chance seldom
drops any of the family so far (decision 0094).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from lastro.eval.aggregate import UNSET
from lastro.eval.baseline import (
    STAGE,
    Baseline,
    comparable,
    listed,
    measured,
    other_system,
)
from lastro.eval.paired import RESAMPLES, SEED, paired
from lastro.eval.results import Run, Slices
from lastro.eval.verdict.bars import LOCALE_SLACK, Bars, names
from lastro.eval.verdict.family import Family, Row, unpaired
from lastro.model.score import Aggregates, Bar, BarKind, BarState
from lastro.text.ids import canonical

BASELINE = "baseline"


@dataclass(frozen=True, slots=True, kw_only=True)
class Dropped:
    """A bar for each metric of the baseline, and what was seen beside them."""

    bars: tuple[Bar, ...]
    notes: tuple[str, ...] = ()


def drops(
    baseline: Baseline,
    run: Run,
    bars: Bars,
    *,
    seed: int = SEED,
    resamples: int = RESAMPLES,
) -> Dropped:
    """Hold a run against a baseline, over the cases that both measured.

    Args:
        baseline: what was measured then.
        run: what was judged now.
        bars: the tolerance, and what a bar needs to be judged.
        seed: of intervals and p.
        resamples: of intervals.

    Returns:
        One bar that is not measured if both are not comparable, else one for
        each metric of the baseline, overall and by locale.  Of a private set,
        whose cases stand in no baseline, the difference is that of two means.
    """
    if other := comparable(baseline, run):
        return _incomparable(other, bars.tolerance)
    said = tuple(
        f"baseline: {each}" for each in other_system(baseline.measured, measured(run))
    )
    if baseline.scores is None:
        found = unpaired_drops(baseline, run.aggregates, run.slices, bars)
        return Dropped(bars=found.bars, notes=(*said, *found.notes))
    pairs = _Pairs(baseline.scores, run, seed, resamples)
    rows = [
        pairs.row(place, metric, tolerance)
        for place, tolerance, then in _places(baseline, bars)
        for metric in _guarded(then)
    ]
    family = Family(rows, bars, seed=seed)
    notes = (*said, *_lost(rows), *family.notes(), *_detectable(family))
    return Dropped(bars=family.bars(), notes=notes)


def unpaired_drops(
    baseline: Baseline, aggregates: Aggregates, slices: Slices, bars: Bars
) -> Dropped:
    """Hold aggregates against a baseline: differences of means, without pairs."""
    now = {f"by_locale.{key}": g for key, g in slices.get("by_locale", {}).items()}
    now[""] = aggregates
    rows = []
    for place, tolerance, then in _places(baseline, bars):
        for metric in _guarded(then):
            seen = now.get(place, {}).get(metric)
            row = Row(
                place=place,
                metric=metric,
                tolerance=tolerance,
                found=unpaired(then[metric], seen),
                then_n=then[metric].n,
                broke=0 if seen is None else min(seen.failed, then[metric].n),
            )
            rows.append(row)
    note = "baseline: without scores by case the differences are those of two means"
    family = Family(rows, bars)
    notes = (note, *family.notes(), *_detectable(family))
    return Dropped(bars=family.bars(), notes=notes)


def _incomparable(other: tuple[str, ...], tolerance: float) -> Dropped:
    bar = Bar(
        metric=BASELINE,
        required=-tolerance,
        observed=None,
        state=BarState.NOT_MEASURED,
        held=False,
        why=f"incomparable: {'; '.join(other)}",
        kind=BarKind.DROP,
    )
    return Dropped(bars=(bar,))


def _places(baseline: Baseline, bars: Bars) -> Iterator[tuple[str, float, Aggregates]]:
    """Yield where a drop is looked for, and how much of one is tolerated there.

    One locale alone is the whole set: to look there again would be one more test.
    """
    yield "", bars.tolerance, baseline.aggregates
    locales = baseline.by_locale if len(baseline.by_locale) > 1 else {}
    for key, then in sorted(locales.items()):
        yield f"by_locale.{key}", bars.tolerance + LOCALE_SLACK, then


def _guarded(then: Aggregates) -> Iterator[str]:
    """Yield what a baseline measured, in the order of the report."""
    for metric in names(then):
        if metric in then and then[metric].n and not metric.startswith(STAGE):
            yield metric


class _Pairs:
    """The cases of a baseline and of a run, by canonical id."""

    def __init__(
        self,
        scores: Mapping[str, Mapping[str, float]],
        run: Run,
        seed: int,
        resamples: int,
    ) -> None:
        """Join both."""
        self._then = {canonical(key): row for key, row in scores.items()}
        self._results = {canonical(result.id): result for result in run.results}
        self._now = {key: run.scores(each) for key, each in self._results.items()}
        self._failed = {key: run.failed(each) for key, each in self._results.items()}
        self._named = not run.private
        self._drawn = seed, resamples

    def row(self, place: str, metric: str, tolerance: float) -> Row:
        """Return what a metric lost in a place."""
        inside = [
            key
            for key, result in self._results.items()
            if place in {"", f"by_locale.{result.locale or UNSET}"}
        ]
        then, now = (_column(each, metric, inside) for each in (self._then, self._now))
        gone = sorted(then.keys() - now.keys())
        broke = [key for key in gone if metric in self._failed[key]]
        both = sorted(then.keys() & now.keys())
        seed, resamples = self._drawn
        return Row(
            place=place,
            metric=metric,
            tolerance=tolerance,
            found=paired(then, now, seed=seed, resamples=resamples),
            then_n=len(then),
            broke=len(broke),
            lost=self._names([key for key in gone if key not in set(broke)]),
            by={key: now[key] - then[key] for key in both},
            lower=self._names([key for key in both if now[key] < then[key]]),
        )

    def _names(self, keys: Sequence[str]) -> tuple[str, ...]:
        if not self._named:
            return ()
        return tuple(str(self._results[key].id) for key in keys)


def _column(
    scores: Mapping[str, Mapping[str, float]], metric: str, keys: Sequence[str]
) -> dict[str, float]:
    return {key: scores[key][metric] for key in keys if metric in scores.get(key, {})}


def _lost(rows: Sequence[Row]) -> Iterator[str]:
    for row in rows:
        if row.lost and not row.place:
            gone = f"measured then and not now on {len(row.lost)}"
            yield f"baseline: {row.metric}: {gone}: {listed(row.lost)}"


def _detectable(family: Family) -> Iterator[str]:
    """Say how small a drop is found: of each metric, and in each locale from to.

    Where so few cases moved that no drop at all would be found, there is none.
    """
    said = "the smallest drop found with 80 % power, all tested at once"
    for place in dict.fromkeys(row.place for row in family.rows):
        found = [
            (least, f"{row.metric} {least:.3f} (n {row.found.n})")
            for row in family.rows
            if row.place == place and (least := family.smallest(row)) is not None
        ]
        if found and not place:
            yield f"baseline, overall: {said}: {', '.join(each for _, each in found)}"
        elif found:
            ends = f"from {min(found)[1]} to {max(found)[1]}"
            yield f"baseline, {place.removeprefix('by_locale.')}: {said}: {ends}"
