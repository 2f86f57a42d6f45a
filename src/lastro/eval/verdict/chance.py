"""How likely chance makes any metric of a family drop as far as one did.  Pure.

If a system did not change, then and now are two runs of the same, and of any case
they could be swapped.  So the signs of whole cases are flipped, all metrics of a
case at once: what moves together is looked at once, and where nothing moves there
is nothing to be corrected for.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lastro.eval.paired import ALPHA, grid

RESAMPLES = 2000

_EPSILON = 1e-9
_CASES = 512  # whose signs are drawn at a time

_Matrix = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Chance:
    """What chance does: a p for each metric, corrected for having looked at all.

    ``critical`` is how many standard errors a drop must exceed for a p of at most
    0.05; None where nothing differs.
    """

    ps: tuple[float, ...]
    critical: float | None


def by_chance(
    family: Sequence[Mapping[str, float]],
    *,
    seed: int,
    resamples: int = RESAMPLES,
) -> Chance:
    """Return, for each metric, how likely chance drops any of the family so far.

    How far is counted in ``-sum(d) / sqrt(sum(d ** 2))``, which no flip of signs
    can carry past the root of the number of cases that differ.

    Args:
        family: now minus then by case, one a metric; cases may differ, and either
            may be empty.
        seed: of the flips; neither the order of cases nor threads change a byte.
        resamples: how many are drawn.

    Returns:
        One p a metric, in (0, 1]; 1 where nothing differs or nothing dropped.  It
        is exact whatever the metrics have to do with each other: an unchanged
        system has one of at most 0.05 in at most 5 % of its runs.

    Reference:
        Westfall & Young (1993), "Resampling-based multiple testing", single step;
        decision 0094.
    """
    steps = _steps(family)
    if not steps.size:
        return Chance((1.0,) * len(family), None)
    sizes = np.sqrt((steps**2).sum(axis=0))
    far = _far(steps.sum(axis=0), sizes)
    rng = np.random.Generator(np.random.PCG64(seed))
    sums = np.zeros((resamples, len(family)))
    for start in range(0, len(steps), _CASES):
        block = steps[start : start + _CASES]
        signs = rng.integers(0, 2, size=(resamples, len(block)), dtype=np.int8)
        # Whole steps: the sums are exact, in whatever order threads take them.
        sums += (signs * 2.0 - 1.0) @ block
    furthest = np.sort(_far(sums, sizes).max(axis=1))
    reached = resamples - np.searchsorted(furthest, far - _EPSILON)
    ps = np.where(far > 0, (1 + reached) / (1 + resamples), 1.0)
    most = math.floor(ALPHA * (1 + resamples)) - 1  # draws that may go so far
    return Chance(tuple(ps.tolist()), float(furthest[-most - 1]))


def _steps(family: Sequence[Mapping[str, float]]) -> _Matrix:
    """Return a row for each case that differs in something, a column a metric."""
    ids = sorted({case for column in family for case, by in column.items() if by})
    found = np.zeros((len(ids), len(family)))
    for at, column in enumerate(family):
        by = [column.get(case, 0.0) for case in ids]
        if by:
            found[:, at] = np.rint(np.asarray(by) * grid(by))
    return found


def _far(sums: _Matrix, sizes: _Matrix) -> _Matrix:
    found: _Matrix = -sums / np.where(sizes > 0, sizes, 1.0)
    return found
