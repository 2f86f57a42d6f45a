"""The cases of two runs joined by id, and one metric over those both measured."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from lastro.eval.paired import Paired, paired
from lastro.eval.results import CaseResult, Run
from lastro.eval.scorers import lines
from lastro.model.ids import CaseId
from lastro.text.ids import canonical


@dataclass(frozen=True, slots=True)
class Side:
    """One run by canonical case id, and what was measured of each case."""

    results: Mapping[str, CaseResult]
    scores: Mapping[str, Mapping[str, float]]

    def values(self, metric: str, ids: Iterable[str]) -> dict[str, float]:
        """Return what was measured of a metric on some cases."""
        return {i: self.scores[i][metric] for i in ids if metric in self.scores[i]}

    def named(self, ids: Iterable[str]) -> tuple[CaseId, ...]:
        """Return cases as this run calls them."""
        return tuple(self.results[i].id for i in ids)


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """One metric of both runs; ``lost`` and ``gained`` by canonical id."""

    found: Paired
    before: int
    after: int
    lost: tuple[str, ...]
    gained: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairs:
    """Two runs, A and B; ``ids`` are the cases of both, in order."""

    a: Side
    b: Side
    ids: tuple[str, ...]
    metrics: tuple[str, ...]
    seed: int
    resamples: int

    def metric(self, name: str, ids: Iterable[str] | None = None) -> Metric:
        """Compare one metric over the cases of both, or over some of them."""
        asked = self.ids if ids is None else tuple(ids)
        before, after = self.a.values(name, asked), self.b.values(name, asked)
        return Metric(
            found=paired(before, after, seed=self.seed, resamples=self.resamples),
            before=len(before),
            after=len(after),
            lost=tuple(i for i in asked if i in before and i not in after),
            gained=tuple(i for i in asked if i in after and i not in before),
        )


def pairs(a: Run, b: Run, *, seed: int, resamples: int) -> Pairs:
    """Join two runs by case id; ids compare in NFC."""
    one, other = _side(a), _side(b)
    carried = (*a.metrics, *b.metrics)
    table = (scorer.name for scorer in lines(carried))
    return Pairs(
        a=one,
        b=other,
        ids=tuple(sorted(one.results.keys() & other.results.keys())),
        metrics=tuple(dict.fromkeys((*table, *carried))),
        seed=seed,
        resamples=resamples,
    )


def _side(run: Run) -> Side:
    results = {canonical(result.id): result for result in run.results}
    return Side(results, {i: run.scores(result) for i, result in results.items()})
