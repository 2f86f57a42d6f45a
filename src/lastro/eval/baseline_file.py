"""A baseline from its file, or from the folder of the run that it is to be of."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec

from lastro.errors import EvaluationError, InputError, Problem
from lastro.eval import folder as folders
from lastro.eval.baseline import Baseline, from_run, listed
from lastro.eval.baseline_text import loads, refused
from lastro.eval.results import Run
from lastro.model.score import Summary
from lastro.trace.lines import Unreadable, opened, parse


@dataclass(frozen=True, slots=True, kw_only=True)
class _Closed:
    """What a report without cases holds of a run."""

    provenance: dict[str, object]
    aggregates: dict[str, Summary]
    slices: dict[str, dict[str, dict[str, Summary]]]
    counts: dict[str, int]


def read(file: Path) -> Baseline:
    """Read a baseline.

    Raises:
        InputError: it cannot be read, or is none; with what to do.
    """
    try:
        with opened(file) as source:
            return loads(parse(source.read()), str(file))
    except OSError as error:
        why = (error.strerror or "unknown reason").lower()
        raise refused(str(file), "", f"the baseline cannot be read: {why}") from None
    except Unreadable as error:
        raise refused(str(file), "", str(error)) from None


def of_folder(folder: Path) -> Baseline:
    """Return the baseline that the run of a folder makes.

    Of a run that was reported with aggregates alone it holds aggregates alone.

    Raises:
        EvaluationError: it is not the folder of a run, or the run holds nothing
            that later ones could be held against: no case, or cases that broke.
        InputError: a file of it is not what was written.
    """
    recorded = folders.recorded(folder)
    if (folder / folders.SCORES).is_file():
        run = folders.read(folder)
        cases, broken = len(run.results), [str(each.id) for each in run.broken]
        _refuse_broken(folder, cases, len(broken), f": {listed(broken)}", recorded)
        if not run.aggregates:
            raise EvaluationError(f"{folder}: no metric was measured: nothing to keep")
        return from_run(run, recorded)
    closed = _closed(folder)
    cases = closed.counts.get("cases", 0)
    _refuse_broken(folder, cases, closed.counts.get("broken", 0), "", recorded)
    k = closed.provenance.get("k")
    run = Run(
        metrics=tuple(closed.aggregates),
        results=(),
        aggregates=closed.aggregates,
        slices=closed.slices,
        k=k if isinstance(k, int) else 0,
        provenance=closed.provenance,
        private=True,
    )
    return from_run(run, recorded)


def _refuse_broken(
    folder: Path,
    cases: int,
    broken: int,
    named: str,
    recorded: Mapping[str, object] | None,
) -> None:
    if not cases:
        raise EvaluationError(f"{folder}: the run has no cases: nothing to hold to")
    if not broken:
        return
    hint = "Mend what broke on them, or leave these cases out, and judge anew."
    if recorded is not None and recorded.get("command") == "eval":
        again = f"lastro eval CASES --kb KB --run-dir {folder} --resume"
        hint = (
            f"`{again}` asks those again that broke on what may pass (a timeout, a "
            "limit); mend the others or leave them out, and run anew."
        )
    raise EvaluationError(
        f"{folder}: {broken} of {cases} cases broke{named}; "
        "what a run measured without them would not tell what they lose later",
        hint=hint,
    )


def _closed(folder: Path) -> _Closed:
    """Read the report of a run whose cases were not written."""
    try:
        return msgspec.convert(folders.reported(folder), _Closed)
    except msgspec.ValidationError:
        what = "is not a report that Lastro wrote"
        file = str(folder / folders.REPORT)
        problem = Problem(file=file, line=0, field="", what=what)
        raise InputError([problem]) from None
