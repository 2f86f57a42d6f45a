"""The folder of a run: traces as they come, then scores and reports at once.

What cannot be written is found out before the first question is asked.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from lastro.errors import EvaluationError
from lastro.eval.report import as_json, markdown, scores_lines
from lastro.eval.results import Run
from lastro.model.score import Verdict
from lastro.model.trace import Trace
from lastro.trace import dumps

TRACES = "traces.jsonl"
SCORES = "scores.jsonl"


class TraceFile:
    """The traces of a run in the making: each line is on its way to disk at once."""

    def __init__(self, file: TextIO) -> None:
        self._file = file

    def add(self, trace: Trace) -> None:
        """Append one trace; what was written stays if the run is ended."""
        with _only_our_errors(Path(self._file.name)):
            self._file.write(dumps(trace) + "\n")
            self._file.flush()


def prepare(folder: Path, *, private: bool) -> None:
    """Make the folder of a run and see that it can be written.

    Raises:
        EvaluationError: it cannot, or the cases are private: of those nothing
            but aggregates may be written, and traces and scores are more.
    """
    if private:
        raise EvaluationError(
            f"{folder}: private cases: their traces and scores stay unwritten",
            hint="Leave --run-dir out: the report shows aggregates alone.",
        )
    with _only_our_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f".probe-{os.getpid()}"
        probe.write_bytes(b"")
        probe.unlink()


@contextmanager
def traces(folder: Path, *, private: bool) -> Iterator[TraceFile]:
    """Open the traces of a run, empty: those of an earlier run are replaced.

    Raises:
        EvaluationError: they cannot be written.
    """
    prepare(folder, private=private)
    with _only_our_errors(folder):
        file = (folder / TRACES).open("w", encoding="utf-8", newline="\n")
    try:
        yield TraceFile(file)
    finally:
        with _only_our_errors(folder):
            file.close()


def write(folder: Path, run: Run, verdict: Verdict) -> None:
    """Write scores and reports; each file is whole, or as it was before.

    Raises:
        EvaluationError: they cannot be written.
    """
    prepare(folder, private=run.private)
    pages = {
        SCORES: "".join(scores_lines(run)),
        "report.md": markdown(run, verdict),
        "report.json": as_json(run, verdict),
    }
    with _only_our_errors(folder):
        for name, text in pages.items():
            _replace(folder / name, text)


def _replace(path: Path, text: str) -> None:
    new = path.with_name(f".{path.name}-{os.getpid()}")
    new.write_bytes(text.encode("utf-8", "replace"))
    new.replace(path)


@contextmanager
def _only_our_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        why = (error.strerror or "unknown reason").lower()
        raise EvaluationError(
            f"{path} cannot be written: {why}",
            hint="Give a --run-dir that you can write to.",
        ) from error
