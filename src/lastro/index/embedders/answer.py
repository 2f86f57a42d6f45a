"""What an endpoint's answer says: rows in the order of the texts, or what is wrong.

Pure.  What arrives is a stranger's text: none of it is ever repeated.
"""

import json
import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TypeGuard

Row = list[float]


class Malformed(ValueError):
    """The answer is not one row of numbers a text; the message is for people."""


def rows_of(body: bytes, count: int) -> list[Row]:
    """Return the rows of an answer in the order of the texts that were sent.

    Args:
        body: the answer, as it came.
        count: how many texts were sent, at least 1.

    Raises:
        Malformed: it is not JSON of the known form; it has another number of
            rows, rows of different lengths, or something that is no number.
    """
    try:
        said = json.loads(body)
    except (ValueError, RecursionError):
        raise Malformed("its answer is not JSON") from None
    data = said.get("data") if isinstance(said, Mapping) else None
    if not isinstance(data, list):
        raise Malformed("its answer holds no list of embeddings")
    if len(data) != count:
        raise Malformed(f"it gave {len(data)} embeddings for {count} texts")
    rows = [_row(item) for item in _ordered(data)]
    if len(set(map(len, rows))) != 1:
        raise Malformed("its embeddings are of different lengths")
    return rows


def model_of(body: bytes) -> str:
    """Return the name that the endpoint gives its model, at most 100 characters."""
    said = json.loads(body)
    name = said.get("model") if isinstance(said, Mapping) else None
    return name[:100] if isinstance(name, str) else ""


def _ordered(data: Sequence[object]) -> list[object]:
    """Return the items by their ``index``; as they came where none has one."""
    indices = [
        item.get("index") if isinstance(item, Mapping) else None for item in data
    ]
    if all(index is None for index in indices):
        return list(data)
    places = {at: item for at, item in zip(indices, data, strict=True) if _is_int(at)}
    if set(places) != set(range(len(data))):
        raise Malformed("the indices of its embeddings are not those of the texts")
    return [places[at] for at in range(len(data))]


def _is_int(number: object) -> TypeGuard[int]:
    return isinstance(number, int) and not isinstance(number, bool)


def _row(item: object) -> Row:
    numbers = item.get("embedding") if isinstance(item, Mapping) else None
    if not isinstance(numbers, list) or not numbers:
        raise Malformed("an embedding is missing from its answer")
    row = list(map(_number, numbers))
    if not all(map(math.isfinite, row)):
        raise Malformed("an embedding holds something that is no number")
    return row


def _number(said: object) -> float:
    if isinstance(said, float) or _is_int(said):
        with suppress(OverflowError):
            return float(said)
    return math.nan
