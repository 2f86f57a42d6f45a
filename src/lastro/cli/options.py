"""Options that several commands share, declared once."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])


class Folder(click.Path):
    """A folder to write to; an empty name, such as an unset variable's, is none."""

    def convert(
        self,
        value: Any,  # noqa: ANN401 - as click has it
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> Any:  # noqa: ANN401 - as click has it
        """Return the path."""
        if not str(value).strip():
            self.fail("the name is empty", param, ctx)
        return super().convert(value, param, ctx)


LOCALES = "en, pt-BR, es-419, ko, …"


def kb_option(command: F) -> F:
    """Add ``--kb``: the folder of the knowledge base."""
    return click.option(
        "--kb",
        required=True,
        type=click.Path(path_type=Path, readable=False),
        help="Folder of the knowledge base.",
    )(command)


def json_option(command: F) -> F:
    """Add ``--json``: one object on stdout and nothing else there."""
    return click.option(
        "--json", "as_json", is_flag=True, help="Print JSON and nothing else on stdout."
    )(command)


def ties_option(command: F) -> F:
    """Add ``--ties``: what becomes of items of one score in a run of TREC."""
    return click.option(
        "--ties",
        type=click.Choice(["given", "docno", "expected"]),
        help="Items of one score in a run of TREC: as given (default), by trec_eval's "
        "rule, or the mean over their orders.",
    )(command)


def question_options(command: F) -> F:
    """Add what restricts a question: its language, its documents."""
    for option in (
        click.option("--collection", default="", help="Only documents of this one."),
        click.option(
            "--filter-locale", default="", help="Only documents in this language."
        ),
        click.option(
            "--locale",
            default="",
            help=f"Language of the question ({LOCALES}); detected if left out.",
        ),
    ):
        command = option(command)
    return command
