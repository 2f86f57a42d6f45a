"""The folder of a run that is going on: one process, traces one by one, run.json.

A process may be killed between any two lines here.  What is on disk then is a
run that goes on, with at most one line torn, or an earlier one untouched.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from lastro.errors import EvaluationError
from lastro.eval.folder import (
    REPORTS,
    RUN,
    TRACES,
    only_our_errors,
    prepare,
    recorded,
)
from lastro.eval.report.number import cases
from lastro.eval.resume.record import Record, State
from lastro.eval.resume.setup import differing
from lastro.model.trace import Trace
from lastro.trace import dumps, read

LOCK = ".lock"
_BLOCK = 65536


class Going:
    """A run's folder that is ours: what was left there, and what comes to it.

    First :meth:`kept` is read to the end, then traces are added, then the run
    is over with :meth:`finish`.
    """

    def __init__(
        self, folder: Path, record: Record, replaced: Sequence[str] = ()
    ) -> None:
        self._replaced = replaced
        self._path = folder / TRACES
        self._folder = folder
        self._record = record
        self._file: BinaryIO | None = None
        self.torn = 0
        self.again = 0

    def kept(self) -> Iterator[Trace]:
        """Yield the traces that are taken over, one by one, in flat memory.

        A last line without its end is cut off (``torn``).  A trace with an
        error that may pass goes (``again``): its case is asked once more.

        Raises:
            InputError: a line is no trace; every such line is named.
        """
        if not self._path.exists():
            return
        with only_our_errors(self._path):
            self.torn = int(_cut(self._path))
        go = set()
        kept = 0
        for line, trace in read(self._path):
            if trace.error is not None and trace.error.retryable:
                go.add(line)
                continue
            kept += 1
            yield trace
        self.again = len(go)
        self._record = replace(self._record, kept=kept)
        if go:
            with only_our_errors(self._path):
                _rewrite(self._path, go)

    def said(self) -> Iterator[str]:
        """Say what :meth:`kept` found and what was replaced, for people."""
        yield from self._replaced
        if self._record.kept:
            yield f"going on after {cases(self._record.kept)}"
        if self.again:
            yield f"{cases(self.again)} broke on what may pass: asked again"
        if self.torn:
            yield f"{self._path}: a torn line is cut off, its case is asked again"

    def add(self, trace: Trace) -> None:
        """Append a trace; what was written stays if the run is ended.

        Raises:
            EvaluationError: it cannot be written.
            ValueError: a number in it is not finite; nothing was written.
        """
        line = (dumps(trace) + "\n").encode()
        with only_our_errors(self._path):
            if self._file is None:
                self._file = self._path.open("ab")
            self._file.write(line)
            self._file.flush()

    def finish(self, took_s: float) -> None:
        """Note that the reports are written."""
        self._record.ended(took_s).write(self._folder)

    def close(self) -> None:
        """Give the file back."""
        if self._file is not None:
            with only_our_errors(self._path):
                self._file.close()


@contextmanager
def going(
    folder: Path, record: Record, *, resume: bool, private: bool
) -> Iterator[Going]:
    """Take the folder of a run: a new one, or with ``resume`` one that was ended.

    Raises:
        EvaluationError: it cannot be written, another run is going on in it, it
            holds the traces of a run that did not end and ``resume`` is False,
            or of another run and ``resume`` is True, or the cases are private.
    """
    prepare(folder, private=private)
    with ExitStack() as stack:
        stack.enter_context(alone(folder))
        earlier = recorded(folder)
        replaced: tuple[str, ...] = ()
        if resume:
            record = _continued(folder, earlier, record)
        else:
            refuse_unfinished(folder, earlier)
            replaced = tuple(replaced_by(folder, earlier, record))
            clear(folder)
        record.write(folder)
        taken = Going(folder, record, replaced)
        stack.callback(taken.close)
        yield taken


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Hold the folder's lock; the kernel's, so that it ends with its holder."""
    from filelock import FileLock, Timeout  # noqa: PLC0415 - 85 ms, and not all need it

    lock = FileLock(folder / LOCK, is_singleton=False)
    with only_our_errors(folder):
        try:
            lock.acquire(timeout=0)
        except Timeout as error:  # an OSError, too
            raise EvaluationError(
                f"{folder}: another `lastro eval` is running in it",
                hint="Wait until it has ended, or give another --run-dir.",
            ) from error
        except NotImplementedError as error:
            raise EvaluationError(
                f"{folder}: its disk does not know locks",
                hint="Give a --run-dir on a disk of this machine.",
            ) from error
    try:
        yield
    finally:
        lock.release()


def _continued(
    folder: Path, earlier: Mapping[str, object] | None, record: Record
) -> Record:
    """Return the record of a run that goes on, or refuse one that is another."""
    if earlier is None:
        if _size(folder / TRACES):
            raise EvaluationError(
                f"{folder}: {TRACES} is there without {RUN}: nothing says what "
                "the traces are of",
                hint="Give another --run-dir; `lastro score` judges such traces.",
            )
        return record
    if earlier.get("command") != record.command:
        raise EvaluationError(
            f"{folder} holds another run, which cannot go on as this one: what "
            f"`lastro {earlier.get('command')}` judged",
            hint="Give another --run-dir.",
        )
    changed = differing(_parts(earlier), record.key_parts)
    if changed:
        listed = "\n  ".join(changed)
        raise EvaluationError(
            f"{folder} holds another run, which cannot go on as this one:\n  {listed}",
            hint="Put back what differs, or give another --run-dir.",
        )
    return replace(record, at=str(earlier.get("at", record.at)))


def _parts(earlier: Mapping[str, object]) -> dict[str, str]:
    then = earlier.get("key_parts")
    return {str(k): str(v) for k, v in then.items()} if isinstance(then, dict) else {}


def replaced_by(
    folder: Path, earlier: Mapping[str, object] | None, record: Record
) -> Iterator[str]:
    """Say which run is replaced by one that is not the same; one line, or none."""
    if earlier is None or earlier.get("key") == record.key:
        return
    by, cases = earlier.get("command"), earlier.get("cases")
    if by != record.command:
        yield f"{folder}: what `lastro {by}` judged of {cases} cases is replaced"
        return
    changed = "; ".join(differing(_parts(earlier), record.key_parts))
    yield f"{folder}: a run of {cases} cases is replaced: {changed}"


def refuse_unfinished(folder: Path, earlier: Mapping[str, object] | None) -> None:
    """Refuse a folder with traces that nothing, or only another run, can use."""
    if not _size(folder / TRACES):
        return
    if earlier is None:
        raise EvaluationError(
            f"{folder / TRACES} is not of `lastro eval`: there is no {RUN} beside it",
            hint="Give another --run-dir, or move the file away.",
        )
    if earlier.get("state") != State.FINISHED:
        raise EvaluationError(
            f"{folder} holds a run that did not end",
            hint="--resume goes on with it; to begin anew, remove the folder or "
            "give another --run-dir.",
        )


def clear(folder: Path) -> None:
    """Remove what an earlier run left: first of all its traces.

    Were ``run.json`` replaced first, a kill here would make them ours.
    """
    for name in (TRACES, *REPORTS):
        with only_our_errors(folder / name):
            (folder / name).unlink(missing_ok=True)


def _cut(path: Path) -> bool:
    """Cut a last line off that has no end; say whether there was one."""
    with path.open("r+b") as file:
        size = file.seek(0, os.SEEK_END)
        end = size
        while end > 0:
            begin = max(0, end - _BLOCK)
            file.seek(begin)
            found = file.read(end - begin).rfind(b"\n")
            if found >= 0:
                end = begin + found + 1
                break
            end = begin
        file.truncate(end)
    return end < size


def _rewrite(path: Path, without: set[int]) -> None:
    """Write the file again without some lines, by their numbers."""
    new = path.with_name(f".{path.name}-new")
    with path.open("rb") as old, new.open("wb") as file:
        for number, line in enumerate(old, 1):
            if number not in without:
                file.write(line)
    new.replace(path)


def _size(path: Path) -> int:
    with only_our_errors(path):
        return path.stat().st_size if path.exists() else 0
