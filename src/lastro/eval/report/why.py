"""A turn's layers as a picture in text: what ``lastro why`` shows.  Pure.

Unlike a report this shows texts of a case: whoever asks has its files.
"""

from collections.abc import Iterable, Iterator, Sequence

from lastro.eval.report.held import codes, evidence, grounding, holders, unreadable
from lastro.eval.report.number import number
from lastro.eval.report.plain import no_command, plain, shortened
from lastro.eval.report.terminal import width
from lastro.eval.report.told import told
from lastro.eval.report.turn import ONE, Layer, Turn
from lastro.eval.scorers.contract import MalformedAnswer
from lastro.eval.scorers.view import View, ids
from lastro.model.case import Case
from lastro.model.failure import Failure
from lastro.model.ranking import LegStatus
from lastro.model.score import Scored
from lastro.model.trace import TraceClaim

DRAWN = 24  # documents of a layer that a picture shows one by one
_LONGEST = 300  # characters of a text shown
_MOST = 12  # passages and claims shown; --json has all of them
_NOT_KNOWN = "What was retrieved is not known: the turn broke."
_NOT_ASKED = "It was not asked: the run did not end; lastro eval ... --resume goes on."
_SHOUTED = frozenset({LegStatus.FAILED, LegStatus.BLIND})


def why(turn: Turn, columns: int = 100) -> str:
    """Render one turn, at most ``columns`` wide; no text of it steers a terminal."""
    parts = (
        _head(turn),
        _layers(turn),
        _decision(turn),
        _evidence(turn),
        _claims(turn),
        _verdict(turn),
    )
    said = (found for part in parts if (found := tuple(part)))
    lines = (plain(line).rstrip() for part in said for line in (*part, ""))
    shown = (piece for line in lines for piece in folded(line, columns))
    return "\n".join(map(no_command, shown)).rstrip("\n") + "\n"


def folded(line: str, columns: int) -> Iterator[str]:
    """Break a line at blanks to lines of at most so many columns, indented alike.

    >>> list(folded("  one two three", 9))
    ['  one two', '  three']
    """
    indent = line[: len(line) - len(line.lstrip())]
    kept = ""
    for word in line.split(" ") if width(line) > columns else ():
        more = f"{kept} {word}" if kept.strip() else f"{kept or indent}{word}"
        if width(more) > columns and kept.strip():
            yield fitted(kept, columns)
            more = indent + word
        kept = more
    yield fitted(kept or line, columns)


def fitted(line: str, columns: int) -> str:
    """Cut what cannot be broken.

    >>> fitted("한국어 text", 6)
    '한국…'
    """
    if width(line) <= columns:
        return line
    while width(line) >= columns:
        line = line[:-1]
    return line + "…"


def _head(turn: Turn) -> Iterator[str]:
    yield f"{turn.name}  {turn.failure or ''}"
    query = turn.case.query if turn.case is not None else None
    if query is None and turn.trace is not None:
        query = turn.trace.query
    yield f"  {query or 'the trace does not hold the question'}"
    if turn.case is None:
        yield "  There is no case to it: layers are shown without gold."
    for one in turn.sought:
        side = f"side {one.mark}, {one.side}" if one.side else f"gold {one.mark}"
        yield f"  {side}: {' or '.join(one.documents)}"
    missing = () if turn.trace is None else turn.trace.gold_not_indexed or ()
    if missing:
        yield f"  NOT IN THE KNOWLEDGE BASE: {', '.join(missing)}"


def _layers(turn: Turn) -> Iterator[str]:
    if turn.trace is None:
        yield _NOT_ASKED if turn.unasked else "The run left no trace of it."
        return
    yield "Layers"
    marks = [one.mark for one in turn.sought]
    yield f"  {_legend(marks)}"
    for layer in turn.layers:
        status = layer.status.upper() if layer.status in _SHOUTED else layer.status
        drawn = picture(layer, marks)
        gap = " " * (DRAWN + 6 - width(drawn))
        yield f"  {layer.name:10}{status:9}{drawn}{gap}{_places(layer, marks)}".rstrip()
    if turn.trace.retrieved is None:
        broke = turn.trace.error is not None
        yield f"  {_NOT_KNOWN if broke else 'There was no retrieval step.'}"
    for leg in turn.down:
        yield f"  {leg.upper()} WAS DOWN: what it would have found is not known."


def _legend(marks: Sequence[str]) -> str:
    sought = {ONE: "gold"}.get("".join(marks), "a side's document")
    marked = f"{' '.join(marks)} {sought}, " if marks else ""
    return f"{marked}· another document, | the cut at k, ... more documents"


def picture(layer: Layer, marks: Sequence[str]) -> str:
    """Draw the documents of a layer in order, with the mark of each thing sought.

    A bar stands where the layer is cut, three dots for documents not drawn.
    """
    if layer.order is None:
        return ""
    shown = ["·"] * min(len(layer.order), DRAWN)
    for mark, rank in zip(marks, layer.ranks, strict=False):
        if rank is not None and rank <= DRAWN:
            shown[rank - 1] = mark
    if layer.cut is not None and layer.cut < len(layer.order):
        shown.insert(layer.cut, "|")
    return "".join(shown) + ("..." if len(layer.order) > DRAWN else "")


def _places(layer: Layer, marks: Sequence[str]) -> str:
    if layer.order is None:
        silent = layer.status and layer.status != LegStatus.OK
        return "" if silent else "not in the trace"
    of = f"of {len(layer.order)}"
    single = len(marks) == 1
    found = [
        ("" if single else f"{mark} ") + ("none" if rank is None else f"at {rank}")
        for mark, rank in zip(marks, layer.ranks, strict=False)
    ]
    lost = "" if single else " ".join(layer.lost)
    arrow = f"  <- LOST HERE {lost}" if layer.lost else ""
    return f"{', '.join(found)} {of}".strip() + arrow.rstrip()


def _decision(turn: Turn) -> Iterator[str]:
    if turn.trace is None:
        return
    error, decision = turn.trace.error, turn.trace.decision
    if error is not None:
        by = f" of {error.provider}" if error.provider else ""
        yield f"THE TURN BROKE: {error.kind}{by}"
    if decision is None or decision.reason is None:
        yield "Decision: not in the trace"
    else:
        sure = number(decision.confidence)
        yield f"Decision: {decision.reason}, confidence {sure}"
        more = [each for each in decision.reasons if each != decision.reason]
        if more:
            yield f"  also: {', '.join(more)}"
    expected = None if turn.case is None else turn.case.expected_reason
    if expected is not None:
        yield f"  expected: {expected}"
    said = {"abstained": turn.trace.abstained, "refused": turn.trace.refused}
    yield f"  {', '.join(_said(name, value) for name, value in said.items())}"


def _said(name: str, value: bool | None) -> str:  # noqa: FBT001 - a fact, no switch
    return f"{name}: {'not known' if value is None else 'yes' if value else 'no'}"


def _evidence(turn: Turn) -> Iterator[str]:
    found = evidence(turn)
    if found is None:
        return
    own = turn.trace is not None and turn.trace.evidence is not None
    instead = "" if own else ", those retrieved: the trace names no evidence"
    yield f"Evidence: {len(found)} passage{'' if len(found) == 1 else 's'}{instead}"
    for place, (passage, marks) in enumerate(found[:_MOST], 1):
        yield f"  {place:2} {marks or ' '} {passage.passage_id or passage.document_id}"
        text = (passage.text or "its text is not in the trace").strip()
        yield f"       {shortened(text, _LONGEST)}"
    yield from _rest(len(found))
    if why_not := unreadable(turn):
        yield f"  Which terms stand in it is not known: {why_not}."
    for term, places in holders(turn).items():
        yield f"  term {term!r}: {_where(places)}"
    for mark, places in grounding(turn).items():
        yield f"  side {mark}, all its terms in its own documents: {_where(places)}"


def _where(places: Sequence[int]) -> str:
    return f"in passage {', '.join(map(str, places))}" if places else "IN NO PASSAGE"


def _claims(turn: Turn) -> Iterator[str]:
    if turn.trace is None:
        return
    try:
        made = View(turn.trace).claims
    except MalformedAnswer as error:
        yield f"Claims: cannot be read, {error}"
        return
    if made is None:
        yield "Claims: not in the trace"
        return
    yield f"Claims: {len(made)}"
    wrong, unknown = codes(turn)
    for place, claim in enumerate(made[:_MOST], 1):
        yield f"  {place:2} {shortened(claim.text.strip(), _LONGEST)}"
        cites = " ".join(f"[{_cite(each)}]" for each in _distinct(claim))
        judged = unknown or ", ".join(wrong.get(place, ())) or "ok"
        yield f"       {cites or 'cites nothing'}  {judged}"
    yield from _rest(len(made))
    for code in wrong.get(0, ()):
        yield f"  {code}"


def _cite(ids: tuple[str, str | None]) -> str:
    return ids[1] or ids[0]


def _distinct(claim: TraceClaim) -> Iterable[tuple[str, str | None]]:
    return dict.fromkeys((c.document_id, c.passage_id) for c in claim.citations)


def _rest(n: int) -> Iterator[str]:
    if n > _MOST:
        yield f"  and {n - _MOST} more"


def _verdict(turn: Turn) -> Iterator[str]:
    if turn.case is None:
        yield "No label: give the cases with --cases to see where a failed one broke."
        return
    if turn.unasked:
        return
    meaning = told(turn)
    if meaning is None:
        yield "It did not fail."
        return
    by = ", ".join(
        f"{name} {number(found.value) if isinstance(found, Scored) else 'broke'}"
        for name, found in turn.failing.items()
    )
    yield f"{turn.failure}: {meaning.what}"
    if by and turn.trace is not None:
        yield f"  failed by: {by}"
    yield from (f"  {note}" for note in _notes(turn, turn.case))
    yield f"  {meaning.todo}"


def _notes(turn: Turn, case: Case) -> Iterator[str]:
    """Say what the label alone does not."""
    left = turn.trace
    if left is None:
        return
    if "refusal" in turn.failing and left.abstained:
        yield "It declined, and did not say that it refused."
    if turn.failure is Failure.CITATION_MISS:
        there = ids([name for layer in turn.layers for name in layer.order or ()])
        if there.isdisjoint(ids(case.must_cite_one_of)):
            yield "What it has to cite was not found either."
    if turn.down and turn.failure in {Failure.CANDIDATE_MISS, Failure.RETRIEVAL_MISS}:
        yield f"Begin with the leg that was down: {', '.join(turn.down)}."
