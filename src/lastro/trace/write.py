"""A trace as one line of JSON: sorted keys, no NaN, nothing that was not measured."""

import json
from collections.abc import Callable, Iterable
from dataclasses import fields
from operator import attrgetter
from typing import Any

import msgspec

from lastro.model.trace import (
    PlanStep,
    Retrieved,
    Trace,
    TraceCitation,
    TraceClaim,
    TraceDecision,
    TraceError,
    TraceLeg,
    TracePassage,
    TraceStageEntry,
)

_OPEN = ("answer", "provenance")  # free objects: their nulls are theirs
_LEAVES = frozenset({str, float, int, bool})
# Some readers take these for line ends.
_SEPARATORS = {
    character.encode(): b"\\u%04x" % ord(character)
    for character in ("\x85", "\u2028", "\u2029")
}
_encode = msgspec.json.Encoder(order="sorted").encode
_Copied = Callable[[Any], object]


def dumps(trace: Trace) -> str:
    """Return ``trace`` as one line, without a line end; the same bytes every time.

    ``None`` is left out at every level.  Characters that some readers take for
    line ends are escaped; half a surrogate pair becomes U+FFFD.

    Raises:
        ValueError: a number in the trace is not finite.
    """
    line = _line(_trace(trace), trace)
    if line is None:
        kept = _kept(trace)
        line = _line(kept, trace)
        if line is None:
            return _slowly(kept)
    if not line.isascii():
        for separator, escaped in _SEPARATORS.items():
            line = line.replace(separator, escaped)
    return line.decode()


def _line(value: object, trace: Trace) -> bytes | None:
    """Encode what stands for a trace; None where that may not be all of it."""
    try:
        line = _encode(value)
    except (UnicodeEncodeError, OverflowError):  # half a pair; a very long number
        return None
    # The encoder writes null for what is no number, so every null is accounted for.
    if b"null" in line and line.count(b"null") != sum(
        _nulls(found) for name in _OPEN if (found := getattr(trace, name)) is not None
    ):
        return None
    return line


def _copied(kind: type, **inside: _Copied) -> _Copied:
    """Return what copies a value so that the encoder passes over what is None.

    Most of a trace are rankings of small values, and walking them as plain
    objects takes several times what encoding takes.  ``inside`` copies fields.
    """
    names = sorted(field.name for field in fields(kind))
    slots = [(name, object, None) for name in names]
    copy = msgspec.defstruct(kind.__name__, slots, omit_defaults=True, gc=False)
    given = attrgetter(*names)
    if not inside:
        return lambda value: copy(*given(value))
    places = [(names.index(name), copied) for name, copied in inside.items()]

    def nested(value: object) -> object:
        found = list(given(value))
        for place, copied in places:
            if found[place] is not None:
                found[place] = copied(found[place])
        return copy(*found)

    return nested


def _each(copied: _Copied) -> _Copied:
    return lambda values: list(map(copied, values))


def _named(copied: _Copied) -> _Copied:
    return lambda values: {name: copied(value) for name, value in values.items()}


_trace = _copied(
    Trace,
    retrieved=_each(_copied(Retrieved)),
    stages=_named(_each(_copied(TraceStageEntry))),
    legs=_named(_copied(TraceLeg)),
    evidence=_each(_copied(TracePassage)),
    decision=_copied(TraceDecision),
    claims=_each(_copied(TraceClaim, citations=_each(_copied(TraceCitation)))),
    plan=_each(_copied(PlanStep)),
    error=_copied(TraceError),
)


def _kept(trace: Trace) -> dict[str, object]:
    """Return what of a trace was measured, as plain values: what breaks nothing."""
    plain = msgspec.to_builtins(trace, enc_hook=list)  # ``Hits``, a list of items
    return {
        name: value if name in _OPEN else _measured(value)
        for name, value in plain.items()
        if value is not None
    }


def _slowly(kept: dict[str, object]) -> str:
    """Write what the quick encoder cannot, or refuse a number that is none."""
    line = json.dumps(
        kept,
        allow_nan=False,
        ensure_ascii=False,
        sort_keys=True,
        separators=(",", ":"),
    )
    for separator, escaped in _SEPARATORS.items():
        line = line.replace(separator.decode(), escaped.decode())
    try:
        line.encode()
    except UnicodeEncodeError:
        return line.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return line


def _nulls(value: object) -> int:
    """Count the nulls of a free object."""
    if value is None:
        return 1
    inside = value.values() if isinstance(value, dict) else value
    if isinstance(inside, str) or not isinstance(inside, Iterable):
        return 0
    found = 0
    for item in inside:  # a loop: a sum of what is generated takes three times as long
        if type(item) not in _LEAVES:
            found += _nulls(item)
    return found


def _measured(value: object) -> object:
    """Leave ``None`` out at every level; most of a trace are leaves, hence no call."""
    if isinstance(value, dict):
        return {
            k: v if type(v) in _LEAVES else _measured(v)
            for k, v in value.items()
            if v is not None
        }
    if isinstance(value, list | tuple):
        return [v if type(v) in _LEAVES else _measured(v) for v in value]
    return value
