"""What is said on the way of cases that may not be named: how much, not what."""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import fields, replace
from pathlib import Path

from lastro.cli.screen import counted, for_people, warn
from lastro.errors import InputError, Problem
from lastro.model.case import Case
from lastro.model.trace import Trace

_HIDDEN = "what stands there is not shown, since only aggregates are asked for"
_PRIVATE = "what does not fit is not shown, since the set has private cases"
_FIELDS = frozenset(field.name for kind in (Case, Trace) for field in fields(kind))


class Discreet:
    """Warnings of a run: shown once each, or of private cases counted."""

    def __init__(self, *, closed: bool) -> None:
        """Count instead of showing if ``closed``."""
        self.closed = closed
        self._told: set[str] = set()
        self._places: dict[str, tuple[str, int]] = {}

    def read(self, cases: Path) -> tuple[Case, ...]:
        """Read the cases; from here on none is named if one of them is private.

        Raises:
            InputError: the file has problems.
        """
        from lastro.eval.inputs import read_placed
        from lastro.eval.score import private

        said: list[str] = []
        placed = read_placed(cases, said.append)
        listed = tuple(case for case, _ in placed)
        self._places = {case.id: place for case, place in placed}
        self.closed = self.closed or private(listed)
        for text in said:
            self.warn(text)
        return listed

    def place(self, case_id: str) -> str:
        """Return where a case that was read stands, as ``file:line``."""
        return str(self.problem(case_id, "", ""))

    def problem(self, case_id: str, field: str, what: str = _PRIVATE) -> Problem:
        """Return what is wrong with a case that was read, by place alone."""
        file, line = self._places[case_id]
        return Problem(file=file, line=line, field=field, what=what)

    def warn(self, text: str) -> None:
        """Take a warning; what was said before is not said again."""
        if not self.closed and text not in self._told:
            warn(text)
        self._told.add(text)

    def all(self, texts: Iterable[str]) -> None:
        """Take several warnings."""
        for text in texts:
            self.warn(text)

    def tell(self) -> None:
        """Say how many warnings were not shown."""
        if self.closed and self._told:
            n = counted(len(self._told), "warning")
            for_people(f"{n} not shown: they may name cases")


@contextmanager
def discreet(*, closed: bool) -> Iterator[Discreet]:
    """Watch what is said while cases are read, asked and judged.

    Raises:
        InputError: as it came; of private cases with place and field alone.
    """
    told = Discreet(closed=closed)
    try:
        yield told
    except InputError as error:
        if not told.closed:
            raise
        raise InputError(map(_placed, error.problems)) from None
    finally:
        told.tell()


def _placed(problem: Problem) -> Problem:
    name = re.split(r"[.\[ ]", problem.field, maxsplit=1)[0]
    return replace(problem, field=name if name in _FIELDS else "", what=_HIDDEN)
