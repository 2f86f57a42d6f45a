"""How often the baseline bar stops a build for nothing, and which drops it finds.

    .venv/bin/python bench/bars.py

The bundled cases are put to the bundled knowledge base once: which case carries
which metric, the scores of each metric and the locales are those of that run.  A
system is then simulated.  Each score is a quantile of its metric's real scores; a
share ``redrawn`` of what it comes of is drawn anew in every run and the rest stays
(0 is a deterministic system, 1 one that remembers nothing), and metrics of a case
go together (correlation .7) or not at all.  A drop makes whole cases fail: all
their scores are 0.  Then and now are held against each other by the bar as it is
shipped, and by two other rules over the same differences: *plain* asks for a drop
beyond tolerance whose interval lies below zero, *holm* also for a p of at most .05
after Holm's correction over all metrics and locales.

Writes ``bench/results/bars.*``; exit 1 if an unchanged system is stopped in more
than 5 % of its builds, and three standard errors of that share.
"""

import argparse
import json
import math
import platform
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from statistics import median

import numpy as np
from barred import RULES, Shape, build, hurt, pair

import lastro
from lastro.corpus import bundled
from lastro.eval import cases as case_files
from lastro.eval.results import Run
from lastro.eval.run import evaluate

HERE = Path(__file__).parent
N = 200
TOGETHER = 0.7
REDRAWN = (1.0, 0.25, 0.02, 0.0)
SINGLE = "groundedness"  # the metric whose smallest drop is tried
ABOUT = f"""{{every}} bundled cases; runs of {N} take every third or so.
`redrawn`: the share of a score that is drawn anew in every run; 0 is deterministic.
`together`: the correlation of the metrics of a case.
`drop`: what every metric lost; `tolerance`: what a build allows.
`plain`, `holm`, `shipped`: the share of builds that each rule stops.
`smallest`: the median drop of {SINGLE} that the bar says it finds with 80 % power.
"""
Row = dict[str, float]


def real() -> Run:
    """Put the bundled cases to the bundled knowledge base."""
    listed = case_files.read(*bundled.cases()).cases
    with (
        tempfile.TemporaryDirectory(prefix="lastro-bars-") as folder,
        lastro.open(Path(folder) / "kb") as base,
    ):
        base.ingest(bundled.sources())
        return evaluate(listed, base, floors=False)


def systems(run: Run, builds: int) -> Iterator[Row]:
    """Yield how often each rule stops a system that did or did not drop."""
    some, every = Shape(run, N), Shape(run, len(run.results))
    for redrawn in REDRAWN:
        same = builds if redrawn else 50  # a deterministic system is always the same
        for shape, together in ((some, 0.0), (some, TOGETHER), (every, TOGETHER)):
            yield line(shape, redrawn, together, 0.0, 0.05, same)
        for drop, tolerance in ((0.05, 0.05), (0.05, 0.02), (0.1, 0.05)):
            yield line(some, redrawn, TOGETHER, drop, tolerance, builds // 4)


def line(
    shape: Shape,
    redrawn: float,
    together: float,
    drop: float,
    tolerance: float,
    builds: int,
) -> Row:
    """Return the share of builds that each rule stops."""
    rng = np.random.Generator(np.random.PCG64(17))
    stopped: Counter[str] = Counter()
    smallest = []
    for _ in range(builds):
        then, now = pair(shape, rng, redrawn, together)
        found = build(shape, then, hurt(shape, rng, now, drop), tolerance)
        stopped.update(rule for rule in RULES if found.stopped[rule])
        if (least := found.smallest(SINGLE)) is not None:
            smallest.append(least)
    row: Row = {
        "redrawn": redrawn,
        "together": together,
        "n": len(shape.locales),
        "drop": drop,
        "tolerance": tolerance,
        "builds": builds,
        **{rule: stopped[rule] / builds for rule in RULES},
        "smallest": median(smallest) if smallest else math.nan,
    }
    print(row, file=sys.stderr, flush=True)
    return row


def singles(run: Run, rows: Sequence[Row], builds: int) -> Iterator[Row]:
    """Yield how often a drop is found that the bar says it finds in 80 % of builds.

    Of one metric alone, as large as the median of what was said of a system that
    did not drop.
    """
    shape = Shape(run, N)
    for row in rows:
        least, redrawn = row["smallest"], row["redrawn"]
        other = row["drop"] or row["n"] != N or row["together"] != TOGETHER
        if other or math.isnan(least):
            continue
        rng = np.random.Generator(np.random.PCG64(17))
        found = 0
        for _ in range(builds):
            then, now = pair(shape, rng, redrawn, TOGETHER)
            worse = hurt(shape, rng, now, least, SINGLE)
            found += build(shape, then, worse, 0.05).missed(SINGLE)
        yield {
            "redrawn": redrawn,
            "n": N,
            "drop": least,
            "builds": builds,
            "found": found / builds,
        }


def table(rows: Iterable[Row]) -> str:
    """Return rows as a Markdown table."""
    listed = list(rows)
    head = list(listed[0])
    lines = [head, ["---:"] * len(head)]
    lines += [[_cell(row[name]) for name in head] for row in listed]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _cell(value: float) -> str:
    if math.isnan(value):
        return "-"
    return str(value) if isinstance(value, int) else f"{value:.3f}"


def _error(row: Row) -> float:
    """Return the standard error of a share of 5 %."""
    return math.sqrt(0.05 * 0.95 / row["builds"])


def main() -> int:
    """Simulate, print and store; say whether an unchanged system is left alone."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--builds", type=int, default=600)
    asked.add_argument("--results", type=Path, default=HERE / "results")
    options = asked.parse_args()
    began = time.process_time()
    run = real()
    rows = list(systems(run, options.builds))
    tried = list(singles(run, rows, options.builds // 4))
    worst = max(row["shipped"] - 3 * _error(row) for row in rows if not row["drop"])
    text = "\n\n".join(
        (
            "# The baseline bar: builds stopped, by rule",
            ABOUT.format(every=len(run.results)),
            table(rows),
            f"A drop of {SINGLE} alone, as large as was said:",
            table(tried),
        )
    )
    print(text)
    clean = [{k: None if math.isnan(x) else x for k, x in row.items()} for row in rows]
    figures = {
        "systems": clean,
        "singles": tried,
        "cpu_s": round(time.process_time() - began, 1),
        "versions": {name: version(name) for name in ("lastro", "numpy")}
        | {"python": platform.python_version()},
    }
    options.results.mkdir(parents=True, exist_ok=True)
    stored = json.dumps(figures, indent=1, sort_keys=True) + "\n"
    (options.results / "bars.json").write_text(stored, encoding="utf-8")
    (options.results / "bars.md").write_text(text + "\n", encoding="utf-8")
    return int(worst > 0.05)


if __name__ == "__main__":
    sys.exit(main())
