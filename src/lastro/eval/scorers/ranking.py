"""Retrieval metrics: did the right document come back, and how far up.

The arithmetic knows ranks only.  Which documents are gold and where they stand is
decided once, in :func:`on_retrieved` and :func:`on_stage`.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import lru_cache
from math import fsum, log2

from lastro.eval.scorers.scorer import Absent, Measure, Needs, Scorer, refuse_cut
from lastro.eval.scorers.view import NOT_RETRIEVED, Found, View
from lastro.model.case import Case
from lastro.model.ranking import Stage
from lastro.model.score import Score, Scored, Unscored

Metric = Callable[[Collection[int], int, int], float]

_AT = re.compile(r"retrieval_(?:hit|recall|ndcg)_at_([1-9][0-9]{0,8})", re.ASCII)
LOWER_BOUND = "a conservative lower bound where one of the gold documents is enough"


def hit(ranks: Collection[int]) -> float:
    """1.0 if any gold document is in the window, else 0.0.

    Args:
        ranks: of the gold documents in the window, from 1, in any order; may be empty.

    Returns:
        0.0 or 1.0; higher is better.

    Edge cases:
        no rank gives 0.0.

    Reference:
        trec_eval ``success_k``.

    >>> hit([2])
    1.0
    """
    return 1.0 if ranks else 0.0


def recall(ranks: Collection[int], gold: int) -> float:
    """Share of the gold documents in the window: a lower bound where one is enough.

    Args:
        ranks: of the gold documents in the window, from 1, in any order; may be empty.
        gold: how many documents should be found, at least 1.

    Returns:
        A number in [0, 1]; higher is better.

    Edge cases:
        no rank gives 0.0; with more gold than the window holds, 1.0 is out of
        reach: the cut-off is not a normaliser.

    Reference:
        trec_eval ``recall_k``; Manning, Raghavan & Schuetze (2008), section 8.4.

    >>> recall([2], 2)
    0.5
    """
    return len(ranks) / gold


def ndcg(ranks: Collection[int], gold: int, k: int) -> float:
    """Discounted gain of the gold in the window over the best that k allows.

    Args:
        ranks: of the gold documents in the window, from 1, in any order; may be empty.
        gold: how many documents should be found, at least 1.
        k: the cut-off that made the window; the ideal has min(gold, k) hits.

    Returns:
        A number in [0, 1]; higher is better; the gain is binary.

    Edge cases:
        no rank gives 0.0; gold that does not fit into k still reaches 1.0.

    Reference:
        trec_eval ``ndcg_cut_k``; Jaervelin & Kekaelaeinen (2002).

    >>> round(ndcg([2], 2, 4), 6)
    0.386853
    """
    gain = fsum([1 / log2(rank + 1) for rank in ranks])
    return gain / _ideal(min(gold, k))


@lru_cache(maxsize=1024)
def _ideal(hits: int) -> float:
    """Return the gain of a window that begins with ``hits`` gold documents."""
    return fsum(1 / log2(r + 1) for r in range(1, hits + 1))


def no_gold(case: Case) -> str:
    """Say why a case has nothing that retrieval should find."""
    return "" if case.retrieval_gold else "no gold: relevant_ids, must_cite_one_of"


def on_retrieved(metric: Metric) -> Measure:
    """Lift a metric over ids to the documents that the system retrieved."""

    def measure(case: Case, view: View, k: int) -> Score:
        found = view.found(case.retrieval_gold)
        if found is None:
            return Unscored(NOT_RETRIEVED)
        return _scored(_within(metric, found, k), view.repeats)

    return measure


# A set of cases has few values of a metric; what is shared is also kept but once.
_scored = lru_cache(maxsize=4096)(Scored)


def _within(metric: Metric, found: Found, k: int) -> float:
    return metric([rank for rank in found.ranks if rank <= k], found.gold, k)


def on_stage(metric: Metric, stage: Stage) -> Measure:
    """Lift a metric over ids to the ranking that one stage left behind."""

    def measure(case: Case, view: View, k: int) -> Score:
        found = view.found(case.retrieval_gold, stage.value)
        return _no_stage(stage) if found is None else _scored(_within(metric, found, k))

    return measure


@lru_cache
def _no_stage(stage: Stage) -> Unscored:
    return Unscored(f"the trace has no stages.{stage}")


def _absent(stage: Stage) -> Absent:
    """Return what tells that a trace lacks a stage, as every other system's does."""
    why = _no_stage(stage)

    def absent(view: View) -> Unscored | None:
        stages = view.trace.stages
        return why if stages is None or stages.get(stage.value) is None else None

    return absent


_METRICS: tuple[tuple[str, Metric, bool, str], ...] = (
    (
        "hit_at_k",
        lambda ranks, _gold, _k: hit(ranks),
        True,
        "1 if any gold document is in the window",
    ),
    (
        "recall_at_k",
        lambda ranks, gold, _k: recall(ranks, gold),
        False,
        "|gold ∩ window| / |gold|",
    ),
    ("ndcg_at_k", ndcg, False, "Σ 1/log2(rank+1) over gold in the window / ideal"),
)
_REMARKS = {"recall_at_k": LOWER_BOUND, "ndcg_at_k": "rank-sensitive, binary gain"}


def retrieval_scorers(at: Iterable[int] = ()) -> tuple[Scorer, ...]:
    """Return the three metrics over ``retrieved``: at k, then at cut-offs of their own.

    Those are called ``retrieval_hit_at_10`` and so on, whatever k is.

    Raises:
        UsageError: a cut-off is under 1.
    """
    return tuple(_retrieval(None)) + tuple(
        scorer for cut in sorted(set(at)) for scorer in _retrieval(cut)
    )


def _retrieval(cut: int | None) -> Iterator[Scorer]:
    if cut is not None:
        refuse_cut(cut)
    for name, metric, binary, what in _METRICS:
        own = name if cut is None else f"{name.removesuffix('k')}{cut}"
        yield Scorer(
            name=f"retrieval_{own}",
            what=what,
            binary=binary,
            needs=Needs.GOLD,
            applies=no_gold,
            measure=on_retrieved(metric),
            reads=("relevant_ids", "must_cite_one_of", "retrieved"),
            reads_answer=False,
            headline=own == "hit_at_k",
            remark=_REMARKS.get(name, ""),
            k=cut,
        )


def own_cut(metric: str) -> int | None:
    """Return the cut-off of a retrieval metric that has one of its own.

    >>> own_cut("retrieval_hit_at_10"), own_cut("retrieval_hit_at_k")
    (10, None)
    """
    found = _AT.fullmatch(metric)
    return None if found is None else int(found[1])


def stage_scorers() -> tuple[Scorer, ...]:
    """Return the same three metrics over each stage of a search."""
    return tuple(
        Scorer(
            name=f"stage.{stage}.{name}",
            what=f"{what}, over stages.{stage}",
            binary=binary,
            needs=Needs.GOLD,
            applies=no_gold,
            measure=on_stage(metric, stage),
            reads=("relevant_ids", "must_cite_one_of", f"stages.{stage}"),
            reads_answer=False,
            remark=_REMARKS.get(name, ""),
            absent=absent,
        )
        for stage, absent in ((stage, _absent(stage)) for stage in Stage)
        for name, metric, binary, what in _METRICS
    )
