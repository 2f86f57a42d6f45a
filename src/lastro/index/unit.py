"""Rows of length one, from whatever made them; heavy, so import it when needed."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from lastro.text.normalise import normalise


def unit(rows: NDArray[np.floating]) -> NDArray[np.float32]:
    """Return each row at length one; a row of zeros, or of no number, as zeros.

    >>> unit(np.array([[3.0, 4.0], [0.0, 0.0]])).tolist()
    [[0.6000000238418579, 0.800000011920929], [0.0, 0.0]]
    """
    wide = np.nan_to_num(rows.astype(np.float64), nan=0.0, posinf=0.0, neginf=0.0)
    lengths = np.linalg.norm(wide, axis=-1, keepdims=True)
    return (wide / np.where(lengths > 0.0, lengths, 1.0)).astype(np.float32)


def encoded(
    texts: Sequence[str],
    dimension: int,
    encode: Callable[[list[str]], NDArray[np.floating]],
) -> NDArray[np.float32]:
    """Return one row of length one a text: what ``encode`` says, zeros for a blank.

    ``encode`` sees texts in normal form only: no NUL, no lone surrogate, no blank.
    """
    rows = np.zeros((len(texts), dimension), dtype=np.float32)
    clean = [normalise(text) for text in texts]
    held = [at for at, text in enumerate(clean) if text.strip()]
    if held:
        rows[held] = unit(encode([clean[at] for at in held]))
    return rows
