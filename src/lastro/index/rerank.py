"""The best passages in the order of a reranker, if it is quick enough.

Pure but for the clock.  What a reranker cannot do is reported, never raised, and
then the order that came in stands as a whole: half an order is none.
"""

import math
from collections.abc import Callable, Mapping, Sequence

from lastro.errors import LastroError
from lastro.index.fuse import Candidate
from lastro.index.reranker import Reranker
from lastro.model.ranking import Leg, LegStatus

MOST = 32
# Small enough that a model of a second a passage is found out in four.
BATCH = 4

Order = tuple[Candidate, ...]


def reranked(  # noqa: PLR0913 - each is one thing, all are needed
    query: str,
    candidates: Sequence[Candidate],
    texts: Mapping[int, str],
    reranker: Reranker,
    budget_ms: float,
    clock: Callable[[], float],
    *,
    most: int = MOST,
) -> tuple[Order, Leg]:
    """Return the candidates in their new order, and how that came about.

    Args:
        query: the query as it was asked.
        candidates: best first, as they were fused.
        texts: by row, what the reranker reads; the first ``most`` rows at least.
        reranker: what scores them.
        budget_ms: how many milliseconds all batches may take together.  It is
            asked after each batch; after the first one it is also asked whether
            all would take more, so that no time goes into what will not count.
        clock: returns seconds.
        most: how many of the first candidates are reranked.

    Returns:
        All candidates: the first ``most`` by the reranker's score, blended as
        it asks for, which is theirs from now on, ties in the order that came
        in; behind them the rest as it came.  ``hits`` of the report is how
        many were reranked.  With a status other than ``ok`` the order is the
        one that came in.
    """
    began = clock()
    first = candidates[:most]
    try:
        scores = _scored(
            query, [texts[one.row] for one in first], reranker, budget_ms, clock
        )
    except _Skipped as skipped:
        return tuple(candidates), _report(LegStatus.OFF, began, clock, str(skipped))
    except LastroError as error:
        return tuple(candidates), _report(LegStatus.FAILED, began, clock, str(error))
    except Exception as error:  # noqa: BLE001 - a part from outside ends no search
        why = f"the reranker {reranker.name} failed: {type(error).__name__}"
        return tuple(candidates), _report(LegStatus.FAILED, began, clock, why)
    scored = [
        one._replace(score=score)
        for one, score in zip(first, _blended(first, scores, reranker), strict=True)
    ]
    scored.sort(key=lambda one: -one.score)  # stable: ties stay as they came
    report = _report(LegStatus.OK, began, clock, hits=len(scored))
    return (*scored, *candidates[most:]), report


class _Skipped(Exception):
    """The budget is spent, or will be; the message is for people."""


class _Unusable(LastroError):
    """What the reranker gave are no scores."""


def _scored(
    query: str,
    texts: Sequence[str],
    reranker: Reranker,
    budget_ms: float,
    clock: Callable[[], float],
) -> list[float]:
    """Return a finite score for each text, within the budget.

    Raises:
        _Skipped: the budget is spent, or will be before the last text.
    """
    began = clock()
    found: list[float] = []
    while len(found) < len(texts):
        batch = texts[len(found) : len(found) + BATCH]
        found += _checked(reranker.scores(query, batch), len(batch), reranker.name)
        if len(found) == len(texts):
            break  # all is done: what it took is spent, and nothing is saved
        spent = (clock() - began) * 1000
        after = f"after {len(found)} of {len(texts)}"
        if spent > budget_ms:
            raise _Skipped(f"skipped: over {budget_ms:.0f} ms {after}")
        if len(found) == BATCH and spent * len(texts) / BATCH > budget_ms:
            raise _Skipped(f"skipped: over {budget_ms:.0f} ms by the estimate {after}")
    return found


def _blended(
    first: Sequence[Candidate], scores: Sequence[float], reranker: Reranker
) -> Sequence[float]:
    """Return what the candidates are ordered by."""
    if reranker.blend is None or not first:
        return scores
    best = first[0].score
    return [
        one.score / best + reranker.blend * score
        for one, score in zip(first, scores, strict=True)
    ]


def _checked(scores: Sequence[float], count: int, name: str) -> list[float]:
    """Return the scores as they are, or raise for what are none."""
    seen = [float(score) for score in scores]
    if len(seen) != count:
        raise _Unusable(
            f"the reranker {name} gave {len(seen)} scores for {count} passages"
        )
    if not all(map(math.isfinite, seen)):
        raise _Unusable(f"the reranker {name} gave a score that is no number")
    return seen


def _report(
    status: LegStatus,
    began: float,
    clock: Callable[[], float],
    why: str = "",
    *,
    hits: int = 0,
) -> Leg:
    took = round(max(0.0, (clock() - began) * 1000), 3)
    return Leg(status=status, hits=hits, took_ms=took, why=why)
