"""A slice that a bar asks for and no report has: dimensions combined."""

from collections import defaultdict

from lastro.eval.aggregate import keys, summarise
from lastro.eval.results import CaseResult, Run
from lastro.eval.scorers import lines
from lastro.model.score import Aggregates


def of_a_slice(run: Run, dimension: str, metric: str) -> dict[str, Aggregates]:
    """Summarise one metric by the keys of combined dimensions.

    Args:
        run: what was judged, case by case.
        dimension: such as ``by_locale+query_type``.
        metric: the one to summarise.

    Returns:
        By keys such as ``ko+comparison``; a key whose cases carry no score has
        no metric.
    """
    groups: dict[str, list[CaseResult]] = defaultdict(list)
    for result in run.results:
        for key in keys(result, dimension):
            groups[key].append(result)
    binary = {scorer.name: scorer.binary for scorer in lines([metric])}.get(
        metric, False
    )
    found: dict[str, Aggregates] = {}
    for key, group in sorted(groups.items()):
        seen = {str(result.id): run.scores(result) for result in group}
        scores = {i: each[metric] for i, each in seen.items() if metric in each}
        failed = sum(metric in run.failed(result) for result in group)
        summary = summarise(scores, binary=binary, failed=failed)
        found[key] = {metric: summary} if scores else {}
    return found
