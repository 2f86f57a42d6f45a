"""What Korean morphemes add to bigrams: gnome_help through ``lastro search``.

    .venv/bin/python bench/korean.py

Ingests gnome_help (four languages in one knowledge base) with bigrams alone, and
with kiwipiepy (``pip install 'lastro[ko]'``), asks the Korean questions of both,
and prints nDCG@10 with the paired bootstrap interval of the difference, CPU
seconds of the ingest and CPU milliseconds a query.  The tags that count were
chosen on the half called *chosen on*.  Writes ``bench/results/korean.*``.
"""

import argparse
import json
import platform
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from judged import DATA, Judged, interval, load, ndcg

import lastro
from lastro.index.folder import BIGRAMS, KIWI
from lastro.index.ingest import ingest

HERE = Path(__file__).parent
PACKAGES = ("lastro", "kiwipiepy", "kiwipiepy_model", "tantivy", "numpy")


@dataclass(frozen=True, slots=True)
class Run:
    """One way to take words apart: nDCG of each question, and what it costs."""

    values: np.ndarray
    ingest_s: float
    query_ms: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A part of the questions in the table."""

    part: str
    n: int
    bigrams: float
    kiwi: float
    difference: float
    low: float
    high: float


def main() -> None:
    """Measure both ways, print, store."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--results", type=Path, default=HERE / "results")
    args = parser.parse_args()
    if not args.data.exists():
        print(f"the public collections are not at {args.data}: nothing is measured")
        return
    if find_spec("kiwipiepy") is None:
        print("kiwipiepy is not installed: nothing is measured")
        return
    (judged,) = load(args.data, "gnome_help", ["ko"])
    with tempfile.TemporaryDirectory() as folder:
        runs = [run(judged, Path(folder) / name, name) for name in (BIGRAMS, KIWI)]
    lines = list(compared(judged, *runs))
    text = page(lines, runs)
    print(text)
    store(args.results, lines, runs, text)


def run(judged: Judged, kb: Path, korean: str) -> Run:
    """Ingest with one way, and ask every question."""
    began = time.process_time()
    ingest(kb, [judged.corpus], locale=judged.locale, korean=korean)
    took = time.process_time() - began
    with lastro.open(kb, environ={}) as base:
        base.search(judged.questions[0].text, locale="ko")
        began = time.process_time()
        found = [
            base.search(question.text, k=10, locale="ko", filter_locale="ko").hits
            for question in judged.questions
        ]
        spent = (time.process_time() - began) * 1000 / len(found)
    each = zip(found, judged.questions, strict=True)
    values = [
        ndcg([h.document_id for h in hits], judged.qrels[q.id]) for hits, q in each
    ]
    return Run(np.array(values), round(took, 2), round(spent, 2))


def compared(judged: Judged, bigrams: Run, kiwi: Run) -> Iterator[Line]:
    """Yield the lines of the table: all questions, and either half."""
    chosen = judged.chosen_on
    for part, kept in (
        ("all", np.ones(len(chosen), dtype=bool)),
        ("chosen on", chosen),
        ("other half", ~chosen),
    ):
        difference = kiwi.values[kept] - bigrams.values[kept]
        low, high = interval(difference)
        yield Line(
            part=part,
            n=int(kept.sum()),
            bigrams=float(bigrams.values[kept].mean()),
            kiwi=float(kiwi.values[kept].mean()),
            difference=float(difference.mean()),
            low=low,
            high=high,
        )


def page(lines: Sequence[Line], runs: Sequence[Run]) -> str:
    """Render the table."""
    rows = [
        "| gnome_help ko | n | bigrams | with kiwi | difference | 95 % |",
        "|---|---:|---:|---:|---:|---|",
    ]
    rows += [
        f"| {line.part} | {line.n} | {line.bigrams:.4f} | {line.kiwi:.4f} "
        f"| {line.difference:+.4f} | [{line.low:+.4f}, {line.high:+.4f}] |"
        for line in lines
    ]
    before, after = runs
    cost = (
        f"Ingest of four languages, CPU seconds: {before.ingest_s} / {after.ingest_s}; "
        f"a query, CPU milliseconds: {before.query_ms} / {after.query_ms}."
    )
    return "\n".join((*rows, "", cost))


def store(results: Path, lines: Sequence[Line], runs: Sequence[Run], text: str) -> None:
    """Write the figures with the versions that made them."""
    results.mkdir(exist_ok=True)
    report = {
        "versions": {name: version(name) for name in PACKAGES},
        "python": platform.python_version(),
        "metric": "nDCG@10",
        "lines": [asdict(line) for line in lines],
        "ingest_s": [one.ingest_s for one in runs],
        "query_ms": [one.query_ms for one in runs],
    }
    written = json.dumps(report, ensure_ascii=False, indent=1, sort_keys=True)
    (results / "korean.json").write_text(written + "\n", encoding="utf-8")
    title = "# Korean words by morphemes besides bigrams: nDCG@10 of `lastro search`"
    (results / "korean.md").write_text(f"{title}\n\n{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
