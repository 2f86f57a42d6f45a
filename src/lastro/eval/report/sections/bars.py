"""What was required, whether it held, and which cases to look at first."""

from collections.abc import Iterator, Sequence

from lastro.eval.report.missed import missed
from lastro.eval.report.number import interval, number, pair
from lastro.eval.report.section import Row, Rows, Section
from lastro.eval.results import Run
from lastro.model.score import Bar, BarKind, BarState, Verdict

TITLE = "Bars"


def bars(_run: Run, verdict: Verdict) -> Section:
    """Every bar with its kind, what it saw on how many cases, and its state.

    A baseline sets dozens: those that saw nothing beyond tolerance are counted.
    """
    rows = _rows(listed(verdict))
    return Section(title=TITLE, notes=(*verdict.notes, *_quiet(verdict)), rows=rows)


def _quiet(verdict: Verdict) -> Iterator[str]:
    quiet = tuple(filter(_uneventful, verdict.bars))
    if quiet:
        n, some = len(quiet), any((bar.observed or 0.0) < 0 for bar in quiet)
        said = "none beyond tolerance" if some else "nothing dropped"
        held = f"{n} bar{'' if n == 1 else 's'} on drops held: {said}"
        yield f"{held}; report.json has {'it' if n == 1 else 'them'}."


def listed(verdict: Verdict) -> tuple[Bar, ...]:
    """Return the bars that have a row: missed, not measured, set, other drops."""
    found = (bar for bar in verdict.bars if not _uneventful(bar))
    return tuple(sorted(found, key=_place))


def uneventful(verdict: Verdict) -> Section:
    """The drops that :func:`bars` counts, for a page that can fold them."""
    rows = _rows(tuple(filter(_uneventful, verdict.bars)))
    return Section(title="Bars on drops that held", rows=rows)


def _uneventful(bar: Bar) -> bool:
    return bar.kind is BarKind.DROP and bar.held and not bar.why


def _place(bar: Bar) -> int:
    if bar.state is BarState.ACTIVE and not bar.held:
        return 0
    if bar.state is BarState.NOT_MEASURED:
        return 1
    return 3 if bar.kind is BarKind.DROP else 2


def _rows(found: Sequence[Bar]) -> Rows:
    rows: list[Row] = [("metric", "kind", "required", "observed [95 %]", "n", "state")]
    for bar in found:
        required, observed = pair(bar.required, bar.observed)
        if bar.ci_lo is not None or bar.ci_hi is not None:
            observed += f" {interval(bar.ci_lo, bar.ci_hi)}"
        shown = required, observed, number(bar.n, 0), state(bar)
        rows.append((bar.metric, str(bar.kind), *shown))
    return tuple(rows)


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
