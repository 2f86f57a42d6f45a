"""From ranked passages to documents, and to the passages of a prompt.  Pure."""

from collections import Counter
from collections.abc import Sequence

from lastro.index.fuse import Candidate


def parents(ranking: Sequence[Candidate], count: int) -> tuple[Candidate, ...]:
    """Return the first ``count`` documents, each by its best passage.

    >>> one = [Candidate(3.0, "a::000", "a", 1), Candidate(2.0, "a::001", "a", 2)]
    >>> [c.passage for c in parents([*one, Candidate(1.0, "b::000", "b", 3)], 2)]
    ['a::000', 'b::000']
    """
    best: dict[str, Candidate] = {}
    for candidate in ranking:
        best.setdefault(candidate.document, candidate)
    return tuple(best.values())[:count]


def selected(
    ranking: Sequence[Candidate], count: int, from_one_document: int
) -> tuple[Candidate, ...]:
    """Return the first ``count`` passages, at most so many from one document.

    >>> one = [Candidate(3.0, "a::000", "a", 1), Candidate(2.0, "a::001", "a", 2)]
    >>> two = [*one, Candidate(1.0, "b::000", "b", 3)]
    >>> [c.passage for c in selected(two, 2, 1)]
    ['a::000', 'b::000']
    """
    taken: Counter[str] = Counter()
    kept: list[Candidate] = []
    for candidate in ranking:
        if len(kept) >= count:
            break
        if taken[candidate.document] < from_one_document:
            taken[candidate.document] += 1
            kept.append(candidate)
    return tuple(kept)
