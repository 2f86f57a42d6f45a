"""Retrieval metrics: did the right document come back, and how far up.

The arithmetic knows ids only.  Which ids are gold and which stand in the window
is decided once, in :func:`on_retrieved` and :func:`on_stage`.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from math import fsum, log2

from lastro.eval.scorers.scorer import Measure, Needs, Scorer, refuse_cut
from lastro.eval.scorers.view import NOT_RETRIEVED, View, ids
from lastro.model.case import Case
from lastro.model.ranking import Stage
from lastro.model.score import Score, Scored, Unscored

Ids = set[str] | frozenset[str]
Metric = Callable[[Ids, list[str], int], float]

_AT = re.compile(r"retrieval_(?:hit|recall|ndcg)_at_([1-9][0-9]{0,8})", re.ASCII)
LOWER_BOUND = "a conservative lower bound: one of the gold documents is enough"


def hit(gold: Ids, found: list[str]) -> float:
    """1.0 if any gold document is in the window, else 0.0.

    Args:
        gold: ids that should be found; not empty.
        found: the window (see ``View.window``): distinct ids, best first; may be empty.

    Returns:
        0.0 or 1.0; higher is better.

    Edge cases:
        an empty window gives 0.0.

    Reference:
        trec_eval ``success_k``.

    >>> hit({"a", "b"}, ["x", "a", "y", "z"])
    1.0
    """
    return 0.0 if gold.isdisjoint(found) else 1.0


def recall(gold: Ids, found: list[str]) -> float:
    """Share of the gold documents in the window: a lower bound where one is enough.

    Args:
        gold: ids that should be found; not empty.
        found: the window (see ``View.window``): distinct ids, best first; may be empty.

    Returns:
        A number in [0, 1]; higher is better.

    Edge cases:
        an empty window gives 0.0; with more gold than the window holds, 1.0
        is out of reach: the cut-off is not a normaliser.

    Reference:
        trec_eval ``recall_k``; Manning, Raghavan & Schuetze (2008), section 8.4.

    >>> recall({"a", "b"}, ["x", "a", "y", "z"])
    0.5
    """
    return len(gold.intersection(found)) / len(gold)


def ndcg(gold: Ids, found: list[str], k: int) -> float:
    """Discounted gain of the gold in the window over the best that k allows.

    Args:
        gold: ids that should be found; not empty.
        found: the window (see ``View.window``): distinct ids, best first; may be empty.
        k: the cut-off that made the window; the ideal has min(size of gold, k) hits.

    Returns:
        A number in [0, 1]; higher is better; the gain is binary.

    Edge cases:
        an empty window gives 0.0; gold that does not fit into k still reaches 1.0.

    Reference:
        trec_eval ``ndcg_cut_k``; Jaervelin & Kekaelaeinen (2002).

    >>> round(ndcg({"a", "b"}, ["x", "a", "y", "z"], 4), 6)
    0.386853
    """
    gain = fsum([1 / log2(r + 1) for r, item in enumerate(found, 1) if item in gold])
    return gain / _ideal(min(len(gold), k))


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
        found = view.window(k)
        if found is None:
            return Unscored(NOT_RETRIEVED)
        return Scored(metric(_gold(case), found, k), view.repeats)

    return measure


def _gold(case: Case) -> frozenset[str]:
    return _set(tuple(case.retrieval_gold))


# A case is asked for its gold by scorer after scorer, and then by none.
@lru_cache(maxsize=16)
def _set(gold: tuple[str, ...]) -> frozenset[str]:
    return ids(gold)


def on_stage(metric: Metric, stage: Stage) -> Measure:
    """Lift a metric over ids to the ranking that one stage left behind."""
    absent = Unscored(f"the trace has no stages.{stage}")

    def measure(case: Case, view: View, k: int) -> Score:
        found = view.window(k, stage)
        return absent if found is None else Scored(metric(_gold(case), found, k))

    return measure


def _any_k(metric: Callable[[Ids, list[str]], float]) -> Metric:
    return lambda gold, found, _k: metric(gold, found)


_METRICS: tuple[tuple[str, Metric, bool, str], ...] = (
    ("hit_at_k", _any_k(hit), True, "1 if any gold document is in the window"),
    ("recall_at_k", _any_k(recall), False, "|gold ∩ window| / |gold|"),
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
        )
        for stage in Stage
        for name, metric, binary, what in _METRICS
    )
