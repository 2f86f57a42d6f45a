"""Whether a confidence means what it says."""

from lastro.eval.report.number import number
from lastro.eval.report.section import Section
from lastro.eval.results import Run
from lastro.model.score import Verdict


def confidence(run: Run, _verdict: Verdict) -> Section | None:
    """Show ECE, Brier and area, then the bins that they stand on."""
    found = run.calibration
    if found is None:
        return None
    rows = tuple(
        (
            f"{number(each.low, 1)} to {number(each.high, 1)}",
            str(each.n),
            number(each.confidence),
            number(each.correct),
        )
        for each in found.bins
        if each.n
    )
    figures = (
        f"ECE {number(found.ece)}, Brier {number(found.brier)}, area under the "
        f"risk-coverage curve {number(found.area)}: lower is better."
    )
    left_out = (
        f"Left out: {found.without} without a confidence, {found.no_outcome} without "
        f"an outcome, {found.unusable} whose confidence is no number from 0 to 1."
    )
    notes = (
        f"n = {found.n}: cases with a confidence and an outcome.",
        f"Correct means: {found.outcome}.",
        *((figures,) if found.n else ()),
        left_out,
    )
    head = ("confidence", "cases", "mean confidence", "correct")
    return Section(title="Confidence", notes=notes, rows=(head, *rows) if rows else ())
