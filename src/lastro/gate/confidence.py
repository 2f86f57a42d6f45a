"""How much speaks for a retrieval, as a number and as a word.

Uncalibrated the number is a monotone function of the features.  It is no
probability, and the same number means something else in another knowledge base;
where one was fitted to the base, that one takes its place.
"""

from math import fsum, sqrt

from lastro.gate.border import below
from lastro.gate.features import Features
from lastro.model.decision import ConfidenceWord

HIGH = 0.7
LOW = 0.4

# A top score of 1.5 a term, and a margin of 5, are each worth half of their share.
_HALF_SCORE = 1.5
_HALF_MARGIN = 5.0
_SHARES = (0.4, 0.4, 0.2)  # of the score, the weighted coverage and the margin


def confidence(seen: Features) -> float:
    """Return how much speaks for a retrieval: the calibrated number, else a rule.

    ``sqrt(known) * (0.4 * score + 0.4 * coverage + 0.2 * margin)``, where
    ``known`` is the share of informative terms that stand somewhere in the
    knowledge base, ``score`` and ``margin`` are ``x / (x + half)``, and
    ``coverage`` is the weighted one.

    Returns:
        A number in [0, 1], higher is better: it rises with each of the three
        and falls with every unknown term.

    Edge cases:
        0 where the lexical leg did not look, found nothing, or the question has
        no informative term; a missing second document leaves the margin whole.
    """
    if seen.calibrated is not None:
        return seen.calibrated
    if seen.top_score is None or not seen.coverage_weighted or not seen.informative:
        return 0.0
    known = 1.0 - seen.unknown / seen.informative
    margin = 1.0 if seen.margin is None else seen.margin / (seen.margin + _HALF_MARGIN)
    parts = (
        seen.top_score / (seen.top_score + _HALF_SCORE),
        seen.coverage_weighted,
        max(0.0, margin),
    )
    return sqrt(known) * fsum(
        share * part for share, part in zip(_SHARES, parts, strict=True)
    )


def word(value: float) -> ConfidenceWord:
    """Return the word for ``value``.

    >>> word(0.7), word(0.4), word(0.39)
    (<ConfidenceWord.HIGH: 'high'>, <ConfidenceWord.MEDIUM: 'medium'>, \
<ConfidenceWord.LOW: 'low'>)
    """
    if below(value, LOW):
        return ConfidenceWord.LOW
    return ConfidenceWord.MEDIUM if below(value, HIGH) else ConfidenceWord.HIGH
