"""What an importer tells people beside what it gives: counted and named."""

from collections.abc import Sequence

_SHOWN = 5


def some(names: Sequence[str]) -> str:
    """Return the first few names, and how many more there are.

    >>> some(["a", "b"]), some(list("abcdefgh"))
    ('a, b', 'a, b, c, d, e and 3 more')
    """
    shown = ", ".join(names[:_SHOWN])
    return shown if len(names) <= _SHOWN else f"{shown} and {len(names) - _SHOWN} more"
