"""A labelled question: what evaluation asks and what it expects."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from lastro.model.answer import AnswerStatus, Turn
from lastro.model.decision import ReasonCode
from lastro.model.ids import CaseId


class Category(StrEnum):
    """What kind of question a case holds."""

    GOLDEN = "golden"
    ADVERSARIAL = "adversarial"
    NO_MATCH = "no_match"


class QueryType(StrEnum):
    """The shape of a question; ``multi_doc`` is read as a comparison."""

    SINGLE_DOC = "single_doc"
    COMPARISON = "comparison"
    FOLLOW_UP = "follow_up"
    ABSTENTION = "abstention"


class Origin(StrEnum):
    """Where a case comes from; private cases are reported as aggregates only."""

    SYNTHETIC = "synthetic"
    PUBLIC = "public"
    PRIVATE = "private"


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """Where a case comes from and under which licence."""

    origin: Origin
    source: str = ""
    licence: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetSpec:
    """One side of a comparison: its documents and the terms that ground it."""

    target: str
    expected_doc_ids: tuple[str, ...]
    expected_terms: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One case.  ``expected_citation_terms`` of None means ``expected_terms``.

    ``extra`` keeps the fields of the file that no case has; nothing reads it.
    """

    id: CaseId
    query: str
    prior_turns: tuple[Turn, ...] = ()
    locale: str | None = None
    category: Category = Category.GOLDEN
    query_type: QueryType | None = None
    answerable: bool = True
    must_cite_one_of: tuple[str, ...] = ()
    relevant_ids: tuple[str, ...] = ()
    expected_doc_ids: tuple[str, ...] = ()
    expected_terms: tuple[str, ...] = ()
    expected_citation_terms: tuple[str, ...] | None = None
    expected_claim_citations: tuple[TargetSpec, ...] = ()
    expected_answer_status: AnswerStatus | None = None
    expected_missing_targets: tuple[str, ...] = ()
    expected_reason: ReasonCode | None = None
    must_refuse: bool = False
    tags: tuple[str, ...] = ()
    provenance: Provenance | None = None
    extra: Mapping[str, object] = field(default_factory=dict, hash=False)

    @property
    def citation_terms(self) -> tuple[str, ...]:
        """What must stand in the evidence: ``expected_terms`` by default."""
        if self.expected_citation_terms is None:
            return self.expected_terms
        return self.expected_citation_terms

    @property
    def retrieval_gold(self) -> tuple[str, ...]:
        """What retrieval should find: ``relevant_ids``, else ``must_cite_one_of``."""
        return self.relevant_ids or self.must_cite_one_of
