"""The difference of two systems on the same cases: how large, how sure.  Pure.

The recipe is fixed, so that anybody can recompute it:

- cases stand in the order of their ids (code points), each with B minus A;
- differences are counted in whole steps of ``1 / grid``, about 1e-12 of a share,
  ``grid`` being 720720 (what 1 to 16 divide) times a power of two.  Sums of whole
  steps are exact in any order: equal sums are equal, what cancels is zero, and
  the last bit of a division is no difference;
- the interval is the percentile bootstrap of ``aggregate`` with wider tails,
  ``tail(n)`` on each side instead of 0.025;
- p is that of the sign-flip test: all signs where at most 16 cases differ, else
  ``resamples`` draws, ``Generator(PCG64(seed)).bytes(resamples)`` giving the signs
  of eight differences at a time, the largest first.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from lastro.errors import EvaluationError
from lastro.eval.aggregate import bootstrap

SEED = 17
RESAMPLES = 10_000
ALPHA = 0.05

_PARTS = 720_720  # divisible by 1 to 16: thirds and sevenths of a share are whole
_EXACT = 16  # so many signs have 65,536 patterns: all are tried
_MANY_FREE = 200  # degrees of freedom from which the series does
_SERIES = (
    (1 / 4, 1 / 4),
    (3 / 96, 16 / 96, 5 / 96),
    (-15 / 384, 17 / 384, 19 / 384, 3 / 384),
)
_Z, _Z_POWER = 1.959963984540054, 0.8416212335729143  # quantiles 0.975 and 0.8
_EIGHT = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1) * 2.0 - 1.0

_Steps = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Paired:
    """B minus A over the ``n`` cases that both have.

    The interval is None where there is none to be had: for one case, where no
    case differs, and where fewer than six all differ by the same.  Of more such
    cases it is that difference at both ends, as a bootstrap of equal values is.
    ``p`` is 1 for one case, and where no case differs.  ``detectable`` is None
    without an interval and without a width.  Over no case everything is None.
    """

    n: int
    mean_a: float | None = None
    mean_b: float | None = None
    difference: float | None = None
    ci_lo: float | None = None
    ci_hi: float | None = None
    p: float | None = None
    detectable: float | None = None

    @property
    def above_zero(self) -> bool:
        """Whether B lies above A for sure: the interval's lower end does."""
        return self.ci_lo is not None and self.ci_lo > 0

    @property
    def below_zero(self) -> bool:
        """Whether B lies below A for sure: the interval's upper end does."""
        return self.ci_hi is not None and self.ci_hi < 0


def paired(
    a: Mapping[str, float],
    b: Mapping[str, float],
    *,
    seed: int = SEED,
    resamples: int = RESAMPLES,
) -> Paired:
    """Compare two systems case by case.

    Args:
        a: one value a case, by case id.
        b: the same of the other system; cases of one alone are left out.
        seed: of the bootstrap and of the drawn signs.
        resamples: how many of each are drawn.

    Returns:
        B minus A with its 95 % interval, two-sided p and the smallest difference
        that is found with 80 % power at this n.  The order of rows, hash seeds
        and threads change no byte.

    Raises:
        EvaluationError: a value is not finite; its cases are named.

    Reference:
        Hesterberg (2015), "What teachers should know about the bootstrap", for
        the wider tails; Phipson & Smyth (2010) for p of drawn signs.
    """
    ids = sorted(a.keys() & b.keys())
    _refuse_what_is_no_number(ids, a, b)
    n = len(ids)
    if not n:
        return Paired(n=0)
    differences = [b[i] - a[i] for i in ids]
    fine = grid(differences)
    steps = np.rint(np.asarray(differences) * fine)
    p = _sign_flips(steps, seed, resamples)
    ends = _interval(steps, p, seed, resamples)
    return Paired(
        n=n,
        mean_a=math.fsum(a[i] for i in ids) / n,
        mean_b=math.fsum(b[i] for i in ids) / n,
        difference=math.fsum(differences) / n if steps.sum() else 0.0,
        ci_lo=ends[0] / fine if ends else None,
        ci_hi=ends[1] / fine if ends else None,
        p=p,
        detectable=_detectable(steps / fine) if ends and ends[0] < ends[1] else None,
    )


def holm(ps: Sequence[float | None]) -> tuple[float | None, ...]:
    """Correct p values for having looked at all of them (Holm 1979).

    Args:
        ps: one a metric, in [0, 1]; None was not tested and counts for nothing.

    Returns:
        The same in the same places, none smaller than before, none above 1.

    >>> holm([0.01, None, 0.04, 0.03])
    (0.03, None, 0.06, 0.06)
    """
    tested = sorted((p, place) for place, p in enumerate(ps) if p is not None)
    found: list[float | None] = [None] * len(ps)
    least = 0.0
    for rank, (p, place) in enumerate(tested):
        least = max(least, min(1.0, p * (len(tested) - rank)))
        found[place] = least
    return tuple(found)


@lru_cache(maxsize=1024)
def tail(n: int) -> float:
    """Return how much of the resampled means lies beyond each end, for n values.

    A percentile interval is too short for few values: it takes the normal for
    Student's t, and n for n - 1.  Both are made good by looking further out.

    Args:
        n: how many values, at least 2.

    Returns:
        A share under 0.025, which it approaches: 0.0185 at 29, 0.0240 at 200.

    >>> [round(tail(n), 4) for n in (29, 200)]
    [0.0185, 0.024]
    """
    wide = math.sqrt(n / (n - 1)) * student(_Z, n - 1)
    return math.erfc(wide / math.sqrt(2)) / 2


@lru_cache(maxsize=1024)
def student(z: float, freedom: int) -> float:
    """Return the t of Student's distribution that means what ``z`` does in the normal.

    Args:
        z: a quantile of the standard normal, above 0.
        freedom: degrees of freedom, at least 1.

    Reference:
        Abramowitz & Stegun 26.7.3 to 26.7.5; ``scipy.stats.t.ppf(norm.cdf(z))``.
    """
    if freedom > _MANY_FREE:
        return z + math.fsum(
            z * sum(c * z ** float(2 * i) for i, c in enumerate(row)) / freedom**k
            for k, row in enumerate(_SERIES, 1)
        )
    share = math.erf(z / math.sqrt(2))
    low, high = 0.0, math.pi / 2  # of atan(t / sqrt(freedom)), in which it is finite
    for _ in range(60):
        middle = (low + high) / 2
        if _within(middle, freedom) < share:
            low = middle
        else:
            high = middle
    return math.tan(low) * math.sqrt(freedom)


def _within(angle: float, freedom: int) -> float:
    """Return the share of Student's distribution between minus and plus t."""
    odd = freedom % 2
    term = math.sin(angle) * (math.cos(angle) if odd else 1.0)
    total = 0.0
    for k in range(2 + odd, freedom + 1, 2):
        total += term
        term *= math.cos(angle) ** 2 * (k - 1) / k
    return (angle + total) * 2 / math.pi if odd else total


def _refuse_what_is_no_number(
    ids: Sequence[str], a: Mapping[str, float], b: Mapping[str, float]
) -> None:
    bad = [i for i in ids if not (math.isfinite(a[i]) and math.isfinite(b[i]))]
    if bad:
        raise EvaluationError(
            f"scores that are no finite number, of {', '.join(bad[:10])}"
            + (f" and {len(bad) - 10} more" if len(bad) > 10 else ""),
            hint="Leave them out: what was not measured has no score.",
        )


def grid(differences: Sequence[float]) -> float:
    """Return how many steps make a whole: n of the largest stay under 2 ** 52.

    Args:
        differences: at least one, all finite.
    """
    top = max(1.0, *map(abs, differences)) * len(differences) * _PARTS
    return math.ldexp(float(_PARTS), 52 - math.frexp(top)[1])


def _interval(
    steps: _Steps, p: float, seed: int, resamples: int
) -> tuple[float, float] | None:
    """Return the ends; equal steps say nothing before their sign is no chance."""
    values = steps.tolist()
    if steps.min() == steps.max():
        return (values[0], values[0]) if p <= ALPHA else None
    return bootstrap(values, seed=seed, resamples=resamples, tail=tail(len(values)))


def _sign_flips(steps: _Steps, seed: int, resamples: int) -> float:
    """Return how often signs by chance give a sum as far from zero, or further.

    Zeros have no sign, and which of A and B came first changes nothing: only the
    sizes of the differences count.
    """
    sizes = -np.sort(-np.abs(steps[steps != 0]))
    seen = abs(steps.sum())
    if sizes.size <= _EXACT:
        sums = np.zeros(1)
        for size in sizes:
            sums = np.concatenate((sums - size, sums + size))
        return float(np.count_nonzero(np.abs(sums) >= seen) / sums.size)
    sums = np.zeros(resamples)
    rng = np.random.Generator(np.random.PCG64(seed))
    for start in range(0, sizes.size, 8):
        eight = sizes[start : start + 8]
        by_byte = (_EIGHT[:, : eight.size] * eight).sum(axis=1)
        sums += by_byte.take(np.frombuffer(rng.bytes(resamples), dtype=np.uint8))
    further = int(np.count_nonzero(np.abs(sums) >= seen))
    return (1 + further) / (1 + resamples)


def _detectable(differences: _Steps) -> float:
    """Return the difference that a two-sided 5 % test finds with 80 % power.

    ``(t(0.975) + t(0.8)) * s / sqrt(n)`` with n - 1 degrees of freedom, s being
    the standard deviation of the differences.
    """
    n = differences.size
    mean = math.fsum(differences) / n
    square = math.fsum((differences - mean) ** 2) / (n - 1)
    reach = student(_Z, n - 1) + student(_Z_POWER, n - 1)
    return reach * math.sqrt(square / n)
