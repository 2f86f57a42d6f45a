"""Text in columns, in bulk: lines are split block by block.

A million lines take about a second, since they are looked at one by one only
in a block that holds something odd: a blank line, a comment, a mistake.
"""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from os import PathLike
from typing import BinaryIO

from lastro.errors import InputError, Problem
from lastro.trace.read import MOST_PROBLEMS

_BLOCK = 1 << 16  # bytes: as many rows as a cache holds
_LONGEST_LINE = 1 << 20
_BOM = b"\xef\xbb\xbf"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_CONTROL_BYTES = bytes(set(range(32)) - set(b"\t\n\r")) + b"\x7f"
_OTHER_BYTES = bytes(set(range(256)) - set(_CONTROL_BYTES))
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_COMMENT = b"#"
_QUOTE = b'"'
_NUL = b"\0"


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
    """Some rows of a file, column by column, and the lines they stand on."""

    columns: Sequence[Sequence[bytes]]
    lines: Sequence[int]

    def row(self, at: int) -> list[str]:
        """Return one row, for people."""
        return [column[at].decode("utf-8", "replace") for column in self.columns]

    def below(self, rows: int) -> "Block":
        """Return what stands below the first rows."""
        columns = [column[rows:] for column in self.columns]
        return Block(columns, self.lines[rows:])


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
        joined = b"\n".join(cells)
        if cells and joined.isascii() and b"" not in cells:
            return joined.decode().split("\n")
        name = self.shape.names[column]
        pairs = zip(cells, block.lines, strict=True)
        return [self._text(cell, line, name) for cell, line in pairs]

    def numbers(self, block: Block, column: int) -> list[float]:
        """Return one column as finite numbers; what is none is a problem."""
        cells = block.columns[column]
        if b"_" not in b"".join(cells):
            try:
                found = list(map(float, cells))
            except ValueError:
                found = [math.nan]
            if all(map(math.isfinite, found)):
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

    def _text(self, cell: bytes, line: int, name: str) -> str:
        try:
            text = cell.decode()
        except UnicodeDecodeError as error:
            self.wrong(line, name, f"not UTF-8: byte 0x{cell[error.start]:02x}")
            return ""
        if not text.strip():
            self.wrong(line, name, "the id is blank")
        elif control := _CONTROL.search(text):
            what = f"control character U+{ord(control[0]):04X} in {text!r}"
            self.wrong(line, name, what)
        return text

    def _number(self, cell: bytes, line: int, name: str) -> float:
        text = cell.decode("utf-8", "replace")
        try:
            # Python reads 1_000 and digits of other scripts, and nobody else does.
            value = float("" if b"_" in cell or not cell.isascii() else text)
        except ValueError:
            self.wrong(line, name, f"{text!r} is no number")
            return 0.0
        if not math.isfinite(value):
            self.wrong(line, name, f"{text} is no finite number")
            return 0.0
        return value

    def _plain(self, raw: bytes, first: int) -> Block | None:
        """Return the rows of a block in which every line is one, else nothing."""
        if len(raw.translate(None, _CONTROL_BYTES)) != len(raw):
            return None
        if raw.startswith(_COMMENT) or b"\n" + _COMMENT in raw:
            return None
        between = b"\t" if self.shape.tabs else b" "
        if self.shape.tabs and (b" " in raw or _QUOTE in raw):
            return None
        # No line holds a NUL: as an end of line it shows that all are as wide.
        ends = between + _NUL + between
        flat = (raw.removesuffix(b"\n") + b"\n").replace(b"\n", ends)
        cells = flat.removesuffix(between).split(b"\t" if self.shape.tabs else None)
        step = len(self.shape.names) + 1
        rows, more = divmod(len(cells), step)
        if more or cells[step - 1 :: step] != [_NUL] * rows:
            return None
        columns = [cells[at::step] for at in range(step - 1)]
        return Block(columns, range(first, first + rows))

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
        return Block(list(zip(*rows, strict=True)), lines)

    def _complaint(self, line: bytes, width: int) -> str:
        control = line.translate(None, _OTHER_BYTES)
        if control:
            return f"control character U+{control[0]:04X}"
        names = self.shape.names
        if width != len(names):
            return f"{len(names)} columns are needed ({', '.join(names)}), not {width}"
        return ""


def raw_blocks(path: str | PathLike[str]) -> Iterator[bytes]:
    """Yield a file in blocks of whole lines, with line ends as on Unix.

    Raises:
        InputError: the file cannot be read, or is UTF-16.
    """
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - a path of any kind
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
