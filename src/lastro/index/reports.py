"""What an ingest is told and what it tells: reports, progress, who makes vectors."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # numpy comes with them
    from lastro.index.embed import Embedders
    from lastro.index.waiting import Progress as Embedding

# Asks for no vectors at all.
NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbedWith:
    """Who makes vectors, and who is told how far they are.

    ``name`` is what the embedder is asked for by; empty: the one the base has.
    """

    embedders: "Embedders"
    name: str = ""
    progress: "Callable[[Embedding], None] | None" = None
    clock: Callable[[], float] = time.monotonic


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestReport:
    """What became of the sources, and what the knowledge base holds now.

    ``skipped`` and ``failed`` list each source with why.  ``embedder`` says whose
    vectors the base has; empty: none.  ``pending`` counts the
    passages that have no vector yet because the embedder failed, which
    ``embedding`` says.
    """

    indexed: int
    unchanged: int
    updated: int
    removed: int
    skipped: tuple[tuple[str, str], ...]
    failed: tuple[tuple[str, str], ...]
    documents: int
    passages: int
    embedder: str = ""
    pending: int = 0
    embedding: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbedReport:
    """Whose vectors the base has now, and how many passages have none yet and why."""

    embedder: str
    passages: int
    pending: int = 0
    embedding: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveReport:
    """Which documents were removed, and which ids nobody knows."""

    removed: tuple[str, ...]
    unknown: tuple[str, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far an ingest is: ``done`` counts sources, ``rate`` them by second."""

    done: int
    indexed: int
    unchanged: int
    updated: int
    skipped: int
    failed: int
    passages: int
    seconds: float

    @property
    def rate(self) -> float:
        """Sources a second so far."""
        return self.done / self.seconds if self.seconds > 0 else 0.0
