"""JSON Lines from anybody: numbered lines, and why one of them cannot be read.

Memory stays flat: one line at a time.  A byte order mark, CRLF and blank lines
are read silently; everything else that is wrong is named by line and column.
"""

import json
import math
import os
import stat
from collections.abc import Iterator
from os import PathLike
from threading import Thread
from typing import BinaryIO, NoReturn

from lastro.errors import InputError, Problem

LONGEST_LINE = 64 * 1024 * 1024
_BOM = b"\xef\xbb\xbf"
PATIENCE = 10.0  # seconds that a named pipe is waited for until somebody writes to it
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


class Unreadable(ValueError):
    """A line is not one JSON value; the message says why, for people."""


def numbered(path: str | PathLike[str]) -> Iterator[tuple[int, bytes]]:
    """Yield each non-blank line of a file with its number, from 1.

    A pipe is read as it is written, a terminal as it is typed.

    Raises:
        InputError: the file cannot be opened, is a device or a named pipe that
            nobody writes to, is no UTF-8 text, or holds one JSON array instead
            of an object a line.
    """
    try:
        with opened(path) as file:
            yield from _lines(file, str(path))
    except OSError as error:
        raise _refused(path, 0, f"cannot be read: {_why(error)}") from error


def opened(path: str | PathLike[str], patience: float = PATIENCE) -> BinaryIO:
    """Open what lines are read from; a device holds none, and never ends.

    Args:
        path: a file, a pipe or a terminal.
        patience: seconds in which somebody has to open a named pipe for writing.

    Raises:
        InputError: it is a device, or a pipe that nobody writes to.
        OSError: it cannot be opened.
    """
    mode = os.stat(path).st_mode  # noqa: PTH116 - a path of any kind
    if stat.S_ISFIFO(mode):
        return _pipe(path, patience)
    file = open(path, "rb")  # noqa: PTH123, SIM115 - the caller closes it
    if stat.S_ISBLK(mode) or (stat.S_ISCHR(mode) and not file.isatty()):
        file.close()
        raise _refused(path, 0, "this is a device, not a file")
    return file


def _pipe(path: str | PathLike[str], patience: float) -> BinaryIO:
    """Open a pipe; that of a shell is open at once, a named one has to have a writer.

    Opening waits for one, and no system call says whether there is one: so a
    thread waits, and is let go of by opening the other end.
    """
    found: list[BinaryIO | OSError] = []

    def wait() -> None:
        try:
            found.append(open(path, "rb"))  # noqa: PTH123, SIM115 - handed over
        except OSError as error:
            found.append(error)

    waiting = Thread(target=wait, daemon=True)
    waiting.start()
    waiting.join(patience)
    if nobody := not found:
        os.close(os.open(path, os.O_RDWR | os.O_NONBLOCK))
        waiting.join()
    (file,) = found
    if isinstance(file, OSError):
        raise file
    if nobody:
        file.close()
        what = f"nobody writes to this pipe, and it was waited for {patience:g} s"
        raise _refused(path, 0, what)
    return file


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
