"""What was measured: cases, knowledge base, configuration, versions."""

from collections.abc import Mapping

from lastro.eval.report.section import Section
from lastro.eval.results import Run
from lastro.model.score import Verdict


def provenance(run: Run, _verdict: Verdict) -> Section:
    """List what stands in the run's provenance, sorted by name."""
    rows = tuple((key, written(run.provenance[key])) for key in sorted(run.provenance))
    return Section(title="Provenance", rows=(("what", "value"), *rows))


def written(value: object) -> str:
    """Write one value of a provenance on one line.

    >>> written({"b": [1, 2], "a": ()})
    'a: none, b: 1, 2'
    """
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {written(value[key])}" for key in sorted(value))
    if isinstance(value, list | tuple):
        return ", ".join(map(written, value)) or "none"
    return str(value)
