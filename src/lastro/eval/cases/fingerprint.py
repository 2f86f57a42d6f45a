"""What a set of cases is recognised by: a hash of what its cases mean.

Neither the order of rows nor line ends, spacing, unknown fields or a default
that is spelled out change it.
"""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import fields

import msgspec

from lastro.model.case import Case

_DEFAULTS = {item.name: item.default for item in fields(Case) if item.name != "extra"}
_line = json.JSONEncoder(ensure_ascii=True, sort_keys=True).encode


def case_set_hash(cases: Iterable[Case]) -> str:
    """Return the hash of a set of cases as 64 hexadecimal digits.

    >>> case_set_hash([]) == hashlib.sha256().hexdigest()
    True
    """
    # Digests are sorted and not the lines, which would all stand in memory.
    lines = (hashlib.sha256(_meaning(case).encode()).digest() for case in cases)
    return hashlib.sha256(b"".join(sorted(lines))).hexdigest()


def _meaning(case: Case) -> str:
    """Return the fields that say something, as one line of JSON."""
    said = {
        name: value
        for name, default in _DEFAULTS.items()
        if (value := getattr(case, name)) != default  # a missing default equals none
    }
    return _line(msgspec.to_builtins(said))
