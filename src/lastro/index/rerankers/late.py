"""A reranker without a model of its own: every piece of the query looks for its like.

Late interaction over the table of the static embedder: a passage is as good as,
for each piece of the query, the piece of it that is nearest, weighed by how much
the query's piece says.  Words are compared one by one where a vector of the
whole passage has melted them together.  Khattab and Zaharia, ColBERT (2020).
"""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.float32]

NAME = "late"
# Chosen on half of the judged questions; see docs/decisions/0083.
_BLEND = 0.35


class Table(Protocol):
    """What knows the pieces of a text, as the static embedder does."""

    def directions(self, text: str) -> tuple[Rows, Rows]:
        """Return a row of length one for each piece, and how much each says."""


class Late:
    """Scores from 0 to 1; any number of threads may share one."""

    name = NAME
    blend: float | None = _BLEND

    def __init__(self, table: Table) -> None:
        self._table = table

    def scores(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        """Return how near the pieces of a text come to those of the query.

        0 where either has no piece that is known.
        """
        asked, weights = self._table.directions(query)
        whole = float(weights.sum())
        if not whole:
            return [0.0] * len(texts)
        return [self._score(text, asked, weights / whole) for text in texts]

    def _score(self, text: str, asked: Rows, weights: Rows) -> float:
        held, _ = self._table.directions(text)
        if not len(held):
            return 0.0
        nearest = np.maximum((asked @ held.T).max(axis=1), 0.0)
        return round(float(nearest @ weights), 5)
