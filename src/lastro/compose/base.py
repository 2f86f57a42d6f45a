"""A knowledge base in use: search, ask, stream, ingest, read."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Self

from lastro.answer.provider import Provider
from lastro.compose import catalogue
from lastro.compose.configure import Settings
from lastro.compose.models import STATIC, Models
from lastro.compose.parts import (
    CONTRACTS,
    contract_texts,
    made_of,
    make_provider,
    policy_named,
    refuse_system,
    stamp,
)
from lastro.gate.calibrated import Calibration, judged
from lastro.gate.decide import decide
from lastro.gate.gap import Entry, Gap, index_gap, with_gap
from lastro.index.search import Searcher
from lastro.model.answer import Answer, Question, Turn
from lastro.model.decision import Decision
from lastro.model.document import Document
from lastro.model.events import Event, Finished
from lastro.model.ranking import Ranking

if TYPE_CHECKING:
    from lastro.index.reports import EmbedReport, IngestReport, Progress
    from lastro.index.store import Listing
    from lastro.index.waiting import Progress as Embedding


class KnowledgeBase:
    """A knowledge base in use.  Close it, or use it in a ``with`` statement.

    Several threads may search, ask and stream at the same time: parts are made
    for each turn, and the one searcher they share locks what it must.
    """

    def __init__(
        self,
        path: Path,
        seen: Settings,
        clock: Callable[[], float],
        environ: Mapping[str, str],
        fitted: Calibration | None = None,
    ) -> None:
        """Take the parts; :func:`open` makes them."""
        self.path = path
        self._models = Models(seen.search, environ)
        self.settings = seen
        self._clock = clock
        self._lock = RLock()
        self._searcher: Searcher | None = None
        self.calibration = fitted
        self._catalogue: tuple[Entry, ...] | None = None

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a person should know about the settings."""
        return self.settings.warnings

    def search(
        self,
        query: str,
        *,
        k: int = 10,
        locale: str | None = None,
        filter_locale: str | None = None,
        collection: str | None = None,
        legs: str | None = None,
    ) -> Ranking:
        """Return the documents for ``query``, best first, without an answer.

        Raises:
            KnowledgeBaseError: there is no knowledge base, or it cannot be read.
            UsageError: ``k`` is below 1, or ``legs`` does not exist.
        """
        policy = self.settings.retrieval
        return self._open().search(
            query,
            k=k,
            candidate_k=policy.candidate_k,
            locale=locale or "",
            filter_locale=filter_locale or "",
            collection=collection or "",
            legs=legs or self.settings.search.legs,
            max_chunks_per_source=policy.max_chunks_per_source,
            reranking=self._models.reranking(),
            clock=self._clock,
        )

    def decide(self, ranking: Ranking) -> Decision:
        """Return how the gate classifies ``ranking``."""
        found = decide(judged(ranking, self.calibration), self.settings.retrieval)
        return with_gap(found, self._gap(ranking))

    def ask(  # noqa: PLR0913  (the choices of a turn)
        self,
        question: str,
        *,
        system: str = "naive",
        policy: str | None = None,
        provider: str | Provider | None = None,
        history: Sequence[Turn] = (),
        locale: str | None = None,
        filter_locale: str | None = None,
        collection: str | None = None,
    ) -> Answer:
        """Answer ``question``: :meth:`stream` read to the end."""
        *_, last = self.stream(
            question,
            system=system,
            policy=policy,
            provider=provider,
            history=history,
            locale=locale,
            filter_locale=filter_locale,
            collection=collection,
        )
        assert isinstance(last, Finished)  # noqa: S101  (our own invariant)
        return last.answer

    def stream(  # noqa: PLR0913  (the choices of a turn)
        self,
        question: str,
        *,
        system: str = "naive",
        policy: str | None = None,
        provider: str | Provider | None = None,
        history: Sequence[Turn] = (),
        locale: str | None = None,
        filter_locale: str | None = None,
        collection: str | None = None,
    ) -> Iterator[Event]:
        """Return the events of a turn, as they come.

        Raises:
            UsageError: an unknown system, policy or provider, or a question that
                is blank or too long.
            KnowledgeBaseError: there is no knowledge base, or it cannot be read.
        """
        from lastro.answer.naive import Naive  # noqa: PLC0415  (a search needs none)

        refuse_system(system)
        engine = Naive(
            search=self._search_turn,
            provider=self._provider(provider),
            retrieval=self.settings.retrieval,
            policy=policy_named(policy) or self.settings.retrieval.grounding_policy,
            clock=self._clock,
            stamp=stamp,
            contracts=contract_texts(self.path / CONTRACTS),
            calibration=self.calibration,
            gap=self._gap,
        )
        asked = Question(
            text=question,
            locale=locale or "",
            filter_locale=filter_locale or "",
            collection=collection or "",
            history=tuple(history),
        )
        return engine.stream(asked)

    def ingest(  # noqa: PLR0913  (the choices of an ingest)
        self,
        sources: str | Path | Sequence[str | Path],
        *,
        sync: bool = False,
        locale: str | None = None,
        collection: str | None = None,
        korean: str | None = None,
        progress: "Callable[[Progress], None] | None" = None,
        embedding: "Callable[[Embedding], None] | None" = None,
    ) -> "IngestReport":
        """Take ``sources`` in; makes the knowledge base if there is none.

        Args:
            sources: a file or a folder, or several.
            sync: also remove the documents that the sources no longer hold.
            locale: the documents' language; None: their own, or detected.
            collection: a name to file them under.
            korean: how a base that is made takes Korean words apart, for good:
                ``bigrams`` (the default) or ``kiwi``.
            progress: told how far the documents are.
            embedding: told how far their vectors are.

        Raises:
            SourceError: a source does not exist.
            EmbedderError: the embedder cannot be used; nothing was done.
            KnowledgeBaseError: the base cannot be written, or has other vectors.
        """
        from lastro.index.ingest import ingest  # noqa: PLC0415  (readers need none)

        return ingest(
            self.path,
            [sources] if isinstance(sources, str | Path) else sources,
            sync=sync,
            locale=locale or "",
            collection=collection or "",
            korean=korean or "",
            progress=progress,
            vectors=self._models.for_ingest(self.path, embedding),
        )

    def embed(
        self,
        embedder: str | None = None,
        *,
        embedding: "Callable[[Embedding], None] | None" = None,
    ) -> "EmbedReport":
        """Give every passage a vector; anew, if another embedder made them.

        Args:
            embedder: whose vectors; None: of the setting, else of the base, else
                ``static``; ``none``: the base loses its vectors.
            embedding: told how far the vectors are.

        Raises:
            EmbedderError: the embedder cannot be used; nothing was done.
            KnowledgeBaseError: there is no knowledge base, or it cannot be written.
        """
        from lastro.index.ingest import embed  # noqa: PLC0415  (readers need none)

        return embed(
            self.path, self._models.for_embed(embedder, embedding), otherwise=STATIC
        )

    def document(self, document_id: str) -> Document | None:
        """Return a document, or None if there is none of that id."""
        return self._open().document(document_id)

    def documents(self) -> "Iterator[Listing]":
        """Yield id, title, locale and version of every document, by id."""
        return self._open().documents()

    def parts(self) -> dict[str, str]:
        """Return what a turn is made of beside documents and settings, by name."""
        return made_of(self.path, self._open().embedder())

    def close(self) -> None:
        """Give everything back; a later call opens it again."""
        with self._lock:
            if self._searcher is not None:
                self._searcher.close()
                self._searcher = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _open(self) -> Searcher:
        with self._lock:
            if self._searcher is None:
                self._searcher = Searcher.open(
                    self.path, clock=self._clock, embedders=self._models.embedder
                )
            return self._searcher

    def _search_turn(self, question: Question) -> Ranking:
        return self.search(
            question.text,
            k=self.settings.retrieval.top_k,
            locale=question.locale,
            filter_locale=question.filter_locale,
            collection=question.collection,
        )

    def _gap(self, ranking: Ranking) -> Gap | None:
        """Return what the question names, the catalogue knows and the base lacks."""
        with self._lock:
            if self._catalogue is None:
                self._catalogue = catalogue.read(self.path)
        return index_gap(
            ranking, self._catalogue, lambda known: self.document(known) is None
        )

    def _provider(self, wanted: str | Provider | None) -> Provider:
        if wanted is None or isinstance(wanted, str):
            return make_provider(wanted or self.settings.answer.provider)
        return wanted
