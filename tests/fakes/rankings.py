"""Rankings built by hand, for tests of what is decided on them."""

from collections.abc import Mapping, Sequence

from lastro.gate.features import Features
from lastro.model.document import Passage
from lastro.model.ids import DocumentId, PassageId
from lastro.model.ranking import (
    Hit,
    HybridPath,
    Leg,
    LegStatus,
    QueryTerm,
    Ranking,
    Stage,
    StageEntry,
    StageScore,
)

LEXICAL: Mapping[str, Leg] = {
    "lexical": Leg(status=LegStatus.OK, hits=1, tokens=1),
    "dense": Leg(status=LegStatus.OFF),
}


# What a retrieval shows that earns no complaint.
GOOD = Features(
    failed=False,
    lexical=True,
    selected=4,
    documents=3,
    informative=4,
    unknown=0,
    central=2,
    central_missing=0,
    subjects=2,
    trouble=0,
    top_score=6.0,
    margin=4.0,
    coverage=1.0,
    coverage_weighted=1.0,
)


def term(
    word: str,
    *,
    df: int = 5,
    idf: float = 5.0,
    informative: bool = True,
    exact: bool = False,
) -> QueryTerm:
    """A query term that emits itself."""
    return QueryTerm(
        word=word,
        emissions=(word,),
        stop=False,
        informative=informative,
        exact=exact,
        df=df,
        idf=idf,
    )


def passage(
    text: str = "Text.",
    *,
    document: str = "a",
    ordinal: int = 0,
    locale: str = "en",
    heading_path: tuple[str, ...] = (),
) -> Passage:
    """A passage that begins its document."""
    return Passage(
        id=PassageId(f"{document}::{ordinal:03d}"),
        document_id=DocumentId(document),
        ordinal=ordinal,
        start=0,
        end=len(text),
        text=text,
        heading_path=heading_path,
        locale=locale,
    )


def hit(
    *scores: float,
    document: str = "a",
    ordinal: int = 0,
    text: str = "Text.",
    locale: str = "en",
    lexical: float | None = None,
) -> Hit:
    """A lexical hit; its score is the sum of its terms' unless ``lexical`` says."""
    score = sum(scores) if lexical is None else lexical
    return Hit(
        rank=1,
        score=score,
        passage=passage(text, document=document, ordinal=ordinal, locale=locale),
        title=document,
        source=f"{document}.md",
        stages={Stage.LEXICAL: StageScore(1, score)},
        term_scores=scores,
    )


def ranking(
    terms: Sequence[QueryTerm] = (),
    selected: Sequence[Hit] = (),
    *,
    passages: int = 1000,
    locales: tuple[str, ...] = ("en",),
    legs: Mapping[str, Leg] = LEXICAL,
    stages: Mapping[Stage, tuple[StageEntry, ...]] | None = None,
) -> Ranking:
    """A ranking whose documents are those of the selected passages."""
    return Ranking(
        query=" ".join(item.word for item in terms),
        locales=locales,
        locale_detected=False,
        hybrid_path=HybridPath.LEXICAL_ONLY,
        legs=legs,
        terms=tuple(terms),
        hits=tuple({item.document_id: item for item in selected}.values()),
        selected=tuple(selected),
        stages=stages or {},
        passages=passages,
    )
