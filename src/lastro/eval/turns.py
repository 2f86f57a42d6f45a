"""Cases as turns of a knowledge base: each leaves a trace, whatever happens.

The two floors are run here too, on the same cases and the same documents.
"""

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache

from lastro.compose import KnowledgeBase
from lastro.corpus.split import split
from lastro.errors import LastroError, ProviderError
from lastro.eval.check import gold_ids
from lastro.eval.floors import ONE_PASSAGE, RANDOM, Shown, lot, trace
from lastro.eval.inputs import Warn
from lastro.model.case import Case
from lastro.model.document import Document
from lastro.model.events import Finished
from lastro.model.trace import Trace, TraceError
from lastro.text.ids import canonical

PLAIN = "naive"
_DOCUMENTS_KEPT = 2048


@dataclass(slots=True)
class Turns:
    """A knowledge base that cases are put to."""

    kb: KnowledgeBase
    system: str
    warn: Warn
    with_floors: bool = True
    ids: tuple[str, ...] = ()
    _listing: str = ""
    _known: frozenset[str] = frozenset()
    _passages: Callable[[str], tuple[str, ...]] = field(init=False)

    def __post_init__(self) -> None:
        digest = hashlib.sha256()
        ids = []
        for line in self.kb.documents():
            ids.append(str(line.id))
            digest.update(repr((line.id, line.title, line.locale)).encode())
        self.ids = tuple(ids)
        self._listing = digest.hexdigest()
        self._known = frozenset(map(canonical, ids))
        self._passages = lru_cache(_DOCUMENTS_KEPT)(self._split)
        self.kb.stream("?", system=self.system)  # an unknown system stops here

    def put(self, case: Case) -> Trace:
        """Ask one case; whatever happens, a trace is left."""
        missing = tuple(
            each for each in gold_ids(case) if canonical(each) not in self._known
        )
        return replace(self._turn(case), case_id=case.id, gold_not_indexed=missing)

    def _turn(self, case: Case) -> Trace:
        try:
            *_, last = self.kb.stream(
                case.query,
                system=self.system,
                history=case.prior_turns,
                locale=case.locale,
            )
        except ProviderError as error:
            broke = TraceError(
                kind=error.kind, provider=error.provider, retryable=error.retryable
            )
        except LastroError as error:
            self.warn(f"case {case.id} broke: {error}")
            broke = TraceError(kind=type(error).__name__, retryable=False)
        except Exception as error:  # noqa: BLE001 - a crash of one case is a record
            self.warn(f"case {case.id} crashed: {type(error).__name__}: {error}")
            broke = TraceError(kind=f"crash: {type(error).__name__}", retryable=False)
        else:
            if isinstance(last, Finished):
                return last.trace
            broke = TraceError(kind="unfinished", retryable=False)
        return Trace(case_id=case.id, query=case.query, system=self.system, error=broke)

    def floors(self, case: Case, left: Trace, k: int) -> tuple[Trace, ...]:
        """Return what the two floors leave behind on a case that left ``left``."""
        if not self.with_floors:
            return ()
        drawn = [
            Shown(self.ids[one.place], one.passage(self._passages(self.ids[one.place])))
            for one in lot(case, len(self.ids), k)
        ]
        return (trace(case, RANDOM, drawn), *self._one_passage(case, left))

    def _one_passage(self, case: Case, left: Trace) -> Iterator[Trace]:
        if self.system == PLAIN and left.retrieved is not None:
            # That search has been made: its best passage stands in the trace.
            found = [Shown(h.parent_id or h.id, h.text or "") for h in left.retrieved]
        else:
            try:
                ranking = self.kb.search(case.query, k=1, locale=case.locale)
            except LastroError:
                return  # the case itself broke on it, and says so
            found = [Shown(h.document_id, h.passage.text) for h in ranking.hits]
        yield trace(case, ONE_PASSAGE, found[:1])

    def _split(self, document_id: str) -> tuple[str, ...]:
        document: Document | None = self.kb.document(document_id)
        if document is None:
            return ()
        return tuple(passage.text for passage in split(document))

    def provenance(self) -> dict[str, object]:
        """Return what the cases were put to."""
        return {
            "kb": {"documents": len(self.ids), "listing": self._listing},
            "system": self.system,
            "top_k": self.kb.settings.retrieval.top_k,
        }
