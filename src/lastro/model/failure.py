"""Where a failed case broke first: the layers of a turn, in order."""

from enum import StrEnum


class Failure(StrEnum):
    """One label a failed case; the order is the order in which they are tried."""

    PROVIDER_ERROR = "provider_error"
    ANSWERED_UNANSWERABLE = "answered_unanswerable"
    REFUSED_ANSWERABLE = "refused_answerable"
    CORPUS_GAP = "corpus_gap"
    CANDIDATE_MISS = "candidate_miss"
    FUSION_MISS = "fusion_miss"
    RERANK_MISS = "rerank_miss"
    SELECTION_MISS = "selection_miss"
    RETRIEVAL_MISS = "retrieval_miss"
    GATE_MISS = "gate_miss"
    UNDER_DECOMPOSITION = "under_decomposition"
    CITATION_MISS = "citation_miss"
    ONE_SIDED_COMPARISON = "one_sided_comparison"
    UNGROUNDED = "ungrounded"
    UNSUPPORTED_CLAIM = "unsupported_claim"
    UNKNOWN = "unknown"
