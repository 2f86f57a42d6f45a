"""Turns an answer's text into statements, and statements into checked claims.

Pure.  A trailing marker belongs to the sentence before it; a marker at the head
of a line that goes on belongs to the sentence after it.  A claim's citation
points into the document: to the words themselves where the claim quotes, else
to the span that the support check found.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from lastro.answer.framing import is_framing, opens_extension
from lastro.answer.markers import Cite, Lost, Text, Token
from lastro.grounding import fence, flags
from lastro.grounding.support import SupportResult, support, verbatim
from lastro.model.answer import (
    Citation,
    Claim,
    Finding,
    Prompt,
    PromptPassage,
    Support,
)
from lastro.model.document import Span
from lastro.text.sentences import sentences


@dataclass(slots=True)
class Statement:
    """A sentence of the answer with the ids behind it, known and unknown."""

    text: str
    cites: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """A statement after the support check; ``claim`` is None where nothing is cited."""

    statement: Statement
    claim: Claim | None
    support: Support
    findings: tuple[Finding, ...]


def statements(tokens: Sequence[Token], prompt: Prompt) -> tuple[Statement, ...]:
    """Return the sentences of an answer that state something, in order.

    The engine's own words about an answer (notices, declared gaps) are no
    statements, nor is what stands under the label of a teaching extension.
    """
    plain, marks = _apart(tokens)
    spans = _joined(_stating(plain, prompt), plain, marks, prompt)
    found = [Statement(" ".join(plain[s.start : s.end].split())) for s in spans]
    for at, token in marks:
        owner = _owner(plain, spans, at)
        if owner is None:
            continue
        ids = found[owner].cites if isinstance(token, Cite) else found[owner].lost
        if token.id not in ids:
            ids.append(token.id)
    return tuple(found)


def check(statement: Statement, prompt: Prompt) -> Checked:
    """Return the claim of a statement, how far it is supported, and the findings.

    A statement without a citation is checked against every passage, so that
    nothing counts as supported for having been looked at less.
    """
    by_id = {passage.cite_id: passage for passage in prompt.passages}
    cited = [by_id[cite] for cite in statement.cites]
    seen = _support(statement.text, cited or prompt.passages, prompt.locale)
    findings = flags.unresolved_citations(statement.text, statement.lost)
    wrong = flags.unsupported_claim(statement.text, seen) if cited else None
    claim = None
    if cited or statement.lost:
        claim = Claim(
            claim=statement.text,
            support=seen.support if cited else Support.UNSUPPORTED,
            citations=tuple(_citation(statement.text, p, prompt.locale) for p in cited),
        )
    return Checked(
        statement=statement,
        claim=claim,
        support=seen.support,
        findings=(*findings, wrong) if wrong else findings,
    )


def _apart(tokens: Sequence[Token]) -> tuple[str, list[tuple[int, Cite | Lost]]]:
    """Return the text without its markers, and each marker's place in it."""
    plain, marks = "", []
    for token in tokens:
        if not isinstance(token, Text):
            plain = plain.rstrip(" \t")
            marks.append((len(plain), token))
        elif marks and marks[-1][0] == len(plain) and token.text[:1].isalnum():
            plain += " " + token.text
        else:
            plain += token.text
    return plain, marks


def _stating(plain: str, prompt: Prompt) -> list[Span]:
    spans: list[Span] = []
    at = 0
    for line in plain.splitlines(keepends=True):
        bare = line.strip()
        if opens_extension(bare):
            break
        if not is_framing(bare, prompt):
            found = sentences(line, prompt.locale)
            spans += [Span(at + span.start, at + span.end) for span in found]
        at += len(line)
    return [span for span in spans if _says(plain[span.start : span.end])]


def _says(text: str) -> bool:
    return any(map(str.isalnum, text))


def _joined(
    spans: list[Span],
    plain: str,
    marks: Sequence[tuple[int, Cite | Lost]],
    prompt: Prompt,
) -> list[Span]:
    """Join what a splitter cut apart although the cited passage has it in one piece."""
    texts = {p.cite_id: fence.escape(p.text) for p in prompt.passages}
    before = 0
    for at, token in marks:
        start = max(before, plain.rfind("\n", 0, at) + 1)
        inside = [s for s in spans if start <= s.start and s.end <= at]
        if isinstance(token, Cite) and len(inside) > 1:
            whole = Span(inside[0].start, inside[-1].end)
            if verbatim(plain[whole.start : whole.end], texts[token.id]):
                spans = [s for s in spans if s not in inside] + [whole]
        before = at
    return sorted(spans, key=lambda span: span.start)


def _owner(plain: str, spans: Sequence[Span], at: int) -> int | None:
    if not spans:
        return None
    line_start = plain.rfind("\n", 0, at) + 1
    heads = not _says(plain[line_start:at])
    goes_on = _says(plain[at:].partition("\n")[0])
    before = [i for i, span in enumerate(spans) if span.start < at]
    if (heads and goes_on) or not before:
        after = [i for i, span in enumerate(spans) if span.end > at]
        return after[0] if after else len(spans) - 1
    return before[-1]


def _support(
    sentence: str, passages: Sequence[PromptPassage], locale: str
) -> SupportResult:
    """Look for the very words first, in the form in which a passage was shown."""
    for shown in passages:
        span = verbatim(sentence, fence.escape(shown.text))
        if span:
            return SupportResult(
                support=Support.SUPPORTED,
                score=1.0,
                span=span,
                passage=shown.hit.passage,
            )
    return support(sentence, [shown.hit.passage for shown in passages], locale)


def _citation(sentence: str, shown: PromptPassage, locale: str) -> Citation:
    """Return a pointer to the quoted words, the supporting span, or the passage."""
    passage = shown.hit.passage
    span = _support(sentence, [shown], locale).span or Span(0, len(passage.text))
    return Citation(
        document_id=passage.document_id,
        passage_id=passage.id,
        title=shown.hit.title,
        section=" › ".join(passage.heading_path),
        page=passage.page,
        start=passage.start + span.start,
        end=passage.start + span.end,
        quote=passage.text[span.start : span.end],
    )
