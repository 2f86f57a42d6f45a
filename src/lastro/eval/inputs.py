"""Cases and traces from files or from lists: what ``lastro score`` reads.

The only place where judging opens a file; everything it finds wrong there is
an ``InputError`` that names file, line and field.
"""

from collections.abc import Callable, Iterable, Iterator
from os import PathLike

from lastro.eval import cases as case_files
from lastro.eval.results import Run
from lastro.eval.score import score as judged
from lastro.eval.scorers import Match
from lastro.model.case import Case
from lastro.model.trace import Trace
from lastro.trace import read

Path = str | PathLike[str]
Warn = Callable[[str], object]


def score(
    cases: Path | Iterable[Case],
    traces: Path | Iterable[Trace],
    *,
    k: int = 4,
    match: Match = Match.SUBSTRING,
    warn: Warn | None = None,
) -> Run:
    """Judge traces of this or another system, without running anything.

    Args:
        cases: a file of cases, or the cases.
        traces: a file of traces, or the traces; read once, in flat memory.
        k: the cut-off of the retrieval metrics.
        match: how a text is looked through for an expected term.
        warn: told what was read otherwise than it stands there.

    Raises:
        InputError: a file has problems, or two traces are of one case.
        UsageError: k is under 1.
    """
    read_cases = read_case_set(cases, warn)
    if not isinstance(traces, str | PathLike):
        numbered = enumerate(traces, 1)
        return judged(read_cases, numbered, k=k, match=match)
    lines = _lines(traces, warn)
    return judged(read_cases, lines, k=k, match=match, source=str(traces))


def read_case_set(
    cases: Path | Iterable[Case], warn: Warn | None = None
) -> tuple[Case, ...]:
    """Return the cases of a file, or those given.

    Raises:
        InputError: the file has problems; all of them are named.
    """
    if not isinstance(cases, str | PathLike):
        return tuple(cases)
    found = case_files.read(cases)
    for warning in found.warnings:
        if warn is not None:
            warn(warning)
    return found.cases


def _lines(path: Path, warn: Warn | None) -> Iterator[tuple[int, Trace]]:
    unknown: dict[str, int] = {}
    yield from read(path, unknown=unknown)
    if unknown and warn is not None:
        names = ", ".join(f"{name} ({n})" for name, n in sorted(unknown.items()))
        warn(f"unknown fields of traces, not used: {names}")
