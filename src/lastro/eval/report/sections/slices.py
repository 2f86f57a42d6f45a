"""The metrics of every slice, and of slices combined."""

from lastro.eval.report.number import count, mean
from lastro.eval.report.section import Section
from lastro.eval.report.sections.metrics import of_a_stage
from lastro.eval.results import Run
from lastro.eval.scorers import lines

INDICATIVE = (
    "Differences between locales are indicative: their cases differ, none is tested."
)
_LONG = "by_tag"  # free labels: there may be hundreds


def slices(run: Run) -> tuple[Section, ...]:
    """One section a dimension that the run was sliced by."""
    return tuple(
        _slice(run, dimension) for dimension, groups in run.slices.items() if groups
    )


def title(dimension: str) -> str:
    """Name a dimension for people.

    >>> title("by_query_type"), title("by_locale+query_type")
    ('By query type', 'By locale and query type')
    """
    words = dimension.removeprefix("by_").replace("_", " ")
    return "By " + words.replace("+", " and ")


def _slice(run: Run, dimension: str) -> Section:
    groups = run.slices[dimension]
    long = dimension == _LONG or "+" in dimension
    if len(groups) == 1 and not long:
        note = f"All cases are: {next(iter(groups))}."
        return Section(title=title(dimension), notes=(note,))
    rows = [
        (scorer.name, key, mean(group[scorer.name]), count(group[scorer.name]))
        for scorer in lines(run.metrics)
        if not of_a_stage(scorer.name)
        for key, group in groups.items()
        if scorer.name in group
    ]
    silent = [
        f"Slice {key}: no metric was measured." for key in groups if not groups[key]
    ]
    indicative = [INDICATIVE] if "locale" in dimension else []
    head = ("metric", title(dimension).removeprefix("By "), "mean [95 %]")
    return Section(
        title=title(dimension),
        notes=(*indicative, *silent),
        rows=((*head, "n of eligible"), *rows) if rows else (),
        long=long,
    )
