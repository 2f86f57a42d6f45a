"""``lastro floor``: bars that a run or a baseline holds."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lastro.cli.exits import Exit
from lastro.cli.screen import plain, reader_may_leave

if TYPE_CHECKING:
    from lastro.eval.baseline import Baseline
    from lastro.model.score import Aggregates, Summary

LEAST_N = 10  # cases of a locale: under it one case moves a mean by a tenth
_LEAST = 0.001  # what is under it is a floor of 0.0, which everything holds


@click.group("floor")
def floor_command() -> None:
    """Propose bars.

    \b
    Example:
      lastro floor suggest runs/main > bars.toml
    """


@floor_command.command("suggest")
@click.argument("run_or_baseline", type=click.Path(path_type=Path, readable=False))
@click.option(
    "--slack",
    type=click.FloatRange(0, 1),
    help="How far below the mean; by default the lower end of the interval.",
)
def suggest(run_or_baseline: Path, slack: float | None) -> int:
    """Print a bars.toml of floors that RUN_OR_BASELINE holds.

    \b
    Example:
      lastro floor suggest baseline.json --slack 0.05 > bars.toml
      lastro score cases.jsonl runs/main --bars bars.toml
    """
    from lastro.eval import baseline_file
    from lastro.eval.report.baseline_page import suggested

    of = baseline_file.of_folder if run_or_baseline.is_dir() else baseline_file.read
    kept, without = _useful(of(run_or_baseline), slack)
    with reader_may_leave():
        click.echo(suggested(kept, slack), nl=False)
        if without:
            click.echo("\n".join(("", "# Left out:", *without)))
    return Exit.DONE


def _useful(
    baseline: "Baseline", slack: float | None
) -> tuple["Baseline", tuple[str, ...]]:
    """Return a baseline without what makes no floor, and a comment for each."""
    without: list[str] = []

    def kept(under: str, group: Mapping[str, "Summary"]) -> "Aggregates":
        found = {}
        for metric, summary in group.items():
            if why := _useless(summary, slack, of_locale=bool(under)):
                without.append(f"# {plain(under + metric)}: {why}")
            else:
                found[metric] = summary
        return found

    overall = kept("", _shown(baseline.aggregates))
    by_locale = {
        key: kept(f"by_locale.{key}.", _shown(group))
        for key, group in baseline.by_locale.items()
    }
    return replace(baseline, aggregates=overall, by_locale=by_locale), tuple(without)


def _shown(group: "Aggregates") -> dict[str, "Summary"]:
    from lastro.eval.baseline import STAGE

    return {key: each for key, each in group.items() if not key.startswith(STAGE)}


def _useless(summary: "Summary", slack: float | None, *, of_locale: bool) -> str:
    """Say why a floor of this would be of no use; empty if it is of use."""
    if of_locale and summary.n < LEAST_N:
        return f"n is {summary.n}, and a floor of a locale needs {LEAST_N}"
    if summary.mean is None or summary.ci_lo is None:
        return ""  # the page itself tells of what has no interval
    least = summary.ci_lo if slack is None else summary.mean - slack
    return "its floor would be 0.0, which everything holds" if least < _LEAST else ""
