"""Which cases a missed bar was missed by: the ids a person looks at next.  Pure."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from lastro.eval.report.section import some
from lastro.eval.results import CaseResult, Run
from lastro.model.score import Bar, BarKind, Scored, Verdict

SHOWN = 12  # ids a bar; the rest is counted, and stands in scores.jsonl

_SLICED: Mapping[str, Callable[[CaseResult], tuple[object, ...]]] = {
    "by_category": lambda result: (result.category,),
    "by_locale": lambda result: (result.locale,),
    "by_query_type": lambda result: (result.query_type,),
    "by_tag": lambda result: result.tags,
}


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
    dimension, _, rest = bar.metric.partition(".")
    inside = _SLICED.get(dimension)
    column = _column(rest if inside else bar.metric, run.metrics)
    if column is None or bar.required is None:
        return
    for result in run.results:
        score = result.scores[column]
        if not isinstance(score, Scored) or score.value >= bar.required:
            continue
        if inside is None or _is_of(rest, inside(result)):
            yield score.value, result.id


def _is_of(rest: str, keys: tuple[object, ...]) -> bool:
    return any(rest.startswith(f"{key}.") for key in keys)


def _column(name: str, metrics: Sequence[str]) -> int | None:
    """Return the metric that a name ends in; keys of slices may hold dots."""
    ends = [m for m in metrics if name == m or name.endswith("." + m)]
    return metrics.index(max(ends, key=len)) if ends else None
