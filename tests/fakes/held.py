"""Judged runs with their means: what bars and baselines need, and no more."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import two_runs

from lastro.eval.aggregate import aggregate, slices
from lastro.eval.results import CaseResult, Run
from lastro.eval.scorers import SCORERS

HIT, GROUNDED = "retrieval_hit_at_k", "groundedness"


def summed(run: Run) -> Run:
    """Return a run of ``two_runs`` with its means."""
    named = {scorer.name: scorer for scorer in SCORERS}
    metrics = [named[metric] for metric in run.metrics]
    return replace(
        run,
        aggregates=aggregate(run.results, metrics),
        slices=slices(run.results, metrics),
    )


def run(
    rows: Mapping[str, Sequence[two_runs.Cell]],
    metrics: Sequence[str] = (HIT, GROUNDED),
    *,
    locales: Mapping[str, str] | None = None,
    **provenance: object,
) -> Run:
    """Return a run: a row a case, a cell a metric."""
    said = {"case_set": "c" * 64, "cases": len(rows), **provenance}
    return summed(two_runs.run(rows, metrics, locales=locales or {}, provenance=said))


def column(cells: Sequence[two_runs.Cell], metric: str = HIT) -> Run:
    """Return a run of one metric: cases ``c000``, ``c001``, … all of one locale."""
    rows = {f"c{place:03d}": [cell] for place, cell in enumerate(cells)}
    return run(rows, [metric])


def cases(*results: CaseResult) -> Run:
    """Return a run of such cases, each of which was found."""
    found = two_runs.column([1.0] * len(results))
    scored = tuple(
        replace(result, scores=one.scores)
        for result, one in zip(results, found.results, strict=True)
    )
    return summed(replace(found, results=scored))
