"""Which drops of a family of metrics are misses, and how small a drop is seen."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist

from lastro.eval.baseline import listed
from lastro.eval.paired import ALPHA, SEED, Paired, holm, student
from lastro.eval.verdict.bars import Bars
from lastro.eval.verdict.chance import Chance, by_chance
from lastro.model.score import Bar, BarKind, BarState, Summary

_EPSILON = 1e-9
_NORMAL = NormalDist()
_Z = _NORMAL.inv_cdf(0.975)
_POWER = 0.8
_KEPT = 0.5  # of the baseline's cases: what fewer carry is no longer the same metric


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One metric of the family, now minus then.

    ``then_n`` is how many cases the baseline has of it, ``broke`` how many of
    them have no score now because they broke, ``by`` the difference of each case
    (None: not known).  ``lost`` names those that have no score for another
    reason, ``lower`` those that scored less.
    """

    place: str
    metric: str
    tolerance: float
    found: Paired
    then_n: int
    broke: int = 0
    by: Mapping[str, float] | None = None
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


class Family:
    """Rows that are looked at together, and what chance makes of all of them."""

    def __init__(self, rows: Sequence[Row], bars: Bars, *, seed: int = SEED) -> None:
        """See which rows can be judged, and test those as one family."""
        self.rows = tuple(rows)
        self._states = [_state(row, bars) for row in rows]
        asked = [state is BarState.ACTIVE for state, _ in self._states]
        tested = [row for row, each in zip(rows, asked, strict=True) if each]
        self._tested = len(tested)
        self._chance = _chance(tested, seed)
        ps = iter(self._chance.ps)
        self._ps = [next(ps) if each else None for each in asked]

    def bars(self) -> tuple[Bar, ...]:
        """Return a bar for each row.

        What fewer than half of the baseline's cases carry now cannot be judged.
        Where another metric dropped that may be why, and the drop is what is told.
        """
        found = tuple(map(self._bar, self.rows, self._states, self._ps))
        if all(bar.held or bar.state is not BarState.ACTIVE for bar in found):
            return found
        pairs = zip(self.rows, found, strict=True)
        return tuple(
            replace(bar, state=BarState.INACTIVE) if _dwindled(row) else bar
            for row, bar in pairs
        )

    def notes(self) -> Iterator[str]:
        """Say in plain words what p and the smallest drop are; none if none tested."""
        if any(
            row.beyond and p is not None
            for row, p in zip(self.rows, self._ps, strict=True)
        ):
            yield (
                f"baseline: {self._tested} metrics and locales are tested at once, and "
                "each p is corrected for that: how often chance alone would take any "
                f"of the {self._tested} as far"
            )
        if any(self.smallest(row) is not None for row in self.rows):
            yield (
                "baseline: the smallest drop found is `detectable` of `lastro "
                "compare`, but beyond tolerance and corrected for all that is "
                "tested: so it is larger"
            )

    def _bar(self, row: Row, seen: tuple[BarState, str], p: float | None) -> Bar:
        state, why = seen
        missed = p is not None and p <= ALPHA and row.found.below_zero and row.beyond
        if p is not None and row.beyond:
            why = self._told(row, p, missed=missed)
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

    def _told(self, row: Row, p: float, *, missed: bool) -> str:
        by = f"p {p:.2g} (corrected for all {self._tested} tested)"
        if not missed:
            return f"beyond tolerance, may be chance: {by}"
        lower = f"; lower: {listed(row.lower)}" if row.lower else ""
        return f"beyond tolerance, {by}{lower}"

    def smallest(self, row: Row) -> float | None:
        """Return the smallest drop of a row that is found with 80 % power.

        As noisy as then and now differ, and whole cases failing, its mean must be
        ``critical`` standard errors below zero, and beyond tolerance.  None where
        there is no interval, or no drop of a share would do.
        """
        if row.found.detectable is None or self._chance.critical is None:
            return None
        n, reach = row.found.n, _NORMAL.inv_cdf(_POWER)
        freedom = max(1, n - 1)
        error = row.found.detectable / (student(_Z, freedom) + student(reach, freedom))
        # d * n = far * sqrt(n * (s * s + d)): cases that fail add to the spread.
        far = (self._chance.critical + reach) ** 2 / n
        sure = (far + math.sqrt(far * far + 4 * far * n * error * error)) / 2
        spread = math.sqrt(error * error + row.tolerance / n)
        least = max(sure, row.tolerance + reach * spread)
        return least if least <= 1 else None


def _chance(rows: Sequence[Row], seed: int) -> Chance:
    """Test rows as one family; without differences by case their p are corrected."""
    known = [row.by for row in rows if row.by is not None]
    if len(known) == len(rows):
        return by_chance(known, seed=seed)
    corrected = holm([_one_sided(row.found) for row in rows])
    ps = tuple(1.0 if p is None else p for p in corrected)
    return Chance(ps, _NORMAL.inv_cdf(1 - ALPHA / len(rows)))


def _state(row: Row, bars: Bars) -> tuple[BarState, str]:
    """Say whether a row can be judged.

    What most cases of a locale carry no more, though others do, is reported and
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
    if _dwindled(row):
        return gone, f"{n} of the {row.then_n} cases of the baseline carry it now"
    return (gone, f"n is {n}, {thin}") if n < min_n else (BarState.ACTIVE, "")


def _dwindled(row: Row) -> bool:
    """Say whether most cases carry a metric no more; none at all is another matter."""
    return 0 < row.found.n < _KEPT * (row.then_n - row.broke)


def _one_sided(found: Paired) -> float | None:
    """Return how likely chance is to drop so far: only a drop is looked for."""
    if found.p is None or found.difference is None:
        return None
    return found.p / 2 if found.difference < 0 else 1.0


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
