"""``lastro doctor``: what is installed, and what of a base needs looking after."""

import os
from pathlib import Path

import click

from lastro.cli.exits import Exit
from lastro.cli.options import json_option
from lastro.cli.screen import counted, for_programs, reader_may_leave

_WIDE = 20


@click.command("doctor")
@click.option(
    "--kb",
    type=click.Path(path_type=Path, readable=False),
    help="Look at this knowledge base too.",
)
@json_option
def doctor_command(kb: Path | None, as_json: bool) -> int:
    """Say what is installed, and what of a base is blind, uncalibrated or stale.

    With --kb also how long giving all of its passages vectors would take here.

    \b
    Example:
      lastro doctor --kb my-kb
    """
    import lastro
    from lastro.compose import doctor

    found = [*doctor.installed()]
    if kb is not None:
        with lastro.open(kb) as base:
            found += doctor.examined(base, os.environ)
    warned = [one for one in found if one.level is doctor.Level.WARN]
    with reader_may_leave():
        if as_json:
            rows = [
                {
                    "about": one.about,
                    "level": str(one.level),
                    "what": one.what,
                    "advice": one.advice,
                }
                for one in found
            ]
            for_programs({"findings": rows, "warnings": len(warned)})
            return Exit.DONE
        for one in found:
            mark = "!" if one.level is doctor.Level.WARN else " "
            click.echo(f"{mark} {one.about:{_WIDE}} {one.what}")
            if one.advice:
                click.echo(f"  {'':{_WIDE}} {one.advice}")
        click.echo(counted(len(warned), "warning"))
    return Exit.DONE
