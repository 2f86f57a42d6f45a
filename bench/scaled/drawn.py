"""An embedder for measurements of size: each word has a direction drawn by its hash.

It says nothing of quality: it is as quick as a look-up, so that what is measured
is what happens to vectors and not how they are made.
"""

import zlib
from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from lastro.index.embedder import Identity

DIMENSION = 384
_ROWS = 1 << 14


class Drawn:
    """Gives a text the mean of its words' directions."""

    identity = Identity(name="drawn", revision="1", dimension=DIMENSION)
    window = 0
    costly = False

    def tokens(self, text: str) -> int:
        """Return how many words there are."""
        return len(text.split())

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return a direction for each text."""
        return np.stack([self.query(text) for text in texts])

    def query(self, text: str) -> NDArray[np.float32]:
        """Return the direction of a text; zeros without a word."""
        rows = [zlib.crc32(word.encode()) % _ROWS for word in text.lower().split()]
        total: NDArray[np.float32] = _table()[rows].sum(axis=0, dtype=np.float32)
        length = float(np.linalg.norm(total))
        return total / np.float32(length) if length else total


@cache
def _table() -> NDArray[np.float32]:
    drawn = np.random.default_rng(384).normal(size=(_ROWS, DIMENSION))
    return drawn.astype(np.float32)


def drawn(_: str) -> Drawn:
    """Return the embedder, whatever its name."""
    return Drawn()
