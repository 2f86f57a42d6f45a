"""Reading traces: a stream of checked values, or every problem of the file.

Anybody's script may have written them, so the reader is forgiving where
nothing is lost (numbers as ids, nulls, legs inside stages, unknown fields) and
says line and field where it cannot be.
"""

import re
from collections.abc import Container, Iterator, MutableMapping
from dataclasses import dataclass, fields
from os import PathLike

import msgspec

from lastro.errors import InputError, Problem
from lastro.model.trace import TRACE_VERSION, Trace
from lastro.text.ids import canonical, unseen
from lastro.trace.lines import Unreadable, numbered, parse

MOST_PROBLEMS = 1000
_KNOWN = frozenset(item.name for item in fields(Trace))
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_ID_FIELDS = frozenset({"case_id", "id", "parent_id", "document_id", "passage_id"})
_ID_LISTS = frozenset({"cited_ids", "gold_not_indexed"})
_OPEN = frozenset({"answer", "provenance"})  # free objects: their nulls are theirs


@dataclass(frozen=True, slots=True, kw_only=True)
class _AnswerCitation:
    document_id: str | int
    passage_id: str | int | None = None
    start: int | None = None
    end: int | None = None
    quote: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _AnswerClaim:
    claim: str | None = None
    text: str | None = None
    target: str | None = None
    citations: tuple[_AnswerCitation, ...] | None = None


class _Wrong(ValueError):
    """A field of a trace is not what it has to be."""

    def __init__(self, field: str, what: str) -> None:
        super().__init__(what)
        self.field = field


@dataclass(frozen=True, slots=True, kw_only=True)
class _Named:
    case_id: str


_decode = msgspec.json.Decoder(Trace).decode
_named_only = msgspec.json.Decoder(_Named).decode
_names = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode


def read(
    path: str | PathLike[str],
    *,
    unknown: MutableMapping[str, int] | None = None,
    only: Container[str] | None = None,
) -> Iterator[tuple[int, Trace]]:
    """Yield every trace of a file with its line number, in flat memory.

    Args:
        path: a file of JSON Lines.
        unknown: if given, counts the fields that no trace has, by name.
        only: if given, the cases whose traces are wanted, by ids that compare;
            those of others are passed over, with most of what is wrong in them.

    Raises:
        InputError: with every problem of the file.  Traces before the first
            problem have been yielded by then; none after it is.
    """
    problems: list[Problem] = []
    for number, raw in _wanted(path, only):
        try:
            trace = _trace(raw)
        except (_Wrong, Unreadable) as error:
            field = error.field if isinstance(error, _Wrong) else ""
            what = str(error)
            problems.append(
                Problem(file=str(path), line=number, field=field, what=what)
            )
            if len(problems) == MOST_PROBLEMS:
                break
            continue
        if unknown is not None:
            for name in _names(raw).keys() - _KNOWN:
                unknown[name] = unknown.get(name, 0) + 1
        if not problems:
            yield number, trace
    if problems:
        raise InputError(problems)


def _wanted(
    path: str | PathLike[str], only: Container[str] | None
) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of a file, or those of some cases and what has no case.

    To see whose a trace is takes a fifth of the time that reading it does.
    """
    for number, raw in numbered(path):
        try:
            if only is None or canonical(_named_only(raw).case_id) in only:
                yield number, raw
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            yield number, raw  # forgiven or refused by who reads it


def _trace(raw: bytes) -> Trace:
    try:
        trace = _decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        try:
            trace = _forgiven(raw)
        except RecursionError:  # where an open field was read, and another is wrong
            raise Unreadable("nested too deeply") from None
    _check(trace)
    return trace


def _forgiven(raw: bytes) -> Trace:
    """Read a line again, forgiving what loses nothing, or say what is wrong."""
    given = parse(raw)
    if not isinstance(given, dict):
        raise Unreadable(f"a JSON object is needed, not {_word(given)}")
    if "case_id" not in given:
        raise _Wrong("case_id", "missing")
    row = {
        name: value if name in _OPEN else _plain(value, name)
        for name, value in given.items()
        if value is not None
    }
    stages = row.get("stages")
    if isinstance(stages, dict) and "legs" in stages:
        row["stages"] = {name: stages[name] for name in stages if name != "legs"}
        row.setdefault("legs", stages["legs"])
    try:
        return msgspec.convert(row, Trace)
    except msgspec.ValidationError as error:
        raise _translated(error, where=_key(row, str(error))) from None


def _key(row: dict[str, object], message: str) -> str:
    """Find which key of an object the decoder's ``[...]`` stands for."""
    found = re.search(r"`\$\.(\w+)\[\.\.\.\]", message)
    inside = row.get(found[1]) if found else None
    if found is None or not isinstance(inside, dict):
        return ""
    for name, value in inside.items():
        try:
            msgspec.convert({"case_id": "", found[1]: {name: value}}, Trace)
        except msgspec.ValidationError:
            return str(name)
    return ""


def _plain(value: object, name: str) -> object:
    """Drop nulls of objects and turn numbers that name something into text."""
    if isinstance(value, dict):
        return {k: _plain(v, k) for k, v in value.items() if v is not None}
    if isinstance(value, list):
        return [_plain(item, "id" if name in _ID_LISTS else "") for item in value]
    if name in _ID_FIELDS and isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return value


_MISMATCH = re.compile(r"Expected `([^`]*)`, got `([^`]*)`(?: - at `\$\.?(.*)`)?")
_MISSING = re.compile(r"Object missing required field `([^`]*)`(?: - at `\$\.?(.*)`)?")
_WORDS = {
    "str": "text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
}


def _translated(error: Exception, *, under: str = "", where: str = "") -> _Wrong:
    """Turn a refusal of the decoder into a field and a sentence for people."""
    message = str(error).replace("[...]", f".{where}" if where else "")
    if found := _MISSING.match(message):
        field = ".".join(part for part in (found[2], found[1]) if part)
        return _Wrong(under + field, "missing")
    if found := _MISMATCH.match(message):
        needed = [_WORDS.get(k, k) for k in found[1].split(" | ") if k != "null"]
        got = _WORDS.get(found[2], found[2])
        what = f"{' or '.join(needed)} is needed, not {got}"
        return _Wrong(under + (found[3] or ""), what)
    return _Wrong(under, message)


def _word(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, list):
        return "a list"
    return "text" if isinstance(value, str) else "a number"


def _check(trace: Trace) -> None:
    if trace.trace_version != TRACE_VERSION:
        what = f"{trace.trace_version} is unknown; this Lastro reads {TRACE_VERSION}"
        raise _Wrong("trace_version", what)
    named = _identifiers(trace)
    if not ("".join(named).isprintable() and all(map(str.strip, named))):
        _refuse_id(trace)
    if trace.answer is not None and (trace.claims is None or trace.cited_ids is None):
        try:
            msgspec.convert(trace.answer.get("claims"), list[_AnswerClaim] | None)
        except msgspec.ValidationError as error:
            raise _translated(error, under="answer.claims") from None


def _identifiers(trace: Trace) -> list[str]:
    """Return every id of a trace; flat, since a file may hold millions."""
    found: list[str] = [trace.case_id, *(trace.cited_ids or ())]
    for hit in trace.retrieved or ():
        found.append(hit.id)
        if hit.parent_id is not None:
            found.append(hit.parent_id)
    found.extend(item.document_id for item in trace.evidence or ())
    return found


def _refuse_id(trace: Trace) -> None:
    """Name the first id that is blank or holds a control character, if any."""
    for field, identifier in _named(trace):
        if unseen(identifier):
            raise _Wrong(field, "the id is blank")
        if control := _CONTROL.search(identifier):
            what = f"control character U+{ord(control[0]):04X} in {identifier!r}"
            raise _Wrong(field, what)


def _named(trace: Trace) -> Iterator[tuple[str, str]]:
    """Yield the same ids as :func:`_identifiers`, each with its field."""
    yield "case_id", trace.case_id
    for at, identifier in enumerate(trace.cited_ids or ()):
        yield f"cited_ids[{at}]", identifier
    for at, hit in enumerate(trace.retrieved or ()):
        yield f"retrieved[{at}].id", hit.id
        if hit.parent_id is not None:
            yield f"retrieved[{at}].parent_id", hit.parent_id
    for at, item in enumerate(trace.evidence or ()):
        yield f"evidence[{at}].document_id", item.document_id
