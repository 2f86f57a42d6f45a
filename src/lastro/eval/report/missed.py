"""Which cases a missed bar was missed by: the ids a person looks at next.  Pure."""

from collections.abc import Callable, Iterator, Mapping

from lastro.eval.report.section import some
from lastro.eval.results import CaseResult, Run
from lastro.model.score import Bar, Verdict

SHOWN = 12  # ids a bar; the rest is counted, and stands in scores.jsonl

_SLICED: Mapping[str, Callable[[CaseResult], tuple[object, ...]]] = {
    "by_category": lambda result: (result.category,),
    "by_locale": lambda result: (result.locale,),
    "by_query_type": lambda result: (result.query_type,),
    "by_tag": lambda result: result.tags,
}


def missed(run: Run, verdict: Verdict) -> Iterator[tuple[str, str]]:
    """Yield each missed bar with the ids of the cases that scored under it.

    Lowest scores first, ties by id.  Nothing of a private run is named.
    """
    if run.private:
        return
    for bar in verdict.breaches:
        under = sorted(_under(run, bar))
        yield bar.metric, some(tuple(case_id for _, case_id in under), SHOWN)


def _under(run: Run, bar: Bar) -> Iterator[tuple[float, str]]:
    dimension, _, rest = bar.metric.partition(".")
    inside = _SLICED.get(dimension)
    for result in run.results:
        if inside and not _is_of(rest, inside(result)):
            continue
        metric = _metric(rest if inside else bar.metric, result, run)
        value = run.scores(result).get(metric)
        if value is not None and bar.required is not None and value < bar.required:
            yield value, result.id


def _is_of(rest: str, keys: tuple[object, ...]) -> bool:
    return any(rest.startswith(f"{key}.") for key in keys)


def _metric(name: str, result: CaseResult, run: Run) -> str:
    """Return the metric that a name ends in; keys of slices may hold dots."""
    ends = [m for m in run.scores(result) if name == m or name.endswith("." + m)]
    return max(ends, key=len, default="")
