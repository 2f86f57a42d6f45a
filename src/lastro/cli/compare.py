"""``lastro compare``: two runs side by side, case by case."""

from pathlib import Path

import click

from lastro.cli.options import json_option
from lastro.cli.screen import for_people, reader_may_leave


@click.command("compare")
@click.argument("run_a", type=click.Path(path_type=Path, readable=False))
@click.argument("run_b", type=click.Path(path_type=Path, readable=False))
@click.option(
    "--claim",
    "claims",
    multiple=True,
    metavar="EXPR",
    help='Such as "groundedness >= +0.05" or "by_locale.ko.groundedness > 0".',
)
@click.option(
    "--min-n",
    type=int,
    default=30,
    show_default=True,
    help="Cases of both runs that a claim needs to be judged.",
)
@click.option(
    "--html",
    type=click.Path(path_type=Path, readable=False, dir_okay=False),
    help="Write the comparison as one page here.",
)
@json_option
def compare_command(
    run_a: Path,
    run_b: Path,
    claims: tuple[str, ...],
    min_n: int,
    html: Path | None,
    as_json: bool,
) -> int:
    """Compare RUN_B with RUN_A: folders that eval or score wrote with --run-dir.

    Cases are paired by id.  A claim holds if the difference reaches the figure and
    its interval lies above zero; under --min-n cases it is not measured (exit 3).

    \b
    Example:
      lastro compare runs/before runs/after --claim "groundedness >= +0.05"
    """
    from lastro.eval import folder
    from lastro.eval.compare import compare
    from lastro.eval.report.compare_data import compare_json
    from lastro.eval.report.compare_page import compare_text
    from lastro.eval.report.web import compare_html

    a, b = folder.read(run_a), folder.read(run_b)
    found = compare(a, b, names=(str(run_a), str(run_b)), claims=claims, min_n=min_n)
    if html is not None:
        folder.put(html, compare_html(found, a, b))
    show = compare_json if as_json else compare_text
    with reader_may_leave():
        click.echo(show(found), nl=False)
    if html is not None:
        for_people(f"wrote {html}")
    return found.exit_code
