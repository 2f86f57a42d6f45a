"""A finished turn as a trace: everything that evaluation may look at.

No clock and no identity is made here; time and id are handed in.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from lastro.answer import contract
from lastro.model.answer import Answer, Claim, Question
from lastro.model.decision import Decision
from lastro.model.ids import CaseId
from lastro.model.ranking import Ranking
from lastro.model.trace import (
    Retrieved,
    Trace,
    TraceCitation,
    TraceClaim,
    TraceDecision,
    TraceError,
    TraceLeg,
    TracePassage,
    TraceStageEntry,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What a turn was made of, beside its answer."""

    id: str
    question: Question
    ranking: Ranking | None
    at: str | None = None
    timings_ms: Mapping[str, float] = field(default_factory=dict)
    error: TraceError | None = None


def trace(turn: Turn, answer: Answer) -> Trace:
    """Return the trace of a turn; a turn that searched nothing has no ``retrieved``."""
    stated = contract.as_json(answer)
    del stated["answer_text"]
    ranking = turn.ranking
    cited = (c.document_id for claim in answer.claims for c in claim.citations)
    return Trace(
        case_id=CaseId(turn.id),
        query=turn.question.text,
        system=answer.system,
        at=turn.at,
        retrieved=_retrieved(ranking) if ranking else None,
        stages=_stages(ranking) if ranking else None,
        legs=_legs(ranking) if ranking else None,
        evidence=_evidence(answer) if ranking else None,
        decision=_decision(answer.decision),
        answer_text=answer.answer_text,
        answer=stated,
        cited_ids=tuple(dict.fromkeys(cited)),
        claims=tuple(map(_claim, answer.claims)),
        abstained=None if turn.error else answer.abstained,
        refused=None if turn.error else answer.refused,
        error=turn.error,
        timings_ms=turn.timings_ms,
        provenance={
            "provider": answer.provider,
            "policy": answer.policy.value,
            "locale": answer.locale,
        },
    )


def _retrieved(ranking: Ranking) -> tuple[Retrieved, ...]:
    return tuple(
        Retrieved(
            id=hit.passage_id,
            parent_id=hit.document_id,
            score=hit.score,
            text=hit.passage.text,
        )
        for hit in ranking.hits
    )


def _stages(ranking: Ranking) -> Mapping[str, tuple[TraceStageEntry, ...]]:
    return {
        stage.value: tuple(
            TraceStageEntry(
                passage_id=entry.passage_id,
                document_id=entry.document_id,
                score=entry.score,
            )
            for entry in entries
        )
        for stage, entries in ranking.stages.items()
    }


def _legs(ranking: Ranking) -> Mapping[str, TraceLeg]:
    return {
        name: TraceLeg(
            status=leg.status.value,
            hits=leg.hits,
            tokens=leg.tokens,
            took_ms=leg.took_ms,
        )
        for name, leg in ranking.legs.items()
    }


def _evidence(answer: Answer) -> tuple[TracePassage, ...]:
    return tuple(
        TracePassage(
            document_id=one.document_id,
            passage_id=one.passage_id,
            text=one.text,
            start=one.start,
        )
        for one in answer.evidence
    )


def _decision(decision: Decision) -> TraceDecision:
    return TraceDecision(
        reason=decision.reason.value,
        confidence=decision.confidence,
        reasons=tuple(reason.code.value for reason in decision.reasons),
        features=decision.features,
        thresholds=decision.thresholds,
    )


def _claim(claim: Claim) -> TraceClaim:
    return TraceClaim(
        text=claim.claim,
        target=claim.target or None,
        citations=tuple(
            TraceCitation(
                document_id=citation.document_id,
                passage_id=citation.passage_id,
                start=citation.start,
                end=citation.end,
                quote=citation.quote,
            )
            for citation in claim.citations
        ),
    )
