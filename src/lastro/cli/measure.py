"""``lastro eval`` and ``lastro score``: what was measured, and the verdict."""

import os
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lastro.cli.asked import Asked, asked_options
from lastro.cli.bars import bar_options
from lastro.cli.build import publish
from lastro.cli.discreet import discreet
from lastro.cli.exits import Exit
from lastro.cli.options import Folder, json_option, kb_option, ties_option
from lastro.cli.screen import (
    Ticker,
    for_people,
    reader_may_leave,
)

if TYPE_CHECKING:
    from lastro.eval.results import Run
    from lastro.eval.scorers import Judge
    from lastro.eval.verdict import Bars


def judging_options(command: Callable[..., int]) -> Callable[..., int]:
    """Add what running and scoring have in common: the cut-off, the folder, bars."""
    for option in (
        json_option,
        click.option(
            "--aggregates-only",
            is_flag=True,
            help="Name no case and show no text; write no traces and no scores.",
        ),
        click.option(
            "--run-dir",
            type=Folder(path_type=Path, readable=False),
            help="Write traces, scores and reports here.",
        ),
        bar_options,
        click.option(
            "--judge",
            metavar="nli:PATH|URL#MODEL",
            help="A model that says whether claims are supported; none by default.",
        ),
        asked_options,
        click.option("-k", "--k", type=int, help="Cut-off of the retrieval metrics."),
    ):
        command = option(command)
    return command


@click.command("eval")
@click.argument("cases", type=click.Path(path_type=Path, readable=False))
@kb_option
@click.option("--system", default="naive", show_default=True, help="Pipeline to run.")
@click.option("--legs", default="", help="lexical, dense or hybrid.")
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Cases asked at the same time.",
)
@click.option(
    "--case-timeout",
    type=click.FloatRange(min=0),
    default=600.0,
    show_default=True,
    metavar="SECONDS",
    help="A case that takes longer is a broken one; 0: it may take any time.",
)
@click.option(
    "--resume",
    is_flag=True,
    help="Go on with the run in --run-dir that was ended.",
)
@judging_options
def eval_command(
    cases: Path,
    kb: Path,
    system: str,
    legs: str,
    workers: int,
    case_timeout: float,
    resume: bool,
    k: int | None,
    asked: Asked,
    judge: str | None,
    bars: "Bars",
    run_dir: Path | None,
    aggregates_only: bool,
    as_json: bool,
) -> int:
    """Run CASES against a knowledge base, judge them, and exit 1 if a bar is missed.

    \b
    Example:
      lastro eval cases.jsonl --kb my-kb --min-hit 0.8 --min groundedness=0.7

    With --run-dir every case is on disk as soon as it is done; --resume goes on.
    """
    import lastro
    from lastro.eval import run as runner

    by = _judge(judge)
    ticker = Ticker("cases")
    base = lastro.open(kb, flags={"search_legs": legs} if legs else {})
    try:
        with discreet(closed=aggregates_only) as told:
            listed = told.read(cases)
            found = runner.evaluate(
                # What came through a pipe cannot be read again.
                cases if cases.is_file() or cases.is_dir() else listed,
                base,
                system=system,
                k=k,
                run_dir=run_dir,
                bars=bars,
                judge=by,
                workers=workers,
                case_timeout=case_timeout or None,
                resume=resume,
                aggregates_only=aggregates_only,
                progress=ticker.follow,
                warn=told.warn,
                **asked,
            )
    except KeyboardInterrupt:
        ticker.close()
        return _interrupted(ticker.seen, run_dir)
    finally:
        ticker.close()
        base.close()
    return _finish(found, bars, run_dir, as_json=as_json)


def _alone(command: Callable[..., int]) -> Callable[..., int]:
    """Let numpy start no threads for matrices, of which judging has none.

    Starting them takes longer than to judge a hundred cases.
    """

    @wraps(command)
    def called(**given: object) -> int:
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        return command(**given)

    return called


@click.command("score")
@click.argument("cases", type=click.Path(path_type=Path, readable=False))
@click.argument("traces", type=click.Path(path_type=Path, readable=False))
@click.option(
    "--repeats",
    type=click.Choice(["refuse", "mean"]),
    help="Several traces of one case: an error, or runs whose mean counts; "
    "default: as the run's folder was scored, else refuse.",
)
@ties_option
@_alone
@judging_options
def score_command(
    cases: Path,
    traces: Path,
    repeats: str | None,
    ties: str | None,
    k: int | None,
    asked: Asked,
    judge: str | None,
    bars: "Bars",
    run_dir: Path | None,
    aggregates_only: bool,
    as_json: bool,
) -> int:
    """Judge TRACES of this or another system by CASES; nothing is run.

    CASES may be judgements of TREC or BEIR too, or a BEIR folder; TRACES a run of
    TREC, or the folder of an earlier run, to be judged again under other bars.

    \b
    Example:
      lastro score cases.jsonl traces.jsonl --k 4 --min-recall 0.6
      lastro score qrels.txt run.txt -k 10 --ties expected
      lastro score cases.jsonl runs/today --min-hit 0.9
    """
    from lastro.eval import folder, inputs
    from lastro.eval.repeats import Repeats
    from lastro.eval.scorers.ties import Ties
    from lastro.eval.verdict import judge as judged

    kept = None if ties is None else Ties(ties)
    by_model = _judge(judge)
    with discreet(closed=aggregates_only) as told, ExitStack() as stack:
        listed = told.read(cases)
        left = None
        if run_dir is not None:
            from lastro.eval.resume import scoring

            closed = {"private": told.closed, "aggregates_only": aggregates_only}
            left = stack.enter_context(scoring(run_dir, traces, **closed))
        found = inputs.score(
            listed,
            traces,
            k=4 if k is None else k,
            repeats=None if repeats is None else Repeats(repeats),
            ties=kept,
            judge=by_model,
            run_dir=None if told.closed else run_dir,
            keep=None if left is None else left.add,
            warn=told.warn,
            **asked,
        )
        found = replace(found, private=told.closed)
        if run_dir is not None and left is not None:
            told.all(left.put(found, listed, cases))
            folder.write(
                run_dir,
                found,
                judged(found, bars),
                cases=listed,
                traces=lambda _: inputs.read_traces(left.to_read, listed, kept),
                aggregates_only=aggregates_only,
            )
            left.finish()
    return _finish(found, bars, run_dir, as_json=as_json)


def _interrupted(seen: tuple[int, int] | None, run_dir: Path | None) -> int:
    """Say how far a run was, and how it goes on."""
    if seen is None:
        for_people("interrupted before the first case")
    else:
        kept = "--resume goes on" if run_dir else "without --run-dir nothing is kept"
        for_people(f"interrupted, {seen[0]:,} of {seen[1]:,} cases done; {kept}")
    return Exit.INTERRUPTED


def _judge(spec: str | None) -> "Judge | None":
    """Return the judge that was asked for; none is one unless it is."""
    if spec is None:
        return None
    from lastro.eval import judges

    return judges.of(spec, os.environ)


def _finish(run: "Run", bars: "Bars", run_dir: Path | None, *, as_json: bool) -> int:
    from lastro.eval.verdict import judge

    verdict = judge(run, bars)
    if as_json:
        from lastro.eval.report.data import as_json as show
    else:
        from lastro.eval.report.terminal import terminal as show
    with reader_may_leave():
        click.echo(show(run, verdict), nl=False)
    publish(run, verdict, os.environ)
    if run_dir is not None:
        for_people(f"wrote {run_dir}")
    return verdict.exit_code
