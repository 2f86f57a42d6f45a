"""The record a turn leaves behind: the only thing that evaluation reads.

``None`` everywhere means *not measured*, which is neither zero nor empty.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, overload

from lastro.model.ids import CaseId

TRACE_VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Retrieved:
    """One retrieved item, best first; ``parent_id`` names its document."""

    id: str
    parent_id: str | None = None
    score: float | None = None
    text: str | None = None


class Hits(Sequence[Retrieved]):
    """Items of which ids and scores are all that is known, in columns.

    Each item is made when it is looked at: to make all of a million lines takes
    as long as to judge them, and most judging looks at ids alone.  It equals a
    tuple of the same items.
    """

    __slots__ = ("ids", "scores")

    def __init__(self, ids: Sequence[str], scores: Sequence[float]) -> None:
        """Hold ids, best first, and the score of each; neither is copied."""
        self.ids = ids
        self.scores = scores

    def __len__(self) -> int:
        return len(self.ids)

    @overload
    def __getitem__(self, at: int) -> Retrieved: ...
    @overload
    def __getitem__(self, at: slice) -> "Hits": ...
    def __getitem__(self, at: int | slice) -> "Retrieved | Hits":
        if isinstance(at, slice):
            return Hits(self.ids[at], self.scores[at])
        return Retrieved(id=self.ids[at], score=self.scores[at])

    def __iter__(self) -> Iterator[Retrieved]:
        for item, score in zip(self.ids, self.scores, strict=True):
            yield Retrieved(id=item, score=score)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Hits | tuple) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))


# Whoever looks at one sees a sequence; what is read from a file is a tuple.
if TYPE_CHECKING:
    _Retrieved = Sequence[Retrieved]
else:
    _Retrieved = tuple[Retrieved, ...]


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
    retrieved: _Retrieved | None = None
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
