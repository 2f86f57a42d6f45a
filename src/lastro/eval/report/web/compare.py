"""Two runs side by side: differences around zero, layers of both, cases that moved."""

from collections.abc import Iterator, Sequence

from lastro.eval.compared import Comparison, Difference
from lastro.eval.report import compare_page as page
from lastro.eval.report.number import count, interval, mean, number
from lastro.eval.report.section import Section
from lastro.eval.report.sections.metrics import of_a_stage
from lastro.eval.report.web.frame import whole
from lastro.eval.report.web.markup import Html
from lastro.eval.report.web.scale import (
    UNIT,
    Scale,
    Seen,
    around_zero,
    axis,
    sample,
    strip,
    two,
)
from lastro.eval.report.web.table import Drawn, legend, notes, section, table
from lastro.eval.results import Run
from lastro.eval.scorers import lines
from lastro.model.failure import Failure


def compare_html(found: Comparison, run_a: Run, run_b: Run) -> str:
    """Render a comparison as one file that needs nothing beside it.

    Args:
        found: the paired comparison, B minus A.
        run_a: the run that it starts from.
        run_b: the run that is set beside it.
    """
    parts = [
        (each.title, section(each.title, notes(each.notes), table(each, drawn)))
        for each, drawn in _sections(found, run_a, run_b)
        if each.rows or each.notes
    ]
    return whole(
        page.headline(found),
        kicker=f"Lastro · A: {found.name_a} · B: {found.name_b}",
        facts=(
            (f"{found.paired:,}", "cases in both"),
            (f"{len(found.only_a):,}", "only in A"),
            (f"{len(found.only_b):,}", "only in B"),
            (f"{len(found.moved):,}", "changed their label"),
        ),
        lead=tuple(page.lead(found)),
        parts=parts,
    )


def _sections(
    found: Comparison, run_a: Run, run_b: Run
) -> Iterator[tuple[Section, Drawn | None]]:
    yield page.claims(found), None
    yield page.changed(found), None
    yield page.differences(found), _around_zero(page.compared(found))
    yield page.stages(found), None
    yield _side_by_side(run_a, run_b)
    yield page.layers(found), _ways(found)
    yield page.moved(found), None
    yield page.unpaired(found), None
    yield page.gaps(found), None
    yield page.provenance(found), None


def _around_zero(shown: Sequence[Difference]) -> Drawn:
    ends = [v for each in shown for v in (each.difference, each.ci_lo, each.ci_hi)]
    scale = around_zero(ends)
    edge = (
        (scale.low, number(scale.low, 2)),
        (0.0, "0"),
        (scale.high, f"+{number(scale.high, 2)}"),
    )
    return Drawn(
        at=1,
        head=axis(scale, edge),
        cells=tuple(_around(each, scale) for each in shown),
        legend=legend((sample("mean"), "B - A"), (sample("interval"), "95 % interval")),
    )


def _around(each: Difference, scale: Scale) -> Html:
    words = f"{each.metric}: {number(each.difference)}"
    words += f" {interval(each.ci_lo, each.ci_hi)}, n = {each.n}"
    return strip(
        Seen(mean=each.difference, low=each.ci_lo, high=each.ci_hi),
        says=words,
        scale=scale,
        tone="bad" if each.apart < 0 else "",
    )


def _side_by_side(run_a: Run, run_b: Run) -> tuple[Section, Drawn]:
    names = [
        scorer.name
        for scorer in lines((*run_a.metrics, *run_b.metrics))
        if not of_a_stage(scorer.name)
        and (scorer.name in run_a.aggregates or scorer.name in run_b.aggregates)
    ]
    rows, cells = [], []
    for name in names:
        one, other = run_a.aggregates.get(name), run_b.aggregates.get(name)
        both = [
            ("not measured", "-") if each is None else (mean(each), count(each))
            for each in (one, other)
        ]
        rows.append((name, *both[0], *both[1]))
        says = f"{name}: A {both[0][0]}, B {both[1][0]}"
        means = [None if each is None else each.mean for each in (one, other)]
        cells.append(two(means[0], means[1], says=says))
    head = ("metric", "A: mean [95 %]", "n of eligible", "B: mean [95 %]", "n")
    note = "Each over all cases of its own run; what differs is told above."
    drawn = Drawn(
        at=1,
        head=axis(UNIT, ((0.0, "0"), (0.5, ".5"), (1.0, "1"))),
        cells=tuple(cells),
        legend=legend((sample("hollow"), "A"), (sample("mean"), "B")),
    )
    title = "Two runs side by side"
    found = Section(title=title, notes=(note,), rows=(head, *rows) if rows else ())
    return found, drawn


def _ways(found: Comparison) -> Drawn:
    pairs = [(label, *found.attribution.get(label, (0, 0))) for label in Failure]
    most = max((max(a, b) for _, a, b in pairs), default=0)
    scale = Scale(0, max(1, most))
    cells = tuple(
        strip(
            Seen(mean=b, low=min(a, b), high=max(a, b)),
            says=f"{label}: A {a}, B {b}",
            scale=scale,
            tone="bad" if b > a else "",
        )
        for label, a, b in pairs
    )
    return Drawn(
        at=1,
        head=axis(scale, ((0.0, "0"), (scale.high, str(int(scale.high))))),
        cells=cells,
        legend=legend((sample("mean"), "B"), (sample("interval"), "the way from A")),
    )
