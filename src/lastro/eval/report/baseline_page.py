"""A baseline as a page for the terminal, and the bars that it suggests."""

import math
from collections.abc import Iterator, Mapping

from lastro.eval.baseline import STAGE, Baseline
from lastro.eval.report.number import cases, count, mean
from lastro.eval.report.plain import plain
from lastro.eval.report.section import Page, Row, Section
from lastro.eval.report.terminal import in_columns
from lastro.model.score import Summary

_DIGITS = 1000  # a bar is written to a thousandth


def baseline_text(baseline: Baseline) -> str:
    """Render what a baseline was measured on, and its figures."""
    seen = baseline.measured
    facts: Mapping[str, object] = {
        "cases": f"{seen.cases}, hash {seen.case_set}",
        "knowledge base": seen.kb,
        "k, match": f"{seen.k}, {seen.match}",
        "judge": seen.judge,
        "system": seen.system,
        "settings": seen.config_hash,
        "commit": seen.commit,
        "tree": seen.tree,
        "dirty": seen.dirty,
        "measured at": seen.at,
        **{f"model {name}": each for name, each in seen.models.items()},
        **{f"version of {name}": each for name, each in seen.versions.items()},
    }
    known = [(name, str(each)) for name, each in facts.items() if each is not None]
    unknown = [name for name, each in facts.items() if each is None]
    kept = "with" if baseline.scores is not None else "without"
    return in_columns(
        Page(
            headline=f"Baseline of {cases(seen.cases)}, {kept} scores by case",
            lead=(f"Not known: {', '.join(unknown)}.",) if unknown else (),
            sections=(
                Section(title="Measured on", rows=(("what", "value"), *known)),
                Section(title="Figures", rows=tuple(_figures(baseline))),
            ),
        )
    )


def _figures(baseline: Baseline) -> Iterator[Row]:
    yield "metric", "mean [95 %]", "n of eligible"
    for name, summary in _named(baseline):
        yield name, mean(summary), count(summary)


def _named(baseline: Baseline) -> Iterator[tuple[str, Summary]]:
    """Yield every metric but the stages of retrieval, overall first."""
    places = {"": baseline.aggregates} | {
        f"by_locale.{key}.": group for key, group in baseline.by_locale.items()
    }
    for under, group in places.items():
        for metric, summary in group.items():
            if not metric.startswith(STAGE):
                yield under + metric, summary


def suggested(baseline: Baseline, slack: float | None) -> str:
    """Return a ``bars.toml`` of floors that the baseline holds.

    Args:
        baseline: what was measured.
        slack: how far below the mean a floor lies; None: at the lower end of the
            interval, which is as far as chance alone would take it.

    Returns:
        Floors rounded down, overall and by locale.  A metric without an interval
        is told of in a comment: one case, or none, says nothing of a floor.
    """
    floors, without = [], []
    for name, summary in _named(baseline):
        if summary.mean is None or summary.ci_lo is None:
            without.append(f"# {plain(name)}: n is {summary.n}, so it has no interval")
            continue
        least = summary.ci_lo if slack is None else max(0.0, summary.mean - slack)
        floor = math.floor(least * _DIGITS + 1e-9) / _DIGITS
        saw = f"{mean(summary)}, n {count(summary)}"
        floors.append(f"{_quoted(name)} = {floor}  # {saw}")
    how = "the lower end of the interval" if slack is None else f"the mean less {slack}"
    head = f"# Floors: {how}, of {cases(baseline.measured.cases)}."
    told = ("", "# Not proposed:", *without) if without else ()
    return "\n".join((head, "[min]", *floors, *told)) + "\n"


def _quoted(name: str) -> str:
    """Return a name as a key of TOML."""
    safe = plain(name).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{safe}"'
