"""What reads a query and a passage together and says how well they fit.

A reranker is handed over by the composition root; nothing here picks one.
"""

from collections.abc import Sequence
from typing import Protocol


class Reranker(Protocol):
    """Scores passages for a query; the same pair always gets the same score."""

    @property
    def name(self) -> str:
        """Return what a person asks for it by, as ``fastembed:/models/bge``."""

    @property
    def blend(self) -> float | None:
        """Return what its score adds to the place that a passage came with.

        The passage's score over the best one's, plus so many times this one's.
        None: what it says alone counts.
        """

    def scores(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        """Return one score for each text, in their order; higher fits better.

        Scores are finite, of any range and sign, and compare within one query
        only.

        Raises:
            LastroError: it cannot be used now; the message is for people.
        """
