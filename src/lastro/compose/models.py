"""The models of a knowledge base in use, each made when it is first needed."""

from collections.abc import Mapping
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from lastro.compose.rerankers import make_reranker
from lastro.index import folder
from lastro.index.asked import Reranking
from lastro.index.policy import SearchPolicy
from lastro.index.reports import NONE, EmbedWith

if TYPE_CHECKING:
    from collections.abc import Callable

    from lastro.index.embedder import Embedder
    from lastro.index.waiting import Progress as Embedding

# Whose vectors a new base gets: always there, quick; see docs/decisions/0080.
STATIC = "static"


class Models:
    """Gives embedders and the reranker; the environment holds their secrets."""

    def __init__(self, policy: SearchPolicy, environ: Mapping[str, str]) -> None:
        self._policy = policy
        self._environ = environ
        self._lock = Lock()
        self._reranking: Reranking | None = None

    def embedder(self, name: str) -> "Embedder":
        """Return the embedder of a name.

        Raises:
            EmbedderError: it cannot be used.
            UsageError: there is none of that name.
        """
        from lastro.compose.embedders import make_embedder  # noqa: PLC0415  (numpy)

        return make_embedder(name, self._environ)

    def reranking(self) -> Reranking | None:
        """Return who reads the best passages again, if anybody.

        Raises:
            UsageError: there is none of that name, or it cannot be used.
        """
        with self._lock:
            if self._reranking is None:
                made = make_reranker(self._policy.reranker)
                budget = self._policy.rerank_budget_ms
                if made is not None:
                    self._reranking = Reranking(reranker=made, budget_ms=budget)
            return self._reranking

    def for_ingest(
        self, kb: Path, tell: "Callable[[Embedding], None] | None"
    ) -> EmbedWith:
        """Return who makes the vectors of what is taken in.

        That is the embedder of the base; a new one gets that of the setting.
        """
        name = self._policy.embedder
        if not name and not folder.exists(kb):
            name = STATIC
        return EmbedWith(
            embedders=self.embedder, name="" if name == NONE else name, progress=tell
        )

    def for_embed(
        self, name: str | None, tell: "Callable[[Embedding], None] | None"
    ) -> EmbedWith:
        """Return who makes all vectors: of that name, else of the setting."""
        return EmbedWith(
            embedders=self.embedder, name=name or self._policy.embedder, progress=tell
        )
