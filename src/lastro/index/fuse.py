"""From the legs' findings to one order of passages.  Pure.

With one leg there is nothing to fuse: its scores stand as they are.
"""

import math
from collections.abc import Iterable
from typing import NamedTuple

from lastro.model.ids import DocumentId, PassageId


class Candidate(NamedTuple):
    """A passage in a ranking; ``row`` is where the store keeps it."""

    score: float
    passage: PassageId
    document: DocumentId
    row: int


def ranked(candidates: Iterable[Candidate]) -> tuple[Candidate, ...]:
    """Return the candidates best first; ties by id, zero scores dropped.

    >>> last, none = Candidate(1.0, "b", "B", 1), Candidate(0.0, "c", "C", 2)
    >>> [one.row for one in ranked([last, none, Candidate(1.0, "a", "A", 3)])]
    [3, 1]
    """
    kept = [one for one in candidates if one.score != 0.0]
    for one in kept:
        if not math.isfinite(one.score):
            raise ArithmeticError(f"the score of {one.passage} is {one.score}")
    return tuple(sorted(kept, key=lambda one: (-one.score, one.passage)))
