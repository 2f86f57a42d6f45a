"""The claims of an answer in the form of the contract, read from a trace as it is."""

from collections.abc import Mapping, Sequence

from lastro.model.trace import TraceCitation, TraceClaim


class MalformedAnswer(ValueError):
    """The answer contract in a trace is not what schema 2 says."""


def claims_of(answer: Mapping[str, object]) -> tuple[TraceClaim, ...] | None:
    """Return the claims of an answer, or None if it has no word on them.

    Raises:
        MalformedAnswer: they are not what schema 2 says.
    """
    made = answer.get("claims")
    if made is None:
        return None
    return tuple(_claim(item) for item in _list(made, "answer.claims"))


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
