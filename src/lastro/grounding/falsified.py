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
_SHORTEST = 2  # letters of a word that one of them can be wrong in
_HANGUL = frozenset(map(chr, range(0xAC00, 0xD7A4)))


def falsified(
    claim: Statement, seen: Evidence, found: Sequence[frozenset[int]]
) -> bool:
    """Say whether ``claim`` copies a sentence of ``seen`` but for a fact.

    ``found`` are the claim's units in each of the passage's sentences.  Where
    one sentence is copied faithfully, another that differs does not matter.
    """
    copied = [
        (line, bool(ours))
        for line, units in zip(seen.lines, found, strict=True)
        for ours, theirs in [_slips(claim, line)]
        if _most(claim, units, ours) and _most(line, line.found_in(claim.terms), theirs)
    ]
    foreign = not claim.names <= seen.surfaces
    return bool(copied) and (
        foreign or all(slipped or _differs(claim, line) for line, slipped in copied)
    )


def _most(
    said: Statement, found: frozenset[int], without: frozenset[str] = frozenset()
) -> bool:
    """Say whether nearly all plain words of ``said`` are found, slips left out."""
    plain = [at for at in said.plain if said.units[at].word not in without]
    whole = fsum(said.units[at].share for at in plain)
    here = fsum(said.units[at].share for at in plain if at in found)
    return whole > 0.0 and here >= NEAR_COPY * whole


def _slips(claim: Statement, line: Statement) -> tuple[frozenset[str], frozenset[str]]:
    """Return what may be names that one letter tells apart, on either side.

    Forms of one word are no slip: the index knows them as one.
    """
    ours = claim.nouns - line.nouns - line.surfaces
    theirs = line.nouns - claim.nouns - claim.surfaces
    pairs = [
        (a, b)
        for a in ours
        for b in theirs
        if _one_letter(a, b)
        and (a[0] in _HANGUL or not _forms(claim, a) & _forms(line, b))
    ]
    return frozenset(a for a, _ in pairs), frozenset(b for _, b in pairs)


def _forms(said: Statement, word: str) -> frozenset[str]:
    found = (unit.forms for unit in said.units if unit.word == word)
    return frozenset[str]().union(*found)


def _one_letter(a: str, b: str) -> bool:
    """Say whether one letter was exchanged, or of a Latin word put in or left out."""
    if len(a) < len(b):
        a, b = b, a
    if len(b) < _SHORTEST or len(a) - len(b) > 1:
        return False
    same = next((at for at, other in enumerate(b) if a[at] != other), len(b))
    if len(a) == len(b):
        return a[same + 1 :] == b[same + 1 :]
    return a[0] not in _HANGUL and a[same + 1 :] == b[same:]


def _differs(claim: Statement, line: Statement) -> bool:
    """A number was exchanged (one that was added is no exchange), or a denial."""
    ours, theirs = Counter(claim.numbers), Counter(line.numbers)
    exchanged = bool(ours - theirs) and bool(theirs - ours)
    return exchanged or claim.denials != line.denials
