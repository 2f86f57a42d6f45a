"""Several runs of one case made one result: each score the mean of its runs.  Pure.

A case stays one case however often it was run, so intervals are over cases and
a case that always fails is not hidden among runs that pass.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from enum import StrEnum

from lastro.eval.results import CaseResult
from lastro.model.failure import Failure
from lastro.model.score import Failed, Score, Scored, Unscored


class Repeats(StrEnum):
    """What a second trace of a case is: a mistake, or another run of it."""

    REFUSE = "refuse"
    MEAN = "mean"


def mean(runs: Sequence[CaseResult]) -> CaseResult:
    """Return one result for the runs of one case; their order changes nothing.

    Args:
        runs: what each run was judged as, at least one; of one case, with the
            scores of the same metrics.

    Returns:
        Each score as :func:`mean_score` says.  ``failures`` is the number of
        runs that failed, ``failure`` the label that most of those carry, of
        equally many the earlier layer.  The case broke if any run did: whether it
        ``abstained`` is then unknown, as its scores are, and no mean of the rest.
        Else that is the share of the runs that say, and ``confidence`` the mean
        of those that have one; one that is no number from 0 to 1 stays as it
        is, so that it is counted as unusable and not averaged away.
    """
    first, *more = runs
    if not more:
        return first
    broke = _any_of([run.broke for run in runs])
    labels = [run.failure for run in runs if run.failure is not None]
    columns = zip(*(run.scores for run in runs), strict=True)
    return replace(
        first,
        scores=tuple(mean_score(column) for column in columns),
        broke=broke,
        failure=_commonest(labels),
        repeats=sum(run.repeats for run in runs),
        failures=sum(run.failures for run in runs),
        abstained=None if broke else _mean([run.abstained for run in runs]),
        confidence=_confidence([run.confidence for run in runs]),
    )


def mean_score(scores: Sequence[Score]) -> Score:
    """Return what a metric says of a case by what it says of its runs.

    Returns:
        ``Failed`` if it broke on any run, saying on how many; else the mean of
        the runs that it was measured on, with a note where that is not all;
        ``Unscored`` where it was measured on none.

    >>> mean_score([Scored(1.0), Scored(0.0)])
    Scored(value=0.5, notes=())
    >>> mean_score([Scored(1.0), Unscored("no claims")])
    Scored(value=1.0, notes=('measured on 1 of 2 runs',))
    """
    broke = [score.what for score in scores if isinstance(score, Failed)]
    if broke:
        return Failed(f"{len(broke)} of {len(scores)} runs: {_first(broke)}")
    found = [score for score in scores if isinstance(score, Scored)]
    if not found:
        whys = [score.why for score in scores if isinstance(score, Unscored)]
        return Unscored(_first(whys))
    notes = {note for score in found for note in score.notes}
    if len(found) < len(scores):
        notes.add(f"measured on {len(found)} of {len(scores)} runs")
    values = [score.value for score in found]
    value = math.fsum(values) / len(values)
    # Rounding may carry the mean of equal values past them: 3 x 0.1 is no 0.3.
    value = min(max(values), max(min(values), value))
    return Scored(value, tuple(sorted(notes)))


def _first(texts: Iterable[str]) -> str:
    """Return the commonest text, of equally common ones the first by letters."""
    counts = Counter(texts)
    return min(counts, key=lambda text: (-counts[text], text))


def _any_of(broke: Sequence[str]) -> str:
    said = [each for each in broke if each]
    return f"{len(said)} of {len(broke)} runs: {_first(said)}" if said else ""


def _commonest(labels: Sequence[Failure]) -> Failure | None:
    # Failure lists its members in the order of the layers; max keeps the first.
    return max(Failure, key=labels.count) if labels else None


def _mean(values: Iterable[float | None]) -> float | None:
    given = [value for value in values if value is not None]
    return math.fsum(given) / len(given) if given else None


def _confidence(values: Sequence[float | None]) -> float | None:
    unusable = [value for value in values if value is not None and not 0 <= value <= 1]
    if not unusable:
        return _mean(values)
    return min(unusable, key=lambda value: (math.isnan(value), value))
