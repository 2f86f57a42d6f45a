"""Answer format: is the answer contract kept, whatever the answer says."""

from collections.abc import Iterator, Mapping

from lastro.eval.scorers.scorer import Needs, Scorer, always
from lastro.eval.scorers.view import View
from lastro.model.answer import SCHEMA_VERSION, AnswerStatus
from lastro.model.case import Case
from lastro.model.score import Score, Scored, Unscored
from lastro.model.trace import TraceClaim
from lastro.text.terms import folded


def _broken(case: Case, answer: Mapping[str, object], view: View) -> Iterator[str]:
    """Name every rule of the contract that an answer breaks."""
    version = answer.get("schema_version")
    if not isinstance(version, int) or version < SCHEMA_VERSION:
        yield "schema_version"
    status = answer.get("status")
    wanted = case.expected_answer_status
    if status not in ([wanted] if wanted else list(AnswerStatus)):
        yield "status"
    made = view.claims or ()
    if not all(map(_cited, made)):
        yield "claims"
    named = {folded(claim.target or "") for claim in made}
    missing = {folded(target) for target in case.expected_missing_targets}
    targets = {folded(spec.target) for spec in case.expected_claim_citations}
    if not targets - missing <= named:
        yield "targets"
    if not missing <= _left_open(answer):
        yield "missing_targets"


def _cited(claim: TraceClaim) -> bool:
    return bool(claim.citations) and all(
        citation.document_id and citation.passage_id for citation in claim.citations
    )


def _left_open(answer: Mapping[str, object]) -> set[str]:
    """Return the targets that the answer itself calls missing."""
    said = answer.get("insufficiency")
    named = said.get("missing_targets") if isinstance(said, Mapping) else None
    if not isinstance(named, list | tuple):
        return set()
    return {folded(target) for target in named if isinstance(target, str)}


def _compliance(case: Case, view: View, _k: int) -> Score:
    if not case.answerable and view.abstained and not view.documents:
        return Unscored("not answerable, abstained and no evidence")
    answer = view.trace.answer
    if answer is None:
        return Unscored("the trace has no answer contract")
    broken = tuple(_broken(case, answer, view))
    return Scored(float(not broken), broken)


def form_scorers() -> tuple[Scorer, ...]:
    """Return the compliance of the answer with its contract."""
    return (
        Scorer(
            name="answer_format_compliance",
            what="1 if schema_version >= 2, the status is the expected one, every "
            "claim is cited with document and passage, targets are all there",
            binary=True,
            needs=Needs.ALWAYS,
            applies=always,
            measure=_compliance,
            reads=("answer", "expected_answer_status", "expected_missing_targets"),
            reads_answer=True,
        ),
    )
