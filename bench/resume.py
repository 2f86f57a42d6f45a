"""Kill runs of the bundled cases with SIGKILL, resume them, and compare every byte.

Each file of bundled cases is run once undisturbed.  Then it is run again for each
kill point: ended with SIGKILL when that share of its cases is on disk, resumed,
and, at the last point, killed a second time on the way.  Then it is run under other
hash seeds, numbers of workers and orders of rows.  Every report has to be the same.

    python bench/resume.py --points .1,.3,.5,.7,.9

Prints a line a run, stores them in bench/results/resume.json, exits 1 on a difference.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from lastro.corpus import bundled
from lastro.eval.folder import REPORTS, TRACES

RESULTS = Path(__file__).parent / "results" / "resume.json"
LASTRO = Path(sys.executable).with_name("lastro")


@dataclass(frozen=True)
class Row:
    """One run: how it was disturbed, and which reports differ from the quiet one's."""

    cases: str
    how: str
    on_disk: tuple[int, ...]
    differ: tuple[str, ...]


def lines(run: Path) -> int:
    """Return how many traces are whole on disk."""
    traces = run / TRACES
    return traces.read_bytes().count(b"\n") if traces.exists() else 0


@dataclass(frozen=True)
class Bench:
    """The knowledge base, and where runs are left."""

    kb: Path
    place: Path

    def command(self, cases: Path, run: Path, *more: str) -> list[str]:
        """Return the command of a run."""
        words = [str(LASTRO), "eval", str(cases), "--kb", str(self.kb)]
        return [*words, "--run-dir", str(run), *more]

    def run(self, cases: Path, run: Path, *more: str, seed: str = "0") -> None:
        """Run to the end."""
        subprocess.run(
            self.command(cases, run, *more),
            check=True,
            capture_output=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        )

    def killed(self, cases: Path, run: Path, at: int, *more: str) -> int:
        """Kill a run when ``at`` traces are on disk; return how many there are."""
        child = subprocess.Popen(
            self.command(cases, run, *more),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        while child.poll() is None and lines(run) < at:
            time.sleep(0.002)
        child.kill()
        child.wait()
        return lines(run)

    def disturbed(self, cases: Path, points: list[float]) -> Iterator[Row]:
        """Run a file of cases in every way; yield what differs."""
        quiet = self.place / f"{cases.stem}-quiet"
        self.run(cases, quiet)
        total = lines(quiet)
        for workers in ("1", "4"):
            for point in points:
                run = self.place / f"{cases.stem}-{workers}-{point}"
                words = ("--workers", workers)
                left = [self.killed(cases, run, int(point * total), *words)]
                if point == points[-1]:
                    more = (left[0] + total) // 2
                    left.append(self.killed(cases, run, more, *words, "--resume"))
                self.run(cases, run, *words, "--resume")
                how = f"killed, {workers} workers"
                yield Row(cases.name, how, tuple(left), differing(quiet, run))
        for seed, workers in (("1", "1"), ("2", "3"), ("3", "8")):
            turned = self.place / f"{cases.stem}-{seed}.jsonl"
            shuffle(cases, turned, seed)
            run = self.place / f"{cases.stem}-seed-{seed}"
            self.run(turned, run, "--workers", workers, seed=seed)
            how = f"hash seed {seed}, {workers} workers, rows in another order"
            yield Row(cases.name, how, (), differing(quiet, run))


def shuffle(cases: Path, to: Path, seed: str) -> None:
    """Write the rows of a file of cases in another order."""
    rows = cases.read_text("utf-8").splitlines(keepends=True)
    random.Random(seed).shuffle(rows)
    to.write_text("".join(rows), "utf-8")


def differing(one: Path, other: Path) -> tuple[str, ...]:
    """Return the reports that are not the same, byte for byte."""
    return tuple(
        name
        for name in REPORTS
        if (one / name).read_bytes() != (other / name).read_bytes()
    )


def main() -> int:
    """Disturb runs of every file of bundled cases."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--points", default=".1,.3,.5,.7,.9")
    parser.add_argument("--out", type=Path, default=RESULTS)
    given = parser.parse_args()
    points = sorted(float(point) for point in given.points.split(","))
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as place:
        kb = Path(place) / "kb"
        sources = map(str, bundled.sources())
        subprocess.run(
            [str(LASTRO), "ingest", *sources, "--kb", str(kb)],
            check=True,
            capture_output=True,
        )
        for cases in bundled.cases():
            for row in Bench(kb, Path(place)).disturbed(cases, points):
                rows.append(row)
                said = f"DIFFER: {', '.join(row.differ)}" if row.differ else "same"
                where = f" at {row.on_disk}" if row.on_disk else ""
                print(f"{row.cases}: {row.how}{where}: {said}", flush=True)
    given.out.parent.mkdir(exist_ok=True)
    text = json.dumps([asdict(row) for row in rows], indent=1) + "\n"
    given.out.write_text(text, encoding="utf-8")
    wrong = sum(bool(row.differ) for row in rows)
    print(f"{len(rows)} runs, {len(REPORTS)} reports each: {wrong} differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
