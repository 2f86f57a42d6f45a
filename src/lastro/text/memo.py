"""A bounded memory of results by piece of text."""

import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

# Longer pieces (links, encoded data) hardly come twice.
LONGEST = 40


class Memo(dict[str, T]):
    """Computes what it does not hold; keeps between ``size`` and twice as many.

    Two generations instead of an order of use: when the young one is full it
    becomes the old one, and what is asked for again moves back.  A hit costs one
    look-up of a dict.
    """

    def __init__(self, compute: Callable[[str], T], size: int) -> None:
        super().__init__()
        self._compute = compute
        self._size = size
        self._old: dict[str, T] = {}
        self._lock = threading.RLock()

    def __missing__(self, piece: str) -> T:
        with self._lock:  # what computes, serves one thread at a time
            value = self._old[piece] if piece in self._old else self._compute(piece)
            if len(piece) <= LONGEST:
                if len(self) >= self._size:
                    self._old = self.copy()
                    self.clear()
                self[piece] = value
            return value
