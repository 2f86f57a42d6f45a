"""What a retrieval shows: numbers taken from a ranking, and nothing judged yet.

Lexical features read the lexical leg's own scores, never a fused one.  Where
that leg was off, blind or failed they are None: not measured is not zero.
"""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, fields
from math import fsum

from lastro.gate import terms
from lastro.model.ranking import Hit, LegStatus, Ranking, Stage


@dataclass(frozen=True, slots=True, kw_only=True)
class Features:
    """The facts that the rules look at.

    ``failed``: no leg could look.  ``lexical``: the lexical leg looked.
    ``selected`` and ``documents`` count what a prompt would take.  ``subjects``
    are the terms that are central once the words of trouble are left out: what
    is in trouble.  ``top_cosine`` is the dense leg's own best score, for a query
    that the lexical leg did not see.  ``calibrated`` is the probability that the
    base holds the answer, where one was fitted to it.
    """

    failed: bool
    lexical: bool
    selected: int
    documents: int
    informative: int
    unknown: int
    central: int
    central_missing: int
    subjects: int
    trouble: int
    top_score: float | None
    margin: float | None
    coverage: float | None
    coverage_weighted: float | None
    top_cosine: float | None = None
    calibrated: float | None = None

    def as_mapping(self) -> Mapping[str, float]:
        """Return the measured features by name, for the trace."""
        seen = {item.name: getattr(self, item.name) for item in fields(self)}
        return {name: float(value) for name, value in seen.items() if value is not None}


def features(ranking: Ranking) -> Features:
    """Return what ``ranking`` shows.

    Edge cases:
        without an informative term the top score is the best passage's whole
        lexical score and the coverage is 0; with one document only there is no
        margin.
    """
    central = terms.central(ranking.terms, ranking.passages)
    informative = [at for at, term in enumerate(ranking.terms) if term.informative]
    anywhere = _held(ranking, informative, ranking.selected)
    trouble = {
        at
        for at, term in enumerate(ranking.terms)
        if terms.of_trouble(term, ranking.locales)
    }
    best = _best(ranking.selected) if _looked(ranking, "lexical") else None
    covered = _held(ranking, informative, [best]) if best else frozenset()
    return Features(
        failed=_failed(ranking),
        lexical=_looked(ranking, "lexical"),
        selected=len(ranking.selected),
        documents=len({hit.document_id for hit in ranking.selected}),
        informative=len(informative),
        unknown=sum(
            ranking.terms[at].df == 0 and at not in anywhere for at in informative
        ),
        central=len(central),
        central_missing=len(central - anywhere),
        subjects=len(terms.central(ranking.terms, ranking.passages, without=trouble)),
        trouble=len(trouble),
        top_score=_top_score(best, informative) if best else None,
        margin=_margin(best, ranking.selected) if best else None,
        coverage=_share(informative, covered, frozenset()) if best else None,
        coverage_weighted=_share(informative, covered, central) if best else None,
        top_cosine=_top_cosine(ranking),
    )


def _failed(ranking: Ranking) -> bool:
    """A leg failed and none looked: a blind one does not make that 'nothing found'."""
    seen = {leg.status for leg in ranking.legs.values()}
    return LegStatus.FAILED in seen and LegStatus.OK not in seen


def _looked(ranking: Ranking, name: str) -> bool:
    leg = ranking.legs.get(name)
    return leg is not None and leg.status is LegStatus.OK


def _best(selected: Sequence[Hit]) -> Hit | None:
    return max(selected, key=lambda hit: hit.lexical_score, default=None)


def _held(
    ranking: Ranking, informative: Sequence[int], hits: Sequence[Hit]
) -> frozenset[int]:
    return frozenset(
        at
        for at in informative
        if any(terms.held(ranking.terms[at], at, hit) for hit in hits)
    )


def _top_score(best: Hit, informative: Sequence[int]) -> float:
    if not informative:
        return best.lexical_score
    scores = best.term_scores
    held = (scores[at] for at in informative if at < len(scores))
    return fsum(held) / len(informative)


def _margin(best: Hit, selected: Sequence[Hit]) -> float | None:
    others = [hit for hit in selected if hit.document_id != best.document_id]
    second = _best(others)
    return None if second is None else best.lexical_score - second.lexical_score


def _share(
    informative: Sequence[int], covered: AbstractSet[int], central: AbstractSet[int]
) -> float:
    """Weigh central terms twice; with none of them this is the plain share."""
    weights = {at: 2 if at in central else 1 for at in informative}
    whole = sum(weights.values())
    return sum(weights[at] for at in covered) / whole if whole else 0.0


def _top_cosine(ranking: Ranking) -> float | None:
    if not _looked(ranking, "dense"):
        return None
    return max(
        (entry.score for entry in ranking.stages.get(Stage.DENSE, ())), default=None
    )
