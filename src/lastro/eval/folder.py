"""The folder of a run: traces as they come, then scores and reports at once.

What cannot be written is found out before the first question is asked.
"""

import json
import os
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from lastro.errors import EvaluationError, InputError, Problem
from lastro.eval.results import Run
from lastro.model.case import Case
from lastro.model.score import Verdict
from lastro.model.trace import Trace
from lastro.trace.lines import Unreadable, numbered, opened, parse

TRACES = "traces.jsonl"
SCORES = "scores.jsonl"
REPORT = "report.json"
RUN = "run.json"
REPORTS = (SCORES, "report.md", "report.html", REPORT, "junit.xml")

Again = Callable[[Container[str]], Iterable[Trace]]


def _no_traces(_: Container[str]) -> Iterable[Trace]:
    """Read none again: cases are shown without."""
    return ()


def prepare(folder: Path, *, private: bool, aggregates_only: bool = False) -> None:
    """Make the folder of a run and see that it can be written.

    Raises:
        EvaluationError: it cannot; the cases are private and more than
            aggregates is asked for; or only aggregates are, and the folder holds
            more of an earlier run.
    """
    if private and not aggregates_only:
        raise EvaluationError(
            f"{folder}: private cases: their traces and scores stay unwritten",
            hint="--aggregates-only writes the reports, which name no case.",
        )
    with only_our_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f".probe-{os.getpid()}"
        probe.write_bytes(b"")
        probe.unlink()
        earlier = [name for name in (TRACES, SCORES, RUN) if (folder / name).exists()]
    if aggregates_only and earlier:
        raise EvaluationError(
            f"{folder} holds more than aggregates: {', '.join(earlier)}",
            hint="Give another --run-dir, or move what is there away.",
        )


def recorded(folder: Path) -> Mapping[str, object] | None:
    """Return what ``run.json`` says; None where there is none.

    Raises:
        EvaluationError: it cannot be read, or another version has written it.
        InputError: it is a device, or a pipe that nobody writes to.
    """
    path = folder / RUN
    try:
        with opened(path) as file:
            found = json.loads(file.read())
    except FileNotFoundError:
        return None
    except (OSError, ValueError):
        found = None
    if not isinstance(found, dict) or found.get("schema_version") != 1:
        raise EvaluationError(
            f"{path} was not written by this version of Lastro",
            hint="Give another --run-dir, or move the file away.",
        )
    return found


def write(
    folder: Path,
    run: Run,
    verdict: Verdict,
    *,
    cases: Iterable[Case] = (),
    traces: Again = _no_traces,
    aggregates_only: bool = False,
) -> None:
    """Write scores and reports; each file is whole, or as it was before.

    Of a private run the reports alone are written, and they name no case.

    Args:
        folder: made if it is not there.
        run: what was judged.
        verdict: what became of the bars.
        cases: the judged cases: failing ones are shown with their texts.
        traces: reads what they left once more: asked for the failing cases that
            are shown, by ids that compare, and for several traces of a case in
            their order.  It may yield those of others, too; what it returns is
            not touched where none failed or may be shown.
        aggregates_only: whether nothing but aggregates was asked for.

    Raises:
        EvaluationError: they cannot be written, or may not be.
    """
    prepare(folder, private=run.private, aggregates_only=aggregates_only)
    # Every form of a report is imported here: reading a folder pays for none.
    from lastro.eval.report.files import files  # noqa: PLC0415
    from lastro.eval.report.view import wanted  # noqa: PLC0415

    pages = files(run, verdict, cases, traces(wanted(run)))
    with only_our_errors(folder):
        for name, text in pages.items():
            put(folder / name, text)


def put(path: Path, text: str | Iterable[str]) -> None:
    """Replace a file; whoever reads it sees the old one or the new one, whole.

    A text that comes in pieces is never held as a whole.  What is no file, such as
    a device, is written to and not replaced; so is what a link leads to.
    """
    path = path.resolve()
    if path.exists() and not path.is_file():
        path.write_bytes("".join(text).encode("utf-8", "replace"))
        return
    new = path.with_name(f".{path.name}-{os.getpid()}")
    try:
        with new.open("wb") as file:
            for piece in (text,) if isinstance(text, str) else text:
                file.write(piece.encode("utf-8", "replace"))
        new.replace(path)
    except OSError:
        new.unlink(missing_ok=True)
        raise


def read(folder: Path) -> Run:
    """Read a run back from its folder: what was judged, not its traces.

    Raises:
        EvaluationError: it is not the folder of a run, or holds no scores.
        InputError: a file of it is not what was written: file, line, field.
    """
    # Here, since scoring reads no folder and should not pay for this one.
    from lastro.eval.report.stored import stored  # noqa: PLC0415

    report = folder / REPORT
    scores = folder / SCORES
    written = reported(folder)
    if not scores.is_file():
        raise EvaluationError(
            f"{folder} holds no {SCORES}: of a private run, or one reported with "
            "--aggregates-only, nothing is kept case by case",
            hint="Cases cannot be paired without their scores; run without it.",
        )
    lines = ((number, _line(raw, scores, number)) for number, raw in numbered(scores))
    return stored(lines, written, scores=str(scores), name=str(report))


def reported(folder: Path) -> object:
    """Return what the report of a run holds, of a schema that we can read.

    Raises:
        EvaluationError: the folder has no report that can be read.
        InputError: it is not JSON, or of another schema; or it is a device, or a
            pipe that nobody writes to.
    """
    from lastro.eval.report.stored import schema_problem  # noqa: PLC0415 - as in read

    path = folder / REPORT
    try:
        with opened(path) as file:
            raw = file.read()
    except OSError as error:
        why = (error.strerror or "unknown reason").lower()
        raise EvaluationError(
            f"{folder} is not the folder of a run: {path.name}: {why}",
            hint="Give the folder that `lastro eval` or `lastro score` wrote "
            "with --run-dir.",
        ) from error
    written = _line(raw, path, 0)
    if problem := schema_problem(written, str(path)):
        raise InputError([problem])
    return written


def _line(raw: bytes, path: Path, number: int) -> object:
    try:
        return parse(raw)
    except Unreadable as error:
        problem = Problem(file=str(path), line=number, field="", what=str(error))
        raise InputError([problem]) from None


@contextmanager
def only_our_errors(path: Path) -> Iterator[None]:
    """Translate what the system says when ``path`` is written."""
    try:
        yield
    except OSError as error:
        why = (error.strerror or "unknown reason").lower()
        raise EvaluationError(
            f"{path} cannot be written: {why}",
            hint="Give a --run-dir that you can write to.",
        ) from error
