"""``lastro floor``: bars that a run or a baseline holds."""

from pathlib import Path

import click

from lastro.cli.exits import Exit
from lastro.cli.screen import reader_may_leave


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
    with reader_may_leave():
        click.echo(suggested(of(run_or_baseline), slack), nl=False)
    return Exit.DONE
