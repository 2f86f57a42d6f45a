"""JSON Lines from anybody: numbered lines, and why one of them cannot be read.

Memory stays flat: one line at a time.  A byte order mark, CRLF and blank lines
are read silently; everything else that is wrong is named by line and column.
"""

import json
import math
from collections.abc import Iterator
from os import PathLike
from typing import BinaryIO, NoReturn

from lastro.errors import InputError, Problem

LONGEST_LINE = 64 * 1024 * 1024
_BOM = b"\xef\xbb\xbf"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


class Unreadable(ValueError):
    """A line is not one JSON value; the message says why, for people."""


def numbered(path: str | PathLike[str]) -> Iterator[tuple[int, bytes]]:
    """Yield each non-blank line of a file with its number, from 1.

    Raises:
        InputError: the file cannot be opened, is no UTF-8 text, or holds one
            JSON array instead of an object a line.
    """
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - a path of any kind
            yield from _lines(file, str(path))
    except OSError as error:
        raise _refused(path, 0, f"cannot be read: {_why(error)}") from error


def _lines(file: BinaryIO, name: str) -> Iterator[tuple[int, bytes]]:
    number = 0
    first = True
    while raw := file.readline(LONGEST_LINE):
        number += 1
        if len(raw) == LONGEST_LINE and not raw.endswith(b"\n"):
            raise _refused(name, number, "the line is longer than 64 MB")
        if number == 1 and raw.startswith(_UTF16):
            raise _refused(name, 1, "this is UTF-16; save the file as UTF-8")
        line = raw.removeprefix(_BOM).strip()
        if not line:
            continue
        if first:
            _refuse_one_value(line, name, number)
            first = False
        yield number, line


def _refuse_one_value(raw: bytes, name: str, number: int) -> None:
    """Refuse a file that is plainly one JSON value over several lines."""
    if raw.startswith(b"["):
        what = "this is a JSON array; write one JSON object a line (JSON Lines)"
        raise _refused(name, number, what)
    if raw == b"{":
        what = "an object over several lines; write each object on one line"
        raise _refused(name, number, what)


def _refused(path: str | PathLike[str], line: int, what: str) -> InputError:
    return InputError([Problem(file=str(path), line=line, field="", what=what)])


def _why(error: OSError) -> str:
    return (error.strerror or "unknown reason").lower()


def parse(raw: bytes) -> object:
    """Return the one JSON value that ``raw`` holds.

    Stricter than JSON readers are: no NaN or infinity, no name twice in one
    object, no half of a surrogate pair.

    Raises:
        Unreadable: saying what is wrong and in which column.
    """
    text = _decoded(raw)
    try:
        found: object = json.loads(
            text,
            parse_constant=_no_number,
            parse_float=_finite,
            object_pairs_hook=_once,
        )
    except json.JSONDecodeError as error:
        raise Unreadable(_explained(error, text)) from None
    except RecursionError:
        raise Unreadable("nested too deeply") from None
    except Unreadable:
        raise
    except ValueError:  # a whole number of thousands of digits
        raise Unreadable("a number is too long") from None
    _whole_characters(raw, found)
    return found


def _decoded(raw: bytes) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        column = len(raw[: error.start].decode()) + 1
        what = f"not UTF-8: byte 0x{raw[error.start]:02x} in column {column}"
        raise Unreadable(what) from None


def _explained(error: json.JSONDecodeError, text: str) -> str:
    column = error.pos + 1
    if error.msg == "Extra data" and text[error.pos] in "{[":
        return f"a second JSON value begins in column {column}; write one a line"
    if error.msg.startswith("Unterminated string"):
        return f"cut off: the string that begins in column {column} never ends"
    if error.pos >= len(text):
        return f"cut off in column {column}: {error.msg[0].lower()}{error.msg[1:]}"
    return f"not JSON in column {column}: {error.msg[0].lower()}{error.msg[1:]}"


def _no_number(name: str) -> NoReturn:
    raise Unreadable(f"{name} is no JSON number; leave out what was not measured")


def _finite(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise Unreadable(f"{digits} is too large a number")
    return value


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise Unreadable(f"{twice!r} stands twice in one object")
    return found


def _whole_characters(raw: bytes, found: object) -> None:
    if b"\\u" not in raw:
        return
    try:
        json.dumps(found, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise Unreadable("half of a surrogate pair (\\ud800 to \\udfff)") from None
