"""Text in columns, in bulk: lines are split block by block.

A million lines take about a second, since they are looked at one by one only
in a block that holds something odd: a blank line, a comment, a mistake.
"""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import compress, count, islice
from operator import ne
from os import PathLike
from pathlib import Path
from typing import BinaryIO

import msgspec

from lastro.errors import InputError, Problem
from lastro.text.ids import unseen
from lastro.trace.lines import opened
from lastro.trace.read import MOST_PROBLEMS

_BLOCK = 1 << 16  # bytes: as many rows as a cache holds
_LONGEST_LINE = 1 << 20
_BOM = b"\xef\xbb\xbf"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_CONTROL_BYTES = bytes(set(range(32)) - set(b"\t\n\r")) + b"\x7f"
_OTHER_BYTES = bytes(set(range(256)) - set(_CONTROL_BYTES))
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_LONE = re.compile("[\udc80-\udcff]")
_INSTEAD = "\ufffd"
_COMMENT = b"#"
_QUOTE = b'"'
_NUL = b"\0"
# Python's own reader of numbers takes five times as long.
_numbers = msgspec.json.Decoder(list[float]).decode


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """What the columns of a line are called, and what stands between them.

    Between ``tabs`` blanks belong to a column, and one that is quoted as a whole
    loses its quotes.  Else the last column may take the ``rest`` of its line.
    """

    names: tuple[str, ...]
    tabs: bool = False
    rest: bool = False

    def split(self, line: bytes) -> list[bytes]:
        """Return the columns of one line, however many it has."""
        if self.tabs:
            return [_bare(cell.strip()) for cell in line.split(b"\t")]
        return line.split(None, len(self.names) - 1 if self.rest else -1)


def _bare(cell: bytes) -> bytes:
    if len(cell) > 1 and cell.startswith(_QUOTE) and cell.endswith(_QUOTE):
        return cell[1:-1].replace(_QUOTE * 2, _QUOTE)
    return cell


@dataclass(frozen=True, slots=True)
class Block:
    """Some rows of a file, column by column, and the lines they stand on.

    A byte that is no UTF-8 is half a surrogate pair, as Python writes it.  A
    ``plain`` block is ASCII, and no cell of it is empty.
    """

    columns: Sequence[list[str]]
    lines: Sequence[int]
    plain: bool = False

    def row(self, at: int) -> list[str]:
        """Return one row, for people."""
        return [_LONE.sub(_INSTEAD, column[at]) for column in self.columns]

    def below(self, rows: int) -> "Block":
        """Return what stands below the first rows."""
        columns = [column[rows:] for column in self.columns]
        return Block(columns, self.lines[rows:], self.plain)


@dataclass(slots=True)
class Table:
    """A file of columns; ``problems`` and ``comments`` fill while it is read."""

    path: str
    shape: Shape
    problems: list[Problem] = field(default_factory=list)
    comments: int = 0

    def blocks(self) -> Iterator[Block]:
        """Yield the rows of the file, in flat memory; a blank line is none.

        A line that is wrong is kept as a problem and is no row.

        Raises:
            InputError: the file cannot be read, or is UTF-16.
        """
        line = 1
        for raw in raw_blocks(self.path):
            block = self._plain(raw, line) or self._odd(raw, line)
            if block.lines:
                yield block
            if len(self.problems) >= MOST_PROBLEMS:
                return
            line += raw.count(b"\n")

    def texts(self, block: Block, column: int) -> list[str]:
        """Return one column as text; an id that cannot be read is a problem."""
        cells = block.columns[column]
        if block.plain:
            return cells
        name = self.shape.names[column]
        pairs = zip(cells, block.lines, strict=True)
        return [self._text(cell, line, name) for cell, line in pairs]

    def numbers(self, block: Block, column: int) -> list[float]:
        """Return one column as finite numbers; what is none is a problem."""
        cells = block.columns[column]
        try:
            found = _numbers(f"[{','.join(cells)}]")
        except (msgspec.DecodeError, UnicodeEncodeError):
            found = []
        if len(found) == len(cells):  # no cell has a comma of its own
            return found
        name = self.shape.names[column]
        pairs = zip(cells, block.lines, strict=True)
        return [self._number(cell, line, name) for cell, line in pairs]

    def wrong(self, line: int, name: str, what: str) -> None:
        """Keep a problem of one line."""
        self.problems.append(Problem(file=self.path, line=line, field=name, what=what))

    def close(self) -> None:
        """Raise what was wrong.

        Raises:
            InputError: with every problem of the file, by line.
        """
        if self.problems:
            raise InputError(sorted(self.problems, key=lambda each: each.line))

    def _text(self, text: str, line: int, name: str) -> str:
        if lone := _LONE.search(text):
            self.wrong(line, name, f"not UTF-8: byte 0x{ord(lone[0]) & 0xFF:02x}")
            return ""
        if not text.strip():
            self.wrong(line, name, "the id is blank")
        elif unseen(text):
            self.wrong(line, name, f"nothing of the id can be seen: {text!a}")
        elif control := _CONTROL.search(text):
            what = f"control character U+{ord(control[0]):04X} in {text!r}"
            self.wrong(line, name, what)
        return text

    def _number(self, cell: str, line: int, name: str) -> float:
        try:
            # Python reads 1_000 and digits of other scripts, and nobody else does.
            value = float("" if "_" in cell or not cell.isascii() else cell)
        except ValueError:
            self.wrong(line, name, f"{_LONE.sub(_INSTEAD, cell)!r} is no number")
            return 0.0
        if not math.isfinite(value):
            self.wrong(line, name, f"{cell} is no finite number")
            return 0.0
        return value

    def _plain(self, raw: bytes, first: int) -> Block | None:
        """Return the rows of a block in which every line is one, else nothing."""
        if len(raw.translate(None, _CONTROL_BYTES)) != len(raw):
            return None
        if _COMMENT in raw and b"\n" + _COMMENT in b"\n" + raw:
            return None
        tabs = self.shape.tabs
        if tabs and (b" " in raw or _QUOTE in raw):
            return None
        # No line holds a NUL: as an end of line it shows that all are as wide.
        between = b"\t" if tabs else b" "
        ends = between + _NUL + between
        flat = (raw.removesuffix(b"\n") + b"\n").replace(b"\n", ends)
        cells = _cells(flat.removesuffix(between), "\t" if tabs else None)
        step = len(self.shape.names) + 1
        rows, more = divmod(len(cells), step)
        if more or cells[step - 1 :: step] != [_NUL.decode()] * rows:
            return None
        columns = [cells[at::step] for at in range(step - 1)]
        plain = raw.isascii() and not (tabs and "" in cells)
        return Block(columns, range(first, first + rows), plain)

    def _odd(self, raw: bytes, first: int) -> Block:
        rows, lines = [], []
        for number, line in enumerate(raw.split(b"\n"), first):
            if line.startswith(_COMMENT):
                self.comments += 1
            elif line.strip():
                row = self.shape.split(line)
                if what := self._complaint(line, len(row)):
                    self.wrong(number, "", what)
                else:
                    rows.append(row)
                    lines.append(number)
        columns = zip(*rows, strict=True)
        return Block([list(map(_decoded, column)) for column in columns], lines)

    def _complaint(self, line: bytes, width: int) -> str:
        control = line.translate(None, _OTHER_BYTES)
        if control:
            return f"control character U+{control[0]:04X}"
        names = self.shape.names
        if width != len(names):
            return f"{len(names)} columns are needed ({', '.join(names)}), not {width}"
        return ""


def _decoded(cell: bytes) -> str:
    return cell.decode("utf-8", "surrogateescape")


def _cells(flat: bytes, between: str | None) -> list[str]:
    """Split at tabs, or at blanks of ASCII alone: other blanks belong to a cell."""
    if between or flat.isascii():
        return _decoded(flat).split(between)
    return _decoded(b"\n".join(flat.split())).split("\n")


def groups(column: Sequence[str]) -> Iterator[tuple[str, int, int]]:
    """Yield runs of one value: the value, where the run starts, where it ends.

    >>> list(groups(["a", "a", "b"]))
    [('a', 0, 2), ('b', 2, 3)]
    """
    differs = map(ne, column, islice(column, 1, None))
    ends = [*compress(count(1), differs), *([len(column)] if column else ())]
    for start, end in zip([0, *ends], ends, strict=False):
        yield column[start], start, end


def raw_blocks(path: str | PathLike[str]) -> Iterator[bytes]:
    """Yield a file in blocks of whole lines, with line ends as on Unix.

    Raises:
        InputError: the file cannot be read, or is UTF-16.
    """
    try:
        with opened(path) as file:
            rest, line = b"", 1
            for more in _pieces(file):
                whole, newline, tail = (rest + more).rpartition(b"\n")
                if line == 1 and (rest + more).startswith(_UTF16):
                    raise _refused(path, 1, "this is UTF-16; save the file as UTF-8")
                line += whole.count(b"\n") + len(newline)
                if len(tail) > _LONGEST_LINE:
                    raise _refused(path, line, "the line is longer than 1 MB")
                yield whole + newline
                rest = tail
            yield rest
    except OSError as error:
        why = (error.strerror or "unknown reason").lower()
        raise _refused(path, 0, f"cannot be read: {why}") from error


def refuse_pipe(path: str | PathLike[str]) -> None:
    """Refuse a pipe where a file is looked at before it is read.

    Raises:
        InputError: it is one.
    """
    if Path(path).is_fifo():
        what = "this is a pipe, and it is read twice: write it to a file first"
        raise _refused(path, 0, what)


def _pieces(file: BinaryIO) -> Iterator[bytes]:
    """Yield a file piece by piece, without its mark of order, lines as on Unix."""
    first = True
    while more := file.read(_BLOCK):
        if more.endswith(b"\r"):
            more += file.read(1)  # a line end is not cut in two
        if b"\r" in more:
            more = more.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        yield more.removeprefix(_BOM) if first else more
        first = False


def _refused(path: str | PathLike[str], line: int, what: str) -> InputError:
    return InputError([Problem(file=str(path), line=line, field="", what=what)])
