"""Which drops of a family of metrics are misses, and how small a drop is seen."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

from lastro.eval.baseline import listed
from lastro.eval.paired import ALPHA, Paired, holm, student
from lastro.eval.verdict.bars import Bars
from lastro.model.score import Bar, BarKind, BarState, Summary

_EPSILON = 1e-9
_NORMAL = NormalDist()
_Z = _NORMAL.inv_cdf(0.975)
_POWER = 0.8


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One metric of the family, now minus then.

    ``then_n`` is how many cases the baseline has of it, ``broke`` how many of
    them have no score now because they broke.  ``lost`` names those that have
    none for another reason, ``lower`` those that scored less.
    """

    place: str
    metric: str
    tolerance: float
    found: Paired
    then_n: int
    broke: int = 0
    lost: tuple[str, ...] = ()
    lower: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What its bar is called."""
        return f"{self.place}.{self.metric}" if self.place else self.metric

    @property
    def beyond(self) -> bool:
        """Whether it dropped by more than is tolerated."""
        by = self.found.difference
        return by is not None and by < -self.tolerance - _EPSILON


def judged(rows: Sequence[Row], bars: Bars) -> tuple[Bar, ...]:
    """Return a bar for each row, corrected for having looked at all of them."""
    states = [_state(row, bars) for row in rows]
    ps = [
        _one_sided(row.found) if state is BarState.ACTIVE else None
        for row, (state, _) in zip(rows, states, strict=True)
    ]
    tested = len(ps) - ps.count(None)
    return tuple(
        _bar(row, state, why, p, tested)
        for row, (state, why), p in zip(rows, states, holm(ps), strict=True)
    )


def _state(row: Row, bars: Bars) -> tuple[BarState, str]:
    min_n = bars.min_n_of.get(row.name, bars.min_n)
    thin = f"and --min-n asks for {min_n}"
    n = row.found.n
    if row.then_n < min_n:
        return BarState.INACTIVE, f"n is {row.then_n} in the baseline, {thin}"
    if row.then_n - row.broke < bars.min_scored * row.then_n - _EPSILON:
        broke = f"{row.broke} of {row.then_n} cases of the baseline broke now"
        asks = f"and --min-scored asks for {bars.min_scored:.0%}"
        return BarState.NOT_MEASURED, f"{broke}, {asks}"
    if not n:
        then = f"n is {row.then_n} in the baseline"
        return BarState.NOT_MEASURED, f"{then}, and no case carries it now"
    if n < min_n:
        return BarState.NOT_MEASURED, f"n is {n}, {thin}"
    return BarState.ACTIVE, ""


def _one_sided(found: Paired) -> float | None:
    """Return how likely chance is to drop so far: only a drop is looked for."""
    if found.p is None or found.difference is None:
        return None
    return found.p / 2 if found.difference < 0 else 1.0


def _bar(row: Row, state: BarState, why: str, p: float | None, tested: int) -> Bar:
    sure = p is not None and p <= ALPHA and row.found.below_zero
    if state is BarState.ACTIVE and row.beyond:
        corrected = "none" if p is None else f"{p:.2g}"
        by = f"p {corrected} of {tested} tested (Holm)"
        why = f"beyond tolerance, {by}" + ("" if sure else ": may be chance")
    if sure and row.beyond and row.lower:
        why += f"; lower: {listed(row.lower)}"
    return Bar(
        metric=row.name,
        required=-row.tolerance,
        observed=row.found.difference,
        state=state,
        held=state is BarState.ACTIVE and not (sure and row.beyond),
        why=why,
        kind=BarKind.DROP,
        n=row.found.n,
        ci_lo=row.found.ci_lo,
        ci_hi=row.found.ci_hi,
    )


def smallest(row: Row, tested: int) -> float | None:
    """Return the smallest drop that this bar finds with 80 % power.

    It has to be found beyond tolerance and, by the strictest of Holm's steps,
    among ``tested``.  None where there is no interval.
    """
    found = row.found
    if found.detectable is None or not tested:
        return None
    freedom, power = max(1, found.n - 1), _NORMAL.inv_cdf(_POWER)
    reach = student(power, freedom)
    error = found.detectable / (student(_Z, freedom) + reach)
    strict = student(_NORMAL.inv_cdf(1 - ALPHA / max(2, tested)), freedom)
    return max(row.tolerance + reach * error, (strict + reach) * error)


def unpaired(then: Summary, now: Summary | None) -> Paired:
    """Return the difference of two means whose cases are not known one by one.

    Its interval is made of the distances of both means from the ends of their own
    (Zou & Donner 2008, Newcombe's for two shares); p is the one at which that
    interval would touch zero.
    """
    if now is None or now.mean is None or then.mean is None:
        return Paired(n=0)
    by = now.mean - then.mean
    means = {"mean_a": then.mean, "mean_b": now.mean, "difference": by}
    ends = (then.ci_lo, then.ci_hi, now.ci_lo, now.ci_hi)
    if any(end is None for end in ends):
        return Paired(n=now.n, p=1.0, **means)
    then_lo, then_hi, now_lo, now_hi = (end for end in ends if end is not None)
    down = math.hypot(now.mean - now_lo, then_hi - then.mean)
    up = math.hypot(now_hi - now.mean, then.mean - then_lo)
    towards = up if by < 0 else down
    z = _Z * abs(by) / towards if towards else math.inf
    freedom = max(1, now.n - 1)
    reach = student(_Z, freedom) + student(_NORMAL.inv_cdf(_POWER), freedom)
    return Paired(
        n=now.n,
        ci_lo=by - down,
        ci_hi=by + up,
        p=math.erfc(z / math.sqrt(2)) if by else 1.0,
        detectable=reach * up / _Z,
        **means,
    )
