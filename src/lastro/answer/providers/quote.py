"""The default provider: answers in the documents' own words, without a model.

Deterministic and offline.  It never writes a statement of its own: sentences
stand verbatim in a passage, everything else is a fixed text of the catalogue.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby

from lastro.answer.analyse import Analysis, Ask, Courtesy, analyse
from lastro.answer.catalogue import said
from lastro.answer.framing import closest, opens_extension, title_of, vague
from lastro.answer.gaps import Gaps, gaps
from lastro.answer.halves import LEAST, Half, half_of, halves, unanswered
from lastro.answer.lines import Line
from lastro.answer.pick import covered, holds_of, pick, words_held
from lastro.answer.pool import Pool, pool
from lastro.answer.sides import SPOKEN_OF
from lastro.gate.messages import Notice, notice
from lastro.grounding import fence
from lastro.model.answer import ContractName, Prompt
from lastro.model.decision import ReasonCode

MOST_TITLES = 3
LEAST_WORDS = 2  # informative ones, where the question has as many
LEAST_COVERED = 0.4  # of the question's informative weight; less is no answer
HALF = 0.5  # of the informative weight of one of two requests
NONE: frozenset[str] = frozenset()
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
    parts = halves(prompt, shape)
    asks = _asks(prompt, shape)
    lines = _each(found, parts, asks) or pick(found, asks, readings=readings)
    if not _answers(prompt, found, lines, absent, shape) or _in_passing(
        found, lines, shape
    ):
        yield from _declined(prompt, absent)
        return
    unspoken = tuple(
        side.text
        for at, side in enumerate(found.sides)
        if max((line.sides[at] for line in lines), default=0.0) < SPOKEN_OF
    )
    left = unanswered(prompt, parts, holds_of(found, lines))
    yield from _missing(absent.with_missing((*unspoken, *left)), prompt.locale)
    titles = {p.hit.document_id: title_of(p) for p in prompt.passages}
    several = readings and len({line.document_id for line in lines}) > 1
    for document, part in groupby(lines, key=lambda line: line.document_id):
        head = f"{titles[document]}\n" if several and titles[document] else ""
        yield head + _paragraph(tuple(part), headed=not asks or Ask.HOW in asks)


def _answers(
    prompt: Prompt, found: Pool, lines: Sequence[Line], absent: Gaps, shape: Analysis
) -> bool:
    """Whether ``lines`` are about the question, and not about one word of it."""
    asked = sum(term.informative for term in found.terms)
    if words_held(found, lines) < min(LEAST_WORDS, asked):
        return False
    least = LEAST_IF.get(prompt.decision.reason, LEAST_COVERED)
    return covered(found, lines, absent.names, stated=not shape.asks) >= least


def _asks(prompt: Prompt, shape: Analysis) -> frozenset[Ask]:
    """Return what is asked for; of a bare word its meaning."""
    if not shape.asks and len(prompt.terms) == 1:
        return frozenset({Ask.MEANING})
    return shape.asks


def _each(found: Pool, parts: Sequence[Half], asks: frozenset[Ask]) -> tuple[Line, ...]:
    """Return the lines for each of two requests that the passages answer."""
    lines: list[Line] = []
    for part in parts:
        own = half_of(found, part)
        chosen = pick(own, asks)
        if words_held(own, chosen) >= LEAST and covered(own, chosen, NONE) >= HALF:
            lines += chosen
    return tuple(dict.fromkeys(lines))


def _in_passing(found: Pool, lines: Sequence[Line], shape: Analysis) -> bool:
    """Whether a few words that ask for nothing have one in common with ``lines``.

    "can't log in" is not about the sentence that holds "audit log" under a
    title and headings without either word.
    """
    terms = [term for term in found.terms if term.informative]
    if shape.asks or shape.targets or len(terms) != 1 or len(found.terms) == 1:
        return False
    return not any(found.share(line.above, informative=True) for line in lines)


def _paragraph(lines: Sequence[Line], *, headed: bool) -> str:
    """Return the quotes of one document; a line of its own stays one.

    Steps stand under the heading that says what they are for.
    """
    out = ""
    rows = {(line.section, line.row) for line in lines if line.table < 0}
    for before, line in zip((None, *lines), lines, strict=False):
        starts = before is None or line.section != before.section
        steps = headed and sum(section == line.section for section, _ in rows) > 1
        if before:
            out += "\n" if line.row != before.row or (starts and steps) else " "
        if starts and steps and line.head and not opens_extension(line.head):
            out += f"{line.head}\n"
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
