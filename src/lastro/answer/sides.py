"""The sides of a comparison: does a text speak of one, and not of the other; pure.

Sides often share most of their words ("study room of Block A", "of Block B").
What tells them apart is what the other side does not have; a distinct word too
short to stand alone is looked for together with the word before it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from lastro.answer.catalogue import fold
from lastro.text import hangul
from lastro.text.analyse import words
from lastro.text.emit import Word

SPOKEN_OF = 0.5  # of what tells a side apart
SHORT = 3  # letters; a distinct word no longer than this needs its neighbour


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One side: its distinct words with their emissions, and its short phrases.

    ``names`` are function words written as names ("the plan Solo", in Spanish).
    """

    text: str
    surfaces: frozenset[str]
    distinct: tuple[frozenset[str], ...]
    phrases: tuple[re.Pattern[str], ...]
    names: tuple[re.Pattern[str], ...] = ()

    def spoken_of(self, text: str, locale: str) -> float:
        """Return how much of what makes this side ``text`` holds, 0 to 1."""
        emitted = {e for word in words(text, locale) for e in word.emissions}
        folded = fold(text)
        found = [float(not emitted.isdisjoint(forms)) for forms in self.distinct]
        found += [float(phrase.search(folded) is not None) for phrase in self.phrases]
        found += [float(name.search(text) is not None) for name in self.names]
        return sum(found) / len(found) if found else 0.0


def sides(targets: Sequence[str], locale: str) -> tuple[Side, ...]:
    """Return the sides that ``targets`` name; none for none."""
    if not targets:
        return ()
    said = _tails([words(target, locale) for target in targets])
    return tuple(
        _side(target, own, [w for other in said if other is not own for w in other])
        for target, own in zip(targets, said, strict=True)
    )


def _tails(said: Sequence[Sequence[Word]]) -> list[Sequence[Word]]:
    """Cut what stands before the words that all sides share.

    Of "study rooms of Block A" and "Block B" the sides are the two blocks.
    """
    common = set.intersection(*({w.surface for w in own if not w.stop} for own in said))
    tails = [_from_first(own, common) for own in said]
    apart = [any(w.surface not in common for w in tail) for tail in tails]
    return tails if common and all(apart) else list(said)


def _from_first(own: Sequence[Word], common: set[str]) -> Sequence[Word]:
    at = next((at for at, word in enumerate(own) if word.surface in common), 0)
    return own[at:]


def _side(target: str, own: Sequence[Word], others: Sequence[Word]) -> Side:
    shared = {word.surface for word in others}
    apart = [at for at, word in enumerate(own) if word.surface not in shared]
    telling = [own[at] for at in apart if own[at].informative or own[at].exact]
    short = [at for at in apart if at and len(own[at].surface) <= SHORT]
    names = [
        own[at]
        for at in apart
        if own[at].stop and own[at] not in telling and (at or len(apart) == 1)
        if target[own[at].start].isupper() and len(own[at].surface) > SHORT
    ]
    if not telling and not short and not names:
        telling = [word for word in own if not word.stop]
    return Side(
        text=target,
        surfaces=frozenset(word.surface for word in own),
        distinct=tuple(map(_forms, telling)),
        phrases=() if telling else tuple(_phrase(own, at) for at in short),
        names=tuple(_written(target[word.start : word.end]) for word in names),
    )


def _forms(word: Word) -> frozenset[str]:
    """Return the emissions that stand for the whole word: of Hangul, its noun's."""
    if word.script != "hangul":
        return frozenset(word.emissions)
    noun = hangul.noun(word.surface)
    return frozenset({word.surface, noun} if len(noun) < 3 else {noun, noun[:2]})


def _written(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")


def _phrase(own: Sequence[Word], at: int) -> re.Pattern[str]:
    before, word = fold(own[at - 1].surface), fold(own[at].surface)
    return re.compile(rf"(?<!\w){re.escape(before)}\s+{re.escape(word)}(?!\w)")
