"""``lastro eval``, ``score`` and ``check``: what was measured, and the verdict."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from lastro.cli.exits import Exit
from lastro.cli.options import json_option, kb_option
from lastro.cli.screen import (
    Ticker,
    counted,
    for_people,
    for_programs,
    reader_may_leave,
)
from lastro.errors import UsageError

if TYPE_CHECKING:
    from lastro.eval.results import Run
    from lastro.eval.verdict import Bars

F = TypeVar("F", bound=Callable[..., Any])


def bar_options(command: F) -> F:
    """Add the bars and what they have in common, declared once for both commands."""
    for option in (
        json_option,
        click.option(
            "--run-dir",
            type=click.Path(path_type=Path, readable=False),
            help="Write traces, scores and reports here.",
        ),
        click.option(
            "--min-scored",
            type=float,
            default=1.0,
            show_default=True,
            help="Share of eligible cases a bar needs to be judged.",
        ),
        click.option(
            "--min",
            "minimums",
            multiple=True,
            metavar="METRIC=X",
            help="Any metric, also of a slice: by_locale.ko.METRIC=X.",
        ),
        click.option(
            "--min-recall",
            type=float,
            help="Least mean recall (a conservative lower bound).",
        ),
        click.option("--min-hit", type=float, help="Least mean hit rate."),
        click.option("-k", "--k", type=int, help="Cut-off of the retrieval metrics."),
    ):
        command = option(command)
    return command


@click.command("eval")
@click.argument("cases", type=click.Path(path_type=Path, readable=False))
@kb_option
@click.option("--system", default="naive", show_default=True, help="Pipeline to run.")
@click.option("--legs", default="", help="lexical, dense or hybrid.")
@bar_options
def eval_command(
    cases: Path,
    kb: Path,
    system: str,
    legs: str,
    k: int | None,
    min_hit: float | None,
    min_recall: float | None,
    minimums: tuple[str, ...],
    min_scored: float,
    run_dir: Path | None,
    as_json: bool,
) -> int:
    """Run CASES against a knowledge base, judge them, and exit 1 if a bar is missed.

    \b
    Example:
      lastro eval cases.jsonl --kb my-kb --min-hit 0.8 --min groundedness=0.7
    """
    import lastro
    from lastro.eval import run as runner

    bars = _bars(min_hit, min_recall, minimums, min_scored)
    ticker = Ticker("cases")
    base = lastro.open(kb, flags={"search_legs": legs} if legs else {})
    try:
        found = runner.evaluate(
            cases,
            base,
            system=system,
            k=k,
            run_dir=run_dir,
            bars=bars,
            progress=ticker.show,
            warn=_warn,
        )
    finally:
        ticker.close()
        base.close()
    return _finish(found, bars, run_dir, as_json=as_json)


@click.command("score")
@click.argument("cases", type=click.Path(path_type=Path, readable=False))
@click.argument("traces", type=click.Path(path_type=Path, readable=False))
@bar_options
def score_command(
    cases: Path,
    traces: Path,
    k: int | None,
    min_hit: float | None,
    min_recall: float | None,
    minimums: tuple[str, ...],
    min_scored: float,
    run_dir: Path | None,
    as_json: bool,
) -> int:
    """Judge TRACES of this or another system by CASES; nothing is run.

    \b
    Example:
      lastro score cases.jsonl traces.jsonl --k 4 --min-recall 0.6
    """
    from lastro.eval import folder, inputs
    from lastro.eval.verdict import judge

    bars = _bars(min_hit, min_recall, minimums, min_scored)
    found = inputs.score(cases, traces, k=4 if k is None else k, warn=_warn)
    if run_dir is not None:
        folder.write(run_dir, found, judge(found, bars))
    return _finish(found, bars, run_dir, as_json=as_json)


@click.command("check")
@click.argument("cases", type=click.Path(path_type=Path, readable=False))
@kb_option
@json_option
def check_command(cases: Path, kb: Path, as_json: bool) -> int:
    """Check that every gold id and every expected term of CASES stands in the base.

    Says too what the set holds, by locale, category, query type and reason.

    Exit 0: they do.  Exit 1: something does not, and it is named.

    \b
    Example:
      lastro check cases.jsonl --kb my-kb
    """
    import lastro
    from lastro.eval import check as integrity
    from lastro.eval import counts
    from lastro.eval.inputs import read_case_set

    listed = read_case_set(cases, _warn)
    with lastro.open(kb) as base:
        findings = integrity.check(listed, base)
    with reader_may_leave():
        if as_json:
            rows = [
                {
                    "case_id": f.case_id,
                    "field": f.field,
                    "value": f.value,
                    "what": f.what,
                }
                for f in findings
            ]
            held_by = counts.counts(listed)
            for_programs({"cases": len(listed), "findings": rows, "counts": held_by})
        else:
            for found in findings:
                click.echo(
                    f"{found.case_id}: {found.field}: {found.value!r} {found.what}"
                    f"; {found.advice}"
                )
            for label, held in counts.counts(listed).items():
                told = ", ".join(f"{value} {n}" for value, n in held.items())
                click.echo(f"{label}: {told}")
            click.echo(
                f"{counted(len(listed), 'case')}, {counted(len(findings), 'finding')}"
            )
    return Exit.BAR_MISSED if findings else Exit.DONE


def _bars(
    min_hit: float | None,
    min_recall: float | None,
    minimums: tuple[str, ...],
    min_scored: float,
) -> "Bars":
    from lastro.eval.verdict import Bars

    pairs = [_minimum(text) for text in minimums]
    twice = {name for name, _ in pairs if [n for n, _ in pairs].count(name) > 1}
    if twice:
        raise UsageError(f"--min is given twice for {', '.join(sorted(twice))}")
    return Bars(
        min_hit=min_hit,
        min_recall=min_recall,
        minimums=dict(pairs),
        min_scored=min_scored,
    )


def _minimum(text: str) -> tuple[str, float]:
    name, _, value = text.rpartition("=")
    try:
        return name.strip(), float(value)
    except ValueError:
        raise UsageError(f"--min {text!r} is not METRIC=NUMBER") from None


def _warn(text: str) -> None:
    for_people(f"warning: {text}")


def _finish(run: "Run", bars: "Bars", run_dir: Path | None, *, as_json: bool) -> int:
    from lastro.eval import report
    from lastro.eval.verdict import judge

    verdict = judge(run, bars)
    show = report.as_json if as_json else report.terminal
    with reader_may_leave():
        click.echo(show(run, verdict), nl=False)
    if run_dir is not None:
        for_people(f"wrote {run_dir}")
    return verdict.exit_code
