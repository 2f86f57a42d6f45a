"""A trace as one line of JSON: sorted keys, no NaN, nothing that was not measured."""

import json
from collections.abc import Iterable

import msgspec

from lastro.model.trace import Trace

_OPEN = ("answer", "provenance")  # free objects: their nulls are theirs
_LEAVES = frozenset({str, float, int, bool})
# Some readers take these for line ends.
_SEPARATORS = {
    character.encode(): b"\\u%04x" % ord(character)
    for character in ("\x85", "\u2028", "\u2029")
}
_encode = msgspec.json.Encoder(order="sorted").encode


def dumps(trace: Trace) -> str:
    """Return ``trace`` as one line, without a line end; the same bytes every time.

    ``None`` is left out at every level.  Characters that some readers take for
    line ends are escaped; half a surrogate pair becomes U+FFFD.

    Raises:
        ValueError: a number in the trace is not finite.
    """
    plain = msgspec.to_builtins(trace)
    kept = {
        name: value if name in _OPEN else _measured(value)
        for name, value in plain.items()
        if value is not None
    }
    try:
        line: bytes = _encode(kept)
    except (UnicodeEncodeError, OverflowError):  # half a pair; a very long number
        return _slowly(kept)
    # The encoder writes null for what is no number, so every null is accounted for.
    if line.count(b"null") != sum(_nulls(kept.get(name, "")) for name in _OPEN):
        return _slowly(kept)
    if not line.isascii():
        for separator, escaped in _SEPARATORS.items():
            line = line.replace(separator, escaped)
    return line.decode()


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
    if not isinstance(inside, Iterable) or isinstance(inside, str):
        return 0
    return sum(_nulls(item) for item in inside if type(item) not in _LEAVES)


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
