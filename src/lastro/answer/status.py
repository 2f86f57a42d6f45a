"""What an answer amounts to: status, its reason, what is missing; pure.

An answer without a checked claim verifies nothing, whatever its text says.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from lastro.answer.analyse import Analysis
from lastro.answer.catalogue import said
from lastro.answer.claims import Checked
from lastro.answer.framing import declares_gap
from lastro.answer.gaps import Gaps, gaps
from lastro.answer.halves import halves, unanswered
from lastro.answer.release import Release
from lastro.answer.sides import SPOKEN_OF, sides
from lastro.gate.holding import held, most
from lastro.gate.messages import Notice, explain, notice
from lastro.model.answer import (
    Answer,
    AnswerStatus,
    ContractName,
    Insufficiency,
    Prompt,
    StatusCode,
    StatusReason,
    Support,
)
from lastro.model.case import QueryType
from lastro.model.decision import ReasonCode

SUMMARY_LENGTH = 280
# What such a question means is open, however well the sentences quoted are held.
VAGUE = (ReasonCode.UNDERSPECIFIED_QUERY, ReasonCode.VAGUE_BUT_HIGH_RISK)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The derived fields of an answer."""

    status: AnswerStatus
    status_reason: StatusReason
    query_type: str
    summary: str
    insufficiency: Insufficiency | None
    abstained: bool
    refused: bool


def outcome(prompt: Prompt, shape: Analysis, release: Release) -> Outcome:
    """Return what the statements that are shown amount to."""
    smalltalk = prompt.decision.mode == "smalltalk"
    answering = [one for one in release.shown if _answers(one, prompt.locale)]
    abstained = not answering and not smalltalk
    refused = prompt.override_attempt and abstained
    absent = Gaps() if smalltalk else _gaps(prompt, shape, answering)
    targets = _missing_targets(prompt, shape, answering)
    whole = bool(answering) and _whole(release)
    code = _code(prompt, answering, absent, targets)
    if code is StatusCode.VERIFIED and not whole:
        code = StatusCode.PARTIAL_TOPIC_GROUNDING
    status = _status(code, abstained=abstained or smalltalk)
    lacking = None
    if not smalltalk and status is not AnswerStatus.SUPPORTED:
        lacking = _insufficiency(prompt, absent, targets, answering)
    return Outcome(
        status=status,
        status_reason=StatusReason(
            code=code,
            verified=whole,
            verification_reasons=_why(release.judged, absent, targets),
        ),
        query_type=_query_type(shape, abstained=abstained),
        summary=_summary(answering, release.text),
        insufficiency=lacking,
        abstained=abstained,
        refused=refused,
    )


def _gaps(prompt: Prompt, shape: Analysis, answering: Sequence[Checked]) -> Gaps:
    """Return what no passage holds, and a request that no quotation answers."""
    found = gaps(prompt, shape)
    parts = halves(prompt, shape)
    if not parts or not answering:
        return found
    locales = {p.hit.passage_id: p.hit.passage.locale for p in prompt.passages}
    rows = (
        held(text, prompt.query_terms, locales[citation.passage_id] or prompt.locale)
        for one in answering
        if one.claim
        for citation in one.claim.citations
        for text in (citation.title, citation.section, citation.quote)
    )
    whole = most(rows, len(prompt.query_terms))
    return found.with_missing(unanswered(prompt, parts, whole))


def plain_reason(answer: Answer) -> ReasonCode:
    """Return the reason whose plain words fit an answer as it came out.

    A gate judges before anything is written: where little was found and the
    question is answered all the same, "check it" is what a person has to hear,
    and where it is declined, that the documents do not hold it.
    """
    reason = answer.decision.reason
    if reason is ReasonCode.INSUFFICIENT_CONTEXT and not answer.abstained:
        return ReasonCode.LOW_CONFIDENCE
    unsure = (ReasonCode.LOW_CONFIDENCE, ReasonCode.OK)
    if reason in unsure and answer.abstained and answer.evidence:
        return ReasonCode.INSUFFICIENT_CONTEXT
    return reason


def _answers(one: Checked, locale: str) -> bool:
    """Whether a statement says something of the matter, and not that it is missing."""
    if one.claim is not None:
        return one.claim.support is not Support.UNSUPPORTED
    return not declares_gap(one.statement.text, locale)


def _code(
    prompt: Prompt,
    answering: Sequence[Checked],
    absent: Gaps,
    targets: Sequence[str],
) -> StatusCode:
    if prompt.contract.name is ContractName.DISAMBIGUATION:
        titles = [passage.hit.title for passage in prompt.passages]
        if len(titles) > len(set(titles)) == 1:
            return StatusCode.METADATA_AMBIGUITY_CLARIFICATION
        return StatusCode.CONTEXT_CLARIFICATION
    vague = prompt.decision.reason in VAGUE
    first = {
        StatusCode.CONTEXT_CLARIFICATION: prompt.decision.mode == "smalltalk",
        StatusCode.INSUFFICIENT_EVIDENCE: not answering,
        StatusCode.PARTIAL_COMPARISON: bool(targets),
        StatusCode.PARTIAL_TOPIC_GROUNDING: bool(absent.topics),
    }
    otherwise = StatusCode.CONTEXT_CLARIFICATION if vague else StatusCode.VERIFIED
    return next((code for code, holds in first.items() if holds), otherwise)


def _whole(release: Release) -> bool:
    """Whether everything that was written is cited, supported and shown."""
    return all(
        one.claim is not None and one.support is Support.SUPPORTED and not one.findings
        for one in release.judged
    )


def _status(code: StatusCode, *, abstained: bool) -> AnswerStatus:
    if abstained:
        return AnswerStatus.INSUFFICIENT
    if code is StatusCode.VERIFIED:
        return AnswerStatus.SUPPORTED
    return AnswerStatus.PARTIAL


def _why(
    checked: Sequence[Checked], absent: Gaps, targets: Sequence[str]
) -> tuple[str, ...]:
    """Return the words for what kept the answer from being verified."""
    flags = (finding.flag.value for one in checked for finding in one.findings)
    why = dict.fromkeys(flags)
    if any(one.claim and one.claim.support is Support.PARTIAL for one in checked):
        why["partial_support"] = None
    if any(one.claim is None for one in checked):
        why["claim_missing_citation"] = None
    if not checked:
        why["no_claims"] = None
    if absent.topics:
        why["missing_topics"] = None
    if targets:
        why["missing_targets"] = None
    return tuple(why)


def _missing_targets(
    prompt: Prompt, shape: Analysis, answering: Sequence[Checked]
) -> tuple[str, ...]:
    """Return the sides of a comparison that no cited passage speaks of."""
    told = [
        f"{citation.title}\n{citation.section}\n{citation.quote}"
        for one in answering
        if one.claim
        for citation in one.claim.citations
    ]
    return tuple(
        side.text
        for side in sides(shape.targets, prompt.locale)
        if not any(side.spoken_of(text, prompt.locale) >= SPOKEN_OF for text in told)
    )


def _insufficiency(
    prompt: Prompt,
    absent: Gaps,
    targets: tuple[str, ...],
    answering: Sequence[Checked],
) -> Insufficiency:
    message = notice(Notice.NO_ANSWER, prompt.locale)
    if answering and absent.topics:
        terms = ", ".join(absent.topics)
        message = notice(Notice.GAP, prompt.locale, terms=terms)
    elif prompt.empty:
        message = said("empty", prompt.locale)
    elif prompt.decision.reason in VAGUE:
        message = explain(prompt.decision.reason, prompt.locale).advice
    documents = dict.fromkeys(passage.hit.document_id for passage in prompt.passages)
    return Insufficiency(
        message=message,
        reasons=tuple(reason.code.value for reason in prompt.decision.reasons),
        missing_targets=targets,
        missing_topics=absent.topics,
        checked_document_ids=tuple(documents),
    )


def _query_type(shape: Analysis, *, abstained: bool) -> str:
    if abstained and shape.query_type is QueryType.SINGLE_DOC:
        return QueryType.ABSTENTION.value
    return shape.query_type.value


def _summary(answering: Sequence[Checked], text: str) -> str:
    """Return the first statement, else the first line of what was said."""
    first = (
        answering[0].statement.text if answering else text.strip().partition("\n")[0]
    )
    if len(first) <= SUMMARY_LENGTH:
        return first
    return first[:SUMMARY_LENGTH].rsplit(" ", 1)[0] + "…"
