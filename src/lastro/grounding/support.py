"""Does a passage say what a sentence says: deterministic, without a model.

The sentence's informative terms are looked for in the best window of up to
three sentences.  Numbers and names must stand there as they are, and a sentence
that denies needs one that denies.  What is copied word for word is supported.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from math import fsum

from lastro.grounding.evidence import WINDOW, Evidence, Line, evidence
from lastro.grounding.negation import denies
from lastro.model.answer import Support
from lastro.model.document import Passage, Span
from lastro.text import Word, hangul, words

SUPPORTED = 0.6  # of the terms' weight, after the factors below
PARTIAL = 0.3
MISSING_EXACT = 0.5
NEGATION_MISMATCH = 0.55
NEAR_COPY = 0.9  # of the other terms: the passage says just this, but otherwise


@dataclass(frozen=True, slots=True, kw_only=True)
class SupportResult:
    """What the check says of one sentence.

    ``span`` is into the text of ``passage``: the window that supports the
    sentence best.  Both are None where nothing of the sentence was found.
    """

    support: Support
    score: float
    span: Span | None = None
    passage: Passage | None = None


@dataclass(frozen=True, slots=True)
class _Unit:
    """What has to be found: any of ``forms``, worth ``weight``."""

    forms: frozenset[str]
    weight: float
    exact: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _Claim:
    """A sentence taken apart; ``weight`` is the sum of its units'."""

    units: tuple[_Unit, ...]
    weight: float
    numbers: frozenset[str]
    names: frozenset[str]
    denies: bool


@dataclass(frozen=True, slots=True)
class _Match:
    """How well a window fits; ``falsified`` is a near copy that says otherwise."""

    score: float
    falsified: bool
    span: Span | None

    @property
    def level(self) -> Support:
        if self.falsified or self.score < PARTIAL:
            return Support.UNSUPPORTED
        return Support.PARTIAL if self.score < SUPPORTED else Support.SUPPORTED


def support(
    sentence: str,
    passages: Sequence[Passage],
    locale: str,
    *,
    idf: Mapping[str, float] | None = None,
) -> SupportResult:
    """Return how far ``passages`` say what ``sentence`` says.

    Args:
        sentence: one statement, without citation markers.
        passages: what it cites, or all that was shown; may be empty.
        locale: the language of the sentence.
        idf: weight of an index term; without it every term weighs the same.

    Returns:
        The best passage's result; ``score`` is in [0, 1], higher is better.

    Edge cases:
        a sentence without a word is unsupported: what cannot be checked has
        not been checked.  A sentence of function words alone is judged by them.
    """
    for passage in passages:
        span = verbatim(sentence, passage.text)
        if span is not None:
            return SupportResult(
                support=Support.SUPPORTED, score=1.0, span=span, passage=passage
            )
    claim = _claim(sentence, locale, idf or {})
    best = SupportResult(support=Support.UNSUPPORTED, score=0.0)
    for passage in passages:
        match = _best_window(claim, evidence(passage, locale))
        if match.score > best.score:
            best = SupportResult(
                support=match.level,
                score=match.score,
                span=match.span,
                passage=passage,
            )
    return best


def verbatim(quote: str, text: str) -> Span | None:
    r"""Return where ``quote`` stands in ``text`` as whole words; blanks may differ.

    A number is never found inside a longer one.

    >>> verbatim("turn  it on", "First, turn it\non.")
    Span(start=7, end=17)
    >>> verbatim("2.5", "12.5") is None
    True
    """
    parts = quote.split()
    if not any(map(str.isalnum, quote)):
        return None
    body = r"\s+".join(map(re.escape, parts))
    found = re.search(rf"(?<!\w)(?<!\d[.,]){body}(?!\w)(?![.,]\d)", text)
    return Span(*found.span()) if found else None


def _claim(sentence: str, locale: str, idf: Mapping[str, float]) -> _Claim:
    said = words(sentence, locale)
    names = frozenset(_names(sentence, said))
    telling = [word for word in said if word.informative] or list(said)
    units = tuple(unit for word in telling for unit in _units(word, names, idf))
    return _Claim(
        units=units,
        weight=fsum(unit.weight for unit in units),
        numbers=frozenset(word.surface for word in said if word.exact),
        names=names,
        denies=denies(sentence, locale),
    )


def _names(sentence: str, said: Sequence[Word]) -> Iterator[str]:
    """Yield the capitalised words that do not merely open the sentence."""
    for word in said[1:]:
        plain = word.script == "latin" and word.informative and not word.exact
        if plain and sentence[word.start].isupper():
            yield word.surface


def _units(
    word: Word, names: frozenset[str], idf: Mapping[str, float]
) -> Iterator[_Unit]:
    """Yield a Hangul word as the pairs of its noun, any other word as one unit."""
    rarest = max(idf.values(), default=1.0)
    if word.script != "hangul":
        weight = max(idf.get(form, rarest) for form in word.emissions)
        exact = word.exact or word.surface in names
        yield _Unit(frozenset(word.emissions), weight, exact)
        return
    pairs = hangul.bigrams(hangul.noun(word.surface))
    for pair in pairs:
        yield _Unit(frozenset({pair}), idf.get(pair, rarest) / len(pairs), exact=False)


def _best_window(claim: _Claim, seen: Evidence) -> _Match:
    found = [_found(claim, line.terms) for line in seen.lines]
    above = _found(claim, seen.above)
    best = _Match(0.0, falsified=False, span=None)
    for size in range(1, WINDOW + 1):
        for first in range(len(found) - size + 1):
            part = found[first : first + size]
            if not all((part[0], part[-1])):
                continue  # a shorter window holds the same
            lines = seen.lines[first : first + size]
            closest = lines[max(range(size), key=lambda at: len(part[at]))]
            match = _match(claim, above.union(*part), seen, lines, closest)
            if match.score > best.score:
                best = match
    return best


def _found(claim: _Claim, terms: AbstractSet[str]) -> frozenset[int]:
    return frozenset(
        at for at, unit in enumerate(claim.units) if not unit.forms.isdisjoint(terms)
    )


def _match(
    claim: _Claim,
    covered: AbstractSet[int],
    seen: Evidence,
    lines: Sequence[Line],
    closest: Line,
) -> _Match:
    """Judge one window: numbers have to stand in it, names anywhere in the passage."""
    surfaces = frozenset[str]().union(*(line.surfaces for line in lines))
    exact = claim.numbers <= surfaces and claim.names <= seen.surfaces
    agrees = claim.denies == closest.denies
    score = fsum(claim.units[at].weight for at in covered) / claim.weight
    score *= (1.0 if exact else MISSING_EXACT) * (1.0 if agrees else NEGATION_MISMATCH)
    others = [at for at, unit in enumerate(claim.units) if not unit.exact]
    copied = sum(at in covered for at in others) >= NEAR_COPY * len(others)
    return _Match(
        score,
        falsified=bool(others) and copied and not (exact and agrees),
        span=Span(lines[0].span.start, lines[-1].span.end),
    )
