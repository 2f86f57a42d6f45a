"""What is said of one failed turn: its label, in the words of what was found.  Pure.

A label covers several findings; of a turn it is known which it was.
"""

from collections.abc import Iterator, Mapping

from lastro.eval.report.labels import MEANINGS, Meaning
from lastro.eval.report.turn import Turn, place_of_gold
from lastro.eval.scorers import misaligned
from lastro.eval.scorers.alignment import Misaligned, Misalignment
from lastro.eval.scorers.contract import MalformedAnswer
from lastro.eval.scorers.view import View
from lastro.model.failure import Failure
from lastro.model.ranking import Stage
from lastro.model.score import Unscored

_NO_TRACE = Meaning("the run left no trace of it", "Run the case again.")
_FOUND: Mapping[Misalignment, str] = {
    Misalignment.CLAIM_MISSING_CITATION: "claim {claim} cites nothing",
    Misalignment.CITATION_NOT_IN_EVIDENCE: (
        "claim {claim} cites what is not in the evidence"
    ),
    Misalignment.CLAIM_TEXT_NOT_SUPPORTED: (
        "claim {claim} does not stand in what it cites"
    ),
    Misalignment.DOCUMENT_MISMATCH: (
        "claim {claim} cites no document of its side {target}"
    ),
    Misalignment.TERMS_MISSING: (
        "what claim {claim} cites lacks terms of its side {target}"
    ),
    Misalignment.CLAIM_MISSING: "no claim names the side {target}",
}
_NO_SIDE = "See why the answer says nothing of that side: its plan, and its evidence."


def told(turn: Turn) -> Meaning | None:
    """Return what happened to a failed turn and what to do; None if it did not fail."""
    if turn.failure is None:
        return None
    if turn.trace is None:
        return _NO_TRACE
    return _found(turn, turn.failure)


def _found(turn: Turn, failure: Failure) -> Meaning:
    general = MEANINGS[failure]
    match failure:
        case Failure.UNSUPPORTED_CLAIM:
            return _of_claims(turn, general)
        case Failure.RETRIEVAL_MISS:
            return _behind(turn, "retrieved", general, "not in the first {k}")
        case Failure.FUSION_MISS:
            said = "a leg had the gold document, fusion left it out of the first {k}"
            return _behind(turn, Stage.FUSED, general, said)
        case Failure.RERANK_MISS:
            said = "the reranker was given the gold document, and left it out of the "
            return _behind(turn, Stage.RERANKED, general, said + "first {k}")
        case _:
            return general


def _behind(turn: Turn, layer: str, general: Meaning, said: str) -> Meaning:
    """Say at which place gold stands that is there, and below the cut."""
    at = place_of_gold(turn, layer)
    if at is None or at <= turn.k:
        return general
    what = f"{said.format(k=turn.k)} (it stands at {at})"
    return Meaning(what, general.todo)


def _of_claims(turn: Turn, general: Meaning) -> Meaning:
    found = tuple(_misaligned(turn))
    if not found:
        return general
    what = "; ".join(
        dict.fromkeys(
            _FOUND[each.code].format(claim=each.claim, target=each.target).rstrip()
            for each in found
        )
    )
    only_missing = all(each.code is Misalignment.CLAIM_MISSING for each in found)
    return Meaning(what, _NO_SIDE if only_missing else general.todo)


def _misaligned(turn: Turn) -> Iterator[Misaligned]:
    if turn.case is None or turn.trace is None:
        return
    try:
        found = misaligned(turn.case, View(turn.trace))
    except MalformedAnswer:
        return
    yield from () if isinstance(found, Unscored) else found
