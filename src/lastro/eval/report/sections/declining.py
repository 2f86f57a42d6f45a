"""Declining in both directions, how unanswerable cases ended, what the gate said."""

from lastro.eval.report.number import count, mean
from lastro.eval.report.section import Section
from lastro.eval.results import Run
from lastro.model.score import Verdict

OUTCOMES = (
    ("correct_refusal", "abstained, no evidence"),
    ("incorrect_answer", "answered"),
    ("boundary_partial", "abstained beside evidence"),
)


def both_ways(run: Run, _verdict: Verdict) -> Section | None:
    """Show both shares together: neither may be had by doing the other."""
    found = (
        ("declined", run.both_ways.declined, "unanswerable cases that were abstained"),
        ("answered", run.both_ways.answered, "answerable cases that were not"),
    )
    rows = tuple(
        (name, mean(summary), count(summary), what)
        for name, summary, what in found
        if summary is not None
    )
    if not rows:
        return None
    note = "A system that declines everything, or nothing, has one of them at 0."
    head = ("share", "mean [95 %]", "n of eligible", "")
    title = "Declining, in both directions"
    return Section(title=title, notes=(note,), rows=(head, *rows))


def refusals(run: Run, _verdict: Verdict) -> Section | None:
    """Count how the unanswerable cases ended."""
    ended = run.refusals
    counts = (ended.correct_refusal, ended.incorrect_answer, ended.boundary_partial)
    if not any(counts):
        return None
    rows = tuple(
        (name, str(n), what) for n, (name, what) in zip(counts, OUTCOMES, strict=True)
    )
    head = ("outcome", _counted(run), "")
    return Section(title="Unanswerable cases", rows=(head, *rows))


def reasons(run: Run, _verdict: Verdict) -> Section | None:
    """Count the gate's words."""
    if not run.reasons:
        return None
    rows = tuple((reason, str(n)) for reason, n in run.reasons.items())
    return Section(
        title="Decisions of the gate", rows=(("reason", _counted(run)), *rows)
    )


def _counted(run: Run) -> str:
    """Say what each trace stands for: a case, or one of its runs."""
    return "runs" if "repeats" in run.provenance else "cases"
