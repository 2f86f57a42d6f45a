"""``lastro baseline``: what later runs are held against, kept as a file."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lastro.cli.discreet import discreet
from lastro.cli.exits import Exit
from lastro.cli.options import json_option
from lastro.cli.screen import counted, for_people, for_programs, reader_may_leave, warn
from lastro.errors import UsageError

if TYPE_CHECKING:
    from lastro.eval.baseline import Baseline, Measured

_PATH = click.Path(path_type=Path, readable=False)


@click.group("baseline")
def baseline_command() -> None:
    """Keep what a run measured as a file, and hold later runs against it.

    \b
    Example:
      lastro baseline update runs/main --out baseline.json
      lastro eval cases.jsonl --kb my-kb --baseline baseline.json
    """


@baseline_command.command("update")
@click.argument("run_dir", type=_PATH)
@click.option(
    "--out", "--baseline", "out", required=True, type=_PATH, help="The file to write."
)
def update(run_dir: Path, out: Path) -> int:
    """Write the baseline that the run of RUN_DIR makes, in place of an earlier one.

    A run with cases that broke makes none.

    \b
    Example:
      lastro baseline update runs/main --out baseline.json
    """
    from lastro.eval import baseline_file, folder
    from lastro.eval.baseline_text import dumps

    found = baseline_file.of_folder(run_dir)
    seen = found.measured
    if seen.dirty:
        warn("files differed from their commit when it was measured")
    if seen.commit is None:
        warn("which commit it was measured in is not known")
    if found.scores is None:
        warn("without scores by case, differences will be those of two means")
    with folder.only_our_errors(out):
        out.parent.mkdir(parents=True, exist_ok=True)
        folder.put(out, dumps(found))
    metrics, cases = len(found.aggregates), counted(seen.cases, "case")
    for_people(f"wrote {out}: {cases}, {counted(metrics, 'metric')}")
    return Exit.DONE


@baseline_command.command("check")
@click.argument("file", type=_PATH)
@click.option("--cases", type=_PATH, help="The cases in hand.")
@click.option("--kb", type=_PATH, help="The knowledge base in hand.")
@click.option("--legs", default="", help="The legs that `lastro eval` is given.")
@click.option("--run", "run_dir", type=_PATH, help="A run, instead of both.")
def check(
    file: Path, cases: Path | None, kb: Path | None, legs: str, run_dir: Path | None
) -> int:
    """Check that FILE was measured on what is in hand; exit 3 if it was not.

    Compared are the cases, the documents, the settings and the models that are
    given; and its files must be in the history of this repository.

    \b
    Example:
      lastro baseline check baseline.json --cases cases.jsonl --kb my-kb
    """
    from lastro.eval import baseline_file
    from lastro.eval.baseline import other_inputs, other_system

    if run_dir is not None and (cases is not None or kb is not None):
        raise UsageError("--run stands for cases and knowledge base: give one or both")
    kept = baseline_file.read(file)
    then = kept.measured
    if run_dir is not None:
        now = baseline_file.of_folder(run_dir).measured
    else:
        now = _in_hand(kept, cases, kb, legs)
    gone = _gone(then)
    differs = [*other_inputs(then, now), *other_system(then, now), *gone]
    for line in differs:
        for_people(f"differs: {line}")
    with reader_may_leave():
        click.echo(f"{file}: {'does not hold' if differs else 'holds'}")
    return Exit.COULD_NOT_RUN if differs else Exit.DONE


def _in_hand(
    kept: "Baseline", cases: Path | None, kb: Path | None, legs: str
) -> "Measured":
    """Return what a run would be measured on now; what is not given is as then.

    Cases are named if the baseline names its own, and the set is not private.
    """
    import lastro
    from lastro import compose
    from lastro.eval.baseline import settings
    from lastro.eval.cases.fingerprint import case_set_hash
    from lastro.eval.turns import Turns

    now = then = kept.measured
    if cases is None:
        for_people("not compared: the cases, since --cases is not given")
    else:
        with discreet(closed=kept.scores is None) as told:
            listed = told.read(cases)
        now = replace(now, case_set=case_set_hash(listed), cases=len(listed))
    if kb is None or then.kb is None:
        why = "--kb is not given" if kb is None else "the baseline does not say which"
        for_people(f"not compared: knowledge base and settings, since {why}")
        return now
    with lastro.open(kb, flags={"search_legs": legs} if legs else {}) as base:
        make = partial(compose.make_provider, base.settings.answer.provider)
        setup = Turns(base, then.system or "naive", make, with_floors=False).setup
    return replace(
        now,
        kb=setup.kb,
        config_hash=setup.config_hash,
        settings=settings(setup.parts(now.case_set)),
        models=dict(setup.models),
    )


def _gone(then: "Measured") -> Iterator[str]:
    """Say so if the files that it was measured with are nowhere to be found."""
    from lastro.eval.resume.repository import holds

    if then.dirty:
        warn("files differed from their commit when it was measured")
    if then.tree is None:
        for_people("not compared: its files, since the baseline names no commit")
        return
    there = holds(Path.cwd(), then.tree)
    if there is None:
        for_people("not compared: its files, since here is no whole history of them")
    elif not there:
        yield f"its files: the tree {then.tree[:12]} is not in this repository"


@baseline_command.command("show")
@click.argument("file", type=_PATH)
@json_option
def show(file: Path, as_json: bool) -> int:
    """Show what FILE was measured on, and its figures.

    \b
    Example:
      lastro baseline show baseline.json
    """
    from dataclasses import asdict

    from lastro.eval import baseline_file
    from lastro.eval.report.baseline_page import baseline_text

    found = baseline_file.read(file)
    with reader_may_leave():
        if as_json:
            shown = asdict(found)
            del shown["scores"]
            for_programs(shown)
        else:
            click.echo(baseline_text(found), nl=False)
    return Exit.DONE
