"""Three rules for one question: is this build worse than its baseline?"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from barred.systems import Matrix, Shape
from lastro.eval.baseline import from_run
from lastro.eval.paired import holm
from lastro.eval.verdict import Bars
from lastro.eval.verdict.drops import drops
from lastro.model.score import Bar, BarKind, BarState

RULES = ("plain", "holm", "shipped")
RESAMPLES = 1000  # of each interval; a build draws 10,000

_NORMAL = NormalDist()


@dataclass(frozen=True, slots=True)
class Build:
    """What each rule says of one build, and what the bar says it finds."""

    stopped: Mapping[str, bool]
    bars: tuple[Bar, ...]
    notes: tuple[str, ...]

    def missed(self, name: str) -> bool:
        """Whether the bar of one metric was missed."""
        return any(bar.metric == name and not bar.held for bar in self.bars)

    def smallest(self, name: str) -> float | None:
        """Return the smallest drop of a metric that the bar says it finds."""
        for note in self.notes:
            head, _, rest = note.rpartition(f" {name} ")
            if head.startswith("baseline, overall: the smallest drop"):
                return float(rest.split(" ")[0])
        return None


def build(shape: Shape, then: Matrix, now: Matrix, tolerance: float) -> Build:
    """Hold now against then by every rule."""
    one, other = shape.run(then), shape.run(now)
    bars = Bars(baseline=from_run(one), tolerance=tolerance)
    found = drops(from_run(one), other, bars, resamples=RESAMPLES)
    tested = [bar for bar in found.bars if bar.kind is BarKind.DROP]
    assert all(bar.state is BarState.ACTIVE for bar in tested)  # noqa: S101
    beyond = [_beyond(bar) for bar in tested]
    ps = holm([_p(shape, bar.metric, now - then) for bar in tested])
    sure = [p is not None and p <= 0.05 for p in ps]
    stopped = {
        "plain": any(beyond),
        "holm": any(one and other for one, other in zip(beyond, sure, strict=True)),
        "shipped": any(not bar.held for bar in tested),
    }
    return Build(stopped, tuple(tested), found.notes)


def _beyond(bar: Bar) -> bool:
    """Whether a drop is beyond tolerance and its interval below zero."""
    assert bar.observed is not None and bar.required is not None  # noqa: S101, PT018
    below = bar.ci_hi < 0 if bar.ci_hi is not None else bool(bar.observed)
    return bar.observed < bar.required - 1e-9 and below


def _p(shape: Shape, name: str, differences: Matrix) -> float:
    """Return one-sided p of the sign-flip test, by the normal and never too small."""
    place, _, metric = name.rpartition(".")
    column = shape.names.index(metric)
    locale = place.removeprefix("by_locale.")
    inside = [
        shape.has[at, column] and locale in {"", each}
        for at, each in enumerate(shape.locales)
    ]
    by = differences[np.array(inside), column]
    by = by[by != 0]
    if not by.size:
        return 1.0
    far = float(-by.sum() / math.sqrt((by**2).sum()))
    return max(1 - _NORMAL.cdf(far), math.ldexp(1.0, -by.size))
