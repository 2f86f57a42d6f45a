"""The dense leg: an exact scan over the vectors of a knowledge base.

Vectors are int8 with a scale a row.  The scan multiplies whole numbers, so the
same query finds the same on every machine; the best few are then scored with
the query as it is.  At a million passages that is as quick as a graph, needs no
building, and knows deletes and filters; see docs/decisions/0082.
"""

from collections.abc import Callable, Collection
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import simsimd
from numpy.typing import NDArray

from lastro.index import segments
from lastro.index.embedder import Embedder, Identity
from lastro.index.lexical import Scored
from lastro.index.segments import Manifest, Opened, Tag

if TYPE_CHECKING:
    from lastro.index.embedder import Vectors

# So many times more than asked for are scored again, and never fewer than this.
_AGAIN = 4
_LEAST = 256
_BLOCK = 65_536
# Scores are single precision: what differs beyond this is the order of a sum.
_DIGITS = 5
# How far the vector of the same text may turn between two machines.
SAME = 0.999
PROBE = "Lastro: backed answers 안녕하세요 licitação conexión 2026"

Taken = Callable[[Tag], bool]


def quantised(vectors: "Vectors") -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Return rows of int8 and the scale of each; zeros stay zeros."""
    largest = np.abs(vectors).max(axis=1, initial=0.0)
    scale = np.where(largest > 0, largest / 127, 1).astype(np.float32)
    return np.rint(vectors / scale[:, None]).astype(np.int8), scale


def same(manifest: Manifest, probe: "Vectors") -> bool:
    """Say whether an embedder gives the vectors that an index was made of."""
    ours = np.array(manifest.probe)
    if ours.shape != probe.shape:
        return False
    silent = not ours.any() and not probe.any()  # knows no word of it, both times
    return silent or float(ours @ probe) >= SAME


def differing(manifest: Manifest, embedder: Embedder) -> str:
    """Return how an embedder differs from the one of the index; empty: it does not."""
    ours, theirs = manifest.identity, embedder.identity
    if ours != theirs:
        return (
            f"the vectors were made by {_named(ours)}, and this is {_named(theirs)}:"
            " they do not compare"
        )
    if not same(manifest, embedder.passages([PROBE])[0]):
        return (
            f"the vectors were made by another {ours.name}: it has the same name and"
            " revision and gives other vectors"
        )
    return ""


def _named(identity: Identity) -> str:
    """Return an embedder as people tell it from another release of it."""
    said = f"{identity.name} (revision {identity.revision or 'unknown'}"
    if identity.query_prefix or identity.passage_prefix:
        said += f", prefixes {identity.query_prefix!r}, {identity.passage_prefix!r}"
    return f"{said}, {identity.dimension} dimensions)"


class Dense:
    """The vectors as of one change; safe to use from many threads."""

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        self.manifest = manifest
        dimension = manifest.identity.dimension
        self._segments = [
            Opened(folder, entry, dimension) for entry in manifest.segments
        ]

    @classmethod
    def open(cls, folder: Path, applied: int, *, all_of_it: bool = False) -> "Dense":
        """Open the index as of a change.

        Raises:
            FileNotFoundError: there is none for it, or it has just been replaced.
            KnowledgeBaseError: a file is not what was written.
        """
        return cls(folder, segments.load(folder, applied, all_of_it=all_of_it))

    def documents(self) -> set[int]:
        """Return the documents that can be found, by row."""
        found: set[int] = set()
        for segment in self._segments:
            found.update(segment.keys.document[segment.alive()].tolist())
        return found

    def top(self, query: "Vectors", count: int, taken: Taken | None) -> list[Scored]:
        """Return the best ``count`` passages, and all that tie with the last.

        Args:
            query: a vector of length one.
            count: how many; at least 1.
            taken: which tags are searched; None: all.

        The score is the cosine.  What is at a right angle or turned away is no
        finding and is left out.
        """
        want = max(_AGAIN * count, _LEAST)
        (whole,), _ = quantised(query[None])
        left_out = None if taken is None else ~self._codes(taken)
        found: dict[int, float] = {}
        for segment in self._segments:
            found |= _scored(segment, query, _best(segment, whole, want, left_out))
        order = sorted(found.items(), key=lambda item: (-item[1], item[0]))
        end = count
        while 0 < end < len(order) and order[end][1] == order[count - 1][1]:
            end += 1
        return [Scored(score, row) for row, score in order[:end] if score > 0]

    def cosines(self, query: "Vectors", rows: Collection[int]) -> dict[int, float]:
        """Return the cosine of passages by row, of those that have a vector."""
        wanted = np.array(sorted(rows), np.int64)
        found: dict[int, float] = {}
        for segment in self._segments:
            held = segment.keys.row  # in order: rows only ever grow
            at = np.searchsorted(held, wanted)
            at = at[at < len(held)]
            at = at[np.isin(held[at], wanted)]
            found |= _scored(segment, query, np.setdiff1d(at, segment.dead))
        return found

    def _codes(self, taken: Taken) -> NDArray[np.bool_]:
        return np.array([taken(tag) for tag in self.manifest.tags], dtype=bool)


def _best(
    segment: Opened,
    query: NDArray[np.int8],
    want: int,
    left_out: NDArray[np.bool_] | None,
) -> NDArray[np.int64]:
    """Return where the ``want`` best rows are, without what is over or left out.

    Block by block, so that a block's products stay near the processor and only
    what may still be among the best is looked at again.
    """
    at, held, floor = np.zeros(0, np.int64), np.zeros(0), 0.0
    for start in range(0, len(segment.keys.row), _BLOCK):
        block = slice(start, start + _BLOCK)
        products = simsimd.cdist(query[None], segment.vectors[block], metric="dot")
        dots = np.asarray(products).ravel() * segment.keys.scale[block]
        first, last = np.searchsorted(segment.dead, (start, start + _BLOCK))
        dots[segment.dead[first:last] - start] = 0
        if left_out is not None:
            dots[left_out[segment.keys.tag[block]]] = 0
        new = np.flatnonzero(dots > floor)
        at, held = np.append(at, new + start), np.append(held, dots[new])
        if len(at) > want:
            kept = np.argpartition(held, -want)[-want:]
            at, held = at[kept], held[kept]
            floor = float(held.min())
    return np.sort(at)


def _scored(
    segment: Opened, query: "Vectors", at: NDArray[np.int64]
) -> dict[int, float]:
    rows = segment.vectors[at].astype(np.float64) @ query.astype(np.float64)
    scores = np.round(rows * segment.keys.scale[at], _DIGITS)
    keys = segment.keys.row[at]
    return dict(zip(keys.tolist(), scores.tolist(), strict=True))
