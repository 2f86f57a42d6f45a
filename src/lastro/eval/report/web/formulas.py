"""How every number is made: its formula, what it reads, when it has no value."""

from lastro.eval.report.section import Section
from lastro.eval.report.web.markup import Html
from lastro.eval.report.web.table import folded, notes, section
from lastro.eval.results import Run
from lastro.eval.scorers import lines

_MEANS = (
    "A mean is over the cases that were scored; those that broke stand in the n of "
    "eligible, never in the mean."
)
_INTERVALS = (
    "An interval is 95 %, over cases in the order of their ids.",
    "wilson: the Wilson score interval, where every score is 0 or 1, or all are equal.",
    (
        "wilson-effective: the same, for as many yes-or-no cases as have the variance "
        "of the scores, where they crowd at one end and a bootstrap is too narrow."
    ),
    (
        "bootstrap: elsewhere; percentiles 2.5 and 97.5 of the means of cases drawn "
        "anew, as often and from the seed that Metrics names."
    ),
    "none: of one case, or of none, there is no interval.",
)


def formulas(run: Run) -> Html:
    """Return the table of formulas, from the same table that the scorers stand in."""
    rows = tuple(
        (
            scorer.name,
            scorer.what,
            ", ".join(scorer.reads),
            f"{scorer.better} is better",
        )
        for scorer in lines(run.metrics)
    )
    head = ("metric", "value of one case", "reads", "direction")
    title = "How the numbers are made"
    found = Section(title=title, rows=(head, *rows))
    return section(
        title,
        notes((_MEANS, *_INTERVALS)),
        folded(found, "Every metric and its formula"),
    )
