"""Do 95 % intervals cover 95 %, do identical systems look alike, is power as told?

    .venv/bin/python bench/intervals.py

Everything is simulated with the product's own functions: ``summarise`` for the
interval of one run, ``paired`` for that of two.  A population is a list of scores
with their shares; a run is n of them drawn.  *Real* populations are the scores of
the bundled cases, put to the bundled knowledge base.  Beside each coverage stands
that of the plain percentile bootstrap, and how often it was not used.  Writes
``bench/results/intervals.*``; it takes half an hour.
"""

import argparse
import json
import math
import platform
import tempfile
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path

import numpy as np
from simulated import MADE, Population, differing, redrawn
from simulated.populations import counted

import lastro
from lastro.corpus import bundled
from lastro.eval import cases as case_files
from lastro.eval.aggregate import bootstrap, summarise, wilson
from lastro.eval.paired import paired, student
from lastro.eval.run import evaluate

HERE = Path(__file__).parent
SIZES = (29, 100, 200, 1000)
PAIRED = (29, 200)
RATES = (0.5, 0.9, 0.98)
REAL = ("retrieval_ndcg_at_k", "retrieval_recall_at_k", "claim_citation_alignment")
Z, Z_POWER = 1.959963984540054, 0.8416212335729143
Row = dict[str, str | int | float]


def real() -> Iterator[Population]:
    """Yield the scores of the bundled cases."""
    listed = case_files.read(*bundled.cases()).cases
    with (
        tempfile.TemporaryDirectory(prefix="lastro-intervals-") as folder,
        lastro.open(Path(folder) / "kb") as base,
    ):
        base.ingest(bundled.sources())
        run = evaluate(listed, base, floors=False)
    for metric in REAL:
        found = [run.scores(result).get(metric) for result in run.results]
        yield counted(f"real {metric}", [score for score in found if score is not None])


def rates(runs: int, rng: np.random.Generator) -> Iterator[Row]:
    """Yield coverage of the interval of a binary metric, simulated and exact."""
    for rate in RATES:
        for n in SIZES:
            counts = np.bincount(rng.binomial(n, rate, size=runs), minlength=n + 1)
            inside = [_covers(_binary(k, n), rate) for k in range(n + 1)]
            exact = (
                math.comb(n, k) * rate**k * (1 - rate) ** (n - k) * inside[k]
                for k in range(n + 1)
            )
            yield {
                "population": f"rate {rate}",
                "n": n,
                "runs": runs,
                "covered": float(counts @ np.array(inside)) / runs,
                "exact": math.fsum(exact),
            }


def _binary(k: int, n: int) -> tuple[float, float]:
    scores = {f"{at:04d}": float(at < k) for at in range(n)}
    found = summarise(scores, binary=True)
    assert (found.ci_lo, found.ci_hi) == wilson(k / n, n)  # noqa: S101 - what is meant
    return wilson(k / n, n)


def _covers(interval: tuple[float | None, float | None], mean: float) -> bool:
    low, high = interval
    return low is not None and high is not None and low - 1e-9 <= mean <= high + 1e-9


def graded(population: Population, n: int, runs: int, rng: np.random.Generator) -> Row:
    """Return coverage of the interval of a graded metric."""
    covered = plain = other = 0
    width = 0.0
    for _ in range(runs):
        values = population.draw(rng, n).tolist()
        scores = {f"{at:04d}": value for at, value in enumerate(values)}
        found = summarise(scores, binary=False)
        hit = _covers((found.ci_lo, found.ci_hi), population.mean)
        covered += hit
        width += (found.ci_hi or 0.0) - (found.ci_lo or 0.0)
        other += found.method != "bootstrap"
        same = found.method == "bootstrap"
        plain += hit if same else _covers(bootstrap(values), population.mean)
    return {
        "population": population.name,
        "mean": population.mean,
        "n": n,
        "runs": runs,
        "covered": covered / runs,
        "percentile alone": plain / runs,
        "not percentile": other / runs,
        "width": width / runs,
    }


def two(population: Population, n: int, runs: int, rng: np.random.Generator) -> Row:
    """Return what is said of two systems whose differences are ``population``."""
    covered = apart = above = small = 0
    reach = 0.0
    for _ in range(runs):
        drawn = population.draw(rng, n).tolist()
        scores = {f"{at:04d}": value for at, value in enumerate(drawn)}
        found = paired(dict.fromkeys(scores, 0.0), scores)
        without = found.ci_lo is None and not (found.above_zero or found.below_zero)
        covered += without or _covers((found.ci_lo, found.ci_hi), population.mean)
        apart += found.above_zero or found.below_zero
        above += found.above_zero
        small += found.p is not None and found.p <= 0.05
        reach += found.detectable or 0.0
    return {
        "population": population.name,
        "mean": population.mean,
        "n": n,
        "runs": runs,
        "covered": covered / runs,
        "interval excludes zero": apart / runs,
        "lower end above zero": above / runs,
        "p at most 0.05": small / runs,
        "detectable": reach / runs,
    }


def reachable(changed: float, n: int) -> Population:
    """Return differences of a binary metric whose mean is just what n detects."""
    effect = 0.0
    reach = (student(Z, n - 1) + student(Z_POWER, n - 1)) / math.sqrt(n)
    for _ in range(100):
        effect = reach * differing(changed, effect).deviation
    return differing(changed, effect)


def shifted(population: Population, n: int) -> Population:
    """Return differences whose mean is just what n detects: all cases gain it."""
    reach = (student(Z, n - 1) + student(Z_POWER, n - 1)) / math.sqrt(n)
    effect = reach * population.deviation
    values = tuple(value + effect for value in population.values)
    return Population(f"{population.name}; all gain", values, population.shares)


def nulls(measured: Sequence[Population]) -> tuple[Population, ...]:
    """Return differences of systems that are identical."""
    binary = tuple(differing(changed, 0.0) for changed in (0.06, 0.2, 0.4))
    high = [each for each in (*MADE, *measured) if each.name in NULLS]
    return (*binary, *(redrawn(each, anew) for each in high for anew in (0.15, 0.5)))


NULLS = (
    "recall, even",
    "recall, high",
    "nDCG, first 0.75, missed 0.05",
    "nDCG, first 0.93, missed 0.03",
    "real retrieval_ndcg_at_k",
)


def table(title: str, note: str, rows: Sequence[Row]) -> str:
    """Return rows as a table of Markdown, numbers to four places."""
    names = list(rows[0])
    lines = [f"## {title}", "", note, "", "| " + " | ".join(names) + " |"]
    lines.append("|---" * len(names) + "|")
    for row in rows:
        cells = (
            f"{round(v, 4) + 0.0:.4f}" if isinstance(v, float) else str(v)
            for v in row.values()
        )
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def measured(runs: int, seed: int) -> dict[str, list[Row]]:
    """Simulate everything."""
    rng = np.random.Generator(np.random.PCG64(seed))
    found = tuple(real())
    parts: dict[str, list[Row]] = {"rates": list(rates(20 * runs, rng))}
    parts["graded"] = []
    for population in (*MADE, *found):
        for n in SIZES:
            parts["graded"].append(graded(population, n, runs, rng))
            print(parts["graded"][-1], flush=True)
    parts["identical"], parts["power"] = [], []
    for n in PAIRED:
        for population in nulls(found):
            parts["identical"].append(two(population, n, runs, rng))
            print(parts["identical"][-1], flush=True)
        able = (
            *(reachable(changed, n) for changed in (0.4, 0.6)),
            *(shifted(redrawn(each, 0.5), n) for each in MADE if each.name in NULLS),
        )
        parts["power"] += [two(population, n, runs, rng) for population in able]
    return parts


NOTES = {
    "rates": "A binary metric has the Wilson interval; beside it its exact coverage, "
    "which goes up and down with n since counts are whole.",
    "graded": "Coverage of the interval that a report shows, and of the percentile "
    "bootstrap alone (seed 17, 1000 resamples); *not percentile* is how often the "
    "scores crowded at one end, or were all equal, and another interval was shown.",
    "identical": "Two systems that are one: how often they are told apart.",
    "power": "Differences whose mean is just the least that n detects: 80 % should be "
    "found; *detectable* is what the report printed, in the mean.",
}


def main() -> None:
    """Simulate, print and store."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--runs", type=int, default=2000)
    asked.add_argument("--seed", type=int, default=93)
    asked.add_argument("--results", type=Path, default=HERE / "results")
    options = asked.parse_args()
    parts = measured(options.runs, options.seed)
    text = "# What intervals cover\n\n" + "\n".join(
        table(name.capitalize(), NOTES[name], rows) for name, rows in parts.items()
    )
    print(text)
    stored = {
        "seed": options.seed,
        "lastro": version("lastro"),
        "numpy": version("numpy"),
        "python": platform.python_version(),
        **parts,
    }
    options.results.mkdir(parents=True, exist_ok=True)
    (options.results / "intervals.md").write_text(text, encoding="utf-8")
    as_json = json.dumps(stored, indent=1, sort_keys=True) + "\n"
    (options.results / "intervals.json").write_text(as_json, encoding="utf-8")


if __name__ == "__main__":
    main()
