"""Bars from a file, ``bars.toml``: what a build requires, kept beside its cases.

min_hit = 0.8                     # and min_recall, min_scored, min_n
baseline = "baseline.json"        # from where this file lies
tolerance = 0.05
fail_on_case = true

[min]
groundedness = 0.7
"by_locale.ko.retrieval_hit_at_k" = 0.8

[min_lower]
retrieval_hit_at_k = 0.75

[[bar]]
metric = "by_tag.table.accuracy"
min = 0.6                         # or lower, or both
min_n = 30
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from lastro.errors import InputError, Problem
from lastro.eval.verdict.bars import HIT, RECALL, names, path
from lastro.trace.lines import opened

_SHARES = {"min_hit": HIT, "min_recall": RECALL}
_KEYS = (*_SHARES, "min_scored", "min_n", "baseline", "tolerance", "fail_on_case")
_TABLES = ("min", "min_lower", "bar")
_BAR = ("metric", "min", "lower", "min_n")
_KEY = re.compile(r"""\s*(?:"([^"]*)"|'([^']*)'|([\w-]+))\s*[=.]""")
_TABLE = re.compile(r"\s*\[(\[?)\s*([\w-]+)\s*\]")
_AT = re.compile(r"\(at line (\d+), column (\d+)\)")


@dataclass(slots=True, kw_only=True)
class Written:
    """What a file of bars requires, by name; None is not said."""

    minimums: dict[str, float] = field(default_factory=dict)
    min_lower: dict[str, float] = field(default_factory=dict)
    min_n_of: dict[str, int] = field(default_factory=dict)
    min_scored: float | None = None
    min_n: int | None = None
    tolerance: float | None = None
    fail_on_case: bool = False
    baseline: Path | None = None

    @property
    def holds_a_bar(self) -> bool:
        """Whether there is a bar: how bars are judged alone is none."""
        floors = self.minimums or self.min_lower
        return bool(floors) or self.fail_on_case or self.baseline is not None


def read(file: Path) -> Written:
    """Read a file of bars.

    Raises:
        InputError: it cannot be read, holds no bar, or asks for what no bar can;
            all of it is named with its line.
    """
    try:
        with opened(file) as source:
            text = source.read().decode("utf-8-sig")
    except OSError as error:
        why = (error.strerror or "unknown reason").lower()
        raise _refused(file, 0, f"cannot be read: {why}") from None
    except UnicodeDecodeError:
        raise _refused(file, 0, "is not UTF-8") from None
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        at = _AT.search(str(error))
        line, column = (int(at[1]), at[2]) if at else (0, "?")
        raise _refused(file, line, f"is no TOML from column {column} on") from None
    except ValueError:  # a whole number of thousands of digits
        raise _refused(file, 0, "holds a number that is too long") from None
    except RecursionError:
        raise _refused(file, 0, "is nested too deeply") from None
    return _Reader(file, text).written(found)


def _refused(file: Path, line: int, what: str) -> InputError:
    error = InputError([Problem(file=str(file), line=line, field="", what=what)])
    error.hint = "Write bars as TOML, such as min_hit = 0.8, or [min] below a line."
    return error


class _Reader:
    """Takes a file's values one by one, and keeps what is wrong with them."""

    def __init__(self, file: Path, text: str) -> None:
        """Note where each key stands."""
        self._file = file
        self._lines = dict(_places(text))
        self._problems: list[Problem] = []
        self._known = names()

    def written(self, found: Mapping[str, object]) -> Written:
        """Return what the file requires."""
        asked = Written()
        for key, value in found.items():
            if key in _TABLES:
                self._table(key, value, asked)
            elif key in _KEYS:
                self._key(key, value, asked)
            else:
                listed = ", ".join((*_KEYS, *(f"[{each}]" for each in _TABLES)))
                self._wrong("", key, f"is unknown; there are: {listed}")
        if self._problems:
            raise InputError(sorted(self._problems, key=lambda each: each.line))
        if not asked.holds_a_bar:
            raise _refused(self._file, 0, "holds no bar")
        return asked

    def _key(self, key: str, value: object, asked: Written) -> None:
        match key:
            case "min_hit" | "min_recall":
                self._floor("", key, _SHARES[key], value, asked.minimums)
            case "min_scored":
                asked.min_scored = self._share("", key, value)
            case "tolerance":
                asked.tolerance = self._share("", key, value)
            case "min_n":
                asked.min_n = self._count("", key, value)
            case "fail_on_case":
                if not isinstance(value, bool):
                    self._wrong("", key, "is neither true nor false")
                asked.fail_on_case = value is True
            case _:
                if not isinstance(value, str) or not value.strip():
                    self._wrong("", key, "is no path of a file")
                else:
                    asked.baseline = self._file.parent / value

    def _table(self, key: str, value: object, asked: Written) -> None:
        if key == "bar":
            rows = value if isinstance(value, list) else [None]
            for at, row in enumerate(rows):
                self._bar(f"bar {at}", row, asked)
        elif isinstance(value, Mapping):
            into = asked.minimums if key == "min" else asked.min_lower
            for name, least in value.items():
                self._floor(key, name, name, least, into)
        else:
            self._wrong("", key, f"is no table: write [{key}], and METRIC = X below")

    def _bar(self, table: str, row: object, asked: Written) -> None:
        if not isinstance(row, Mapping):
            self._wrong("", "bar", "is no list of tables: write [[bar]]")
            return
        for key in sorted(row.keys() - set(_BAR)):
            self._wrong(table, key, f"is unknown; there are: {', '.join(_BAR)}")
        name = row.get("metric")
        if not isinstance(name, str):
            self._wrong(table, "metric", "names no metric")
            return
        ends = {"min": asked.minimums, "lower": asked.min_lower}
        if not ends.keys() & row.keys():
            self._wrong(table, "metric", "has neither min nor lower beside it")
        for key in ends.keys() & row.keys():
            self._floor(table, key, name, row[key], ends[key])
        n = self._count(table, "min_n", row["min_n"]) if "min_n" in row else None
        if n is not None and asked.min_n_of.setdefault(name, n) != n:
            what = f"{name} is given another one above: it holds for all its bars"
            self._wrong(table, "min_n", what)

    def _floor(
        self, table: str, key: str, name: str, value: object, into: dict[str, float]
    ) -> None:
        if name not in self._known and path(name, self._known) is None:
            what = f"{name!r} is no metric; there are: {', '.join(self._known)}"
            if isinstance(value, Mapping):
                what = f'holds a dot: write "{name}.…" = X, in quotes'
            self._wrong(table, key, what)
        elif name in into:
            self._wrong(table, key, f"{name} is given twice")
        elif (least := self._share(table, key, value)) is not None:
            into[name] = least

    def _share(self, table: str, key: str, value: object) -> float | None:
        if isinstance(value, int | float) and not isinstance(value, bool):
            number = float(value)
            if 0 <= number <= 1:
                return number
        self._wrong(table, key, f"{value!r} is no share between 0 and 1")
        return None

    def _count(self, table: str, key: str, value: object) -> int | None:
        if isinstance(value, int) and not isinstance(value, bool) and value >= 1:
            return value
        self._wrong(table, key, f"{value!r} is no number of cases, from 1 on")
        return None

    def _wrong(self, table: str, key: str, what: str) -> None:
        line = self._lines.get((table, key)) or self._lines.get((table, ""), 0)
        named = f"{table.partition(' ')[0]}.{key}" if table else key
        problem = Problem(file=str(self._file), line=line, field=named, what=what)
        self._problems.append(problem)


def _places(text: str) -> Iterator[tuple[tuple[str, str], int]]:
    """Yield table and key with their line, which reading TOML does not give.

    The n-th ``[[bar]]`` is the table ``bar n``, from 0; of a table itself the key
    is empty.
    """
    table, bars = "", 0
    for number, line in enumerate(text.splitlines(), 1):
        if head := _TABLE.match(line):
            table = head[2]
            if head[1]:
                table, bars = f"{table} {bars}", bars + 1
            yield ("", head[2]), number
            yield (table, ""), number
        elif key := _KEY.match(line):
            yield (
                (table, next(part for part in key.groups() if part is not None)),
                number,
            )
