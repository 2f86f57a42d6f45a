"""The scores of judged cases by metric, so that slices are read off one table."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lastro.eval.aggregate.interval import Values
from lastro.eval.kept import Kept
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


class Table:
    """Scores of cases in the order of their ids, read metric by metric."""

    def __init__(self, results: Kept) -> None:
        """Look up once what each distinct score is."""
        self._codes = results.codes
        self._kinds = np.array([_KINDS[type(s)] for s in results.scores], np.int8)
        found = (s.value if isinstance(s, Scored) else 0.0 for s in results.scores)
        self._values = np.array(list(found), np.float64)
        odd = ~np.isfinite(self._values)
        self._kinds[odd], self._values[odd] = _NO_NUMBER, 0.0

    def column(self, metric: int, cases: Rows | None = None) -> Column | None:
        """Return a metric over all cases, or over some; None if none carries it."""
        codes = self._codes[:, metric]
        if cases is not None:
            codes = codes[cases]
        kinds = self._kinds[codes]
        odd = int(np.count_nonzero(kinds == _NO_NUMBER))
        scored = kinds == _SCORED
        if not odd and not scored.any():
            return None
        failed = int(np.count_nonzero(kinds == _FAILED))
        return Column(self._values[codes[scored]], failed + odd)
