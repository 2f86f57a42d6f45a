"""A probability from signals: logistic regression in which no weight is negative.

Pure: the same rows give the same weights, in whatever order they come.
"""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from lastro.gate.calibrated import Fitted

Matrix = npt.NDArray[np.float64]

RIDGE = 1.0  # of the weights of signals that were brought to one spread
FOLDS = 5
_STEPS, _SWEEPS = 100, 200
_CLOSE = 1e-10
_FLAT = 1e-9  # a signal that hardly varies says nothing, and gets no weight


def fitted(
    rows: Sequence[Mapping[str, float]],
    held: Sequence[bool],
    names: Sequence[str],
    *,
    ridge: float = RIDGE,
) -> Fitted:
    """Return the weights that make what was seen most likely.

    Args:
        rows: the signals of each retrieval; every one of ``names`` is there.
        held: whether it held the answer; both happen.
        names: the signals to weigh.
        ridge: how strongly weights are held to 0, from 0 exclusive.

    Returns:
        The minimum of ``Σ log(1 + exp(-±z)) + ridge/2 · Σ v²`` over the weights
        ``v ≥ 0`` of the signals divided by their standard deviation; a signal
        without spread gets 0.

    Raises:
        ValueError: there is no row of one of the two kinds.

    Reference:
        Newton's method with a non-negative quadratic step solved coordinate by
        coordinate (Friedman, Hastie & Tibshirani 2010), and halved where it does
        not lower the sum.
    """
    outcome = np.asarray(held, dtype=np.float64)
    if not 0 < outcome.sum() < len(outcome):
        raise ValueError("what held the answer, and what did not, are both needed")
    found = _matrix(rows, names)
    centre, spread = found.mean(axis=0), found.std(axis=0)
    usable = spread > _FLAT
    scale = np.where(usable, spread, 1.0)
    x = np.where(usable, (found - centre) / scale, 0.0)
    start, slopes = _minimum(x, outcome, ridge)
    weights = np.where(usable, slopes / scale, 0.0)
    bias = float(start - weights @ centre)
    pairs = zip(names, weights.tolist(), strict=True)
    return Fitted(bias=bias, weights={name: w for name, w in pairs if w > 0})


def crossed(
    rows: Sequence[Mapping[str, float]],
    held: Sequence[bool],
    names: Sequence[str],
    *,
    seed: int,
    ridge: float = RIDGE,
) -> list[float]:
    """Return for each row the probability by weights that did not see it.

    Args:
        rows: as for :func:`fitted`, in an order that means nothing.
        held: at least ``FOLDS`` of either kind.
        names: the signals to weigh.
        seed: decides which rows are left out together.
        ridge: as for :func:`fitted`.
    """
    found = [0.0] * len(rows)
    for out in folds(held, seed=seed):
        left = set(out)
        kept = [at for at in range(len(rows)) if at not in left]
        one = fitted(
            [rows[at] for at in kept], [held[at] for at in kept], names, ridge=ridge
        )
        for at in out:
            found[at] = one.probability(rows[at])
    return found


def folds(held: Sequence[bool], *, seed: int) -> Iterator[list[int]]:
    """Yield the rows of each fold: either kind is dealt out evenly."""
    rng = np.random.Generator(np.random.PCG64(seed))
    dealt: list[list[int]] = [[] for _ in range(FOLDS)]
    for kind in (True, False):
        of_kind = [at for at, each in enumerate(held) if bool(each) is kind]
        for place, at in enumerate(rng.permutation(of_kind).tolist()):
            dealt[place % FOLDS].append(int(at))
    yield from (sorted(fold) for fold in dealt if fold)


def _matrix(rows: Sequence[Mapping[str, float]], names: Sequence[str]) -> Matrix:
    return np.array([[row[name] for name in names] for row in rows], dtype=np.float64)


def _minimum(x: Matrix, outcome: Matrix, ridge: float) -> tuple[float, Matrix]:
    """Return the bias and the weights of signals of one spread."""
    full = np.column_stack([np.ones(len(x)), x])
    penalty = np.concatenate([[0.0], np.full(x.shape[1], ridge)])
    place = np.zeros(full.shape[1])
    lowest = _loss(full, outcome, penalty, place)
    for _ in range(_STEPS):
        chance = 1.0 / (1.0 + np.exp(-np.clip(full @ place, -500, 500)))
        slope = full.T @ (chance - outcome) + penalty * place
        bend = (full.T * (chance * (1 - chance) + 1e-9)) @ full + np.diag(penalty)
        step = _step(bend, slope, place)
        size = 1.0
        while size > _CLOSE:
            there = place + size * step
            loss = _loss(full, outcome, penalty, there)
            if loss <= lowest:
                break
            size /= 2
        else:
            break
        moved = float(np.abs(there - place).max())
        place, lowest = there, loss
        if moved < _CLOSE:
            break
    return float(place[0]), place[1:]


def _loss(x: Matrix, outcome: Matrix, penalty: Matrix, place: Matrix) -> float:
    power = x @ place
    signed = np.where(outcome == 1, -power, power)
    return float(np.logaddexp(0, signed).sum() + (penalty * place**2).sum() / 2)


def _step(bend: Matrix, slope: Matrix, place: Matrix) -> Matrix:
    """Return the best step of a parabola that leaves no weight below 0."""
    step = np.zeros_like(place)
    for _ in range(_SWEEPS):
        moved = 0.0
        for at in range(len(step)):
            rest = slope[at] + bend[at] @ step - bend[at, at] * step[at]
            wanted = -rest / bend[at, at]
            if at:  # the bias may be anything
                wanted = max(wanted, -place[at])
            moved = max(moved, abs(wanted - step[at]))
            step[at] = wanted
        if moved < _CLOSE:
            break
    return step
