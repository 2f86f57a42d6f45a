"""Help is quick, complete, and every command shows an example."""

import subprocess
import sys

import click
import pytest

from lastro.cli.main import COMMANDS, main

CONTEXT = click.Context(main, info_name="lastro")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_exists_and_has_an_example(name: str) -> None:
    command = main.get_command(CONTEXT, name)

    assert command is not None
    assert command.name == name
    assert "Example:" in (command.help or "")


def test_an_unknown_command_is_nothing() -> None:
    assert main.get_command(CONTEXT, "nonsense") is None


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys, lastro.cli.main as m;"
        "m.main.main(['--help'], standalone_mode=False);"
        "print(sorted({'numpy','tantivy','msgspec','Stemmer','selectolax','yaml',"
        "'markdown_it','charset_normalizer','sqlite3'} & set(sys.modules)))"
    )

    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, text=True
    )

    assert done.stdout.splitlines()[-1] == "[]"
