"""``lastro calibrate``: fit the gate of a base to labelled cases of it."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import click

from lastro.cli.discreet import discreet
from lastro.cli.exits import Exit
from lastro.cli.options import json_option, kb_option
from lastro.cli.screen import Ticker, for_people, for_programs, reader_may_leave


@click.command("calibrate")
@click.argument("cases", type=click.Path(path_type=Path, readable=False))
@kb_option
@click.option("--dry-run", is_flag=True, help="Fit and print; change nothing.")
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Which cases are left out together.",
)
@json_option
def calibrate_command(
    cases: Path, kb: Path, dry_run: bool, seed: int, as_json: bool
) -> int:
    """Fit thresholds and confidence of a base to CASES, and say what they are worth.

    The confidence becomes the probability that the search found the answer.  All
    figures are of cases that were left out of what they are judged by.

    \b
    Example:
      lastro calibrate cases.jsonl --kb my-kb --dry-run
    """
    import lastro
    from lastro.compose import calibration
    from lastro.compose.state import listing
    from lastro.eval.calibrate import page, run

    ticker = Ticker("cases")
    with discreet(closed=False) as told:
        listed = told.read(cases)
    try:
        with lastro.open(kb, calibrated=False) as base:
            found = run.calibrate(listed, base, seed=seed, progress=ticker.follow)
            ids, listed_as = listing(base.documents())
    finally:
        ticker.close()
    stamped = {
        **found.calibration.provenance,
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "kb": {"documents": len(ids), "listing": listed_as},
    }
    made = replace(found.calibration, provenance=stamped)
    if not dry_run:
        calibration.write(kb, made)
    with reader_may_leave():
        if as_json:
            for_programs(page.data(found) | {"written": not dry_run})
        else:
            for line in page.lines(found):
                click.echo(line.rstrip())
    done = f"written: {kb / calibration.FILE}"
    for_people("nothing was written: --dry-run" if dry_run else done)
    return Exit.DONE
