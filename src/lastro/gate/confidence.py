"""How much speaks for a retrieval, as a number and as a word; uncalibrated.

The number is a monotone function of the features: it rises with the top score,
the coverage and the margin, and falls with unknown words and missing central
terms.  It is no probability; a calibrated knowledge base replaces it.
"""

from lastro.gate.border import below
from lastro.gate.features import Features
from lastro.model.decision import ConfidenceWord

HIGH = 0.7
LOW = 0.4


def confidence(seen: Features) -> float:
    """Return a number in [0, 1], 0 where nothing was measured or found."""
    if seen.top_score is None or not seen.coverage_weighted:
        return 0.0
    strength = seen.top_score / (seen.top_score + 1.5)
    return strength * seen.coverage_weighted


def word(value: float) -> ConfidenceWord:
    """Return the word for ``value``.

    >>> word(0.7), word(0.4), word(0.39)
    (<ConfidenceWord.HIGH: 'high'>, <ConfidenceWord.MEDIUM: 'medium'>, \
<ConfidenceWord.LOW: 'low'>)
    """
    if below(value, LOW):
        return ConfidenceWord.LOW
    return ConfidenceWord.MEDIUM if below(value, HIGH) else ConfidenceWord.HIGH
