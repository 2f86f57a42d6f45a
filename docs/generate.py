"""Write the generated pages of the documentation: settings, commands, scorers.

``python docs/generate.py`` writes them; a test compares them with what stands
there, so that none goes stale.
"""

from collections.abc import Iterator
from pathlib import Path

import click

from lastro import declare
from lastro.cli.main import COMMANDS, main
from lastro.compose import POLICIES
from lastro.eval.scorers import SCORERS

HERE = Path(__file__).parent


def settings() -> str:
    """Return the page of settings, from their declarations."""
    return "\n".join(_settings()) + "\n"


def _settings() -> Iterator[str]:
    yield "# Settings"
    yield ""
    yield "Generated from the declarations by `make docs`; `lastro settings` shows them with their values."
    yield ""
    yield "A flag beats the environment, that beats `.env`, that beats the knowledge base (`[settings]` in `lastro.toml`), that beats the default."
    yield "Where both names of the environment are given, `LASTRO_` wins with a warning."
    yield ""
    yield "| environment | in `lastro.toml` | default | range | meaning |"
    yield "| --- | --- | --- | --- | --- |"
    for policy in POLICIES:
        for item in declare.declarations(policy):
            twin = f", `{declare.TWIN_PREFIX}{item.env}`" if item.twin else ""
            default = str(item.default).lower() if item.type is bool else item.default
            yield (
                f"| `{item.own_env}`{twin} | `{item.key}` | {default} |"
                f" {item.range} | {item.meaning} |"
            )


def commands() -> str:
    """Return the page of commands, each with its own help text."""
    return "\n".join(_commands()) + "\n"


def _commands() -> Iterator[str]:
    yield "# Commands"
    yield ""
    yield "Generated from the commands' own help by `make docs`."
    yield ""
    yield from _help(main, "lastro")
    context = click.Context(main, info_name="lastro")
    for name in COMMANDS:
        command = main.get_command(context, name)
        assert command is not None
        yield from _command(command, f"lastro {name}")


def _command(command: click.Command, name: str) -> Iterator[str]:
    yield ""
    yield f"## {name}"
    yield ""
    yield from _help(command, name)
    if isinstance(command, click.Group):
        for each in command.commands.values():
            yield from _command(each, f"{name} {each.name}")


def _help(command: click.Command, name: str) -> Iterator[str]:
    context = click.Context(
        command, info_name=name, terminal_width=80, **main.context_settings
    )
    yield "```text"
    yield from (line.rstrip() for line in command.get_help(context).splitlines())
    yield "```"


def scorers() -> str:
    """Return the page of scorers, in the order of the report."""
    return "\n".join(_scorers()) + "\n"


def _scorers() -> Iterator[str]:
    yield "# Scorers"
    yield ""
    yield "Generated from the table of scorers by `make docs`."
    yield "A scorer with nothing to measure gives no key: never a zero, never a one."
    yield ""
    yield "`--at 10` adds `retrieval_hit_at_10`, `retrieval_recall_at_10` and `retrieval_ndcg_at_10`."
    yield ""
    yield "| scorer | better | binary | measures | reads |"
    yield "| --- | --- | --- | --- | --- |"
    for scorer in SCORERS:
        what = scorer.what.replace("|", "\\|")
        reads = ", ".join(f"`{name}`" for name in scorer.reads)
        yield (
            f"| `{scorer.name}` | {scorer.better} | {'yes' if scorer.binary else 'no'} |"
            f" {what} | {reads} |"
        )


PAGES = {"settings.md": settings, "cli.md": commands, "scorers.md": scorers}

if __name__ == "__main__":
    for name, page in PAGES.items():
        (HERE / name).write_text(page(), encoding="utf-8", newline="\n")
        click.echo(f"wrote docs/{name}")
