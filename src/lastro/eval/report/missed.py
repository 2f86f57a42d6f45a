"""Which cases a missed bar was missed by: the ids a person looks at next.  Pure."""

from collections.abc import Iterator

from lastro.eval.aggregate import keys
from lastro.eval.report.section import some
from lastro.eval.results import Run
from lastro.eval.verdict.bars import ANSWERED, DECLINED, path
from lastro.model.score import Bar, BarKind, Scored, Verdict

SHOWN = 12  # ids a bar; the rest is counted, and stands in scores.jsonl


def missed(run: Run, verdict: Verdict) -> Iterator[tuple[str, str]]:
    """Yield each missed bar with the ids of the cases that scored under it.

    Lowest scores first, ties by id.  Nothing of a private run is named.  A drop
    and the bar of the cases name theirs themselves.
    """
    if run.private:
        return
    for bar in verdict.breaches:
        if bar.kind in {BarKind.DROP, BarKind.CASES}:
            continue
        under = sorted(_under(run, bar))
        yield bar.metric, some(tuple(case_id for _, case_id in under), SHOWN)


def _under(run: Run, bar: Bar) -> Iterator[tuple[float, str]]:
    if bar.metric in {ANSWERED, DECLINED}:
        yield from _declining(run, bar.metric)
        return
    inside = path(bar.metric, run.metrics)
    dimension, key, metric = inside or ("", "", bar.metric)
    if metric not in run.metrics or bar.required is None:
        return
    column = run.metrics.index(metric)
    for result in run.results:
        score = result.scores[column]
        if not isinstance(score, Scored) or score.value >= bar.required:
            continue
        if not dimension or key in keys(result, dimension):
            yield score.value, result.id


def _declining(run: Run, which: str) -> Iterator[tuple[float, str]]:
    """Yield what was answered and should not have been, or the other way round."""
    for result in run.results:
        if result.abstained is None or result.answerable is not (which == ANSWERED):
            continue
        right = 1 - result.abstained if which == ANSWERED else result.abstained
        if right < 1:
            yield right, result.id
