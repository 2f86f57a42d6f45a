"""Systems that are nothing but scores, shaped as those of a real run are."""

import math
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from lastro.eval.aggregate import aggregate, slices
from lastro.eval.baseline import STAGE
from lastro.eval.results import CaseResult, Run
from lastro.eval.scorers import SCORERS
from lastro.model.ids import CaseId
from lastro.model.score import Score, Scored, Unscored

_CDF = np.vectorize(NormalDist().cdf)

Matrix = npt.NDArray[np.float64]


class Shape:
    """Which case carries which metric, in which locale, and what scores there are."""

    def __init__(self, run: Run, n: int) -> None:
        """Take ``n`` cases, spread over all of a run."""
        every = len(run.results)
        n = min(n, every)
        kept = [run.results[at * every // n] for at in range(n)]
        scored = [run.scores(result) for result in run.results]
        self.metrics = tuple(
            scorer
            for scorer in SCORERS
            if not scorer.name.startswith(STAGE)
            and any(scorer.name in run.scores(result) for result in kept)
        )
        names = [scorer.name for scorer in self.metrics]
        self.names = names
        self.locales = [result.locale or "" for result in kept]
        self.has = np.array([[m in run.scores(r) for m in names] for r in kept])
        self.scores = [np.sort([s[m] for s in scored if m in s]) for m in names]

    def values(self, latent: Matrix) -> Matrix:
        """Return the scores that standard normal figures stand for."""
        shares: Matrix = _CDF(latent)
        found = np.empty_like(shares)
        for column, scores in enumerate(self.scores):
            at = (shares[:, column] * len(scores)).astype(int)
            found[:, column] = scores[np.minimum(at, len(scores) - 1)]
        return found

    def run(self, values: Matrix) -> Run:
        """Return a judged run of such scores."""
        results = tuple(
            CaseResult(
                id=CaseId(f"c{at:04d}"),
                locale=locale,
                scores=tuple(map(_score, values[at], self.has[at])),
            )
            for at, locale in enumerate(self.locales)
        )
        return Run(
            metrics=tuple(self.names),
            results=results,
            aggregates=aggregate(results, self.metrics, resamples=1),
            slices=slices(results, self.metrics, resamples=1),
            k=4,
            provenance={"case_set": "c" * 64, "cases": len(results), "match": "s"},
        )


def _score(value: float, measured: bool) -> Score:  # noqa: FBT001 - a cell of a table
    return Scored(float(value)) if measured else Unscored("no label")


def latent(rng: np.random.Generator, shape: tuple[int, int], together: float) -> Matrix:
    """Draw standard normal figures, a row a case, whose columns go together."""
    common, own = rng.standard_normal((shape[0], 1)), rng.standard_normal(shape)
    found: Matrix = math.sqrt(together) * common + math.sqrt(1 - together) * own
    return found


def pair(
    shape: Shape, rng: np.random.Generator, redrawn: float, together: float
) -> tuple[Matrix, Matrix]:
    """Return the scores of two runs of one system."""
    size = (len(shape.locales), len(shape.names))
    fixed = math.sqrt(1 - redrawn) * latent(rng, size, together)
    then, now = (
        shape.values(fixed + math.sqrt(redrawn) * latent(rng, size, together))
        for _ in "ab"
    )
    return then, now


def hurt(
    shape: Shape,
    rng: np.random.Generator,
    values: Matrix,
    drop: float,
    only: str | None = None,
) -> Matrix:
    """Let cases fail, at random, until every metric (or one) has lost ``drop``."""
    lot = rng.random(len(values))
    found = values.copy()
    for column, (name, scores) in enumerate(
        zip(shape.names, shape.scores, strict=True)
    ):
        if only in {None, name}:
            found[lot < drop / scores.mean(), column] = 0.0
    return found
