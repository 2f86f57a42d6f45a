"""A trace as scorers see it: what stands in where a field is absent.

Every rule of absence has its one home here.  ``None`` means *not measured*;
an empty result means that it was measured and nothing was there.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import count
from typing import NamedTuple

from lastro.eval.scorers.contract import claims_of
from lastro.model.trace import (
    Hits,
    Retrieved,
    Trace,
    TraceCitation,
    TraceClaim,
    TracePassage,
)
from lastro.text.ids import canonical
from lastro.text.terms import Folded, folded

NO_TEXT = "the trace holds no text of the evidence (evidence, retrieved[].text)"
NO_EVIDENCE = "the trace has neither evidence nor retrieved"
NOT_RETRIEVED = "no retrieval step: the trace has no retrieved"
NO_CITATIONS = "the trace has neither cited_ids nor claims"

_RETRIEVED = ""  # stands for ``retrieved`` where other rankings have their stage


@dataclass(frozen=True, slots=True)
class Text:
    """One text of the evidence, folded, under the comparable id of its document."""

    document: str
    text: Folded


class Found(NamedTuple):
    """The ranks of the gold documents that were found, and how many are gold."""

    ranks: list[int]
    gold: int


class View:
    """One look at a trace, for every scorer: each part is worked out once, if asked.

    Nothing in it may be changed by who asks.
    """

    def __init__(self, trace: Trace) -> None:
        """Look at ``trace``; nothing is worked out yet."""
        self.trace = trace
        self._ranks: dict[str, Mapping[str, int] | None] = {}
        self._gold: Sequence[str] | None = None
        self._found: dict[str, Found | None] = {}
        self._again = 0

    @classmethod
    def of(cls, trace: "Trace | View") -> "View":
        """Return the view of a trace; a view is its own."""
        return trace if isinstance(trace, View) else cls(trace)

    def ranks(self, stage: str = _RETRIEVED) -> Mapping[str, int] | None:
        """Return the rank of each document of ``retrieved``, or of a stage, from 1.

        Repeats are dropped, keeping the first, and push nothing back: the window
        of k is what has a rank of at most k.  None where the trace has no such
        ranking.
        """
        if stage not in self._ranks:
            self._ranks[stage] = self._of_stage(stage)
        return self._ranks[stage]

    def _of_stage(self, stage: str) -> Mapping[str, int] | None:
        if stage == _RETRIEVED:
            return self._of_retrieved()
        entries = None if self.trace.stages is None else self.trace.stages.get(stage)
        if entries is None:
            return None
        return ranked(comparable([entry.document_id for entry in entries]))

    def _of_retrieved(self) -> Mapping[str, int] | None:
        hits = self.trace.retrieved
        if hits is None:
            return None
        parents: Sequence[str | None] = ()
        if isinstance(hits, Hits):
            items = hits.ids
        else:
            items = [hit.id for hit in hits]
            parents = [hit.parent_id for hit in hits]
        if parents.count(None) == len(parents) and "".join(items).isascii():
            found = ranked(items)  # an item is its document: one count serves both
            self._again = len(items) - len(found)
            return found
        self._again = len(items) - len(set(items))
        return ranked(documents_of(hits))

    def found(self, gold: Sequence[str], stage: str = _RETRIEVED) -> Found | None:
        """Return where the gold of a case stands in ``retrieved``, or in a stage.

        None where the trace has no such ranking.
        """
        if gold is not self._gold:  # of one case it is asked metric after metric
            self._gold, self._found = gold, {}
        if stage not in self._found:
            self._found[stage] = self._places(gold, stage)
        return self._found[stage]

    def _places(self, gold: Sequence[str], stage: str) -> Found | None:
        if (ranks := self.ranks(stage)) is None:
            return None
        wanted = _wanted(tuple(gold))
        return Found([ranks[item] for item in wanted if item in ranks], len(wanted))

    @property
    def repeats(self) -> tuple[str, ...]:
        """How many items were retrieved twice, in words; nothing if none was.

        Two passages of one document are two.
        """
        self.ranks()
        if not self._again:
            return ()
        total = len(self.trace.retrieved or ())
        verb = "repeats" if self._again == 1 else "repeat"
        return (f"{self._again} of {total} retrieved items {verb} an earlier one",)

    @cached_property
    def documents(self) -> frozenset[str] | None:
        """The documents of the evidence; known even where texts are not kept."""
        trace = self.trace
        if trace.evidence is not None:
            return ids([item.document_id for item in trace.evidence])
        if trace.retrieved is not None:
            return frozenset(self.ranks() or ())
        return None

    @cached_property
    def texts(self) -> list[Text] | None:
        """The texts of the evidence, or None where none was kept.

        Without ``evidence``, all of ``retrieved`` stands in, not the k window.
        """
        trace = self.trace
        if trace.evidence is not None:
            found = [
                Text(canonical(item.document_id), folded(item.text))
                for item in trace.evidence
                if item.text
            ]
            return found if found or not trace.evidence else None
        if trace.retrieved is None:
            return None
        found = [
            Text(document_of(hit), folded(hit.text))
            for hit in trace.retrieved
            if hit.text
        ]
        return found if found or not trace.retrieved else None

    @cached_property
    def pool(self) -> list[Folded] | None:
        """The texts that a term may stand in: the answer's, then the evidence's.

        None where no text of the evidence was kept.
        """
        if self.texts is None:
            return None
        said = folded(self.trace.answer_text or "")
        return [said, *(item.text for item in self.texts)]

    @cached_property
    def passages(self) -> tuple[TracePassage, ...] | None:
        """The evidence passage by passage, for checks of single citations."""
        trace = self.trace
        if trace.evidence is not None or trace.retrieved is None:
            return trace.evidence
        return tuple(
            TracePassage(
                document_id=hit.id if hit.parent_id is None else hit.parent_id,
                passage_id=hit.id if hit.parent_id is not None else None,
                text=hit.text,
            )
            for hit in trace.retrieved
        )

    @cached_property
    def citations(self) -> list[TraceCitation] | None:
        """Every citation of the turn: those of the claims, else of ``cited_ids``.

        Raises:
            MalformedAnswer: as ``claims`` does.
        """
        named = self.trace.cited_ids
        if self.claims is not None:
            found = [citation for claim in self.claims for citation in claim.citations]
            if found or not named:
                return found
        return None if named is None else [TraceCitation(document_id=n) for n in named]

    @cached_property
    def cited(self) -> list[str] | None:
        """The comparable ids of the documents cited, in order.

        Raises:
            MalformedAnswer: as ``claims`` does, where they are asked.
        """
        if self.trace.cited_ids is not None:
            return comparable(self.trace.cited_ids)
        if self.claims is None:
            return None
        made = (citation for claim in self.claims for citation in claim.citations)
        return comparable([citation.document_id for citation in made])

    @cached_property
    def claims(self) -> tuple[TraceClaim, ...] | None:
        """The claims of the turn; absent, those of the answer contract.

        Raises:
            MalformedAnswer: the contract's claims are not what schema 2 says.
        """
        if self.trace.claims is not None:
            return self.trace.claims
        return None if self.trace.answer is None else claims_of(self.trace.answer)

    @property
    def abstained(self) -> bool:
        """Whether the system abstained; absent counts as no."""
        return self.trace.abstained is True


def ranked(documents: Sequence[str]) -> dict[str, int]:
    """Return the rank of each document, from 1: repeats are dropped, the first kept.

    >>> ranked(["a", "a", "b"])
    {'a': 1, 'b': 2}
    """
    found = dict(zip(documents, count(1), strict=False))
    if len(found) == len(documents):
        return found
    return dict(zip(dict.fromkeys(documents), count(1), strict=False))


def document_of(hit: Retrieved) -> str:
    """Return the identity of a retrieved item: its parent, else itself."""
    return canonical(hit.id if hit.parent_id is None else hit.parent_id)


def documents_of(hits: Sequence[Retrieved]) -> list[str]:
    """Return the identities of retrieved items, in their order, with repeats."""
    if isinstance(hits, Hits):
        return comparable(hits.ids)
    found = [hit.id if hit.parent_id is None else hit.parent_id for hit in hits]
    return comparable(found)


def comparable(given: Sequence[str]) -> list[str]:
    """Return ids in the form in which they compare; one look where all are ASCII."""
    if "".join(given).isascii():
        return list(given)
    return [canonical(item) for item in given]


def ids(given: Sequence[str]) -> frozenset[str]:
    """Return ids as a set in the form in which they compare."""
    return frozenset(comparable(given))


# The gold of a case is asked for ranking after ranking, and then no more.
_wanted = lru_cache(maxsize=16)(ids)
