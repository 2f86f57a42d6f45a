"""Cards and BEIR corpora: one JSON object a line, read one line at a time.

A line that cannot be read is a refusal of its own and stops nothing.  The text
of a card is plain text: what stands in the file, normalised.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import BinaryIO, NamedTuple, NoReturn, TextIO

from lastro.corpus.read import encoding, fields
from lastro.corpus.read.draft import Draft, Refusal
from lastro.text.normalise import normalise

LINE_LIMIT = 32 * 1024 * 1024


def _no_number(name: str) -> NoReturn:
    raise ValueError(name)


_DECODER = json.JSONDecoder(parse_constant=_no_number)
_EMPTY = Refusal("no text", broken=False)


class Line(NamedTuple):
    """What one line of the file holds; ``number`` counts from 1."""

    number: int
    found: Draft | Refusal


def read(lines: Iterable[bytes | str | None], name: str = "") -> Iterator[Line]:
    r"""Yield what each line holds; blank lines hold nothing, None is one too long.

    ``name`` is the encoding of lines that come decoded.

    >>> [(n, found.text if isinstance(found, Draft) else found.why)
    ...     for n, found in read([b'{"_id": 7, "text": "a"}\n', b"\n", b"{]\n"])]
    [(1, 'a'), (3, 'this is not valid JSON (column 2)')]
    """
    for number, line in enumerate(lines, start=1):
        if line is None:
            why = f"longer than {LINE_LIMIT // 1024 // 1024} MiB"
            yield Line(number, Refusal(why))
        elif line.strip():
            yield Line(number, _card(line, name))


def lines(
    file: BinaryIO | TextIO, limit: int = LINE_LIMIT
) -> Iterator[bytes | str | None]:
    """Yield the lines of ``file``, and None for one that is over the limit."""
    while line := file.readline(limit + 1):
        if len(line) <= limit:
            yield line
            continue
        end = b"\n" if isinstance(line, bytes) else "\n"
        while line and not line.endswith(end):  # type: ignore[arg-type]
            line = file.readline(limit)
        yield None


def _card(line: bytes | str, name: str) -> Draft | Refusal:
    text, name = _decoded(line) if isinstance(line, bytes) else (line, name)
    try:
        card = _DECODER.decode(text.strip("\ufeff"))
    except json.JSONDecodeError as error:
        return Refusal(f"this is not valid JSON (column {error.colno})")
    except ValueError:
        return Refusal("a number is not finite or too long")
    except RecursionError:
        return Refusal("nested too deep")
    if not isinstance(card, dict):
        return Refusal("this is no JSON object")
    draft = _draft(card)
    if name and isinstance(draft, Draft):
        return fields.apply(draft, {"encoding": name})
    return draft


def _decoded(line: bytes) -> tuple[str, str]:
    try:
        return line.decode(), ""
    except UnicodeDecodeError:
        return encoding.decode(line)


def _draft(card: dict[str, fields.Value]) -> Draft | Refusal:
    text = card.pop("text", None)
    if not isinstance(text, str):
        return Refusal("no text" if text is None else "text is not a text")
    if "id" not in card and "_id" in card:
        card["id"] = card.pop("_id")
    draft = fields.apply(Draft(text=normalise(text)), card)
    if isinstance(draft, Refusal):
        return draft
    if not draft.id:
        return Refusal("no id")
    if draft.text.strip():
        return draft
    # A card that is only a title says something: it is found by it and cited.
    return replace(draft, text=draft.title) if draft.title else _EMPTY
