"""Slices as small multiples: one card a metric, one strip a slice, n beside each."""

from collections.abc import Iterator, Mapping

from lastro.eval.report.number import count, mean, number
from lastro.eval.report.sections.metrics import of_a_stage
from lastro.eval.report.web.figures import one
from lastro.eval.report.web.markup import Html, tag
from lastro.eval.report.web.scale import SMALL, Mark, sample
from lastro.eval.report.web.table import legend
from lastro.eval.results import Run
from lastro.eval.scorers import lines
from lastro.model.score import Aggregates

MOST = 8  # slices that a card can hold and still be read at a glance


def cards(run: Run, dimension: str) -> Html:
    """Draw a dimension, or nothing where it has too few or too many slices."""
    groups = run.slices[dimension]
    if not 2 <= len(groups) <= MOST:
        return Html()
    return Html(
        legend(
            (sample("mean"), "mean"),
            (sample("interval"), "95 % interval"),
            (sample("all"), "all cases"),
        )
        + tag("div", *_cards(run, groups), class_="cards")
    )


def _cards(run: Run, groups: Mapping[str, Aggregates]) -> Iterator[Html]:
    for scorer in lines(run.metrics):
        overall = run.aggregates.get(scorer.name)
        holding = [key for key, group in groups.items() if scorer.name in group]
        if of_a_stage(scorer.name) or overall is None or len(holding) < 2:
            continue
        every = () if overall.mean is None else (Mark("all", overall.mean),)
        rows = (_row(key, scorer.name, groups[key], every) for key in holding)
        yield tag(
            "div",
            tag("h3", tag("code", scorer.name)),
            tag(
                "table",
                tag("caption", tag("span", scorer.name, class_="unseen")),
                tag("tbody", *rows),
            ),
            class_="card",
        )


def _row(key: str, metric: str, group: Aggregates, every: tuple[Mark, ...]) -> Html:
    found = group[metric]
    drawn = one(f"{metric}, {key}", found, marks=every, scale=SMALL)
    n = str(found.n) if found.n == found.eligible else count(found)
    return tag(
        "tr",
        tag("th", key, scope="row"),
        tag("td", drawn, class_="drawn"),
        tag("td", number(found.mean), class_="number", title=mean(found)),
        tag("td", f"n {n}", class_="number"),
    )
