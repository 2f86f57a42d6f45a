"""From rows that a leg found to the passages and documents that a search shows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from lastro.errors import KnowledgeBaseError
from lastro.index.asked import Asked, Wanted
from lastro.index.fuse import Candidate, ranked
from lastro.index.lexical import Scored
from lastro.index.select import parents, selected
from lastro.index.store import Found, Store
from lastro.model.ranking import Hit, Stage, StageEntry, StageScore
from lastro.text.lists import language


@dataclass(frozen=True, slots=True, kw_only=True)
class Ordered:
    """What the legs found and what became of it; None: the stage did not run."""

    lexical: tuple[Candidate, ...] | None = None
    dense: tuple[Candidate, ...] | None = None
    fused: tuple[Candidate, ...] = ()
    reranked: tuple[Candidate, ...] | None = None

    @property
    def last(self) -> tuple[Candidate, ...]:
        """The order that counts."""
        return self.fused if self.reranked is None else self.reranked


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """The documents and the prompt's passages, in order; their texts."""

    ordered: Ordered = field(default_factory=Ordered)
    documents: tuple[Candidate, ...] = ()
    prompt: tuple[Candidate, ...] = ()
    texts: Mapping[int, Found] = field(default_factory=dict)


def candidates(
    store: Store, scored: Sequence[Scored], leg: str
) -> tuple[Candidate, ...]:
    """Return what a leg found with its ids, best first.

    Raises:
        KnowledgeBaseError: the leg found what the store does not have.
    """
    keys = store.keys([one.row for one in scored])
    if len(keys) < len(scored):
        raise KnowledgeBaseError(f"the {leg} index is not that of this store")
    return ranked(
        Candidate(one.score, key.passage, key.document, one.row, language(key.locale))
        for one in scored
        for key in (keys[one.row],)
    )


def shown(store: Store, ordered: Ordered, wanted: Wanted) -> Shown:
    """Choose the documents and the prompt's passages, and read their texts."""
    documents = parents(ordered.last, wanted.k)
    prompt = selected(ordered.last, wanted.k, wanted.max_chunks_per_source)
    rows = list({one.row for one in (*documents, *prompt)})
    return Shown(
        ordered=ordered,
        documents=documents,
        prompt=prompt,
        texts=store.passages(rows) if rows else {},
    )


def hits(asked: Asked, seen: Shown) -> tuple[tuple[Hit, ...], tuple[Hit, ...]]:
    """Return the hits of the documents, and those of the prompt."""
    places = {stage: _places(order) for stage, order in _orders(seen).items()}
    terms = asked.terms.scores(seen.texts) if asked.terms else {}

    def hit(rank: int, one: Candidate) -> Hit:
        row, text = one.row, seen.texts[one.row]
        return Hit(
            rank=rank,
            score=one.score,
            passage=text.passage,
            title=text.title,
            source=text.source,
            collection=text.collection,
            stages={
                stage: place[row] for stage, place in places.items() if row in place
            },
            term_scores=terms.get(row, ()),
        )

    documents = tuple(hit(rank, one) for rank, one in enumerate(seen.documents, 1))
    return documents, tuple(hit(rank, one) for rank, one in enumerate(seen.prompt, 1))


def stages(seen: Shown) -> dict[Stage, tuple[StageEntry, ...]]:
    """Return the ranking of every stage that ran; of one leg the fused one is its."""
    return {stage: _entries(order) for stage, order in _orders(seen).items()}


def _orders(seen: Shown) -> dict[Stage, tuple[Candidate, ...]]:
    orders = {
        Stage.LEXICAL: seen.ordered.lexical,
        Stage.DENSE: seen.ordered.dense,
        Stage.FUSED: seen.ordered.fused,
        Stage.RERANKED: seen.ordered.reranked,
        Stage.SELECTED: seen.prompt,
    }
    return {stage: order for stage, order in orders.items() if order is not None}


def _places(order: Sequence[Candidate]) -> dict[int, StageScore]:
    return {one.row: StageScore(at, one.score) for at, one in enumerate(order, 1)}


def _entries(ranking: Sequence[Candidate]) -> tuple[StageEntry, ...]:
    return tuple(
        StageEntry(passage_id=one.passage, document_id=one.document, score=one.score)
        for one in ranking
    )
