"""How a retrieval was judged: the reasons, and what was seen and required."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class ReasonCode(StrEnum):
    """Every word a turn can be classified by; public, never renamed."""

    INSUFFICIENT_CONTEXT = "insufficient_context"
    UNDERSPECIFIED_QUERY = "underspecified_query"
    AMBIGUOUS_RETRIEVAL = "ambiguous_retrieval"
    CONTEXT_MISALIGNED = "context_misaligned"
    VAGUE_BUT_HIGH_RISK = "vague_but_high_risk"
    LOW_CONFIDENCE = "low_confidence"
    OK = "ok"
    INDEX_GAP = "index_gap"
    POST_GENERATION_MISALIGNMENT = "post_generation_misalignment"
    PROVIDER_ERROR = "provider_error"
    RETRIEVAL_ERROR = "retrieval_error"


class ConfidenceWord(StrEnum):
    """The word beside the number: high from 0.7, low under 0.4."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """One complaint: what was seen and what was required."""

    code: ReasonCode
    observed: float | None = None
    required: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """All reasons in order; the first names the decision, none means ok."""

    reasons: tuple[Reason, ...]
    confidence: float
    confidence_word: ConfidenceWord
    calibrated: bool
    features: Mapping[str, float]
    thresholds: Mapping[str, float]
    hard_stop: bool = False
    mode: str = "grounded"

    @property
    def reason(self) -> ReasonCode:
        """The reason that names this decision."""
        return self.reasons[0].code if self.reasons else ReasonCode.OK
