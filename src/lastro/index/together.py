"""What both legs found, made one order.  Pure but for what it is handed."""

from collections.abc import Callable, Mapping
from math import fsum
from typing import NamedTuple

from lastro.index.asked import Asked
from lastro.index.dense_leg import Neighbours
from lastro.index.fuse import Candidate, Method, fused, fusion_for
from lastro.index.shown import Ordered
from lastro.model.ranking import Leg, LegStatus

# Such a leg has looked at nothing: its stage is not measured, and not empty.
_SILENT = frozenset({LegStatus.OFF, LegStatus.FAILED})
_STOP = 0.5  # what a stop word weighs in the lexical leg


class Words(NamedTuple):
    """The query as it was understood, and what the lexical leg made of it."""

    asked: Asked
    leg: Leg
    found: tuple[Candidate, ...] = ()


def together(
    words: Words, near: Neighbours, names: Callable[[], Mapping[int, float]]
) -> Ordered:
    """Make one order of what the legs found; a leg that did not look has none.

    ``names`` gives the passages that hold names and codes of the query; it is
    asked only where passages of another language were found.
    """
    lexical = None if words.leg.status in _SILENT else words.found
    dense = None if near.leg.status in _SILENT else near.found
    order = words.found or near.found
    if words.found and near.found:
        way = fusion_for(near.embedder)
        alone = {one.row for one in words.found} - {one.row for one in near.found}
        spoken = words.asked.spoken
        foreign = any(one.language not in {"", spoken} for one in words.found)
        order = fused(
            words.found,
            near.found,
            near.cosines(alone) if way.method is Method.SCORE else {},
            way,
            spoken=spoken,
            names=names() if spoken and foreign and way.named else None,
            worth=fsum(t.idf * (_STOP if t.stop else 1) for t in words.asked.described),
        )
    return Ordered(lexical=lexical, dense=dense, fused=order)
