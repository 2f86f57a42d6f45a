"""A trace as one line of JSON: sorted keys, no NaN, nothing that was not measured."""

import json

import msgspec

from lastro.model.trace import Trace

_OPEN = ("answer", "provenance")  # free objects: their nulls are theirs
_SEPARATORS = str.maketrans(
    {"\x85": "\\u0085", "\u2028": "\\u2028", "\u2029": "\\u2029"}
)


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
    line = json.dumps(
        kept,
        allow_nan=False,
        ensure_ascii=False,
        sort_keys=True,
        separators=(",", ":"),
    )
    return line if line.isascii() else _printable(line)


def _printable(line: str) -> str:
    """Make sure that the line stays one line and can be written as UTF-8."""
    line = line.translate(_SEPARATORS)
    try:
        line.encode()
    except UnicodeEncodeError:
        return line.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return line


def _measured(value: object) -> object:
    if isinstance(value, dict):
        return {k: _measured(v) for k, v in value.items() if v is not None}
    if isinstance(value, list | tuple):
        return [_measured(item) for item in value]
    return value
