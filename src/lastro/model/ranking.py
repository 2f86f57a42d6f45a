"""What a search leaves behind: every stage's ranking and each leg's status."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from lastro.model.document import Passage
from lastro.model.ids import DocumentId, PassageId


class Stage(StrEnum):
    """The stages of a search, in the order in which they run."""

    LEXICAL = "lexical"
    DENSE = "dense"
    FUSED = "fused"
    RERANKED = "reranked"
    SELECTED = "selected"


class LegStatus(StrEnum):
    """How one leg of a search ended; ``blind`` saw no token it could look up."""

    OK = "ok"
    OFF = "off"
    BLIND = "blind"
    FAILED = "failed"


class HybridPath(StrEnum):
    """What actually ran."""

    FULL = "full"
    RRF_ONLY = "rrf_only"
    LEXICAL_ONLY = "lexical_only"
    DENSE_ONLY = "dense_only"
    NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class Leg:
    """One leg's report: ``why`` is for people and set when it did not run."""

    status: LegStatus
    hits: int = 0
    tokens: int = 0
    took_ms: float = 0.0
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryTerm:
    """One word of the query, as the index sees it in this knowledge base.

    ``emissions`` are the index terms it is looked up by; ``df`` is the number
    of passages that hold it (a Hangul word: all its bigrams); ``idf`` is the
    BM25 inverse document frequency.  ``exact`` marks numbers and codes.
    """

    word: str
    emissions: tuple[str, ...]
    stop: bool
    informative: bool
    exact: bool
    df: int
    idf: float


@dataclass(frozen=True, slots=True)
class StageScore:
    """Where a passage stood in a stage: ``rank`` counts from 1."""

    rank: int
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A ranked passage, with the document it stands for.

    ``score`` is the score of the last stage that ranked it.  ``term_scores``
    runs parallel to ``Ranking.terms``: the BM25 contribution of each query
    term in this passage (best emission; a Hangul word: mean of its bigrams),
    0.0 where the passage does not hold it.
    """

    rank: int
    score: float
    passage: Passage
    title: str
    source: str = ""
    collection: str = ""
    stages: Mapping[Stage, StageScore] = field(default_factory=dict)
    term_scores: tuple[float, ...] = ()

    @property
    def document_id(self) -> DocumentId:
        """The document that this passage belongs to."""
        return self.passage.document_id

    @property
    def passage_id(self) -> PassageId:
        """The passage's own id."""
        return self.passage.id

    @property
    def lexical_score(self) -> float:
        """The lexical leg's own score; 0.0 where that leg did not find it."""
        seen = self.stages.get(Stage.LEXICAL)
        return 0.0 if seen is None else seen.score


@dataclass(frozen=True, slots=True, kw_only=True)
class StageEntry:
    """One line of a stage's ranking, as the trace keeps it."""

    passage_id: PassageId
    document_id: DocumentId
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """The result of one search.

    ``hits`` are documents, best first, each shown by its best passage: what
    the metrics see.  ``selected`` are the passages that a prompt takes.
    ``locales`` are the locales whose stemmers analysed the query.
    """

    query: str
    locales: tuple[str, ...]
    locale_detected: bool
    hybrid_path: HybridPath
    legs: Mapping[str, Leg]
    terms: tuple[QueryTerm, ...]
    hits: tuple[Hit, ...]
    selected: tuple[Hit, ...]
    stages: Mapping[Stage, tuple[StageEntry, ...]]
    passages: int
    notes: tuple[str, ...] = ()
