"""Citations in the text of other systems' answers: claims, sources, findings.  Pure.

A trailing marker belongs to the sentence before it, one at the head of a line to
what the line says.  Whatever looks like a marker ends as a citation, as a finding
or as declared to be none; nothing is moved: spans are code points into the text.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from lastro.eval.imports.apart import Apart, apart
from lastro.eval.imports.brackets import FindingCode, Numbering, Read, markers
from lastro.eval.imports.prose import Prose
from lastro.model.document import Span
from lastro.model.trace import Trace, TraceCitation, TraceClaim
from lastro.text.ids import canonical


@dataclass(frozen=True, slots=True, kw_only=True)
class Cited:
    """One citation: the place of its source from 0, its marker, its claim from 0."""

    place: int
    span: Span
    claim: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A marker that names no source that there is; ``text`` is the marker."""

    code: FindingCode
    span: Span
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NoCitation:
    """What looks like a marker and is none, and why."""

    why: Apart
    span: Span
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Parsed:
    """What an answer claims and cites.

    ``claims`` are its sentences in order, each with its sources; ``citations``
    has every source of every marker.  ``silent`` are sentences that claim
    nothing and cite nothing: headings, questions, and what announces a list.
    """

    claims: tuple[TraceClaim, ...]
    citations: tuple[Cited, ...]
    findings: tuple[Finding, ...]
    others: tuple[NoCitation, ...]
    silent: tuple[Span, ...]


def parse(
    text: str, sources: Sequence[str | TraceCitation], locale: str = ""
) -> Parsed:
    """Return what an answer claims and cites.

    Args:
        text: the answer, Markdown or plain.
        sources: what it could cite, in the order of the numbers: ``[1]`` is the
            first.  An id is that of a document.
        locale: of the text; detected where it is not given.

    Returns:
        Claims whose citations are ``sources``.

    Edge cases:
        never raises, whatever the text; one that is blank claims nothing.

    >>> found = parse("It is open. [1] It closes at noon [2, 9].", ["a", "b"])
    >>> [(c.text, [s.document_id for s in c.citations]) for c in found.claims]
    [('It is open.', ['a']), ('It closes at noon.', ['b'])]
    >>> [(f.code.value, f.text) for f in found.findings]
    [('out_of_range', '[2, 9]')]
    """
    given = [TraceCitation(document_id=s) if isinstance(s, str) else s for s in sources]
    kinds = apart(text)
    found, others = _sorted_out(text, kinds, markers(text, _numbering(given)))
    prose = Prose.of(text, kinds, [read.span for read in found], locale)
    owners = [prose.owner(read.span) for read in found]
    claimed = [n for n in range(len(prose.sentences)) if n in owners or prose.claims(n)]
    numbers = {sentence: number for number, sentence in enumerate(claimed)}
    cited = [
        Cited(place=place, span=read.span, claim=numbers[owner])
        for read, owner in zip(found, owners, strict=True)
        if owner is not None
        for place in read.places
    ]
    places: dict[int, list[int]] = defaultdict(list)
    for each in cited:
        places[each.claim].append(each.place)
    return Parsed(
        claims=tuple(
            TraceClaim(
                text=prose.words(sentence),
                citations=tuple(given[at] for at in dict.fromkeys(places[number])),
            )
            for sentence, number in numbers.items()
        ),
        citations=tuple(cited),
        findings=tuple(_findings(text, found, owners)),
        others=tuple(others),
        silent=tuple(s for n, s in enumerate(prose.sentences) if n not in numbers),
    )


def with_markers(trace: Trace) -> tuple[Trace, Parsed | None]:
    """Return a trace with the claims and citations that its answer's text has.

    The numbers are those of ``evidence``, else of ``retrieved``; ids name their
    passages or documents.  A trace that has claims already, no text, nothing to
    number, an error or an abstention stays as it is, and nothing is parsed.
    """
    shown = _shown(trace)
    settled = trace.claims is not None or trace.error is not None or trace.abstained
    if shown is None or trace.answer_text is None or settled:
        return trace, None
    parsed = parse(trace.answer_text, shown)
    cited = dict.fromkeys(shown[each.place].document_id for each in parsed.citations)
    return replace(trace, claims=parsed.claims, cited_ids=tuple(cited)), parsed


def finding_rows(case_id: str, parsed: Parsed) -> list[dict[str, object]]:
    """Return the findings of an answer as rows, for programs and for people."""
    return [
        {
            "case_id": case_id,
            "code": str(found.code),
            "start": found.span.start,
            "end": found.span.end,
            "text": found.text,
        }
        for found in parsed.findings
    ]


def _shown(trace: Trace) -> list[TraceCitation] | None:
    """Return what the answer could cite, in the order in which it was shown."""
    if trace.evidence is not None:
        return [
            TraceCitation(document_id=item.document_id, passage_id=item.passage_id)
            for item in trace.evidence
        ]
    if trace.retrieved is None:
        return None
    return [
        TraceCitation(document_id=hit.id)
        if hit.parent_id is None
        else TraceCitation(document_id=hit.parent_id, passage_id=hit.id)
        for hit in trace.retrieved
    ]


def _numbering(given: Sequence[TraceCitation]) -> Numbering:
    ids: dict[str, int] = {}
    for place, source in enumerate(given):
        if source.passage_id is not None:
            ids.setdefault(canonical(source.passage_id), place)
    for place, source in enumerate(given):
        ids.setdefault(canonical(source.document_id), place)
    return Numbering(n=len(given), ids=ids)


def _sorted_out(
    text: str, kinds: Sequence[Apart | None], reads: Sequence[Read]
) -> tuple[list[Read], list[NoCitation]]:
    """Part what stands in prose from what is no citation there."""
    found: list[Read] = []
    others: list[NoCitation] = []
    for read in reads:
        span = read.span
        why = kinds[span.start]
        before = text[: span.start][-8:]
        if why is None and (len(before) - len(before.rstrip("\\"))) % 2:
            why = Apart.ESCAPED
        if why is None and read.year:
            why = Apart.YEAR
        if why is None:
            found.append(read)
        else:
            shown = text[span.start : span.end]
            others.append(NoCitation(why=why, span=span, text=shown))
    return found, others


def _findings(
    text: str, found: Sequence[Read], owners: Sequence[int | None]
) -> Iterator[Finding]:
    for read, owner in zip(found, owners, strict=True):
        lost = (FindingCode.NO_SENTENCE,) if owner is None and read.places else ()
        for code in (*read.codes, *lost):
            shown = text[read.span.start : read.span.end]
            yield Finding(code=code, span=read.span, text=shown)
