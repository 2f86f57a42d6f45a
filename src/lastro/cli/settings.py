"""``lastro settings``: every setting, its value and where it comes from."""

import os
from pathlib import Path

import click

from lastro.cli.options import json_option
from lastro.cli.screen import for_people, for_programs
from lastro.errors import KnowledgeBaseError


@click.command("settings")
@click.option(
    "--kb",
    type=click.Path(path_type=Path, readable=False),
    help="Show this one's values.",
)
@json_option
def settings_command(kb: Path | None, as_json: bool) -> None:
    """List every setting with its value, its range and where the value comes from.

    \b
    Example:
      lastro settings --kb my-kb
    """
    from lastro import compose

    if kb is not None and not kb.is_dir():
        raise KnowledgeBaseError(f"{kb} is no knowledge base")
    rows, warnings = compose.describe_settings(kb, os.environ)
    for warning in warnings:
        for_people(f"warning: {warning}")
    if as_json:
        for_programs({"settings": rows, "warnings": list(warnings)})
        return
    for row in rows:
        click.echo(f"{row['env']} = {_shown(row['value'])}  ({row['source']})")
        default = _shown(row["default"])
        click.echo(f"    {row['meaning']}; {row['range']}; default {default}")


def _shown(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
