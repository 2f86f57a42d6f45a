"""What the confidence of the gate is worth, before and after calibration.

    python bench/gates.py

Sets (``shared/data``): questions that a base answers against questions on its topic
that it does not (squad2); questions of which the gold document was taken out of the
index, for a half of all documents; questions of other domains.  Compared on each:
the uncalibrated confidence, the calibrated one by five folds, the raw top score and
the dense leg's cosine alone.  A score that is no probability has no ECE.  Then how a
calibration does with 50 and 200 labels of a set, drawn twenty times, on the rest.
Writes ``bench/results/gates.*``.
"""

import argparse
import json
import platform
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from statistics import fmean

import numpy as np
from gated.asked import Asked, ask, built, sets

from lastro.eval.calibrate.fit import crossed, fitted
from lastro.eval.calibration import Seen, area, auroc, binned, expected_error
from lastro.gate.confidence import confidence
from lastro.gate.signals import DENSE, LEXICAL

HERE = Path(__file__).parent
DATA = HERE.parent.parent / "shared" / "data"
SEED = 6
RESAMPLES = 1000
LABELS = (50, 200)
DRAWN = 20
HEAD = (
    "| set | legs | n | held | score | AUROC [95 %] | risk-coverage area | ECE "
    "| ms of CPU for signals |"
)
Row = dict[str, object]


def main() -> None:
    """Measure, print, store."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--results", type=Path, default=HERE / "results")
    args = parser.parse_args()
    found: list[Row] = []
    few: list[Row] = []
    with tempfile.TemporaryDirectory() as folder:
        for one in sets(args.data):
            kb = built(one, Path(folder))
            for legs in ("lexical", "hybrid"):
                asked = ask(kb, one, legs)
                rows = list(compared(one.name, legs, asked))
                found += rows
                few += with_few(one.name, legs, asked)
                print("\n".join(map(line, rows)), flush=True)
    report = {
        "lastro": version("lastro"),
        "python": platform.python_version(),
        "seed": SEED,
        "rows": found,
        "few labels": few,
    }
    args.results.mkdir(exist_ok=True)
    text = json.dumps(report, indent=1, ensure_ascii=False)
    (args.results / "gates.json").write_text(text + "\n", encoding="utf-8")
    (args.results / "gates.md").write_text(page(found, few), encoding="utf-8")


def compared(name: str, legs: str, asked: Sequence[Asked]) -> Iterator[Row]:
    """Yield a row a score: is it higher where the base holds the answer?"""
    held = [one.held for one in asked]
    names = LEXICAL + DENSE if legs == "hybrid" else LEXICAL
    rows = [one.signals for one in asked]
    scores: Mapping[str, Sequence[float]] = {
        "calibrated": crossed(rows, held, names, seed=SEED),
        "uncalibrated": [confidence(one.seen) for one in asked],
        "top score": [one.seen.top_score or 0.0 for one in asked],
        **({"cosine": [one.cosine for one in asked]} if legs == "hybrid" else {}),
        # Of the question alone: what it tells is how a set was made.
        "denies nothing, alone": [float(one.plain) for one in asked],
        "calibrated, and denies nothing": crossed(
            [{**one.signals, "plain": float(one.plain)} for one in asked],
            held,
            (*names, "plain"),
            seed=SEED,
        ),
    }
    for score, values in scores.items():
        seen = list(map(Seen, values, held))
        known = "calibrated" in score
        low, high = interval(values, held)
        yield {
            "set": name,
            "legs": legs,
            "n": len(asked),
            "held": sum(held),
            "score": score,
            "auroc": auroc(seen),
            "low": low,
            "high": high,
            "area": area(seen),
            "ece": expected_error(binned(seen)) if known else None,
            "signals_ms": fmean(one.signals_ms for one in asked),
        }


def interval(values: Sequence[float], held: Sequence[bool]) -> tuple[float, float]:
    """Return the 95 % percentile interval of the AUROC over resampled questions."""
    rng = np.random.Generator(np.random.PCG64(SEED))
    scores, kinds = np.asarray(values), np.asarray(held)
    ranks = np.unique(scores, return_inverse=True)[1]
    found = []
    for _ in range(RESAMPLES):
        drawn = rng.integers(0, len(scores), len(scores))
        right = np.bincount(ranks[drawn][kinds[drawn]], minlength=ranks.max() + 1)
        wrong = np.bincount(ranks[drawn][~kinds[drawn]], minlength=ranks.max() + 1)
        under = np.cumsum(wrong) - wrong / 2
        found.append((right * under).sum() / (right.sum() * wrong.sum()))
    low, high = np.percentile(found, (2.5, 97.5))
    return float(low), float(high)


def with_few(name: str, legs: str, asked: Sequence[Asked]) -> Iterator[Row]:
    """Yield how weights of a few labels do on all other questions."""
    rng = np.random.Generator(np.random.PCG64(SEED))
    names = LEXICAL + DENSE if legs == "hybrid" else LEXICAL
    for labels in LABELS:
        errors, areas = [], []
        for _ in range(DRAWN):
            order = rng.permutation(len(asked)).tolist()
            known, rest = order[:labels], order[labels:]
            kinds = [asked[at].held for at in known]
            if not 0 < sum(kinds) < len(kinds):
                continue
            one = fitted([asked[at].signals for at in known], kinds, names)
            seen = [
                Seen(one.probability(asked[at].signals), asked[at].held) for at in rest
            ]
            errors.append(expected_error(binned(seen)))
            areas.append(auroc(seen) or 0.0)
        yield {
            "set": name,
            "legs": legs,
            "labels": labels,
            "drawn": len(errors),
            "ece": float(np.mean(errors)),
            "ece_worst": float(np.max(errors)),
            "auroc": float(np.mean(areas)),
        }


def line(row: Row) -> str:
    """Return a row of the table."""
    ece = "-" if row["ece"] is None else f"{row['ece']:.3f}"
    return (
        f"| {row['set']} | {row['legs']} | {row['n']} | {row['held']} | {row['score']} "
        f"| {row['auroc']:.3f} [{row['low']:.3f}, {row['high']:.3f}] "
        f"| {row['area']:.3f} | {ece} | {row['signals_ms']:.1f} |"
    )


def page(found: Sequence[Row], few: Sequence[Row]) -> str:
    """Return both tables as a page."""
    rows = "\n".join(map(line, found))
    less = "\n".join(
        f"| {r['set']} | {r['legs']} | {r['labels']} | {r['auroc']:.3f} "
        f"| {r['ece']:.3f} | {r['ece_worst']:.3f} |"
        for r in few
    )
    return (
        "# The confidence of the gate\n\nCalibrated figures are of questions that the "
        "weights did not see (five folds).  The signals were chosen with these sets "
        "in sight: these are training figures.\n\n"
        f"{HEAD}\n|---|---|---|---|---|---|---|---|---|\n{rows}\n\n"
        "## With few labels\n\nMeans of twenty drawings, on all other questions.\n\n"
        "| set | legs | labels | AUROC | ECE | worst |\n|---|---|---|---|---|---|\n"
        f"{less}\n"
    )


if __name__ == "__main__":
    main()
