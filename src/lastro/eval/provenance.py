"""What a run was measured on: the hash of its cases, our version; no clock, no host."""

import hashlib
from collections.abc import Iterable
from importlib import metadata

import msgspec

from lastro.model.case import Case


def case_set(cases: Iterable[Case]) -> str:
    """Return the hash of a set of cases; their order changes nothing."""
    digest = hashlib.sha256()
    for case in sorted(cases, key=lambda case: case.id):
        digest.update(msgspec.json.encode(case, order="deterministic"))
        digest.update(b"\n")
    return digest.hexdigest()


def version() -> str:
    """Return the version of Lastro that measures."""
    return metadata.version("lastro")
