"""The folder of what ``lastro score`` judged: it works as that of a run does.

Beside the reports stand the traces and a ``run.json``, so that what takes the
folder of a run takes this one too.
"""

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from lastro.errors import EvaluationError
from lastro.eval.folder import RUN, TRACES, only_our_errors, prepare, recorded
from lastro.eval.results import Run
from lastro.eval.resume.going import (
    LOCK,
    alone,
    clear,
    refuse_unfinished,
    replaced_by,
)
from lastro.eval.resume.record import SCORE, Record, judged
from lastro.model.case import Case
from lastro.model.trace import Trace
from lastro.trace import dumps


class Scoring:
    """What was judged on its way into a folder; until ``put`` nothing is replaced.

    ``inside``: the traces are those of that very folder, and stay as they are.
    """

    def __init__(
        self, folder: Path, traces: Path, *, closed: bool, inside: bool
    ) -> None:
        """Copy no traces of private cases, and none onto themselves."""
        self._folder = folder
        self._traces = traces
        self._closed = closed
        self._inside = inside
        self._new = folder / f".{TRACES}-new"
        self._file: BinaryIO | None = None
        self._hash = hashlib.sha256()
        self._record: Record | None = None

    @property
    def to_read(self) -> Path:
        """Where the traces are once ``put`` is done: a pipe is read only once."""
        return self._traces if self._file is None else self._folder / TRACES

    def add(self, trace: Trace) -> None:
        """Copy a trace.

        Raises:
            EvaluationError: it cannot be written.
        """
        if self._closed or self._inside:
            return
        line = (dumps(trace) + "\n").encode()
        with only_our_errors(self._new):
            if self._file is None:
                self._file = self._new.open("wb")
            self._file.write(line)
        self._hash.update(line)

    def put(self, run: Run, cases: Sequence[Case], file: Path) -> tuple[str, ...]:
        """Put the traces in place, and say which run is replaced by them.

        ``run.json`` comes last, with ``finish``: a process that is killed between
        leaves a folder that is not taken for another run.

        Raises:
            EvaluationError: they cannot be written.
        """
        earlier = None if self._closed else recorded(self._folder)
        if self._closed or (self._inside and earlier is not None):
            return ()
        seen = str(self._traces) if self._file is None else self._hash.hexdigest()
        self._record = judged(cases, file, seen, run.recorded, _asked(run))
        if self._inside:
            return ()
        clear(self._folder)
        with only_our_errors(self._folder):
            (self._folder / RUN).unlink(missing_ok=True)
            if self._file is not None:
                self._file.close()
                self._new.replace(self._folder / TRACES)
        return tuple(replaced_by(self._folder, earlier, self._record))

    def finish(self) -> None:
        """Note what the traces are of, once the reports are written."""
        if self._record is not None:
            self._record.write(self._folder)

    def close(self) -> None:
        """Give the file back, and leave no half of a copy."""
        if self._file is not None:
            with only_our_errors(self._new):
                self._file.close()
                self._new.unlink(missing_ok=True)


@contextmanager
def scoring(
    folder: Path, traces: Path, *, private: bool, aggregates_only: bool
) -> Iterator[Scoring]:
    """Take the folder that what is judged goes to; if that fails, it is not made.

    Raises:
        EvaluationError: it cannot be written, is in use, or holds another run of
            ``lastro eval``, whose answers cost more than a judgement.
    """
    with ExitStack() as stack:
        stack.enter_context(_unmade(folder))
        prepare(folder, private=private, aggregates_only=aggregates_only)
        inside = _inside(folder, traces)
        if not aggregates_only and not inside:
            stack.enter_context(alone(folder))
            _refuse_other(folder)
        left = Scoring(folder, traces, closed=aggregates_only, inside=inside)
        stack.callback(left.close)
        yield left


def _asked(run: Run) -> str | None:
    repeats = run.provenance.get("repeats")
    return None if repeats is None else str(repeats)


def _refuse_other(folder: Path) -> None:
    earlier = recorded(folder)
    if earlier is None:
        refuse_unfinished(folder, earlier)
    elif earlier.get("command") != SCORE:
        raise EvaluationError(
            f"{folder} holds a run of `lastro eval`, and other traces are judged",
            hint=f"Give another --run-dir; `lastro score CASES {folder}` judges its "
            "own traces.",
        )


def _inside(folder: Path, traces: Path) -> bool:
    return traces.resolve() in {folder.resolve(), (folder / TRACES).resolve()}


@contextmanager
def _unmade(folder: Path) -> Iterator[None]:
    """Remove the folders that were made for nothing."""
    made = [each for each in (folder, *folder.parents) if not each.exists()]
    try:
        yield
    except BaseException:
        with suppress(OSError):
            if made:
                (folder / LOCK).unlink(missing_ok=True)
            for each in made:
                each.rmdir()
        raise
