"""``lastro demo``: the bundled knowledge base built, asked, measured, reported."""

import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lastro.cli.screen import Ticker, strong

if TYPE_CHECKING:
    from lastro.compose import KnowledgeBase


@click.command("demo")
@click.option(
    "--locale", default="en", show_default=True, help="en, pt-BR, es-419 or ko."
)
@click.option(
    "--kb",
    type=click.Path(path_type=Path, readable=False),
    help="Build and keep it here; a temporary folder by default.",
)
def demo_command(locale: str, kb: Path | None) -> int:
    """Build the bundled knowledge base, ask it, measure it, print the report.

    One question for each of the gate's seven reasons and one comparison, then
    the bundled cases.  Everything runs on this machine, offline.

    \b
    Example:
      lastro demo --locale ko
    """
    from lastro import compose
    from lastro.corpus import bundled

    questions = bundled.demo(locale)
    with ExitStack() as stack:
        if kb is None:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="lastro-"))
            kb = Path(folder) / "kb"
        base = stack.enter_context(compose.open(kb))
        _build(base)
        for question in questions:
            _ask(base, question.shows, question.text, locale)
        return _measure(base)


def _build(base: "KnowledgeBase") -> None:
    from lastro.corpus import bundled

    _step("Building the bundled knowledge base")
    ticker = Ticker("documents")
    report = base.ingest(
        bundled.sources(), progress=lambda seen: ticker.show(seen.done)
    )
    ticker.close()
    click.echo(
        f"{report.documents} documents, {report.passages} passages in {base.path}"
    )


def _ask(base: "KnowledgeBase", shows: str, question: str, locale: str) -> None:
    from lastro.cli import turn

    _step(f"{shows}: {question}")
    turn.follow(base.stream(question, locale=locale, filter_locale=locale), quiet=False)


def _measure(base: "KnowledgeBase") -> int:
    from lastro.corpus import bundled
    from lastro.eval import cases, run
    from lastro.eval.report.terminal import terminal
    from lastro.eval.verdict import Bars, judge

    _step("Measuring it on the bundled cases")
    ticker = Ticker("cases")
    listed = cases.read(*bundled.cases()).cases
    found = run.evaluate(listed, base, progress=ticker.show)
    ticker.close()
    verdict = judge(found, Bars())
    click.echo(terminal(found, verdict), nl=False)
    return verdict.exit_code


def _step(text: str) -> None:
    click.echo(f"\n{strong('── ' + text)}\n")
