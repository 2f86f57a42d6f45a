"""The answer contract, ``schema_version`` 2, and what leads up to it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from lastro.model.decision import Decision, Reason
from lastro.model.document import Span
from lastro.model.ids import DocumentId, PassageId
from lastro.model.ranking import Hit, Leg, QueryTerm

SCHEMA_VERSION = 2


class AnswerStatus(StrEnum):
    """How much of the question the answer stands for."""

    SUPPORTED = "supported"
    PARTIAL = "partial"
    INSUFFICIENT = "insufficient"


class StatusCode(StrEnum):
    """Why the status is what it is."""

    VERIFIED = "verified"
    PARTIAL_TOPIC_GROUNDING = "partial_topic_grounding"
    PARTIAL_COMPARISON = "partial_comparison"
    INSUFFICIENT_EVIDENCE = "insufficient_evidence"
    CONTEXT_CLARIFICATION = "context_clarification"
    METADATA_AMBIGUITY_CLARIFICATION = "metadata_ambiguity_clarification"


class Support(StrEnum):
    """What the support check says of one sentence or claim."""

    SUPPORTED = "supported"
    PARTIAL = "partial"
    UNSUPPORTED = "unsupported"


class Policy(StrEnum):
    """The grounding policies a person can choose from."""

    STRICT = "strict"
    ANCHORED = "anchored"
    HYBRID = "hybrid"


class ContractName(StrEnum):
    """The instruction texts that a policy and a decision choose between."""

    STRICT = "strict"
    ANCHORED = "anchored"
    PERMISSIVE = "permissive"
    DISAMBIGUATION = "disambiguation"


class Role(StrEnum):
    """Who spoke a turn of a conversation."""

    USER = "user"
    ASSISTANT = "assistant"


@dataclass(frozen=True, slots=True)
class Turn:
    """One earlier turn of the conversation."""

    role: Role
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What a person asks, with the choices that came with it.

    ``locale`` is the language of the question (empty: detect it);
    ``filter_locale`` and ``collection`` restrict the documents.
    """

    text: str
    locale: str = ""
    filter_locale: str = ""
    collection: str = ""
    history: tuple[Turn, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Contract:
    """The grounding instruction chosen for a turn, in the turn's language."""

    name: ContractName
    locale: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptPassage:
    """A passage as the provider sees it: data under an opaque citation id."""

    cite_id: str
    heading: str
    text: str
    hit: Hit


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """Everything a provider is given to write an answer from.

    ``terms`` are the question's informative words, ``query_terms`` all of its
    words as the index sees them.  ``override_attempt`` says that the question
    tries to talk the provider out of its contract, ``empty`` that the base holds
    no passage at all.
    """

    contract: Contract
    passages: tuple[PromptPassage, ...]
    question: Question
    decision: Decision
    locale: str
    terms: tuple[str, ...] = ()
    query_terms: tuple[QueryTerm, ...] = ()
    override_attempt: bool = False
    empty: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """A checked pointer: ``quote`` is exactly ``document.text[start:end]``."""

    document_id: DocumentId
    passage_id: PassageId
    title: str
    section: str
    page: int | None
    start: int
    end: int
    quote: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A statement with its citations; ``target`` names a side of a comparison."""

    claim: str
    support: Support
    citations: tuple[Citation, ...]
    target: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """A passage that the answer could use."""

    document_id: DocumentId
    passage_id: PassageId
    title: str
    text: str
    start: int
    end: int
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Insufficiency:
    """What is missing, said instead of an answer or beside a partial one."""

    message: str
    reasons: tuple[str, ...] = ()
    missing_targets: tuple[str, ...] = ()
    missing_topics: tuple[str, ...] = ()
    checked_document_ids: tuple[DocumentId, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusReason:
    """The code behind the status, and whether every claim was verified."""

    code: StatusCode
    verified: bool
    verification_reasons: tuple[str, ...] = ()


class Flag(StrEnum):
    """What a check after generation can find wrong with an answer."""

    MISSING_INFORMATIVE_TERMS = "missing_informative_terms"
    MISSING_SOURCE_ENTITIES = "missing_source_entities"
    INTRODUCED_UNSUPPORTED_TERMS = "introduced_unsupported_terms"
    UNSUPPORTED_CLAIM = "unsupported_claim"
    UNRESOLVED_CITATION = "unresolved_citation"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing a check found: the sentence, what was seen, what was required."""

    flag: Flag
    sentence: str = ""
    observed: str = ""
    required: str = ""
    span: Span | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The whole record of an answered turn.

    ``answer_text`` carries ``[cite:<id>]`` markers; ``cite_ids`` maps each
    marker to its passage.  Neither is part of the schema 2 contract.
    """

    status: AnswerStatus
    status_reason: StatusReason
    query_type: str
    summary: str
    claims: tuple[Claim, ...]
    evidence: tuple[Evidence, ...]
    insufficiency: Insufficiency | None
    answer_text: str
    decision: Decision
    system: str
    provider: str
    locale: str
    abstained: bool
    refused: bool
    policy: Policy
    legs: Mapping[str, Leg]
    cite_ids: Mapping[str, PassageId] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()
    notices: tuple[str, ...] = ()
    closest: tuple[Hit, ...] = ()
    override: Reason | None = None
    trace_id: str = ""
    schema_version: int = SCHEMA_VERSION
