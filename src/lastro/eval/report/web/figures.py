"""Drawings of a run's sections: a column of strips beside the figures in words."""

from collections.abc import Callable, Mapping

from lastro.eval.report.number import cases, count, interval, mean, number
from lastro.eval.report.sections.bars import listed
from lastro.eval.report.sections.layers import layers
from lastro.eval.report.sections.metrics import of_a_stage
from lastro.eval.report.web.markup import Html
from lastro.eval.report.web.scale import (
    UNIT,
    Mark,
    Scale,
    Seen,
    around_zero,
    axis,
    lost,
    sample,
    strip,
)
from lastro.eval.report.web.table import Drawn, legend
from lastro.eval.results import Run
from lastro.eval.scorers import lines
from lastro.model.score import Bar, BarKind, Summary, Verdict

SHARES = ((0.0, "0"), (0.25, ".25"), (0.5, ".5"), (0.75, ".75"), (1.0, "1"))


def bars(_run: Run, verdict: Verdict) -> Drawn:
    """Draw what each bar requires and what was observed."""
    shown = listed(verdict)
    drops = [bar for bar in shown if bar.kind is BarKind.DROP]
    seen = [v for bar in drops for v in (bar.required, bar.observed, bar.ci_lo)]
    scale = around_zero(seen)
    return Drawn(
        at=2,
        head=axis(UNIT, SHARES),
        cells=tuple(_bar(bar, scale) for bar in shown),
        legend=legend(
            (sample("mean"), "observed"),
            (sample("interval"), "its 95 % interval"),
            (sample("required"), "required"),
            *(((Html(), "a drop is drawn around zero"),) if drops else ()),
        ),
    )


def _bar(bar: Bar, drops: Scale) -> Html:
    marks = () if bar.required is None else (Mark("required", bar.required),)
    least = "nothing" if bar.required is None else number(bar.required)
    seen = f"observed {number(bar.observed)} {interval(bar.ci_lo, bar.ci_hi)}"
    return strip(
        Seen(mean=bar.observed, low=bar.ci_lo, high=bar.ci_hi),
        says=f"{bar.metric}: {seen}, required {least}",
        scale=drops if bar.kind is BarKind.DROP else UNIT,
        marks=marks,
        tone="" if bar.held or bar.observed is None or not marks else "bad",
    )


def metrics(run: Run, _verdict: Verdict) -> Drawn:
    """Draw every metric with its interval and the floors beside it."""
    names = [s.name for s in lines(run.metrics) if not of_a_stage(s.name)]
    items = [(sample("mean"), "mean"), (sample("interval"), "95 % interval")]
    if run.floors is not None:
        items.append((sample("random"), "floor: a random retriever"))
        items.append((sample("one_passage"), "floor: one passage"))
    return Drawn(
        at=1,
        head=axis(UNIT, SHARES),
        cells=tuple(summary(name, run.aggregates.get(name), run) for name in names),
        legend=legend(*items),
    )


def summary(name: str, found: Summary | None, run: Run) -> Html:
    """Draw one metric of a whole run."""
    floors = tuple(
        Mark(floor, scores[name].mean)
        for floor, scores in (run.floors or {}).items()
        if name in scores
    )
    beside = "".join(f"; floor {mark.kind} {number(mark.value)}" for mark in floors)
    return one(name, found, beside=beside, marks=floors)


def one(
    name: str,
    found: Summary | None,
    *,
    beside: str = "",
    marks: tuple[Mark, ...] = (),
    scale: Scale = UNIT,
) -> Html:
    """Draw one summary, and say it in words."""
    if found is None or found.mean is None:
        return strip(Seen(mean=None), says=f"{name}: not measured", scale=scale)
    words = f"{name}: {mean(found)}, n = {count(found)}{beside}"
    seen = Seen(mean=found.mean, low=found.ci_lo, high=found.ci_hi)
    return strip(seen, says=words, marks=marks, scale=scale)


def both_ways(run: Run, _verdict: Verdict) -> Drawn:
    """Draw both shares of declining under one another."""
    both = (("declined", run.both_ways.declined), ("answered", run.both_ways.answered))
    return Drawn(
        at=1,
        head=axis(UNIT, SHARES),
        cells=tuple(one(name, each) for name, each in both if each is not None),
    )


def waterfall(run: Run, _verdict: Verdict) -> Drawn:
    """Draw how many cases survive each layer."""
    total = len(run.results)
    cells = (
        lost(
            step.left,
            step.lost,
            total,
            says=f"{step.name}: {step.lost} lost, {step.left} of {cases(total)} left",
        )
        for step in layers(run)
    )
    return Drawn(
        at=3,
        head=axis(Scale(0, total), ((0, "0"), (total, str(total)))),
        cells=tuple(cells),
        legend=legend((sample("left"), "left"), (sample("lost"), "lost here")),
        instead=True,
    )


FIGURES: Mapping[str, Callable[[Run, Verdict], Drawn]] = {
    "Bars": bars,
    "Metrics": metrics,
    "Where cases were lost": waterfall,
    "Declining, in both directions": both_ways,
}
