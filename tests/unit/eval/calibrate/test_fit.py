"""Weights are the best that are not negative; scipy finds the same."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from lastro.eval.calibrate.fit import FOLDS, crossed, fitted, folds

NAMES = ("a", "b", "c")


def made(
    n: int, seed: int, slopes: tuple[float, ...]
) -> tuple[list[dict[str, float]], list[bool]]:
    rng = np.random.default_rng(seed)
    x = rng.random((n, len(slopes)))
    chance = 1 / (1 + np.exp(-((x - 0.5) @ np.array(slopes))))
    held = rng.random(n) < chance
    held[:2] = (True, False)
    rows = [dict(zip(NAMES, row, strict=True)) for row in x.tolist()]
    return rows, held.tolist()


def loss(rows: list[dict[str, float]], held: list[bool], place: np.ndarray) -> float:
    x = np.array([[row[name] for name in NAMES] for row in rows])
    x = (x - x.mean(axis=0)) / x.std(axis=0)
    power = place[0] + x @ place[1:]
    signed = np.where(held, -power, power)
    return float(np.logaddexp(0, signed).sum() + (place[1:] ** 2).sum() / 2)


@settings(max_examples=40, deadline=None)
@given(
    st.integers(20, 120),
    st.integers(0, 10_000),
    st.tuples(*[st.floats(-6, 6)] * len(NAMES)),
)
def test_the_minimum_is_that_which_scipy_finds(
    n: int, seed: int, slopes: tuple[float, ...]
) -> None:
    rows, held = made(n, seed, slopes)

    one = fitted(rows, held, NAMES)

    x = np.array([[row[name] for name in NAMES] for row in rows])
    scaled = [one.weights.get(n, 0.0) * s for n, s in zip(NAMES, x.std(0), strict=True)]
    centred = one.bias + sum(
        one.weights.get(n, 0.0) * m for n, m in zip(NAMES, x.mean(0), strict=True)
    )
    ours = loss(rows, held, np.array([centred, *scaled]))
    theirs = minimize(
        lambda place: loss(rows, held, place),
        np.zeros(len(NAMES) + 1),
        bounds=[(None, None), *[(0, None)] * len(NAMES)],
        method="L-BFGS-B",
        options={"ftol": 1e-14, "gtol": 1e-9},
    )
    assert ours == pytest.approx(theirs.fun, abs=1e-5)
    assert all(weight > 0 for weight in one.weights.values())


def test_what_counts_against_gets_no_weight() -> None:
    rows, held = made(400, 1, (5.0, -5.0, 0.0))

    assert "b" not in fitted(rows, held, NAMES).weights
    assert fitted(rows, held, NAMES).weights["a"] > 1


def test_the_order_of_the_rows_changes_nothing_that_can_be_seen() -> None:
    rows, held = made(100, 2, (3.0, 1.0, 0.0))

    one = fitted(rows, held, NAMES)
    other = fitted(rows[::-1], held[::-1], NAMES)

    assert other.bias == pytest.approx(one.bias, abs=1e-7)


def test_a_signal_without_spread_is_left_out() -> None:
    rows, held = made(60, 3, (3.0, 0.0, 0.0))
    flat = [row | {"c": 0.5} for row in rows]

    assert "c" not in fitted(flat, held, NAMES).weights


def test_a_kind_that_is_missing_is_refused() -> None:
    with pytest.raises(ValueError, match="both needed"):
        fitted([{"a": 1.0}] * 4, [True] * 4, ("a",))


def test_every_row_is_left_out_once_and_either_kind_is_dealt_evenly() -> None:
    held = [True] * 13 + [False] * 27

    dealt = list(folds(held, seed=5))

    assert sorted(at for fold in dealt for at in fold) == list(range(40))
    assert len(dealt) == FOLDS
    assert {sum(held[at] for at in fold) for fold in dealt} <= {2, 3}
    assert list(folds(held, seed=5)) == dealt
    assert list(folds(held, seed=6)) != dealt


def test_a_row_is_judged_by_weights_that_did_not_see_it() -> None:
    rows, held = made(80, 4, (4.0, 0.0, 0.0))

    chances = crossed(rows, held, NAMES, seed=0)

    for out in folds(held, seed=0):
        kept = [at for at in range(len(rows)) if at not in out]
        one = fitted([rows[at] for at in kept], [held[at] for at in kept], NAMES)
        assert [chances[at] for at in out] == [one.probability(rows[at]) for at in out]
    whole = fitted(rows, held, NAMES)
    assert chances != [whole.probability(row) for row in rows]
