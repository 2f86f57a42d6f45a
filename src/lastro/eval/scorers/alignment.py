"""Alignment: does each claim stand in what it cites, and each target have a claim.

A claim is right or wrong as a whole; what is wrong with it is said by codes.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from lastro.eval.scorers.citations import pointed_at
from lastro.eval.scorers.groundedness import all_held
from lastro.eval.scorers.scorer import Needs, Scorer, always
from lastro.eval.scorers.view import NO_EVIDENCE, NO_TEXT, View, ids
from lastro.model.case import Case, TargetSpec
from lastro.model.score import Score, Scored, Unscored
from lastro.model.trace import Trace, TraceClaim, TracePassage
from lastro.text.terms import Match, folded

ENOUGH_OVERLAP = 0.5
_TOKEN = re.compile(r"\w+")


class Misalignment(StrEnum):
    """What can be wrong with a claim, or with a target."""

    CLAIM_MISSING_CITATION = "claim_missing_citation"
    CITATION_NOT_IN_EVIDENCE = "citation_not_in_evidence"
    CLAIM_TEXT_NOT_SUPPORTED = "claim_text_not_supported_by_citation"
    DOCUMENT_MISMATCH = "expected_claim_doc_mismatch"
    TERMS_MISSING = "expected_claim_terms_missing"
    CLAIM_MISSING = "expected_claim_missing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Misaligned:
    """One error: ``claim`` counts from 1 and is 0 for a target without a claim."""

    code: Misalignment
    claim: int = 0
    target: str = ""


class _NotKept(Exception):
    """The trace does not hold what a claim has to be compared with."""


def overlap(claim: str, cited: Iterable[str]) -> float:
    """Share of the claim's words that stand in what it cites.

    Args:
        claim: the text of a claim.
        cited: the texts that it cites; may be empty.

    Returns:
        A number in [0, 1]; higher is better.

    Edge cases:
        a claim without a word gives 0.0.

    Reference:
        token precision of the claim against the union of the texts.

    >>> overlap("Fee of 30 euros", ["the fee", "is 30 dollars"])
    0.5
    """
    words = _TOKEN.findall(folded(claim))
    seen = {word for text in cited for word in _TOKEN.findall(folded(text))}
    return sum(word in seen for word in words) / len(words) if words else 0.0


def supported(claim: str, cited: Sequence[str]) -> bool:
    """Say whether a claim stands in one cited text, or half of its words in all."""
    wanted = folded(claim)
    if wanted and any(wanted in folded(text) for text in cited):
        return True
    return overlap(claim, cited) >= ENOUGH_OVERLAP


def misaligned(
    case: Case, trace: Trace | View, match: Match = Match.SUBSTRING
) -> tuple[Misaligned, ...] | Unscored:
    """Return every error of the claims of a trace, or why it cannot be told."""
    view = View.of(trace)
    made = view.claims
    if made is None:
        return Unscored("the trace has no claims")
    expected = _expected(case)
    if not made and not expected:
        return Unscored("neither claims nor expected targets")
    evidence = view.passages
    if evidence is None and any(claim.citations for claim in made):
        return Unscored(NO_EVIDENCE)
    found: list[Misaligned] = []
    try:
        for number, claim in enumerate(made, 1):
            codes = _of_claim(claim, evidence or (), case, match)
            target = claim.target or ""
            found += [Misaligned(code=c, claim=number, target=target) for c in codes]
    except _NotKept:
        return Unscored(NO_TEXT)
    named = {folded(claim.target or "") for claim in made}
    found += [
        Misaligned(code=Misalignment.CLAIM_MISSING, target=spec.target)
        for spec in expected
        if folded(spec.target) not in named
    ]
    return tuple(found)


def _expected(case: Case) -> list[TargetSpec]:
    """Return the targets that need a claim: not those expected to stay open."""
    left_open = {folded(target) for target in case.expected_missing_targets}
    specs = case.expected_claim_citations
    return [spec for spec in specs if folded(spec.target) not in left_open]


def _of_claim(
    claim: TraceClaim, evidence: Sequence[TracePassage], case: Case, match: Match
) -> Iterator[Misalignment]:
    if not claim.citations:
        yield Misalignment.CLAIM_MISSING_CITATION
        return
    pointed = [pointed_at(citation, evidence) for citation in claim.citations]
    if not all(pointed):
        yield Misalignment.CITATION_NOT_IN_EVIDENCE
    cited = [passage for found in pointed for passage in found]
    kept = [passage.text for passage in cited if passage.text is not None]
    if cited and not kept:
        raise _NotKept
    if cited and not supported(claim.text, kept):
        yield Misalignment.CLAIM_TEXT_NOT_SUPPORTED
    target = folded(claim.target or "")
    specs = [s for s in case.expected_claim_citations if folded(s.target) == target]
    if not all(_own_document(claim, spec) for spec in specs):
        yield Misalignment.DOCUMENT_MISMATCH
    terms = [term for spec in specs for term in spec.expected_terms]
    if not all_held(terms, [folded(text) for text in kept], match, case.locale):
        yield Misalignment.TERMS_MISSING


def _own_document(claim: TraceClaim, spec: TargetSpec) -> bool:
    documents = ids([citation.document_id for citation in claim.citations])
    return not documents.isdisjoint(ids(spec.expected_doc_ids))


def alignment_scorers(match: Match) -> tuple[Scorer, ...]:
    """Return claim-citation alignment for one way of matching terms."""

    def aligned(case: Case, view: View, _k: int) -> Score:
        found = misaligned(case, view, match)
        if isinstance(found, Unscored):
            return found
        total = len(view.claims or ())
        missing = sum(item.claim == 0 for item in found)
        wrong = len({item.claim for item in found if item.claim})
        notes = tuple(f"claim {item.claim}: {item.code}" for item in found)
        return Scored((total - wrong) / (total + missing), notes)

    return (
        Scorer(
            name="claim_citation_alignment",
            what="claims without an error / (claims + expected targets without one)",
            binary=False,
            needs=Needs.ALWAYS,
            applies=always,
            measure=aligned,
            reads=("claims", "evidence", "retrieved", "expected_claim_citations"),
            reads_answer=True,
        ),
    )
