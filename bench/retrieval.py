r"""How well ``lastro search`` finds, beside plain word BM25, bm25s and rank_bm25.

    .venv/bin/python bench/retrieval.py

Ingests gnome_help (four languages in one knowledge base) and scifact, asks all
judged questions through the public search, each among the documents of its
locale, and prints nDCG@10 with paired bootstrap intervals against plain word
BM25 over whole documents (``\\w+`` of title and text, casefolded, k1 1.2, b 0.75)
computed in the same run.  Settings were chosen on the half of the questions
called *chosen on*; see ``bench/lexical_settings.py``.  Writes
``bench/results/retrieval.*``; exit 1 if a bar is missed.
"""

import argparse
import json
import platform
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path

import bm25s
import numpy as np
import rank_bm25
from judged import DATA, Judged, best, interval, load, ndcg, plain_bm25, unaccented

import lastro
from lastro.compose import KnowledgeBase
from lastro.corpus.found import Readable
from lastro.corpus.sources import scan
from lastro.corpus.split import split
from lastro.text.analyse import index_terms, query_words

HERE = Path(__file__).parent
LOCALES = ("en", "es", "pt-BR", "ko")
PACKAGES = ("lastro", "tantivy", "PyStemmer", "bm25s", "rank_bm25", "numpy")
# What the difference to plain word BM25 must reach, over all questions.
BARS = {
    "gnome_help en": 0.0,
    "gnome_help es": 0.01,
    "gnome_help pt-BR": 0.01,
    "gnome_help ko": 0.03,
    "scifact": 0.0,
    "gnome_help es, no accents": 0.03,
    "gnome_help pt-BR, no accents": 0.03,
}
EXCLUDES_ZERO = "gnome_help ko"
PEERS_NOTE = (
    "The same terms in other retrievers; a document counts by its best passage. "
    "CPU milliseconds a query: lastro's from text to hits with passages and scores "
    "a word, the others' from terms to scores."
)

# A question's document ids, and the CPU milliseconds of the lexical leg.
Find = Callable[[str], tuple[list[str], float]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One set of questions, or a part of it, in the table."""

    name: str
    part: str
    n: int
    plain: float
    lastro: float
    difference: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Peer:
    """A retriever on our terms: its nDCG and what a query costs."""

    name: str
    retriever: str
    passages: int
    n: int
    ndcg: float
    ms: float


def main() -> int:
    """Measure, print, store; say whether every bar is held."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--results", type=Path, default=HERE / "results")
    args = parser.parse_args()
    if not args.data.exists():
        print(f"the public collections are not at {args.data}: nothing is measured")
        return 0
    sets = [
        *load(args.data, "gnome_help", LOCALES),
        *load(args.data, "scifact", ["en"]),
    ]
    with tempfile.TemporaryDirectory() as folder:
        lines, peers = measure(sets, Path(folder))
    missed = [line.name for line in lines if line.part == "all" and not held(line)]
    verdict = f"Bars missed: {', '.join(missed)}." if missed else "All bars are held."
    text = "\n\n".join((table(lines), verdict, peer_table(peers)))
    print(text)
    store(args.results, lines, peers, text)
    return 1 if missed else 0


def measure(sets: Sequence[Judged], folder: Path) -> tuple[list[Line], list[Peer]]:
    """Return the lines of both tables."""
    lines: list[Line] = []
    peers: list[Peer] = []
    bases: dict[Path, KnowledgeBase] = {}
    for judged in sets:
        if judged.corpus not in bases:
            path = folder / str(len(bases))
            clock = time.process_time
            bases[judged.corpus] = lastro.open(path, environ={}, clock=clock)
            bases[judged.corpus].ingest([judged.corpus], locale=judged.locale)
        find = searching(bases[judged.corpus], judged.locale)
        texts = [question.text for question in judged.questions]
        found, ms = asked(find, judged, texts)
        lines += compared(judged, judged.name, plain_bm25(judged, texts), found)
        if judged.locale in ("es", "pt-BR"):
            bare = [*map(unaccented, texts)]
            plain = plain_bm25(judged, bare)
            again, _ = asked(find, judged, bare)
            lines += compared(judged, f"{judged.name}, no accents", plain, again)
        peers += beside(judged, texts, float(found.mean()), ms)
    return lines, peers


def searching(kb: KnowledgeBase, locale: str) -> Find:
    """Return the public search, as a function from a question to document ids."""

    def find(text: str) -> tuple[list[str], float]:
        ranking = kb.search(text, k=10, locale=locale, filter_locale=locale)
        ids = [str(hit.document_id) for hit in ranking.hits]
        return ids, ranking.legs["lexical"].took_ms

    return find


def asked(
    find: Find, judged: Judged, texts: Sequence[str]
) -> tuple[np.ndarray, Mapping[str, float]]:
    """Return nDCG of every question, and the CPU milliseconds of one, by part."""
    find(texts[0])
    began = time.process_time()
    found = [find(text) for text in texts]
    spent = (time.process_time() - began) * 1000 / len(texts)
    each = zip(found, judged.questions, strict=True)
    values = np.array([ndcg(ids, judged.qrels[q.id]) for (ids, _), q in each])
    leg = sum(ms for _, ms in found) / len(found)
    return values, {"lastro": spent, "lastro, the lexical leg alone": leg}


def compared(
    judged: Judged, name: str, plain: np.ndarray, found: np.ndarray
) -> Iterator[Line]:
    """Yield the lines of a set: all questions, and either half."""
    chosen = judged.chosen_on
    for part, kept in (
        ("all", np.ones(len(chosen), dtype=bool)),
        ("chosen on", chosen),
        ("other half", ~chosen),
    ):
        difference = found[kept] - plain[kept]
        low, high = interval(difference)
        yield Line(
            name=name,
            part=part,
            n=int(kept.sum()),
            plain=float(plain[kept].mean()),
            lastro=float(found[kept].mean()),
            difference=float(difference.mean()),
            low=low,
            high=high,
        )


def beside(
    judged: Judged, texts: Sequence[str], own: float, ms: Mapping[str, float]
) -> Iterator[Peer]:
    """Yield lastro, bm25s and rank_bm25 on the same terms of the same passages."""
    of, bags = passages(judged)
    queries = [
        [term for word in query_words(text, [judged.locale]) for term in word.emissions]
        for text in texts
    ]
    ids = sorted(set(of))
    place = {document: at for at, document in enumerate(ids)}
    owner = np.array([place[document] for document in of])

    def documents(scores: np.ndarray) -> list[str]:
        top = np.zeros(len(ids))
        np.maximum.at(top, owner, scores)
        return best(top, ids)

    fast = bm25s.BM25(k1=1.2, b=0.75)
    fast.index(bags, show_progress=False)
    okapi = rank_bm25.BM25Okapi(bags, k1=1.2, b=0.75)
    held = set(fast.vocab_dict)
    retrievers = {
        "bm25s": lambda q: fast.get_scores([t for t in q if t in held] or [""]),
        "rank_bm25": okapi.get_scores,
    }
    peer = partial(Peer, name=judged.name, passages=len(bags), n=len(texts))
    for name, spent in ms.items():
        yield peer(retriever=name, ndcg=own, ms=spent)
    for name, scores_of in retrievers.items():
        began = time.process_time()
        rankings = [documents(scores_of(query)) for query in queries]
        spent = (time.process_time() - began) * 1000 / len(texts)
        each = zip(rankings, judged.questions, strict=True)
        value = float(np.mean([ndcg(r, judged.qrels[q.id]) for r, q in each]))
        yield peer(retriever=name, ndcg=value, ms=spent)


def passages(judged: Judged) -> tuple[list[str], list[list[str]]]:
    """Return the passages' documents and terms, title first, as they are indexed."""
    wanted = {document["_id"] for document in judged.documents}
    of: list[str] = []
    bags: list[list[str]] = []
    for found in scan([judged.corpus], locale=judged.locale):
        if isinstance(found, Readable) and found.document.id in wanted:
            for passage in split(found.document):
                of.append(found.document.id)
                text = "\n".join(
                    (found.document.title, *passage.heading_path, passage.text)
                )
                bags.append(index_terms(text, judged.locale))
    return of, bags


def held(line: Line) -> bool:
    """Say whether a set reaches its bar."""
    if line.name == EXCLUDES_ZERO and line.low <= 0:
        return False
    return line.difference >= BARS[line.name]


def table(lines: Sequence[Line]) -> str:
    """Render the comparison with plain word BM25."""
    rows = [
        "| questions | part | n | plain | lastro | difference | 95 % | bar |",
        "|---|---|---:|---:|---:|---:|---|---:|",
    ]
    rows += [
        f"| {line.name} | {line.part} | {line.n} "
        f"| {line.plain:.4f} | {line.lastro:.4f} "
        f"| {line.difference:+.4f} | [{line.low:+.4f}, {line.high:+.4f}] "
        f"| {f'{BARS[line.name]:+.2f}' if line.part == 'all' else ''} |"
        for line in lines
    ]
    return "\n".join(rows)


def peer_table(peers: Sequence[Peer]) -> str:
    """Render nDCG and cost beside the peers."""
    rows = [
        PEERS_NOTE,
        "",
        "| questions | retriever | passages | n | nDCG@10 | CPU ms a query |",
        "|---|---|---:|---:|---:|---:|",
    ]
    rows += [
        f"| {peer.name} | {peer.retriever} | {peer.passages} | {peer.n} "
        f"| {peer.ndcg:.4f} | {peer.ms:.2f} |"
        for peer in peers
    ]
    return "\n".join(rows)


def store(
    results: Path, lines: Sequence[Line], peers: Sequence[Peer], text: str
) -> None:
    """Write the figures with the versions that made them."""
    results.mkdir(exist_ok=True)
    report = {
        "versions": {name: version(name) for name in PACKAGES},
        "python": platform.python_version(),
        "metric": "nDCG@10",
        "bars": BARS,
        "against_plain_word_bm25": [asdict(line) for line in lines],
        "same_terms": [asdict(peer) for peer in peers],
    }
    written = json.dumps(report, ensure_ascii=False, indent=1, sort_keys=True)
    (results / "retrieval.json").write_text(written + "\n", encoding="utf-8")
    page = f"# Retrieval: nDCG@10 of `lastro search`\n\n{text}\n"
    (results / "retrieval.md").write_text(page, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
