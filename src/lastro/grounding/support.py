"""Does a passage say what a sentence says: deterministic, without a model.

The sentence's informative terms are looked for in the best window of up to
three sentences, and in the passage as a whole: each counts for a half.  Numbers
and names must stand there as they are, and a sentence that denies needs one that
denies.  What is copied word for word is supported; what is copied but for a fact
is not.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum

from lastro.grounding.evidence import Evidence, evidence
from lastro.grounding.falsified import falsified
from lastro.grounding.negation import denials
from lastro.grounding.statement import Statement, statement
from lastro.model.answer import Support
from lastro.model.document import Passage, Span

SUPPORTED = 0.6  # of the terms' weight, after the factors below
PARTIAL = 0.3
MISSING_EXACT = 0.5
NEGATION_MISMATCH = 0.55
WINDOW = 3  # sentences that together may support one

_RANK = {Support.UNSUPPORTED: 0, Support.PARTIAL: 1, Support.SUPPORTED: 2}


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
        span = quoted(sentence, passage.text, locale)
        if span is not None:
            return SupportResult(
                support=Support.SUPPORTED, score=1.0, span=span, passage=passage
            )
    claim = statement(sentence, locale)
    weights = _weights(claim, idf or {})
    results = [_against(passage, claim, weights, locale) for passage in passages]
    nothing = SupportResult(support=Support.UNSUPPORTED, score=0.0)
    return max(
        results, key=lambda one: (_RANK[one.support], one.score), default=nothing
    )


def quoted(sentence: str, text: str, locale: str) -> Span | None:
    """Return where ``sentence`` is quoted from ``text``, its denial not cut off.

    >>> quoted("It works.", "It works.", "en")
    Span(start=0, end=9)
    >>> quoted("es posible.", "No es posible.", "es") is None
    True
    """
    span = verbatim(sentence, text)
    if span is None:
        return None
    before = text[: span.start].rpartition("\n")[2].split()[-1:]
    after = text[span.end :].partition("\n")[0].split()[:1]
    if any(denials(word, locale) for word in (*before, *after)):
        return None
    return span


def verbatim(quote: str, text: str) -> Span | None:
    r"""Return where ``quote`` stands in ``text`` as whole words; blanks may differ.

    A number is never found inside a longer one.

    >>> verbatim("turn  it on", "First, turn it\non.")
    Span(start=7, end=17)
    >>> verbatim("2.5", "12.5") is None
    True
    """
    parts = quote.split()
    if not any(map(str.isalnum, quote)) or " ".join(parts) not in " ".join(
        text.split()
    ):
        return None
    body = r"\s+".join(map(re.escape, parts))
    found = re.search(rf"(?<!\w)(?<!\d[.,]){body}(?!\w)(?![.,]\d)", text)
    return Span(*found.span()) if found else None


def _weights(claim: Statement, idf: Mapping[str, float]) -> tuple[float, ...]:
    """Weigh each unit; a term without a known weight is as rare as the rarest."""
    rarest = max(idf.values(), default=1.0)
    return tuple(
        unit.share * max(idf.get(form, rarest) for form in unit.forms)
        for unit in claim.units
    )


def _against(
    passage: Passage, claim: Statement, weights: Sequence[float], locale: str
) -> SupportResult:
    seen = evidence(passage, locale)
    found = [claim.found_in(line.terms) for line in seen.lines]
    score, span = _best_window(claim, weights, seen, found)
    if score < PARTIAL or falsified(claim, seen, found):
        level = Support.UNSUPPORTED
    else:
        level = Support.PARTIAL if score < SUPPORTED else Support.SUPPORTED
    return SupportResult(
        support=level, score=score, span=span, passage=passage if span else None
    )


def _best_window(
    claim: Statement,
    weights: Sequence[float],
    seen: Evidence,
    found: Sequence[frozenset[int]],
) -> tuple[float, Span | None]:
    whole = fsum(weights)
    if not whole:
        return 0.0, None
    above = claim.found_in(seen.above)
    anywhere = fsum(weights[at] for at in above.union(*found)) / whole
    best: tuple[float, Span | None] = (0.0, None)
    for size in range(1, WINDOW + 1):
        for first in range(len(found) - size + 1):
            part = found[first : first + size]
            if not (part[0] and part[-1]):
                continue  # a shorter window holds the same
            here = fsum(weights[at] for at in above.union(*part)) / whole
            share = (here + anywhere) / 2
            if share <= best[0]:
                continue  # no factor makes it more
            closest = max(range(size), key=lambda at: len(part[at]))
            score = share * _factor(claim, seen, seen.lines[first + closest])
            if score > best[0]:
                start, end = seen.spans[first].start, seen.spans[first + size - 1].end
                best = (score, Span(start, end))
    return best


def _factor(claim: Statement, seen: Evidence, closest: Statement) -> float:
    """Numbers and names have to stand in the passage, as they are."""
    factor = 1.0
    if not seen.surfaces.issuperset(claim.numbers) or not claim.names <= seen.surfaces:
        factor *= MISSING_EXACT
    if bool(claim.denials) != bool(closest.denials):
        factor *= NEGATION_MISMATCH
    return factor
