"""One turn as a person watches it: the text as it comes, then what backs it."""

from collections.abc import Iterable, Mapping
from pathlib import Path

import click

from lastro import trace as traces
from lastro.answer import contract
from lastro.answer.chips import Chips
from lastro.answer.prompt import cite_ids
from lastro.answer.status import plain_reason
from lastro.cli.screen import faint, for_people, plain, strong
from lastro.errors import SourceError
from lastro.gate import messages
from lastro.gate.messages import Notice
from lastro.model.answer import Answer, Citation
from lastro.model.decision import ReasonCode
from lastro.model.events import Checked, Decided, Delta, Event, Finished
from lastro.model.trace import Trace


def follow(events: Iterable[Event], *, quiet: bool) -> tuple[Answer, Trace]:
    """Show the events of a turn as they come and return what it left behind."""
    chips, sent, replaced = Chips({}), False, False
    for event in events:
        match event:
            case Decided(_, ranking):
                ids = cite_ids(ranking.selected if ranking else ())
                chips = Chips({i: hit.document_id for i, hit in ids.items()})
            case Delta(text):
                sent = True
                _write(chips.feed(text), quiet=quiet)
            case Checked(_, overridden):
                # What was sent before a provider broke is replaced as a whole.
                replaced = overridden and sent
            case Finished(answer, trace):
                _write((*chips.close(), "\n"), quiet=quiet)
                if replaced:
                    again = Chips(chips.documents, chips.numbers)
                    whole = (*again.feed(answer.answer_text), *again.close())
                    _write((*whole, "\n"), quiet=quiet)
                if not quiet:
                    _describe(answer, chips)
                return answer, trace
    raise AssertionError("a turn ends in Finished")


def _write(pieces: Iterable[str], *, quiet: bool) -> None:
    for piece in pieces:
        if not quiet:
            click.echo(plain(piece), nl=False)


def _describe(answer: Answer, chips: Chips) -> None:
    spans: dict[str, list[Citation]] = {}
    for claim in answer.claims:
        for citation in claim.citations:
            spans.setdefault(citation.document_id, []).append(citation)
    if chips.numbers:
        click.echo(f"\n{strong(messages.notice(Notice.SOURCES, answer.locale))}")
    for document, number in chips.numbers.items():
        found = spans.get(document, [])
        title = found[0].title if found else ""
        where = ", ".join(dict.fromkeys(f"{c.start}:{c.end}" for c in found))
        click.echo(
            f"  [{number}] {plain(title)}  {faint(f'{plain(document)} {where}')}"
        )
    for hit in answer.closest:
        # The answer names them by title; here is what `lastro show` takes.
        name = plain(hit.title or hit.document_id)
        click.echo(f"  - {name}  {faint(plain(hit.document_id))}")
    decision = answer.decision
    said = plain_reason(answer)
    if said is not ReasonCode.OK and not answer.refused:
        words = messages.explain(said, answer.locale)
        for_people(f"\n{words.title} ({decision.reason})")
        for_people(f"{words.means} {words.advice}")
    for notice in answer.notices:
        for_people(notice)
    for_people(
        faint(
            f"\n{answer.status}, confidence {decision.confidence_word}"
            f"{'' if decision.calibrated else ' (uncalibrated)'}, {answer.locale}"
        )
    )


def keep(trace: Trace, path: Path) -> None:
    """Add ``trace`` as one line to ``path``.

    Raises:
        SourceError: the file cannot be written.
    """
    try:
        with path.open("a", encoding="utf-8", newline="\n") as file:
            file.write(traces.dumps(trace) + "\n")
    except OSError as error:
        raise SourceError(
            f"{path}: the trace cannot be written ({error.strerror})",
            hint="Give --trace a file in a folder that you may write to.",
        ) from error


def as_json(answer: Answer, trace: Trace) -> Mapping[str, object]:
    """Return the answer contract, plus what ``ask --json`` adds to it."""
    return {
        **contract.as_json(answer),
        "decision": contract.decision_as_json(answer.decision),
        "legs": contract.legs_as_json(answer.legs),
        "system": answer.system,
        "provider": answer.provider,
        "cite_ids": dict(answer.cite_ids),
        "trace_id": trace.case_id,
    }
