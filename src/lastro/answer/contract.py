"""The answer contract, ``schema_version`` 2, as JSON-able values; and back.

The order of the keys is fixed and there are no others.  ``answer_text`` comes
last: it is for people, and no reader may rely on its form.  An unknown word
raises.
"""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from lastro.errors import InputError, Problem
from lastro.model.answer import (
    SCHEMA_VERSION,
    Answer,
    AnswerStatus,
    Citation,
    Claim,
    Evidence,
    Insufficiency,
    StatusCode,
    Support,
)
from lastro.model.case import QueryType
from lastro.model.decision import Decision
from lastro.model.ranking import Leg

T = TypeVar("T")


def as_json(answer: Answer) -> dict[str, object]:
    """Return the contract of ``answer``, exactly the fields it promises."""
    return {
        "schema_version": answer.schema_version,
        "status": answer.status.value,
        "status_reason": {
            "code": answer.status_reason.code.value,
            "verified": answer.status_reason.verified,
            "verification_reasons": list(answer.status_reason.verification_reasons),
        },
        "query_type": answer.query_type,
        "summary": answer.summary,
        "claims": [_claim(claim) for claim in answer.claims],
        "evidence": [_evidence(one) for one in answer.evidence],
        "insufficiency": _insufficiency(answer.insufficiency),
        "answer_text": answer.answer_text,
    }


def decision_as_json(decision: Decision) -> dict[str, object]:
    """Return the gate's decision: the reason, all reasons, what was seen."""
    return {
        "reason": decision.reason.value,
        "decision": "hard_stop" if decision.hard_stop else "answer",
        "mode": decision.mode,
        "confidence": decision.confidence,
        "confidence_word": decision.confidence_word.value,
        "calibrated": decision.calibrated,
        "reasons": [
            {
                "code": reason.code.value,
                "observed": reason.observed,
                "required": reason.required,
            }
            for reason in decision.reasons
        ],
        "features": dict(decision.features),
        "thresholds": dict(decision.thresholds),
    }


def legs_as_json(legs: Mapping[str, Leg]) -> dict[str, object]:
    """Return each leg's status; ``why`` only where there is something to say."""
    return {
        name: {
            "status": leg.status.value,
            "hits": leg.hits,
            "tokens": leg.tokens,
            "took_ms": leg.took_ms,
            **({"why": leg.why} if leg.why else {}),
        }
        for name, leg in legs.items()
    }


def check(contract: Mapping[str, object], *, where: str = "answer") -> None:
    """Refuse a contract that is not one: wrong version, unknown status, code, support.

    Raises:
        InputError: naming every field that is wrong.
    """
    problems: list[Problem] = []

    def word(path: str, value: object, kind: type[T]) -> None:
        try:
            kind(value)  # type: ignore[call-arg]
        except ValueError:
            known = ", ".join(str(one) for one in kind)  # type: ignore[attr-defined]
            what = f"{value!r} is not one of {known}"
            problems.append(Problem(file=where, line=0, field=path, what=what))

    version = contract.get("schema_version")
    if not isinstance(version, int) or version < SCHEMA_VERSION:
        what = f"{version!r} is older than {SCHEMA_VERSION}"
        problems.append(Problem(file=where, line=0, field="schema_version", what=what))
    word("status", contract.get("status"), AnswerStatus)
    word("query_type", contract.get("query_type"), QueryType)
    word("status_reason.code", _at(contract, "status_reason", "code"), StatusCode)
    claims = contract.get("claims")
    for number, claim in enumerate(claims if isinstance(claims, Sequence) else ()):
        word(f"claims[{number}].support", _at(claim, "support"), Support)
    if problems:
        raise InputError(problems)


def _at(value: Any, *path: str) -> object:  # noqa: ANN401  (foreign JSON)
    for key in path:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


def _claim(claim: Claim) -> dict[str, object]:
    return {
        "target": claim.target,
        "claim": claim.claim,
        "support": claim.support.value,
        "citations": [_citation(citation) for citation in claim.citations],
    }


def _citation(citation: Citation) -> dict[str, object]:
    return {
        "document_id": citation.document_id,
        "passage_id": citation.passage_id,
        "title": citation.title,
        "section": citation.section,
        "page": citation.page,
        "start": citation.start,
        "end": citation.end,
        "quote": citation.quote,
    }


def _evidence(one: Evidence) -> dict[str, object]:
    return {
        "document_id": one.document_id,
        "passage_id": one.passage_id,
        "title": one.title,
        "text": one.text,
        "start": one.start,
        "end": one.end,
        "score": one.score,
    }


def _insufficiency(lacking: Insufficiency | None) -> dict[str, object] | None:
    if lacking is None:
        return None
    return {
        "message": lacking.message,
        "reasons": list(lacking.reasons),
        "missing_targets": list(lacking.missing_targets),
        "missing_topics": list(lacking.missing_topics),
        "checked_document_ids": list(lacking.checked_document_ids),
    }
