"""What a set of cases is recognised by: a hash of what its cases mean.

Neither the order of rows nor line ends, spacing, unknown fields or a default
that is spelled out change it.
"""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import MISSING, fields

import msgspec

from lastro.model.case import Case


def case_set_hash(cases: Iterable[Case]) -> str:
    """Return the hash of a set of cases as 64 hexadecimal digits.

    >>> case_set_hash([]) == hashlib.sha256().hexdigest()
    True
    """
    digest = hashlib.sha256()
    for line in sorted(map(_meaning, cases)):
        digest.update(line.encode() + b"\n")
    return digest.hexdigest()


def _meaning(case: Case) -> str:
    """Return the fields that say something, as one line of JSON."""
    said = {
        item.name: msgspec.to_builtins(getattr(case, item.name))
        for item in fields(Case)
        if item.name != "extra"
        and (item.default is MISSING or getattr(case, item.name) != item.default)
    }
    return json.dumps(said, ensure_ascii=True, sort_keys=True)
