"""A confidence that was fitted to one knowledge base: a probability, not a rule.

What is fitted is a sum of signals, none of which can count against a retrieval;
where the dense leg looked, another sum is used than where it did not.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import exp, fsum, isfinite

from lastro.gate.features import Features, features
from lastro.gate.signals import DENSE, LEXICAL, signals
from lastro.model.ranking import Ranking

SCHEMA_VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """``1 / (1 + exp(-(bias + Σ weight · signal)))``; no weight is negative."""

    bias: float
    weights: Mapping[str, float]

    def probability(self, found: Mapping[str, float]) -> float:
        """Return the probability that the retrieval holds the answer.

        >>> Fitted(bias=-1.0, weights={"score": 2.0}).probability({"score": 0.5})
        0.5
        """
        parts = (weight * found[name] for name, weight in self.weights.items())
        power = self.bias + fsum(parts)
        if power < 0:  # neither side can overflow
            return exp(power) / (1.0 + exp(power))
        return 1.0 / (1.0 + exp(-power))


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """What was fitted to a base, and to which state of it.

    ``dense`` is used where the dense leg looked, and is None where the base had
    no vectors when it was fitted; then ``lexical`` stands in.  ``thresholds`` are
    those of the gate that were fitted too, by the key of their setting.
    """

    lexical: Fitted
    dense: Fitted | None = None
    thresholds: Mapping[str, float] = field(default_factory=dict)
    provenance: Mapping[str, object] = field(default_factory=dict)

    def confidence(self, found: Mapping[str, float]) -> float:
        """Return the probability that a retrieval with these signals holds it."""
        if self.dense is not None and all(name in found for name in DENSE):
            return self.dense.probability(found)
        return self.lexical.probability(found)


def judged(ranking: Ranking, calibration: Calibration | None) -> Features:
    """Return what a ranking shows, with its probability where one can be had.

    A search that failed says nothing of the base, and has none.
    """
    seen = features(ranking)
    if calibration is None or seen.failed:
        return seen
    return replace(seen, calibrated=calibration.confidence(signals(ranking, seen)))


def dumps(found: Calibration) -> str:
    """Return a calibration as JSON, the same text for the same values."""
    shown = {
        "schema_version": SCHEMA_VERSION,
        "lexical": _shown(found.lexical),
        "dense": None if found.dense is None else _shown(found.dense),
        "thresholds": dict(found.thresholds),
        "provenance": dict(found.provenance),
    }
    return json.dumps(shown, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def loads(text: str) -> Calibration:
    """Read a calibration.

    Raises:
        ValueError: with what does not fit; a signal that is not known, a weight
            that is no finite number from 0 on, another version.
    """
    try:
        read = json.loads(text)
    except ValueError:
        raise ValueError("it is not JSON") from None
    if not isinstance(read, dict) or read.get("schema_version") != SCHEMA_VERSION:
        raise ValueError(f"it is not of version {SCHEMA_VERSION}")
    dense, provenance = read.get("dense"), read.get("provenance", {})
    thresholds = read.get("thresholds", {})
    if not isinstance(provenance, dict) or not isinstance(thresholds, dict):
        raise ValueError(  # noqa: TRY004 - what a file says
            "provenance and thresholds are objects"
        )
    numbers = {str(key): _number(value) for key, value in thresholds.items()}
    return Calibration(
        lexical=_fitted(read.get("lexical"), "lexical", LEXICAL),
        dense=None if dense is None else _fitted(dense, "dense", LEXICAL + DENSE),
        thresholds={key: value for key, value in numbers.items() if value is not None},
        provenance=provenance,
    )


def _shown(one: Fitted) -> Mapping[str, object]:
    return {"bias": one.bias, "weights": dict(one.weights)}


def _fitted(given: object, name: str, known: tuple[str, ...]) -> Fitted:
    weights = given.get("weights") if isinstance(given, dict) else None
    bias = _number(given.get("bias")) if isinstance(given, dict) else None
    if not isinstance(weights, dict) or bias is None:
        raise ValueError(f"{name} needs a bias and weights")
    found = {}
    for signal, weight in weights.items():
        value = _number(weight)
        if signal not in known:
            raise ValueError(f"{name}.weights: {signal!r} is no signal")
        if value is None or value < 0:
            raise ValueError(f"{name}.weights.{signal} is no number from 0 on")
        found[signal] = value
    return Fitted(bias=bias, weights=found)


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        found = float(value)
    except OverflowError:  # a whole number of more digits than a float can tell
        return None
    return found if isfinite(found) else None
