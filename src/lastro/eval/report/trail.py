"""Where what a case seeks stood after each layer of its turn.  Pure."""

from lastro.eval.report.section import Row, Rows
from lastro.eval.report.turn import Layer, Sought, Turn

GONE, UNKNOWN, LOST = "-", "?", "lost"


def trail(found: Turn) -> Rows:
    """Return a row for each thing sought and a column for each layer.

    A cell is a rank, a dash where the layer does not hold it, a question mark
    where the trace has no such layer; it says so where the thing was lost.
    """
    if not found.sought:
        return ()
    head = ("sought", *(layer.name for layer in found.layers))
    return (head, *(_row(at, one, found) for at, one in enumerate(found.sought)))


def _row(place: int, one: Sought, found: Turn) -> Row:
    name = one.side or "gold"
    return (name, *(_cell(place, one.mark, layer) for layer in found.layers))


def _cell(place: int, mark: str, layer: Layer) -> str:
    if layer.order is None:
        return layer.status or UNKNOWN
    rank = layer.ranks[place]
    said = GONE if rank is None else str(rank)
    return f"{said} {LOST}" if mark in layer.lost else said
