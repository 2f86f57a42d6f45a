"""Puts a turn's parts together: the answer and its trace; pure."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from lastro.answer.analyse import Analysis
from lastro.answer.record import Turn, trace
from lastro.answer.release import Release
from lastro.answer.status import outcome
from lastro.gate.messages import Notice, notice
from lastro.model.answer import Answer, Evidence, Flag, Policy, Prompt
from lastro.model.decision import ConfidenceWord, Decision, Reason, ReasonCode
from lastro.model.events import Finished
from lastro.model.ranking import Hit, Leg, Ranking

CLOSEST = 3
STRONG = frozenset(
    {
        Flag.INTRODUCED_UNSUPPORTED_TERMS,
        Flag.UNSUPPORTED_CLAIM,
        Flag.UNRESOLVED_CITATION,
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What a turn was made of when its text was done."""

    prompt: Prompt
    shape: Analysis
    decision: Decision
    release: Release
    turn: Turn
    system: str
    provider: str
    policy: Policy


def finished(parts: Parts) -> Finished:
    """Return the last event of a turn."""
    answer = _answer(parts)
    return Finished(answer, trace(parts.turn, answer))


def _answer(parts: Parts) -> Answer:
    prompt, release, ranking = parts.prompt, parts.release, parts.turn.ranking
    seen = outcome(prompt, parts.shape, release)
    decision, override = parts.decision, None
    if release.overridden:
        override = Reason(code=ReasonCode.POST_GENERATION_MISALIGNMENT)
        decision = _overridden(decision, override)
    return Answer(
        status=seen.status,
        status_reason=seen.status_reason,
        query_type=seen.query_type,
        summary=seen.summary,
        claims=tuple(one.claim for one in release.shown if one.claim),
        evidence=_evidence(prompt),
        insufficiency=seen.insufficiency,
        answer_text=release.text,
        decision=decision,
        system=parts.system,
        provider=parts.provider,
        locale=prompt.locale,
        abstained=seen.abstained,
        refused=seen.refused,
        policy=parts.policy,
        legs=_legs(ranking),
        cite_ids={p.cite_id: p.hit.passage_id for p in prompt.passages},
        findings=release.findings,
        notices=_notices(parts),
        closest=_closest(ranking) if seen.abstained else (),
        override=override,
        trace_id=parts.turn.id,
    )


def _overridden(decision: Decision, override: Reason) -> Decision:
    return replace(
        decision,
        reasons=(override, *decision.reasons),
        confidence_word=ConfidenceWord.LOW,
        hard_stop=True,
    )


def _evidence(prompt: Prompt) -> tuple[Evidence, ...]:
    return tuple(
        Evidence(
            document_id=shown.hit.document_id,
            passage_id=shown.hit.passage_id,
            title=shown.hit.title,
            text=shown.text,
            start=shown.hit.passage.start,
            end=shown.hit.passage.end,
            score=shown.hit.score,
        )
        for shown in prompt.passages
    )


def _legs(ranking: Ranking | None) -> Mapping[str, Leg]:
    return ranking.legs if ranking else {}


def _notices(parts: Parts) -> tuple[str, ...]:
    ranking = parts.turn.ranking
    notes = ranking.notes if ranking else ()
    strong = any(finding.flag in STRONG for finding in parts.release.findings)
    if strong and not parts.release.overridden:
        return (notice(Notice.ADVISORY, parts.prompt.locale), *notes)
    return notes


def _closest(ranking: Ranking | None) -> tuple[Hit, ...]:
    return ranking.hits[:CLOSEST] if ranking else ()
