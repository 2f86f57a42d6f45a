"""The sections of a report, in order; one with nothing to say is left out."""

from collections.abc import Iterator

from lastro.eval.report.section import Section
from lastro.eval.report.sections.bars import bars, where_to_look
from lastro.eval.report.sections.confidence import confidence
from lastro.eval.report.sections.declining import both_ways, reasons, refusals
from lastro.eval.report.sections.gaps import (
    broken_cases,
    not_measured,
    stray_traces,
)
from lastro.eval.report.sections.layers import (
    failing_cases,
    labels,
    repeats,
    waterfall,
)
from lastro.eval.report.sections.metrics import floors, legs, metrics, stages
from lastro.eval.report.sections.provenance import provenance
from lastro.eval.report.sections.slices import slices
from lastro.eval.results import Run
from lastro.model.score import Verdict

_FIRST = (
    bars,
    where_to_look,
    metrics,
    waterfall,
    labels,
    failing_cases,
    repeats,
    stages,
    legs,
    both_ways,
    refusals,
    confidence,
    floors,
)
_LAST = (reasons, not_measured, broken_cases, stray_traces, provenance)


def sections(run: Run, verdict: Verdict) -> Iterator[Section]:
    """Yield what there is to say of a run."""
    for each in _FIRST:
        found = each(run, verdict)
        if found is not None:
            yield found
    yield from slices(run)
    for each in _LAST:
        found = each(run, verdict)
        if found is not None:
            yield found
