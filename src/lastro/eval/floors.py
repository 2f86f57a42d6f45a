"""Two systems that cannot see, and what a metric makes of them.

``random`` retrieves documents by lot; ``one_passage`` answers with the single
best passage of a plain search.  A metric that scores a system no higher than
these says nothing about it.  The lot is drawn from the seed and the case's id,
so that neither the order of cases nor their number changes it.
"""

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from lastro.eval.aggregate import SEED, apart
from lastro.eval.kept import kept
from lastro.eval.results import CaseResult, Floors, FloorScore
from lastro.eval.scorers import Panel, Scorer
from lastro.eval.scorers.view import View
from lastro.model.case import Case
from lastro.model.score import Scored
from lastro.model.trace import Retrieved, Trace
from lastro.text.ids import canonical

RANDOM = "random"
ONE_PASSAGE = "one_passage"


@dataclass(frozen=True, slots=True)
class Drawn:
    """A place in the list of documents, and how far into the document to look."""

    place: int
    depth: float

    def passage(self, passages: Sequence[Retrieved]) -> Retrieved:
        """Return the passage at that depth."""
        return passages[int(self.depth * len(passages))]


def lot(case: Case, documents: int, k: int, *, seed: int = SEED) -> tuple[Drawn, ...]:
    """Draw ``k`` of ``documents`` places for a case, none of them twice."""
    digest = hashlib.sha256(canonical(case.id).encode("utf-8", "replace")).digest()
    entropy = (seed, int.from_bytes(digest[:8], "big"))
    rng = np.random.Generator(np.random.PCG64(np.random.SeedSequence(entropy)))
    size = min(k, documents)
    places = rng.choice(documents, size=size, replace=False).tolist()
    return tuple(map(Drawn, places, rng.random(size).tolist()))


def trace(case: Case, system: str, shown: Sequence[Retrieved]) -> Trace:
    """Return what a floor leaves behind: it always answers, and cites what it has.

    What it retrieved is its evidence, so that is not said twice.
    """
    return Trace(
        case_id=case.id,
        query=case.query,
        system=system,
        retrieved=tuple(shown),
        answer_text="\n".join([one.text or "" for one in shown]),
        cited_ids=tuple(dict.fromkeys([one.id for one in shown])),
        abstained=False,
        refused=False,
    )


@dataclass(slots=True)
class FloorSheet:
    """The floors' scores as a run goes: metric, then case, then value."""

    scorers: tuple[Scorer, ...]
    k: int
    found: dict[str, dict[str, dict[str, float]]] = field(default_factory=dict)
    _measuring: Panel = field(init=False)

    def __post_init__(self) -> None:
        # A floor has no stages, so those metrics are none of its own.
        own = [
            scorer
            for scorer in self.scorers
            if not any(name.startswith("stages.") for name in scorer.reads)
        ]
        self._measuring = Panel(own, self.k)

    def add(self, case: Case, left: Trace) -> None:
        """Judge what a floor left behind on one case."""
        floor = self.found.setdefault(left.system or "", {})
        found = self._measuring.scores(case, View(left))
        for scorer, score in zip(self._measuring.scorers, found, strict=True):
            if isinstance(score, Scored):
                floor.setdefault(scorer.name, {})[case.id] = score.value

    def compare(self, results: Sequence[CaseResult]) -> Floors:
        """Set the floors beside the system, metric by metric."""
        system = self._by_metric(results)
        sides = {
            (name, metric): (system[metric], values)
            for name, floor in sorted(self.found.items())
            for metric, values in floor.items()
            if system.get(metric, {}).keys() & values.keys()
        }
        scores = floor_scores(list(sides.values()))
        found: dict[str, dict[str, FloorScore]] = {
            name: {} for name in sorted(self.found)
        }
        for (name, metric), score in zip(sides, scores, strict=True):
            found[name][metric] = score
        return found

    def _by_metric(
        self, results: Sequence[CaseResult]
    ) -> Mapping[str, Mapping[str, float]]:
        columns = kept(results, len(self.scorers))
        return {
            scorer.name: columns.measured(column)
            for column, scorer in enumerate(self.scorers)
        }


def floor_scores(
    sides: Sequence[tuple[Mapping[str, float], Mapping[str, float]]],
) -> list[FloorScore]:
    """Compare a system with a floor on the cases both were scored on, metric by metric.

    >>> sides = [({"a": 1.0, "b": 0.5}, {"a": 0.5, "b": 0.0, "c": 1.0})]
    >>> (score,) = floor_scores(sides)
    >>> score.mean, score.n, round(score.headroom, 6), score.told_apart
    (0.25, 2, 0.666667, True)
    """
    told = apart(sides)
    return [_score(*each, told_apart=t) for each, t in zip(sides, told, strict=True)]


def _score(
    system: Mapping[str, float], floor: Mapping[str, float], *, told_apart: bool
) -> FloorScore:
    both = sorted(system.keys() & floor.keys())
    mean = math.fsum(floor[each] for each in both) / len(both)
    reached = math.fsum(system[each] for each in both) / len(both)
    return FloorScore(
        mean=mean,
        n=len(both),
        headroom=None if mean >= 1 else (reached - mean) / (1 - mean),
        told_apart=told_apart,
    )
