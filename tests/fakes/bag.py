"""An embedder of words: sums a fixed vector a word, and reads only its window."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from lastro.index.embedder import Identity
from lastro.index.unit import encoded, unit

DIMENSION = 16


@dataclass
class Bag:
    """Cuts what is beyond ``window`` words off, prefix included, as many models do."""

    window: int = 0
    revision: str = "1"
    query_prefix: str = ""
    passage_prefix: str = ""
    costly: bool = True
    seen: list[str] = field(default_factory=list)
    name: str = "bag"

    @property
    def identity(self) -> Identity:
        return Identity(
            name=self.name,
            revision=self.revision,
            dimension=DIMENSION,
            query_prefix=self.query_prefix,
            passage_prefix=self.passage_prefix,
        )

    def tokens(self, text: str) -> int:
        return len(text.split())

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.seen += texts
        return encoded(
            texts,
            DIMENSION,
            lambda held: np.array(
                [self._sum(self.passage_prefix + text) for text in held]
            ),
        )

    def query(self, text: str) -> NDArray[np.float32]:
        return unit(self._sum(self.query_prefix + text))

    def _sum(self, text: str) -> NDArray[np.float64]:
        words = text.split()[: self.window or None]
        total = np.zeros(DIMENSION)
        for word in words:
            total += _vector(word)
        return total


def _vector(word: str) -> NDArray[np.float64]:
    digest = hashlib.blake2b(word.encode(), digest_size=DIMENSION).digest()
    return np.frombuffer(digest, dtype=np.uint8) / 127.5 - 1.0
