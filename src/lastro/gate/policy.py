"""What a retrieval must show to be called ok, and how much of it a prompt takes.

Only declarations: the environment names, the range check and the settings page
derive from them.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from lastro.declare import setting
from lastro.model.answer import Policy


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievalPolicy:
    """The thresholds of the gate and the sizes of a retrieval."""

    min_score: float = setting(
        1.5,
        "lowest lexical score an informative term of the best passage",
        env="RETRIEVAL_MIN_SCORE",
        low=0,
        high=50,
        twin=True,
    )
    min_score_margin: float = setting(
        0.15,
        "lowest distance of the two best documents, in lexical score",
        env="RETRIEVAL_MIN_SCORE_MARGIN",
        low=0,
        high=5,
        twin=True,
    )
    min_coverage: float = setting(
        0.34,
        "lowest share of informative terms found in the best passage",
        env="RETRIEVAL_MIN_COVERAGE",
        low=0,
        high=1,
        twin=True,
    )
    min_coverage_weighted: float = setting(
        0.34,
        "the same share with central terms counted twice",
        env="RETRIEVAL_MIN_COVERAGE_WEIGHTED",
        low=0,
        high=1,
        twin=True,
    )
    min_terms: int = setting(
        2,
        "fewest informative terms of a question",
        env="RETRIEVAL_MIN_TERMS",
        low=1,
        high=10,
        twin=True,
    )
    candidate_k: int = setting(
        8,
        "documents that a search considers at least",
        env="RETRIEVAL_CANDIDATE_K",
        low=1,
        high=1000,
        twin=True,
    )
    top_k: int = setting(
        4,
        "documents retrieved, and passages in a prompt",
        env="RETRIEVAL_TOP_K",
        low=1,
        high=100,
        twin=True,
    )
    max_chunks_per_source: int = setting(
        2,
        "passages of one document in a prompt",
        env="RETRIEVAL_MAX_CHUNKS_PER_SOURCE",
        low=1,
        high=100,
        twin=True,
    )
    grounding_policy: Policy = setting(
        Policy.ANCHORED,
        "which grounding contract a turn gets",
        env="GROUNDING_POLICY",
        twin=True,
    )
    disambiguation_enabled: bool = setting(
        default=False,
        meaning="offer the readings of a question that fits two documents alike",
        env="DISAMBIGUATION_ENABLED",
        twin=True,
    )

    @property
    def thresholds(self) -> Mapping[str, float]:
        """The thresholds that the rules compare with, for the trace."""
        return {
            "min_score": self.min_score,
            "min_score_margin": self.min_score_margin,
            "min_coverage": self.min_coverage,
            "min_coverage_weighted": self.min_coverage_weighted,
            "min_terms": float(self.min_terms),
        }


DEPRECATED: Mapping[str, str] = {
    "RETRIEVAL_MODE": "the legs of a search are chosen by --legs",
}
