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


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """The passages in order, the documents and the prompt's passages; their texts."""

    found: tuple[Candidate, ...] = ()
    documents: tuple[Candidate, ...] = ()
    prompt: tuple[Candidate, ...] = ()
    texts: Mapping[int, Found] = field(default_factory=dict)


def shown(store: Store, scored: Sequence[Scored], wanted: Wanted) -> Shown:
    """Order what a leg found, and read what will be shown of it.

    Raises:
        KnowledgeBaseError: the leg found what the store does not have.
    """
    keys = store.keys([one.row for one in scored])
    if len(keys) < len(scored):
        raise KnowledgeBaseError("the lexical index is not that of this store")
    found = ranked(Candidate(one.score, *keys[one.row], one.row) for one in scored)
    found = found[: wanted.fetch]
    documents = parents(found, wanted.k)
    prompt = selected(found, wanted.k, wanted.max_chunks_per_source)
    rows = list({one.row for one in (*documents, *prompt)})
    return Shown(
        found=found,
        documents=documents,
        prompt=prompt,
        texts=store.passages(rows) if rows else {},
    )


def hits(asked: Asked, seen: Shown) -> tuple[tuple[Hit, ...], tuple[Hit, ...]]:
    """Return the hits of the documents, and those of the prompt."""
    place = {one.row: rank for rank, one in enumerate(seen.found, start=1)}
    chosen = {one.row: rank for rank, one in enumerate(seen.prompt, start=1)}
    terms = {
        row: asked.terms.scores_in(one.passage, one.title) if asked.terms else ()
        for row, one in seen.texts.items()
    }

    def hit(rank: int, one: Candidate) -> Hit:
        row, text = one.row, seen.texts[one.row]
        at = StageScore(place[row], one.score)
        stages = {Stage.LEXICAL: at, Stage.FUSED: at}
        if row in chosen:
            stages[Stage.SELECTED] = StageScore(chosen[row], one.score)
        return Hit(
            rank=rank,
            score=one.score,
            passage=text.passage,
            title=text.title,
            source=text.source,
            collection=text.collection,
            stages=stages,
            term_scores=terms[row],
        )

    documents = tuple(hit(rank, one) for rank, one in enumerate(seen.documents, 1))
    return documents, tuple(hit(rank, one) for rank, one in enumerate(seen.prompt, 1))


def stages(seen: Shown) -> dict[Stage, tuple[StageEntry, ...]]:
    """Return every stage's ranking; with one leg the fused one is that leg's."""
    found = _entries(seen.found)
    return {
        Stage.LEXICAL: found,
        Stage.FUSED: found,
        Stage.SELECTED: _entries(seen.prompt),
    }


def _entries(ranking: Sequence[Candidate]) -> tuple[StageEntry, ...]:
    return tuple(
        StageEntry(passage_id=one.passage, document_id=one.document, score=one.score)
        for one in ranking
    )
