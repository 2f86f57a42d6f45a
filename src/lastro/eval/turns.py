"""Cases as turns of a knowledge base: each leaves a trace, whatever happens.

The two floors are run here too, on the same cases and the same documents.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Protocol

from lastro.answer.provider import Provider
from lastro.compose import Settings, chosen
from lastro.compose.state import listing
from lastro.corpus.split import split
from lastro.errors import LastroError, ProviderError
from lastro.eval.check import gold_ids
from lastro.eval.floors import ONE_PASSAGE, RANDOM, lot, trace
from lastro.eval.resume import Setup
from lastro.index.store import Listing
from lastro.model.answer import Turn as Earlier
from lastro.model.case import Case
from lastro.model.document import Document
from lastro.model.events import Decided, Event, Finished
from lastro.model.ranking import LegStatus, Ranking
from lastro.model.trace import Retrieved, Trace, TraceError
from lastro.text.ids import canonical

PLAIN = "naive"
_DOCUMENTS_KEPT = 2048

Silent = dict[tuple[str, str], str]


class Engine(Protocol):
    """What cases are put to: a knowledge base, or what answers as one does.

    Several threads call it at the same time.
    """

    @property
    def path(self) -> Path:
        """Where its documents lie."""

    @property
    def settings(self) -> Settings:
        """What it was opened with."""

    def parts(self) -> Mapping[str, str]:
        """Return what a turn is made of beside documents and settings, by name."""

    def documents(self) -> Iterable[Listing]:
        """Return the list of documents, by id."""

    def document(self, document_id: str) -> Document | None:
        """Return a document, or None if there is none of that id."""

    def search(self, query: str, *, k: int, locale: str | None) -> Ranking:
        """Return the documents for ``query``, best first."""

    def stream(
        self,
        question: str,
        *,
        system: str,
        provider: Provider,
        history: Sequence[Earlier],
        locale: str | None,
    ) -> Iterator[Event]:
        """Return the events of a turn as they come; the last one is ``Finished``.

        Raises:
            UsageError: there is no such system.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """What a case left behind: a trace, what to warn of, and why legs did not run.

    ``silent`` says why, by the name of a leg and what it reports.
    """

    trace: Trace
    said: str = ""
    silent: Mapping[tuple[str, str], str] = field(default_factory=dict)


@dataclass(slots=True)
class Turns:
    """A knowledge base that cases are put to."""

    kb: Engine
    system: str
    make: Callable[[], Provider]
    with_floors: bool = True
    ids: tuple[str, ...] = ()
    setup: Setup = field(init=False)
    _known: frozenset[str] = frozenset()
    _passages: Callable[[str], tuple[Retrieved, ...]] = field(init=False)

    def __post_init__(self) -> None:
        self.ids, known = listing(self.kb.documents())
        self._known = frozenset(map(canonical, self.ids))
        self._passages = lru_cache(_DOCUMENTS_KEPT)(self._split)
        provider = self.make()  # one that does not exist stops here
        self.kb.stream(  # and so does an unknown system
            "?", system=self.system, provider=provider, history=(), locale=None
        )
        self.setup = self._setup(len(self.ids), known, provider.name)

    def _setup(self, documents: int, listing: str, provider: str) -> Setup:
        parts = dict(self.kb.parts())
        contracts = parts.pop("contracts", "")
        settings = self.kb.settings
        return Setup(
            system=self.system,
            config=chosen(settings) | {"contracts": contracts},
            models=parts | {"provider": provider, "reranker": settings.search.reranker},
            documents=documents,
            listing=listing,
        )

    def changed(self) -> bool:
        """Say whether the knowledge base is another one than at the beginning."""
        try:
            ids, known = listing(self.kb.documents())
            provider = self.setup.models["provider"]
            return self._setup(len(ids), known, provider) != self.setup
        except LastroError:
            return True

    def turn(self, case: Case) -> "Turn":
        """Make ready to ask one case."""
        return Turn(case, self)

    def broken(self, case: Case, error: TraceError) -> Trace:
        """Return the trace of a case that ended in an error."""
        return self.filed(
            case,
            Trace(case_id=case.id, query=case.query, system=self.system, error=error),
        )

    def filed(self, case: Case, trace: Trace) -> Trace:
        """Return the trace with its case, and which gold there is no document of."""
        missing = tuple(
            each for each in gold_ids(case) if canonical(each) not in self._known
        )
        return replace(trace, case_id=case.id, gold_not_indexed=missing)

    def floors(self, case: Case, left: Trace, k: int) -> tuple[Trace, ...]:
        """Return what the two floors leave behind on a case that left ``left``."""
        if not self.with_floors:
            return ()
        drawn = [
            one.passage(self._passages(self.ids[one.place]))
            for one in lot(case, len(self.ids), k)
        ]
        return (trace(case, RANDOM, drawn), *self._one_passage(case, left))

    def _one_passage(self, case: Case, left: Trace) -> Iterator[Trace]:
        if self.system == PLAIN and left.retrieved is not None:
            # That search has been made: its best passage stands in the trace.
            found = [
                Retrieved(id=hit.parent_id or hit.id, text=hit.text or "")
                for hit in left.retrieved[:1]
            ]
        else:
            try:
                ranking = self.kb.search(case.query, k=1, locale=case.locale)
            except LastroError:
                return  # the case itself broke on it, and says so
            found = [
                Retrieved(id=hit.document_id, text=hit.passage.text)
                for hit in ranking.hits[:1]
            ]
        yield trace(case, ONE_PASSAGE, found)

    def _split(self, document_id: str) -> tuple[Retrieved, ...]:
        """Return the passages of a document as a floor retrieves them; one at least."""
        document: Document | None = self.kb.document(document_id)
        passages = () if document is None else split(document)
        texts = [passage.text for passage in passages] or [""]
        return tuple(Retrieved(id=document_id, text=text) for text in texts)


@dataclass(slots=True)
class Turn:
    """One case on its way; who waits for it may give it up from another thread."""

    case: Case
    turns: Turns
    _provider: Provider | None = None

    def run(self) -> Left:
        """Ask the case; whatever happens, a trace is left."""
        silent: Silent = {}
        try:
            return self._run(silent)
        except ProviderError as error:
            said = ""
            broke = TraceError(
                kind=error.kind, provider=error.provider, retryable=error.retryable
            )
        except LastroError as error:
            said = f"case {self.case.id} broke: {error}"
            broke = TraceError(kind=type(error).__name__, retryable=False)
        except BaseException as error:  # noqa: BLE001 - a crash of one case is a record
            name = type(error).__name__
            said = f"case {self.case.id} crashed: {name}: {error}"
            passes = isinstance(error, OSError | MemoryError)  # trouble of the machine
            broke = TraceError(kind=f"crash: {name}", retryable=passes)
        trace = self.turns.broken(self.case, broke)
        return Left(trace=trace, said=said, silent=silent)

    def _run(self, silent: Silent) -> Left:
        self._provider = self.turns.make()
        events = self.turns.kb.stream(
            self.case.query,
            system=self.turns.system,
            provider=self._provider,
            history=self.case.prior_turns,
            locale=self.case.locale,
        )
        trace = None
        for event in events:
            if isinstance(event, Decided):
                silent |= _silent(event.ranking)
            elif isinstance(event, Finished):
                trace = self.turns.filed(self.case, event.trace)
        if trace is None:
            unfinished = TraceError(kind="unfinished", retryable=False)
            trace = self.turns.broken(self.case, unfinished)
        return Left(trace=trace, silent=silent)

    def cancel(self) -> None:
        """End the writing of the answer, if it can be ended."""
        if self._provider is not None:
            self._provider.cancel()


def _silent(ranking: Ranking | None) -> Silent:
    """Return why legs did not run, by name and what they report."""
    legs = {} if ranking is None else ranking.legs
    return {
        (name, leg.status.value): leg.why
        for name, leg in legs.items()
        if leg.status is not LegStatus.OK
    }
