"""A row to a case: which field is read how.  The table of the fields is this file."""

from collections.abc import Mapping

from lastro.eval.cases.row import Row
from lastro.model.answer import AnswerStatus, Role, Turn
from lastro.model.case import (
    Case,
    Category,
    Origin,
    Provenance,
    QueryType,
    TargetSpec,
)
from lastro.model.decision import ReasonCode
from lastro.model.ids import CaseId

MULTI_DOC = "multi_doc"
_NOTHING: Mapping[str, object] = {}  # one for all: nobody writes into it


def build(row: Row) -> Case | None:
    """Return the case of a row, or None where the row has problems."""
    category = row.choice("category", Category, {})
    case = Case(
        id=CaseId(row.identifier("id")),
        query=row.text("query", required=True),
        prior_turns=_turns(row),
        locale=row.text("locale").strip() or None,
        category=category or Category.GOLDEN,
        query_type=row.choice(
            "query_type", QueryType, {MULTI_DOC: QueryType.COMPARISON}
        ),
        answerable=row.flag("answerable", default=True),
        must_cite_one_of=row.id_list("must_cite_one_of"),
        relevant_ids=row.id_list("relevant_ids"),
        expected_doc_ids=row.id_list("expected_doc_ids"),
        expected_terms=row.terms("expected_terms") or (),
        expected_citation_terms=row.terms("expected_citation_terms"),
        expected_claim_citations=_targets(row),
        expected_answer_status=row.choice("expected_answer_status", AnswerStatus, {}),
        expected_missing_targets=row.words("expected_missing_targets"),
        expected_reason=row.choice("expected_reason", ReasonCode, {}),
        must_refuse=row.flag("must_refuse", default=False),
        tags=row.words("tags"),
        provenance=_provenance(row),
        extra={name: row.given[name] for name in row.unknown()} or _NOTHING,
    )
    return None if row.problems else case


def _turns(row: Row) -> tuple[Turn, ...]:
    found: list[Turn] = []
    for part in row.parts("prior_turns"):
        role = part.choice("role", Role, {})
        if role is None and part.given.get("role") is None:
            part.wrong("role", f"missing; one of {', '.join(Role)}")
        content = part.text("content", required=True)
        row.take(part)
        if role is not None:
            found.append(Turn(role, content))
    return tuple(found)


def _targets(row: Row) -> tuple[TargetSpec, ...]:
    found: list[TargetSpec] = []
    for part in row.parts("expected_claim_citations"):
        spec = TargetSpec(
            target=part.text("target", required=True),
            expected_doc_ids=part.id_list("expected_doc_ids"),
            expected_terms=part.terms("expected_terms") or (),
        )
        if not part.given.get("expected_doc_ids"):
            part.wrong("expected_doc_ids", "missing: a target has documents")
        if not part.given.get("expected_terms"):
            part.wrong("expected_terms", "missing: a target has terms")
        row.take(part)
        found.append(spec)
    return tuple(found)


def _provenance(row: Row) -> Provenance | None:
    part = row.part("provenance")
    if part is None:
        return None
    origin = part.choice("origin", Origin, {})
    if origin is None and part.given.get("origin") is None:
        part.wrong("origin", f"missing; one of {', '.join(Origin)}")
    found = Provenance(
        origin=origin or Origin.PRIVATE,
        source=part.text("source"),
        licence=part.text("licence"),
    )
    row.take(part)
    return found
