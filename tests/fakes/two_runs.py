"""Judged runs made of a table of scores: what comparing them needs, and no more."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from lastro.eval.results import CaseResult, Run
from lastro.model.failure import Failure
from lastro.model.ids import CaseId
from lastro.model.score import Failed, Score, Scored, Unscored

Cell = float | str | None  # a score; what broke; not measured
HIT, RECALL = "retrieval_hit_at_k", "retrieval_recall_at_k"


def run(
    rows: Mapping[str, Sequence[Cell]],
    metrics: Sequence[str] = (HIT, RECALL),
    *,
    failures: Mapping[str, Failure] | None = None,
    locales: Mapping[str, str] | None = None,
    provenance: Mapping[str, object] | None = None,
    k: int = 4,
) -> Run:
    """Return a run: a row a case, a cell a metric."""
    results = tuple(
        CaseResult(
            id=CaseId(case_id),
            locale=(locales or {}).get(case_id, "en"),
            scores=tuple(map(_score, cells)),
            failure=(failures or {}).get(case_id),
        )
        for case_id, cells in sorted(rows.items())
    )
    return Run(
        metrics=tuple(metrics),
        results=results,
        aggregates={},
        slices={},
        k=k,
        provenance={"match": "substring", "k": k, **(provenance or {})},
    )


def column(values: Sequence[Cell], metric: str = HIT) -> Run:
    """Return a run of one metric: cases ``c00``, ``c01``, …"""
    return run({f"c{i:02d}": [value] for i, value in enumerate(values)}, [metric])


def named(found: Run, **more: object) -> Run:
    """Return a run with other facts in its provenance."""
    return replace(found, provenance={**found.provenance, **more})


def _score(cell: Cell) -> Score:
    if cell is None:
        return Unscored("no gold")
    return Failed(cell) if isinstance(cell, str) else Scored(cell)
