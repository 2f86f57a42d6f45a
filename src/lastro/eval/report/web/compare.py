"""Two runs side by side: differences around zero, layers of both, cases that moved."""

from collections.abc import Iterator, Mapping, Sequence

from lastro.eval.compared import Claim, Comparison, Difference
from lastro.eval.report.number import cases, count, interval, mean, number
from lastro.eval.report.section import SHOWN, Row, Section, cut, some
from lastro.eval.report.sections.metrics import of_a_stage
from lastro.eval.report.sections.provenance import written
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
from lastro.eval.scorers import SCORERS
from lastro.model.failure import Failure

_IDS = 12
_NONE = "did not fail"


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
        headline(found),
        kicker=f"Lastro · A: {found.name_a} · B: {found.name_b}",
        facts=(
            (f"{found.paired:,}", "cases in both"),
            (f"{len(found.only_a):,}", "only in A"),
            (f"{len(found.only_b):,}", "only in B"),
            (f"{len(found.moved):,}", "changed their label"),
        ),
        lead=_lead(found),
        parts=parts,
    )


def headline(found: Comparison) -> str:
    """Say in one line what became of the comparison."""
    held = sum(claim.held for claim in found.claims)
    of_all = f"{held} of {len(found.claims)} claims hold"
    if not found.paired:
        return "COULD NOT MEASURE: the runs have no case in common"
    if found.exit_code:
        word = "FAIL" if found.exit_code == 1 else "COULD NOT MEASURE"
        return f"{word}: {of_all}"
    if found.claims:
        return f"PASS: {of_all}"
    return f"COMPARED: {cases(found.paired)} in both runs, nothing was claimed"


def _lead(found: Comparison) -> tuple[str, ...]:
    drawn = (
        f", {found.resamples} resamples, seed {found.seed}" if found.resamples else ""
    )
    recipe = f"Differences are B - A over the same cases, paired by id{drawn}."
    private = "Aggregates only: no case is named."
    return (recipe, private) if found.private else (recipe,)


def _sections(
    found: Comparison, run_a: Run, run_b: Run
) -> Iterator[tuple[Section, Drawn | None]]:
    yield _claims(found), None
    yield _differences(found)
    yield _side_by_side(run_a, run_b)
    yield _layers(found)
    if not found.private:
        yield _moved(found), None
        yield _unpaired(found), None
    yield _gaps(found), None
    yield _provenance(found.differs), None


def _claims(found: Comparison) -> Section:
    rows = tuple((claim.text, _held(claim), claim.why) for claim in found.claims)
    head = ("claim", "state", "why")
    return Section(title="Claims", rows=(head, *rows) if rows else ())


def _held(claim: Claim) -> str:
    if not claim.measured:
        return "not measured"
    return "active, held" if claim.held else "active, MISSED"


def _differences(found: Comparison) -> tuple[Section, Drawn]:
    shown = [each for each in found.differences if each.n]
    ends = [v for each in shown for v in (each.difference, each.ci_lo, each.ci_hi)]
    scale = around_zero(ends)
    head = ("metric", "A", "B", "B - A [95 %]", "n", "p", "p, Holm", "detectable")
    rows = tuple(map(_difference, shown))
    note = (
        "p is that of the sign-flip permutation test, then corrected over the metrics "
        "shown; detectable is the least difference that this n finds with 80 % power."
    )
    edge = (
        (scale.low, number(scale.low, 2)),
        (0.0, "0"),
        (scale.high, f"+{number(scale.high, 2)}"),
    )
    drawn = Drawn(
        at=1,
        head=axis(scale, edge),
        cells=tuple(_around(each, scale) for each in shown),
        legend=legend((sample("mean"), "B - A"), (sample("interval"), "95 % interval")),
    )
    section_ = Section(
        title="Differences", notes=(note,), rows=(head, *rows) if rows else ()
    )
    return section_, drawn


def _difference(each: Difference) -> Row:
    return (
        each.metric,
        number(each.mean_a),
        number(each.mean_b),
        f"{number(each.difference)} {interval(each.ci_lo, each.ci_hi)}",
        str(each.n),
        number(each.p),
        number(each.p_holm),
        number(each.detectable),
    )


def _around(each: Difference, scale: Scale) -> Html:
    words = f"{each.metric}: {number(each.difference)}"
    words += f" {interval(each.ci_lo, each.ci_hi)}, n = {each.n}"
    below = each.ci_hi is not None and each.ci_hi < 0
    return strip(
        Seen(mean=each.difference, low=each.ci_lo, high=each.ci_hi),
        says=words,
        scale=scale,
        tone="bad" if below else "",
    )


def _side_by_side(run_a: Run, run_b: Run) -> tuple[Section, Drawn]:
    names = [
        scorer.name
        for scorer in SCORERS
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


def _layers(found: Comparison) -> tuple[Section, Drawn | None]:
    pairs = [(label, *found.attribution.get(label, (0, 0))) for label in Failure]
    most = max((max(a, b) for _, a, b in pairs), default=0)
    rows = tuple((str(label), str(a), str(b), f"{b - a:+d}") for label, a, b in pairs)
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
    note = "Failing cases by the layer where they broke first, over cases in both."
    drawn = Drawn(
        at=1,
        head=axis(scale, ((0.0, "0"), (scale.high, str(int(scale.high))))),
        cells=cells,
        legend=legend((sample("mean"), "B"), (sample("interval"), "the way from A")),
    )
    head = ("label", "A", "B", "B - A")
    return Section(title="Layers", notes=(note,), rows=(head, *rows)), drawn


def _moved(found: Comparison) -> Section:
    rows = tuple(
        (str(each.id), str(each.before or _NONE), str(each.after or _NONE))
        for each in found.moved[:SHOWN]
    )
    return Section(
        title="Cases that moved",
        notes=cut(len(found.moved)),
        rows=(("case", "A", "B"), *rows) if rows else (),
    )


def _unpaired(found: Comparison) -> Section:
    rows = tuple(
        (where, str(len(ids)), some(tuple(map(str, ids)), _IDS))
        for where, ids in (("only in A", found.only_a), ("only in B", found.only_b))
        if ids
    )
    note = ("They stand in no difference.",) if rows else ()
    head = ("run", "cases", "ids")
    return Section(
        title="Unpaired cases", notes=note, rows=(head, *rows) if rows else ()
    )


def _gaps(found: Comparison) -> Section:
    def ids(which: Sequence[str]) -> str:
        if found.private or not which:
            return str(len(which))
        return f"{len(which)}: {some(tuple(map(str, which)), _IDS)}"

    rows = tuple(
        (each.metric, ids(each.lost), ids(each.gained))
        for each in found.differences
        if each.lost or each.gained
    )
    note = ("Cases of both runs that one of them did not measure.",) if rows else ()
    head = ("metric", "measured in A alone", "measured in B alone")
    return Section(
        title="Became unmeasured", notes=note, rows=(head, *rows) if rows else ()
    )


def _provenance(differs: Mapping[str, tuple[object, object]]) -> Section:
    rows = tuple(
        (name, written(differs[name][0]), written(differs[name][1]))
        for name in sorted(differs)
    )
    head = ("what", "A", "B")
    title = "What the runs do not share"
    return Section(title=title, rows=(head, *rows) if rows else ())
