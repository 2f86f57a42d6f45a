"""``lastro ask`` and ``lastro search``: one question, answered or only ranked."""

import dataclasses
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lastro.cli.exits import Exit
from lastro.cli.options import json_option, kb_option, question_options
from lastro.cli.screen import faint, for_people, for_programs, plain, strong
from lastro.errors import KnowledgeBaseError

if TYPE_CHECKING:
    from lastro.compose import KnowledgeBase
    from lastro.model.decision import Decision
    from lastro.model.ranking import Hit, Ranking


@contextmanager
def _opened(kb: Path) -> Iterator["KnowledgeBase"]:
    """Open a knowledge base, and say what its settings warn of."""
    import lastro

    with lastro.open(kb) as base:
        for warning in base.warnings:
            for_people(f"warning: {warning}")
        yield base


@click.command("ask")
@click.argument("question")
@kb_option
@question_options
@click.option("--system", default="naive", show_default=True, help="Pipeline to use.")
@click.option("--policy", default="", help="strict, anchored or hybrid.")
@click.option("--provider", default="", help="Who writes the text; default: quote.")
@json_option
@click.option(
    "--trace",
    "trace_file",
    type=click.Path(path_type=Path, readable=False),
    help="Add the trace here.",
)
def ask_command(
    question: str,
    kb: Path,
    locale: str,
    filter_locale: str,
    collection: str,
    system: str,
    policy: str,
    provider: str,
    as_json: bool,
    trace_file: Path | None,
) -> int:
    """Answer QUESTION from a knowledge base, every claim with its source.

    The default provider quotes the documents: no model, no key, no network.

    \b
    Example:
      lastro ask "How do I reset my password?" --kb my-kb --locale en
    """
    from lastro.cli import turn

    with _opened(kb) as base:
        events = base.stream(
            question,
            system=system,
            policy=policy or None,
            provider=provider or None,
            locale=locale or None,
            filter_locale=filter_locale or None,
            collection=collection or None,
        )
        answer, trace = turn.follow(events, quiet=as_json)
    if trace_file is not None:
        turn.keep(trace, trace_file)
    if as_json:
        for_programs(turn.as_json(answer, trace))
        for notice in answer.notices:
            for_people(f"note: {plain(notice)}")
    return Exit.COULD_NOT_RUN if answer.decision.hard_stop else Exit.DONE


@click.command("search")
@click.argument("query")
@kb_option
@click.option("-k", "k", default=10, show_default=True, type=click.IntRange(1, 1000))
@question_options
@click.option("--legs", default="", help="lexical, dense or hybrid.")
@json_option
def search_command(
    query: str,
    kb: Path,
    k: int,
    locale: str,
    filter_locale: str,
    collection: str,
    legs: str,
    as_json: bool,
) -> int:
    """Rank documents for QUERY without writing an answer.

    \b
    Example:
      lastro search "wifi for guests" --kb my-kb -k 5
    """
    with _opened(kb) as base:
        ranking = base.search(
            query,
            k=k,
            locale=locale or None,
            filter_locale=filter_locale or None,
            collection=collection or None,
            legs=legs or None,
        )
        decision = base.decide(ranking)
    if legs == "dense":
        _refuse_without_dense(ranking, kb)
    if as_json:
        for_programs(_ranking_as_json(ranking, decision))
    else:
        _describe(ranking, decision, given=bool(locale))
    for note in ranking.notes:
        for_people(f"note: {plain(note)}")
    return Exit.COULD_NOT_RUN if decision.hard_stop else Exit.DONE


def _refuse_without_dense(ranking: "Ranking", kb: Path) -> None:
    """Raise if the one leg that was asked for is not there."""
    from lastro.model.ranking import LegStatus

    leg = ranking.legs["dense"]
    if leg.status is LegStatus.OFF:
        raise KnowledgeBaseError(
            f"{kb} cannot be searched by meaning: {leg.why}",
            hint=f"`lastro embed --kb {kb}` makes vectors; --legs lexical needs none.",
        )
    if leg.status is LegStatus.FAILED:
        hint = ranking.notes[-1].partition(": ")[2] if ranking.notes else ""
        raise KnowledgeBaseError(
            f"{kb} cannot be searched by meaning: {leg.why}", hint=hint
        )


def _ranking_as_json(ranking: "Ranking", decision: "Decision") -> dict[str, object]:
    from lastro.answer.contract import (
        decision_as_json,
        legs_as_json,
    )

    return {
        "query": ranking.query,
        "hybrid_path": ranking.hybrid_path,
        "legs": legs_as_json(ranking.legs),
        "decision": decision_as_json(decision),
        "hits": [_hit_as_json(hit) for hit in ranking.hits],
    }


def _hit_as_json(hit: "Hit") -> dict[str, object]:
    return {
        "rank": hit.rank,
        "document_id": hit.document_id,
        "passage_id": hit.passage_id,
        "title": hit.title,
        "locale": hit.passage.locale,
        "score": hit.score,
        "start": hit.passage.start,
        "end": hit.passage.end,
        "text": hit.passage.text,
        "stages": {
            stage: dataclasses.asdict(seen) for stage, seen in hit.stages.items()
        },
    }


def _found_by(hit: "Hit") -> str:
    """Say which leg found a hit, and at which place."""
    from lastro.model.ranking import Stage

    named = {Stage.LEXICAL: "words", Stage.DENSE: "meaning"}
    return ", ".join(
        f"{name} {hit.stages[stage].rank}"
        for stage, name in named.items()
        if stage in hit.stages
    )


def _describe(ranking: "Ranking", decision: "Decision", *, given: bool) -> None:
    for hit in ranking.hits:
        first = plain(" ".join(hit.passage.text.split()))
        click.echo(f"{hit.rank:>3}  {strong(plain(hit.title or hit.document_id))}")
        click.echo(
            faint(
                f"     {plain(hit.document_id)}  {hit.score:.3f}  {hit.passage.locale}"
                f"  {_found_by(hit)}"
            )
        )
        click.echo(f"     {first[:160]}{'…' if len(first) > 160 else ''}")
    if not ranking.hits:
        click.echo("the search failed" if decision.hard_stop else "nothing found")
    legs = ", ".join(
        f"{name} {leg.status}{f' ({leg.why})' if leg.why else ''}"
        for name, leg in ranking.legs.items()
    )
    how = "detected" if ranking.locale_detected else "not sure: all of the base"
    how = "given" if given else how
    for_people(f"legs: {legs}; language {', '.join(ranking.locales) or '?'} ({how})")
    for_people(f"gate: {decision.reason}, confidence {decision.confidence_word}")
