"""The entry of the command line: the table of commands and the one error handler.

Commands are imported when they are called, so that ``lastro --help`` stays quick.
"""

import gc
import os
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import click

from lastro import __version__
from lastro.cli.exits import Exit
from lastro.cli.screen import for_people, give_up_output
from lastro.errors import LastroError, UsageError

_OBJECTS = 50_000  # made since the last look for garbage
_SYSTEM = "See that the disk has room and the place can be written, then try again."

COMMANDS = {
    "demo": ("demo", "Build the bundled knowledge base, ask, measure, report."),
    "ingest": ("ingest", "Read documents into a knowledge base."),
    "embed": ("ingest", "Give the passages of a base vectors, or other ones."),
    "ask": ("ask", "Answer a question with checked citations."),
    "search": ("ask", "Rank documents without writing an answer."),
    "show": ("ingest", "Show a document, with a span marked."),
    "rm": ("ingest", "Remove documents from a knowledge base."),
    "eval": ("measure", "Run cases against a knowledge base and judge them."),
    "score": ("measure", "Judge traces of this or another system; runs nothing."),
    "why": ("why", "Show a turn layer by layer, and where it failed."),
    "compare": ("compare", "Compare two runs case by case; exit 1 if a claim fails."),
    "import": ("imports", "Read a run, judgements or a collection of others."),
    "baseline": ("baseline", "Keep what a run measured, to hold later runs to it."),
    "floor": ("floor", "Propose bars that a run or a baseline holds."),
    "check": ("check", "Check that a set of cases fits its knowledge base."),
    "calibrate": ("calibrate", "Fit the gate of a base to labelled cases of it."),
    "settings": ("settings", "List every setting, its value and where it comes from."),
    "doctor": ("doctor", "Say what is installed, blind, uncalibrated or stale."),
}


class Commands(click.Group):
    """Looks commands up in the table above and imports them when needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the commands in the order of the table."""
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Import the module of command ``name`` and return the command."""
        del ctx
        if name not in COMMANDS:
            return None
        module = import_module(f"lastro.cli.{COMMANDS[name][0]}")
        command: click.Command = getattr(module, name + "_command")
        return command

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; one whose reader has left, as ``| head`` does, is done.

        click would exit with 1 there, which is a missed bar here.
        """
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            give_up_output()
            return Exit.DONE

    def format_commands(
        self, ctx: click.Context, formatter: click.HelpFormatter
    ) -> None:
        """Write the table from its own one-liners: nothing is imported for it."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])


def _version(ctx: click.Context, _param: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        click.echo(f"lastro {__version__}")
        ctx.exit()


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_version,
    help="Show the version and exit.",
)
def main() -> None:
    """Answers with backing, and the measure of them.

    \b
    lastro demo                                  see it work, offline
    lastro ingest docs/ --kb my-kb               read your documents
    lastro ask "How do I …?" --kb my-kb          a cited answer
    lastro eval cases.jsonl --kb my-kb           a measured verdict

    Exit codes: 0 done, 1 a bar was missed, 2 wrong usage, 3 could not run,
    130 interrupted.
    """


def run() -> None:
    """Run the command line and exit with one of the codes in ``exits``."""
    # What commands read they keep: to look through it for garbage every 700 objects
    # finds none and takes a tenth of the time.
    gc.set_threshold(_OBJECTS)
    sys.exit(_run())


def _run() -> int:
    _ready_streams()
    try:
        result = main.main(standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as error:
        with suppress(OSError):
            error.show()
        return Exit.WRONG_USAGE
    except (click.Abort, KeyboardInterrupt):
        for_people("interrupted")
        return Exit.INTERRUPTED
    except UsageError as error:
        return _say(error, Exit.WRONG_USAGE)
    except LastroError as error:
        return _say(error, Exit.COULD_NOT_RUN)
    except OSError as error:
        # A full disk, a closed console: nothing that a room could have foreseen.
        what = (error.strerror or "the system refused").lower()
        where = f"{error.filename}: " if error.filename else ""
        return _say(LastroError(f"{where}{what}", hint=_SYSTEM), Exit.COULD_NOT_RUN)
    return int(result) if isinstance(result, int) else Exit.DONE


def _ready_streams() -> None:
    """Make both streams fit to write to: a closed one goes nowhere.

    A console that cannot show a character gets a stand-in, not a crash.
    """
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115
        stream = getattr(sys, name)
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def _say(error: LastroError, code: Exit) -> Exit:
    called = next((word for word in sys.argv[1:] if word in COMMANDS), "COMMAND")
    hint = error.hint.replace("`lastro COMMAND", f"`lastro {called}")
    for_people(f"error: {error}\nhint: {hint}")
    return code
