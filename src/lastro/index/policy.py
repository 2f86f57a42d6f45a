"""How a search looks and who makes vectors; only declarations."""

from dataclasses import dataclass
from enum import StrEnum

from lastro.declare import setting


class Legs(StrEnum):
    """Which legs look: words, meaning, or both."""

    HYBRID = "hybrid"
    LEXICAL = "lexical"
    DENSE = "dense"


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchPolicy:
    """The legs of a search, and the models behind them."""

    legs: Legs = setting(
        Legs.HYBRID,
        "which legs search; a leg that a base does not have is left out",
        env="SEARCH_LEGS",
    )
    embedder: str = setting(
        "",
        "who makes vectors, at `ingest` and `embed`; a search takes what there is",
        env="EMBEDDER",
    )
    reranker: str = setting(
        "none",
        "who reads the best passages again: `none`, `late` or `fastembed:MODEL`",
        env="RERANKER",
    )
    rerank_budget_ms: int = setting(
        2000,
        "milliseconds that a reranker may take; over that its order is not used",
        env="RERANK_BUDGET_MS",
        low=1,
        high=600_000,
    )
