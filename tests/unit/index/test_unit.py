"""Rows of length one, and zeros for what holds nothing."""

import numpy as np
import pytest
from numpy.typing import NDArray

from lastro.index.unit import encoded, unit


def test_rows_get_length_one_and_what_is_no_direction_becomes_zero() -> None:
    rows = unit(np.array([[1e-30, 0.0], [1e30, 1e30], [0.0, 0.0], [np.nan, 0.0]]))

    assert np.linalg.norm(rows, axis=1).tolist() == pytest.approx([1, 1, 0, 0])
    assert rows.dtype == np.float32


def test_an_encoder_sees_no_blank_no_nul_and_no_lone_surrogate() -> None:
    seen: list[str] = []

    def encode(texts: list[str]) -> NDArray[np.float64]:
        seen.extend(texts)
        return np.ones((len(texts), 2))

    rows = encoded(["", "a\0b", " \n", "\ud800"], 2, encode)

    assert seen == ["a\ufffdb", "\ufffd"]
    assert rows.any(axis=1).tolist() == [False, True, False, True]
    assert encoded([], 2, encode).shape == (0, 2)
