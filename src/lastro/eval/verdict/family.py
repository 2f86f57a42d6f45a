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
    them have no score now because they broke, ``moved`` how many scored other
    than then (None: not known).  ``lost`` names those that have no score for
    another reason, ``lower`` those that scored less.
    """

    place: str
    metric: str
    tolerance: float
    found: Paired
    then_n: int
    broke: int = 0
    moved: int | None = None
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
    tested = family([r for r, s in zip(rows, states, strict=True) if _active(s)])
    ps = [_one_sided(row.found) if row in tested else None for row in rows]
    return tuple(
        _bar(row, state, p, len(tested))
        for row, state, p in zip(rows, states, holm(ps), strict=True)
    )


def family(rows: Sequence[Row]) -> tuple[Row, ...]:
    """Return the rows that are tested: those where chance could be told from a drop.

    With ``moved`` cases that differ, all of them down, p is ``2 ** -moved`` and
    never less.  A row that could not be significant among m tested is not one of
    them, and m is the least that this leaves (Tarone 1990).  Signs alone are drawn
    by chance, how many cases moved is given: so leaving rows out costs nothing.
    """
    for most in range(1, len(rows) + 1):
        able = tuple(row for row in rows if _least_p(row) <= ALPHA / most)
        if len(able) <= most:
            return able
    return ()


def _least_p(row: Row) -> float:
    return 0.0 if row.moved is None else math.ldexp(1.0, -row.moved)


def _active(state: tuple[BarState, str]) -> bool:
    return state[0] is BarState.ACTIVE


def _state(row: Row, bars: Bars) -> tuple[BarState, str]:
    """Say whether a row can be judged.

    What no case of a locale carries any more, though others do, is reported and
    no more: the metric is guarded overall.
    """
    min_n = bars.min_n_of.get(row.name, bars.min_n)
    thin = f"and --min-n asks for {min_n}"
    n = row.found.n
    if row.then_n < min_n:
        return BarState.INACTIVE, f"n is {row.then_n} in the baseline, {thin}"
    if row.then_n - row.broke < bars.min_scored * row.then_n - _EPSILON:
        broke = f"{row.broke} of {row.then_n} cases of the baseline broke now"
        asks = f"and --min-scored asks for {bars.min_scored:.0%}"
        return BarState.NOT_MEASURED, f"{broke}, {asks}"
    gone = BarState.INACTIVE if row.place else BarState.NOT_MEASURED
    if not n:
        then = f"n is {row.then_n} in the baseline"
        return gone, f"{then}, and no case carries it now"
    return (gone, f"n is {n}, {thin}") if n < min_n else (BarState.ACTIVE, "")


def _one_sided(found: Paired) -> float | None:
    """Return how likely chance is to drop so far: only a drop is looked for."""
    if found.p is None or found.difference is None:
        return None
    return found.p / 2 if found.difference < 0 else 1.0


def _bar(
    row: Row, judged_as: tuple[BarState, str], p: float | None, tested: int
) -> Bar:
    state, why = judged_as
    sure = p is not None and p <= ALPHA and row.found.below_zero
    missed = state is BarState.ACTIVE and sure and row.beyond
    if state is BarState.ACTIVE and row.beyond:
        why = _told(row, p, tested, missed=missed)
    return Bar(
        metric=row.name,
        required=-row.tolerance,
        observed=row.found.difference,
        state=state,
        held=state is BarState.ACTIVE and not missed,
        why=why,
        kind=BarKind.DROP,
        n=row.found.n,
        ci_lo=row.found.ci_lo,
        ci_hi=row.found.ci_hi,
    )


def _told(row: Row, p: float | None, tested: int, *, missed: bool) -> str:
    if p is None:
        moved = f"{row.moved} of {row.found.n} cases moved"
        return f"beyond tolerance, may be chance: {moved}, too few to tell"
    by = f"p {p:.2g} of {tested} tested (Holm)"
    if not missed:
        return f"beyond tolerance, may be chance: {by}"
    lower = f"; lower: {listed(row.lower)}" if row.lower else ""
    return f"beyond tolerance, {by}{lower}"


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
