"""The trace as scorers see it: what stands in where a field is absent.

Every rule of absence has its one home here.  ``None`` means *not measured*;
an empty result means that it was measured and nothing was there.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lastro.model.trace import (
    Retrieved,
    Trace,
    TraceCitation,
    TraceClaim,
    TracePassage,
)
from lastro.text.ids import canonical

NO_TEXT = "the trace holds no text of the evidence (evidence, retrieved[].text)"
NO_EVIDENCE = "the trace has neither evidence nor retrieved"
NO_CITATIONS = "the trace has neither cited_ids nor claims"


class MalformedAnswer(ValueError):
    """The answer contract in a trace is not what schema 2 says."""


@dataclass(frozen=True, slots=True)
class Text:
    """One text of the evidence, under the comparable id of its document."""

    document: str
    text: str


def document_of(hit: Retrieved) -> str:
    """Return the identity of a retrieved item: its parent, else itself."""
    return canonical(hit.id if hit.parent_id is None else hit.parent_id)


def documents_of(hits: Sequence[Retrieved]) -> list[str]:
    """Return the identities of retrieved items, in their order, with repeats."""
    found = [hit.id if hit.parent_id is None else hit.parent_id for hit in hits]
    return comparable(found)


def comparable(given: Sequence[str]) -> list[str]:
    """Return ids in the form in which they compare; one look where all are ASCII."""
    if "".join(given).isascii():
        return list(given)
    return [canonical(item) for item in given]


def ids(given: Sequence[str]) -> frozenset[str]:
    """Return ids as a set in the form in which they compare."""
    return frozenset(comparable(given))


def documents(trace: Trace) -> frozenset[str] | None:
    """Return the documents of the evidence; known even where texts are not kept."""
    if trace.evidence is not None:
        return ids([item.document_id for item in trace.evidence])
    if trace.retrieved is not None:
        return frozenset(documents_of(trace.retrieved))
    return None


def texts(trace: Trace) -> list[Text] | None:
    """Return the texts of the evidence, or None where none was kept.

    Without ``evidence``, all of ``retrieved`` stands in, not the k window.
    """
    if trace.evidence is not None:
        found = [
            Text(canonical(item.document_id), item.text)
            for item in trace.evidence
            if item.text
        ]
        return found if found or not trace.evidence else None
    if trace.retrieved is None:
        return None
    found = [Text(document_of(hit), hit.text) for hit in trace.retrieved if hit.text]
    return found if found or not trace.retrieved else None


def passages(trace: Trace) -> tuple[TracePassage, ...] | None:
    """Return the evidence passage by passage, for checks of single citations."""
    if trace.evidence is not None or trace.retrieved is None:
        return trace.evidence
    return tuple(
        TracePassage(
            document_id=hit.id if hit.parent_id is None else hit.parent_id,
            passage_id=hit.id if hit.parent_id is not None else None,
            text=hit.text,
        )
        for hit in trace.retrieved
    )


def citations(trace: Trace) -> list[TraceCitation] | None:
    """Return every citation of the turn: those of the claims, else of ``cited_ids``."""
    made = claims(trace)
    if made is not None:
        found = [citation for claim in made for citation in claim.citations]
        if found or not trace.cited_ids:
            return found
    if trace.cited_ids is None:
        return None
    return [TraceCitation(document_id=item) for item in trace.cited_ids]


def cited(trace: Trace) -> list[str] | None:
    """Return the comparable ids of the documents cited, in order."""
    if trace.cited_ids is not None:
        return comparable(trace.cited_ids)
    made = claims(trace)
    if made is None:
        return None
    return comparable([c.document_id for claim in made for c in claim.citations])


def claims(trace: Trace) -> tuple[TraceClaim, ...] | None:
    """Return the claims of the turn; absent, those of the answer contract.

    Raises:
        MalformedAnswer: the contract's claims are not what schema 2 says.
    """
    if trace.claims is not None:
        return trace.claims
    made = None if trace.answer is None else trace.answer.get("claims")
    if made is None:
        return None
    return tuple(_claim(item) for item in _list(made, "answer.claims"))


def abstained(trace: Trace) -> bool:
    """Say whether the system abstained; absent counts as no."""
    return trace.abstained is True


def _claim(item: object) -> TraceClaim:
    claim = _object(item, "answer.claims[]")
    return TraceClaim(
        text=_text(claim.get("claim", claim.get("text")), "answer.claims[].claim"),
        target=_text(claim.get("target"), "answer.claims[].target") or None,
        citations=tuple(
            _citation(_object(given, "answer.claims[].citations[]"))
            for given in _list(claim.get("citations"), "answer.claims[].citations")
        ),
    )


def _citation(given: Mapping[str, object]) -> TraceCitation:
    where = "answer.claims[].citations[]"
    return TraceCitation(
        document_id=_id(given.get("document_id"), f"{where}.document_id"),
        passage_id=_id(given.get("passage_id"), f"{where}.passage_id") or None,
        start=_offset(given.get("start"), f"{where}.start"),
        end=_offset(given.get("end"), f"{where}.end"),
        quote=_text(given.get("quote"), f"{where}.quote") or None,
    )


def _object(value: object, where: str) -> Mapping[str, object]:
    if not isinstance(value, Mapping):
        raise MalformedAnswer(f"{where} is not an object")
    return value


def _list(value: object, where: str) -> Sequence[object]:
    if value is None:
        return ()
    if not isinstance(value, list | tuple):
        raise MalformedAnswer(f"{where} is not a list")
    return value


def _text(value: object, where: str) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        raise MalformedAnswer(f"{where} is not a string")
    return value


def _id(value: object, where: str) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return _text(value, where)


def _offset(value: object, where: str) -> int | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int):
        raise MalformedAnswer(f"{where} is not a whole number")
    return value
