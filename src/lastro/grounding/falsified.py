"""A sentence that copies one of a passage's and says otherwise.

Another number, a foreign name, a denial put in or taken out: the words around
it are the passage's own, so a count of shared words would call it supported.
"""

from collections import Counter
from collections.abc import Sequence
from math import fsum

from lastro.grounding.evidence import Evidence
from lastro.grounding.statement import Statement

NEAR_COPY = 0.9  # of the words that are no number or name, on both sides


def falsified(
    claim: Statement, seen: Evidence, found: Sequence[frozenset[int]]
) -> bool:
    """Say whether ``claim`` copies a sentence of ``seen`` but for a fact.

    ``found`` are the claim's units in each of the passage's sentences.  Where
    one sentence is copied faithfully, another that differs does not matter.
    """
    copied = [
        line
        for line, units in zip(seen.lines, found, strict=True)
        if _most(claim, units) and _most(line, line.found_in(claim.terms))
    ]
    foreign = not claim.names <= seen.surfaces
    return bool(copied) and (foreign or all(_differs(claim, line) for line in copied))


def _most(said: Statement, found: frozenset[int]) -> bool:
    whole = fsum(said.units[at].share for at in said.plain)
    here = fsum(said.units[at].share for at in said.plain & found)
    return whole > 0.0 and here >= NEAR_COPY * whole


def _differs(claim: Statement, line: Statement) -> bool:
    """A number was exchanged (one that was added is no exchange), or a denial."""
    ours, theirs = Counter(claim.numbers), Counter(line.numbers)
    exchanged = bool(ours - theirs) and bool(theirs - ours)
    return exchanged or claim.denials != line.denials
