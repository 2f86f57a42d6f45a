"""What was required, whether it held, and which cases to look at first."""

from lastro.eval.report.missed import missed
from lastro.eval.report.number import interval, number, pair
from lastro.eval.report.section import Section
from lastro.eval.results import Run
from lastro.model.score import Bar, BarState, Verdict


def bars(_run: Run, verdict: Verdict) -> Section:
    """Every bar with its kind, what it saw on how many cases, and its state."""
    rows = [("metric", "kind", "required", "observed [95 %]", "n", "state")]
    for bar in verdict.bars:
        required, observed = pair(bar.required, bar.observed)
        if bar.ci_lo is not None or bar.ci_hi is not None:
            observed += f" {interval(bar.ci_lo, bar.ci_hi)}"
        shown = required, observed, number(bar.n, 0), state(bar)
        rows.append((bar.metric, str(bar.kind), *shown))
    return Section(title="Bars", notes=verdict.notes, rows=tuple(rows))


def state(bar: Bar) -> str:
    """Say what became of a bar."""
    match bar.state:
        case BarState.ACTIVE:
            held = "active, held" if bar.held else "active, MISSED"
            return f"{held}: {bar.why}" if bar.why else held
        case BarState.INACTIVE | BarState.NOT_MEASURED:
            return f"{bar.state}: {bar.why}"


def where_to_look(run: Run, verdict: Verdict) -> Section | None:
    """Name the cases that a missed bar was missed by, lowest scores first."""
    rows = tuple(missed(run, verdict))
    if not rows:
        return None
    head = ("missed bar", "cases that scored under it")
    return Section(title="Where to look", rows=(head, *rows))
