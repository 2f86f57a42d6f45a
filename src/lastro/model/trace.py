"""The record a turn leaves behind: the only thing that evaluation reads.

``None`` everywhere means *not measured*, which is neither zero nor empty.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from lastro.model.ids import CaseId

TRACE_VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Retrieved:
    """One retrieved item, best first; ``parent_id`` names its document."""

    id: str
    parent_id: str | None = None
    score: float | None = None
    text: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TracePassage:
    """A passage that the answer could use; ``start`` is into the document."""

    document_id: str
    passage_id: str | None = None
    text: str | None = None
    start: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceStageEntry:
    """One line of one stage's ranking."""

    passage_id: str
    document_id: str
    score: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceCitation:
    """A citation of a claim, as the system gave it."""

    document_id: str
    passage_id: str | None = None
    start: int | None = None
    end: int | None = None
    quote: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceClaim:
    """A claim as the system made it."""

    text: str
    target: str | None = None
    citations: tuple[TraceCitation, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceError:
    """Why a turn broke."""

    kind: str
    provider: str | None = None
    retryable: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceDecision:
    """The gate's decision; ``reason`` stays a string: other systems have others."""

    reason: str | None = None
    confidence: float | None = None
    reasons: tuple[str, ...] = ()
    features: Mapping[str, float] | None = None
    thresholds: Mapping[str, float] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceLeg:
    """One leg's status."""

    status: str
    hits: int | None = None
    tokens: int | None = None
    took_ms: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanStep:
    """One sub-query of a plan, and the target it is for."""

    query: str
    target: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """One turn.  Only ``case_id`` is required; absent fields are not measured."""

    case_id: CaseId
    trace_version: int = TRACE_VERSION
    query: str | None = None
    system: str | None = None
    at: str | None = None
    retrieved: tuple[Retrieved, ...] | None = None
    stages: Mapping[str, tuple[TraceStageEntry, ...]] | None = None
    legs: Mapping[str, TraceLeg] | None = None
    evidence: tuple[TracePassage, ...] | None = None
    gold_not_indexed: tuple[str, ...] | None = None
    decision: TraceDecision | None = None
    answer_text: str | None = None
    answer: Mapping[str, object] | None = None
    cited_ids: tuple[str, ...] | None = None
    claims: tuple[TraceClaim, ...] | None = None
    abstained: bool | None = None
    refused: bool | None = None
    plan: tuple[PlanStep, ...] | None = None
    error: TraceError | None = None
    timings_ms: Mapping[str, float] | None = None
    usage: Mapping[str, float] | None = None
    provenance: Mapping[str, object] | None = None
