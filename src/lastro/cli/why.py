"""``lastro why``: a turn's layers, and where the right document got lost."""

import difflib
import json
import shlex
import shutil
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lastro.cli.discreet import Discreet, discreet
from lastro.cli.exits import Exit
from lastro.cli.options import json_option
from lastro.cli.screen import (
    counted,
    for_people,
    for_programs,
    plain,
    reader_may_leave,
    warn,
)
from lastro.errors import EvaluationError, UsageError

if TYPE_CHECKING:
    from lastro.eval.report.turn import Turn
    from lastro.model.case import Case
    from lastro.model.trace import Trace

LISTED = 20  # failed cases named; --json lists all of them
K = 4
_PIPED = 100  # columns where nobody's window says
_NARROWEST, _WIDEST = 60, 120  # columns that lines can be read in
COMPARED = 20_000  # ids that a misspelt one is compared with, at most


@dataclass(slots=True)
class _Asked:
    """What is looked at: the traces, and the cases as far as they are known.

    ``ended`` is False of a run that was not finished: it goes on with --resume.
    """

    traces: Path
    told: Discreet
    k: int = K
    cases: Mapping[str, "Case"] = field(default_factory=dict)
    call: tuple[str, ...] = ()
    ended: bool = True

    def look_at(self, case_id: str) -> str:
        """Return the command that shows one case of these."""
        name = "ID" if self.told.closed else plain(case_id)
        return f"Look at one: {shlex.join((*self.call, '--case', name))}"

    def name(self, case_id: str) -> str:
        """Return a case's id, or of private ones the line that it stands on."""
        return self.told.place(case_id) if self.told.closed else plain(case_id)


@click.command("why")
@click.argument("trace", type=click.Path(path_type=Path, readable=False))
@click.option("--case", "case_id", default="", help="Id of the case to look at.")
@click.option(
    "--cases",
    "cases_file",
    type=click.Path(path_type=Path, readable=False),
    help="Their file: its gold says where a case was lost.",
)
@click.option("-k", "--k", type=int, help="Cut-off of retrieval; default: the run's.")
@json_option
def why_command(
    trace: Path, case_id: str, cases_file: Path | None, k: int | None, as_json: bool
) -> int:
    """Show a turn layer by layer: where the right document got lost.

    TRACE is a file of traces, or the folder of a run.  A run says which cases
    it was of; for other traces --cases gives the gold.  Private cases are listed
    by the line of their file; one that is asked for by its id is shown whole.

    \b
    Example:
      lastro why runs/today                         its failed cases
      lastro why runs/today --case en.locked-typo   one of them, layer by layer
      lastro why t.jsonl                            what `lastro ask --trace` kept
    """
    with discreet(closed=False) as told:
        asked = _asked(trace, cases_file, k, told)
        turn = _chosen(asked, case_id) if case_id else _only(asked)
        with reader_may_leave():
            if turn is None:
                _list(asked, as_json=as_json)
            else:
                _show(turn, as_json=as_json)
    return Exit.DONE


def _asked(
    trace: Path, cases_file: Path | None, k: int | None, told: Discreet
) -> _Asked:
    from lastro.eval import folder
    from lastro.text.ids import canonical

    if not trace.is_dir():
        found = _Asked(trace, told, k or K)
    elif (trace / folder.TRACES).is_file():
        found = _Asked(trace / folder.TRACES, told, k or _cut_of(trace))
        record = folder.recorded(trace)
        found.ended = record is None or record.get("state") != "started"
        cases_file = cases_file or _cases_of(record)
    else:
        raise _traceless(trace)
    found.call = ("lastro", "why", str(trace))
    if cases_file is not None:
        found.call += ("--cases", str(cases_file))
        for_people(f"gold: {cases_file}")
        listed = told.read(cases_file)
        found.cases = {canonical(case.id): case for case in listed}
    return found


def _traceless(run: Path) -> EvaluationError:
    """Say why a folder shows no turn, and what would."""
    if "trec_run" not in _provenance(run):
        return EvaluationError(
            f"{run} holds no traces.jsonl",
            hint="Give the --run-dir of a `lastro eval` or `lastro score`, or a "
            "file of traces.",
        )
    return EvaluationError(
        f"{run} holds no traces.jsonl: it was scored from files of TREC, "
        "whose lines are no traces",
        hint="Make traces of the run: `lastro import trec-run RUN --cases QRELS "
        "--out traces.jsonl`, then `lastro why traces.jsonl --cases QRELS`.",
    )


def _cut_of(run: Path) -> int:
    """Return the cut-off that a run was judged with, if its report is there."""
    found = _provenance(run).get("k")
    return found if isinstance(found, int) and found > 0 else K


def _provenance(run: Path) -> Mapping[str, object]:
    """Return what the report of a run says of its making; nothing without one."""
    from lastro.eval.folder import REPORT
    from lastro.trace.lines import opened

    try:
        with opened(run / REPORT) as file:
            found = json.loads(file.read())["provenance"]
    except (OSError, ValueError, LookupError, TypeError):
        return {}
    return found if isinstance(found, dict) else {}


def _cases_of(record: Mapping[str, object] | None) -> Path | None:
    """Return the file of cases that a run names, if it can still be read."""
    named = None if record is None else record.get("cases_file")
    if not isinstance(named, str):
        return None
    if not Path(named).is_file():
        warn(f"the cases of the run, {named}, are not there: give them with --cases")
        return None
    return Path(named)


def _only(asked: _Asked) -> "Turn | None":
    """Return the turn of a file that holds one; None where it holds several.

    Of a run that did not end there are more: how many was asked is said.

    Raises:
        EvaluationError: it holds none.
    """
    from lastro.eval.report.turn import turn
    from lastro.text.ids import canonical
    from lastro.trace import read

    first = [trace for _, trace in islice(read(asked.traces), 2)]
    if not first:
        raise EvaluationError(f"{asked.traces} holds no trace")
    if len(first) > 1 or not asked.ended or asked.told.closed:
        return None
    return turn(asked.cases.get(canonical(first[0].case_id)), first[0], asked.k)


def _chosen(asked: _Asked, case_id: str) -> "Turn":
    """Return the turn of a case; of several runs the first that failed.

    Raises:
        UsageError: neither traces nor cases know it; the nearest ids are named.
    """
    from lastro.eval.report.turn import turn
    from lastro.text.ids import canonical
    from lastro.trace import read

    key, ids = canonical(case_id), set(asked.cases)
    runs: list[Trace | None] = []
    for _, trace in read(asked.traces):
        ids.add(canonical(trace.case_id))
        if canonical(trace.case_id) == key:
            runs.append(trace)
    if key not in ids:
        raise UsageError(
            f"there is no case {plain(case_id)!r} in {asked.traces}",
            hint=_nearest(key, ids) if not asked.told.closed else "",
        )
    if not runs and not asked.ended:
        return replace(
            turn(asked.cases[key], None, asked.k), failure=None, unasked=True
        )
    # A case without a trace is a turn all the same: it failed.
    turns = [turn(asked.cases.get(key), left, asked.k) for left in runs or [None]]
    failed = [one for one in turns if one.failure is not None]
    if len(turns) > 1:
        for_people(f"it ran {len(turns)} times and failed {len(failed)} of them")
    return (failed or turns)[0]


def _nearest(key: str, ids: Iterable[str]) -> str:
    listed = sorted(ids)[:COMPARED]
    near = difflib.get_close_matches(key, listed, n=3, cutoff=0.5) or listed[:3]
    return f"Nearest are: {', '.join(map(plain, near))}."


def _show(turn: "Turn", *, as_json: bool) -> None:
    from lastro.eval.report.why import why
    from lastro.eval.report.why_data import why_data

    if as_json:
        for_programs(why_data(turn))
        return
    columns = _PIPED
    if sys.stdout.isatty():
        columns = max(_NARROWEST, min(_WIDEST, shutil.get_terminal_size().columns))
    click.echo(why(turn, columns))


def _list(asked: _Asked, *, as_json: bool) -> None:
    """Name the cases that failed; without cases nobody knows which did."""
    from lastro.eval.attribution import untraced
    from lastro.eval.inputs import score
    from lastro.eval.repeats import Repeats
    from lastro.eval.scorers.scorer import NO_TRACE

    if not asked.cases:
        _list_traces(asked, as_json=as_json)
        return
    cases = asked.cases.values()
    tell = asked.told.warn
    run = score(cases, asked.traces, k=asked.k, repeats=Repeats.MEAN, warn=tell)
    unasked = 0 if asked.ended else untraced(run)
    seen = [each for each in run.results if not unasked or each.broke != NO_TRACE]
    failed = [result for result in seen if result.failure is not None]
    if as_json:
        key = "at" if asked.told.closed else "case_id"
        rows = [{key: asked.name(each.id), "failure": each.failure} for each in failed]
        for_programs({"cases": len(seen), "failed": rows, "not_asked": unasked})
        return
    if not asked.ended:
        told = f"{unasked:,} of {counted(len(run.results), 'case')} were not asked"
        click.echo(f"The run did not end: {told}; lastro eval ... --resume goes on.")
    click.echo(f"{len(failed)} of {counted(len(seen), 'case')} failed")
    for each in failed[:LISTED]:
        times = f"  {each.failures} of {each.repeats} runs" if each.repeats > 1 else ""
        click.echo(f"  {each.failure:22}{asked.name(each.id)}{times}")
    if len(failed) > LISTED:
        click.echo(f"  and {len(failed) - LISTED:,} more: --json lists all of them")
    if failed:
        click.echo(asked.look_at(failed[0].id))


def _list_traces(asked: _Asked, *, as_json: bool) -> None:
    from lastro.trace import read

    ids = [(trace.case_id, trace.error) for _, trace in read(asked.traces)]
    broken = [(case_id, error.kind) for case_id, error in ids if error is not None]
    if as_json:
        rows = [{"case_id": case_id, "error": kind} for case_id, kind in broken]
        for_programs({"traces": len(ids), "failed": None, "broken": rows})
        return
    click.echo(f"{counted(len(ids), 'trace')}, {len(broken)} ended in an error")
    for case_id, kind in broken[:LISTED]:
        click.echo(f"  {plain(kind):22}{plain(case_id)}")
    click.echo("Which others failed only their cases can tell: see --cases.")
    click.echo(asked.look_at(ids[0][0]))
