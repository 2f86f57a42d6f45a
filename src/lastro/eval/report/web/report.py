"""``report.html``: the page of a run, drawn.

It is made of the same sections as every other report; drawings stand beside the
figures, never instead of them.
"""

from collections.abc import Iterator, Sequence

from lastro.eval.report.closed import open_or_closed
from lastro.eval.report.page import page
from lastro.eval.report.section import Section
from lastro.eval.report.sections.bars import TITLE as BARS
from lastro.eval.report.sections.bars import uneventful
from lastro.eval.report.sections.slices import title as sliced_by
from lastro.eval.report.view import CaseView
from lastro.eval.report.web.cases import failing
from lastro.eval.report.web.confidence import charts
from lastro.eval.report.web.figures import FIGURES
from lastro.eval.report.web.formulas import formulas
from lastro.eval.report.web.frame import whole
from lastro.eval.report.web.markup import Html
from lastro.eval.report.web.slices import cards
from lastro.eval.report.web.table import folded, notes, section, table
from lastro.eval.results import Run
from lastro.model.score import BarState, Verdict

_LONG = 16  # rows: a longer table without a drawing is folded
_FOLDED = frozenset(("Not measured", "Failure labels"))


def html(run: Run, verdict: Verdict, shown: Sequence[CaseView] = ()) -> str:
    """Render the report as one file that needs nothing beside it.

    Args:
        run: the judged cases.
        verdict: what became of the bars.
        shown: the failing cases to show with their traces; none of a private
            run is, whatever is given.
    """
    run, verdict = open_or_closed(run, verdict)
    found = page(run, verdict)
    parts = [_part(each, run, verdict) for each in found.sections]
    titles = [each.title for each in found.sections]
    if shown and not run.private:
        at = titles.index("Failing cases") + 1 if "Failing cases" in titles else 0
        title = "Failing cases, one by one"
        parts.insert(at, section(title, failing(run, shown)))
        titles.insert(at, title)
    return whole(
        found.headline,
        kicker="Lastro · what was measured",
        facts=_facts(run, verdict),
        lead=found.lead,
        parts=zip(titles, parts, strict=True),
        end=formulas(run),
    )


def _facts(run: Run, verdict: Verdict) -> tuple[tuple[str, str], ...]:
    active = [bar for bar in verdict.bars if bar.state is BarState.ACTIVE]
    failed = sum(run.attribution.values())
    return (
        (f"{len(run.results):,}", "cases"),
        (f"{failed:,}", "failed"),
        (f"{len(run.broken):,}", "broke"),
        (f"{sum(bar.held for bar in active)} of {len(active)}", "bars held"),
        (str(run.k), "k, the cut-off"),
    )


def _part(found: Section, run: Run, verdict: Verdict) -> Html:
    return section(found.title, notes(found.notes), *_body(found, run, verdict))


def _body(found: Section, run: Run, verdict: Verdict) -> Iterator[Html]:
    figure = FIGURES.get(found.title)
    if figure is not None:
        yield table(found, figure(run, verdict))
        if found.title == BARS:
            held = uneventful(verdict)
            n = len(held.rows) - 1
            yield folded(held, f"{held.title} ({n:,})") if n else Html()
        return
    drawn = _drawing(found, run)
    yield drawn
    if drawn or found.title in _FOLDED or len(found.rows) > _LONG:
        yield folded(found, f"All figures ({len(found.rows) - 1:,} rows)")
    else:
        yield table(found)


def _drawing(found: Section, run: Run) -> Html:
    if found.title == "Confidence" and run.calibration is not None:
        return charts(run.calibration)
    for dimension in run.slices:
        if sliced_by(dimension) == found.title:
            return cards(run, dimension)
    return Html()
