"""What the evidence of a turn holds: gold, terms, sides, and what its claims get wrong.

Pure.  What the trace does not tell is not answered, rather than answered with no.
"""

from lastro.eval.report.turn import SIDES, Turn
from lastro.eval.scorers import misaligned
from lastro.eval.scorers.comparison import grounded_target
from lastro.eval.scorers.groundedness import all_held
from lastro.eval.scorers.view import Text, View, comparable, ids
from lastro.model.case import Case
from lastro.model.ids import CaseId
from lastro.model.score import Unscored
from lastro.model.trace import TracePassage
from lastro.text.terms import Match, folded


def evidence(turn: Turn) -> list[tuple[TracePassage, str]] | None:
    """Return the passages of the evidence, each with the marks of what it is of."""
    found = None if turn.trace is None else View(turn.trace).passages
    if found is None:
        return None
    wanted = {one.mark: ids(one.documents) for one in turn.sought}
    own = comparable([passage.document_id for passage in found])
    return [
        (passage, "".join(mark for mark, gold in wanted.items() if document in gold))
        for passage, document in zip(found, own, strict=True)
    ]


def unreadable(turn: Turn) -> str:
    """Say why nothing is known of what stands in the evidence; empty if it is.

    A trace may keep no text, or no evidence, and a turn may break before it has
    any: none of these says that a term is not there.
    """
    if turn.trace is None:
        return "the run left no trace"
    view = View(turn.trace)
    if turn.trace.error is not None and not view.passages:
        return "the turn broke"
    if view.passages is None:
        return "the trace holds no evidence"
    return "" if view.texts is not None else "the trace holds no text"


def holders(turn: Turn) -> dict[str, list[int]]:
    """Return for each expected term which passages of the evidence hold it, from 1.

    Nothing is returned of evidence that is :func:`unreadable`.
    """
    if turn.case is None or turn.trace is None or unreadable(turn):
        return {}
    texts = [folded(each.text or "") for each in View(turn.trace).passages or ()]
    locale = turn.case.locale
    return {
        term: [
            place
            for place, text in enumerate(texts, 1)
            if all_held([term], [text], Match.SUBSTRING, locale)
        ]
        for term in turn.case.expected_terms
    }


def grounding(turn: Turn) -> dict[str, list[int]]:
    """Return for each side, by its mark, which passages ground it, from 1.

    That is a passage of the side's own documents that holds all of its terms.
    Nothing is returned of evidence that is :func:`unreadable`.
    """
    found = None if turn.trace is None else View(turn.trace).passages
    sided = any(one.side for one in turn.sought)
    if turn.case is None or not sided or unreadable(turn):
        return {}
    sides = dict(zip(SIDES, turn.case.expected_claim_citations, strict=False))
    own = comparable([passage.document_id for passage in found or ()])
    texts = [
        Text(document, folded(p.text or ""))
        for document, p in zip(own, found or (), strict=True)
    ]
    return {
        mark: [
            place
            for place, text in enumerate(texts, 1)
            if grounded_target(side, [text], Match.SUBSTRING, turn.case.locale)
        ]
        for mark, side in sides.items()
    }


def codes(turn: Turn) -> tuple[dict[int, list[str]], str]:
    """Return what is wrong with each claim (0: with no claim), or why it is not known.

    Raises:
        MalformedAnswer: the contract's claims are not what schema 2 says.
    """
    if turn.trace is None:
        return {}, "no trace"
    found = misaligned(turn.case or Case(id=CaseId(turn.name), query=""), turn.trace)
    if isinstance(found, Unscored):
        return {}, f"not checked: {found.why}"
    wrong: dict[int, list[str]] = {}
    for each in found:
        side = f"side {each.target}: " if each.target and not each.claim else ""
        wrong.setdefault(each.claim, []).append(f"{side}{each.code}")
    return wrong, ""
