"""The default provider: answers in the documents' own words, without a model.

Deterministic and offline.  It never writes a statement of its own: sentences
stand verbatim in a passage, everything else is a fixed text of the catalogue.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby

from lastro.answer.analyse import Analysis, Ask, Courtesy, analyse
from lastro.answer.catalogue import said
from lastro.answer.framing import closest, title_of, vague
from lastro.answer.gaps import Gaps, gaps
from lastro.answer.lines import Line
from lastro.answer.pick import covered, pick, words_held
from lastro.answer.pool import Pool, pool
from lastro.answer.sides import SPOKEN_OF
from lastro.gate.messages import Notice, notice
from lastro.grounding import fence
from lastro.model.answer import ContractName, Prompt
from lastro.model.decision import ReasonCode

MOST_TITLES = 3
LEAST_WORDS = 2  # informative ones, where the question has as many
LEAST_COVERED = 0.4  # of the question's informative weight; less is no answer
# Where the gate doubts, more has to be held.  Scores are low in every small base, so
# a low score alone is no reason to withhold a quote that holds what was asked.
LEAST_IF = {
    ReasonCode.CONTEXT_MISALIGNED: 0.5,
    ReasonCode.INSUFFICIENT_CONTEXT: 0.6,
}


class Quote:
    """Writes an answer of quoted sentences, each followed by its marker."""

    name = "quote"

    def write(self, prompt: Prompt) -> Iterator[str]:
        """Yield the answer sentence by sentence."""
        yield from _spaced(_paragraphs(prompt))

    def cancel(self) -> None:
        """Do nothing: no text is ever waited for."""


def _paragraphs(prompt: Prompt) -> Iterator[str]:
    shape = analyse(prompt.question, prompt.locale)
    if prompt.decision.mode == "smalltalk":
        yield said(shape.courtesy or Courtesy.GREETING, prompt.locale)
    elif prompt.override_attempt:
        yield said("refusal", prompt.locale)
    elif prompt.contract.name is ContractName.PERMISSIVE:
        yield notice(Notice.PERMISSIVE, prompt.locale)
        yield said("only_quotes", prompt.locale)
        yield from _declined(prompt, gaps(prompt, shape))
    elif prompt.contract.name is ContractName.DISAMBIGUATION:
        yield from _options(prompt)
    else:
        yield from _quoted(prompt, shape)


def _quoted(prompt: Prompt, shape: Analysis) -> Iterator[str]:
    if not prompt.terms and not prompt.empty:
        yield vague(prompt.locale)
        return
    found = pool(prompt, shape)
    absent = gaps(prompt, shape)
    readings = prompt.decision.reason is ReasonCode.AMBIGUOUS_RETRIEVAL
    lines = pick(found, _asks(prompt, shape), readings=readings)
    if not _answers(prompt, found, lines, absent):
        yield from _declined(prompt, absent)
        return
    unspoken = tuple(
        side.text
        for at, side in enumerate(found.sides)
        if max((line.sides[at] for line in lines), default=0.0) < SPOKEN_OF
    )
    yield from _missing(absent.with_missing(unspoken), prompt.locale)
    titles = {p.hit.document_id: title_of(p) for p in prompt.passages}
    several = readings and len({line.document_id for line in lines}) > 1
    for document, part in groupby(lines, key=lambda line: line.document_id):
        head = f"{titles[document]}\n" if several and titles[document] else ""
        yield head + _paragraph(tuple(part))


def _answers(prompt: Prompt, found: Pool, lines: Sequence[Line], absent: Gaps) -> bool:
    """Whether ``lines`` are about the question, and not about one word of it."""
    asked = sum(term.informative for term in found.terms)
    if words_held(found, lines) < min(LEAST_WORDS, asked):
        return False
    least = LEAST_IF.get(prompt.decision.reason, LEAST_COVERED)
    return covered(found, lines, absent.names) >= least


def _asks(prompt: Prompt, shape: Analysis) -> frozenset[Ask]:
    """Return what is asked for; of a bare word its meaning."""
    if not shape.asks and len(prompt.terms) == 1:
        return frozenset({Ask.MEANING})
    return shape.asks


def _paragraph(lines: Sequence[Line]) -> str:
    """Return the quotes of one document; a line of its own stays one."""
    out = ""
    for before, line in zip((None, *lines), lines, strict=False):
        if before:
            out += "\n" if line.row != before.row else " "
        out += f"{fence.escape(line.text)} [cite:{line.cite_id}]"
    return out


def _missing(absent: Gaps, locale: str) -> Iterator[str]:
    if absent.unknown:
        yield said("unknown", locale, terms=", ".join(absent.unknown))
    if absent.missing:
        yield notice(Notice.GAP, locale, terms=", ".join(absent.missing))
    if absent.nearest:
        yield said("nearest", locale, terms=", ".join(absent.nearest))


def _declined(prompt: Prompt, absent: Gaps) -> Iterator[str]:
    yield notice(Notice.NO_ANSWER, prompt.locale)
    if prompt.empty:
        yield said("empty", prompt.locale)
    known = Gaps(unknown=absent.unknown, nearest=absent.nearest)
    yield from _missing(known, prompt.locale)
    titles = _titles(prompt)[:MOST_TITLES]
    if titles:
        yield closest("; ".join(titles), prompt.locale)


def _options(prompt: Prompt) -> Iterator[str]:
    yield notice(Notice.DISAMBIGUATION, prompt.locale)
    yield "\n".join(f"{n}. {title}" for n, title in enumerate(_titles(prompt), start=1))


def _titles(prompt: Prompt) -> list[str]:
    named = map(title_of, prompt.passages)
    return list(dict.fromkeys(title for title in named if title))


def _spaced(paragraphs: Iterator[str]) -> Iterator[str]:
    for number, paragraph in enumerate(paragraphs):
        if number:
            yield "\n\n"
        yield from paragraph.splitlines(keepends=True)
