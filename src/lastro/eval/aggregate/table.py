"""The scores of judged cases by metric, so that slices are read off one table."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lastro.eval.aggregate.interval import Values
from lastro.eval.results import CaseResult
from lastro.model.score import Failed, Score, Scored, Unscored

Rows = npt.NDArray[np.intp]

_SCORED, _FAILED = 1, 2
_NO_NUMBER = 3  # a score that is not finite: no measurement, and yet some case's
_KINDS: dict[type[Score], int] = {Unscored: 0, Scored: _SCORED, Failed: _FAILED}


@dataclass(frozen=True, slots=True)
class Column:
    """One metric over some cases: what was measured, in the order of their ids.

    ``failed`` counts the cases that broke, and those whose score is no number.
    """

    values: Values
    failed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Scores of cases in the order of their ids: a row a metric, a column a case."""

    kinds: npt.NDArray[np.int8]
    values: Values

    def column(self, metric: int, cases: Rows | None = None) -> Column | None:
        """Return a metric over all cases, or over some; None if none carries it."""
        kinds, values = self.kinds[metric], self.values[metric]
        if cases is not None:
            kinds, values = kinds[cases], values[cases]
        odd = int(np.count_nonzero(kinds == _NO_NUMBER))
        scored = kinds == _SCORED
        if not odd and not scored.any():
            return None
        failed = int(np.count_nonzero(kinds == _FAILED))
        return Column(values[scored], failed + odd)


def table(results: Sequence[CaseResult], metrics: int) -> Table:
    """Return the scores of ``results``, which stand in the order of their ids."""
    shape = metrics, len(results)
    kinds = np.zeros(shape, dtype=np.int8)
    values = np.zeros(shape)
    columns: Iterable[tuple[Score, ...]] = zip(
        *(result.scores for result in results), strict=True
    )
    for metric, scores in zip(range(metrics), columns, strict=False):
        kinds[metric] = [_KINDS[type(score)] for score in scores]
        values[metric] = [
            score.value if isinstance(score, Scored) else 0.0 for score in scores
        ]
    odd = ~np.isfinite(values)
    kinds[odd], values[odd] = _NO_NUMBER, 0.0
    return Table(kinds=kinds, values=values)
