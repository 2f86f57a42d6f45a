"""The processes of ``scale.py``: each does one thing, and prints what it took.

python -m scaled.child STEP KB [ARGUMENTS…]
"""

import json
import random
import re
import select
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import quantiles

from lastro.compose.embedders import make_embedder
from lastro.errors import KnowledgeBaseBusy
from lastro.index.embedder import Embedder
from lastro.index.ingest import ingest, remove
from lastro.index.reports import EmbedWith
from lastro.index.search import Searcher
from lastro.model.ranking import Ranking
from scaled import Cards, write
from scaled.measured import measured, own_memory

_WARM_UP = 50
_VERSION = re.compile(r"version(\d+)")


def _embedder(name: str) -> Embedder:
    return make_embedder(name, {})


def _vectors(legs: str) -> EmbedWith | None:
    if legs == "lexical":
        return None
    return EmbedWith(embedders=_embedder, name="static")


def _open(kb: Path, legs: str) -> Searcher:
    return Searcher.open(kb, embedders=None if legs == "lexical" else _embedder)


def make(folder: Path, passages: str) -> object:
    """Write the cards."""
    return {"cards": write(folder, int(passages))}


def take(kb: Path, source: str, legs: str) -> object:
    """Ingest a source."""
    said = iter(("writing",))

    def once(_: object) -> None:
        for word in said:
            print(word, flush=True)

    with measured() as found:
        report = ingest(kb, [Path(source)], progress=once, vectors=_vectors(legs))
    found |= {"documents": report.documents, "passages": report.passages}
    found |= {"indexed": report.indexed, "updated": report.updated}
    return {**found, "notes": report.notes}


def drop(kb: Path, first: str, count: str) -> object:
    """Remove cards by id."""
    numbers = range(int(first), int(first) + int(count))
    with measured() as found:
        report = remove(kb, [f"d{number}" for number in numbers])
    return {**found, "removed": len(report.removed), "notes": report.notes}


def start(kb: Path) -> object:
    """Open the base twice: the second time everything is in memory."""
    taken = []
    for _ in range(2):
        before = time.process_time()
        Searcher.open(kb).close()
        taken.append(round(time.process_time() - before, 4))
    return {"cpu_s": taken[0], "again_cpu_s": taken[1]}


def search(kb: Path, legs: str, count: str) -> object:
    """Ask questions of ten words, each of them once."""
    searcher = _open(kb, "hybrid" if legs != "lexical" else legs)
    cpu, wall = [], []
    for locale, question in Cards().questions(int(count) + _WARM_UP):
        began = time.process_time(), time.perf_counter()
        searcher.search(question, k=10, locale=locale, legs=legs)
        cpu.append((time.process_time() - began[0]) * 1000)
        wall.append((time.perf_counter() - began[1]) * 1000)
    searcher.close()
    found = {"cpu_ms": _spread(cpu[_WARM_UP:]), "wall_ms": _spread(wall[_WARM_UP:])}
    return {**found, "peak_own_mb": own_memory()}


def _spread(values: list[float]) -> dict[str, float]:
    cuts = quantiles(values, n=100)
    return {"p50": round(cuts[49], 2), "p95": round(cuts[94], 2)}


def read(kb: Path, cards: str, changed: str, legs: str, seed: str) -> object:
    """Ask until standard input is closed; say what was wrong.

    The first ``changed`` cards have one of two versions, all others the first.
    """
    rng = random.Random(seed)
    searcher = _open(kb, legs)
    questions = Cards().questions(100_000, int(seed))
    print("ready", flush=True)
    newest: dict[int, int] = {}
    wall, wrong = [], []
    while not select.select([sys.stdin], [], [], 0)[0]:
        locale, question = next(questions)
        began = time.perf_counter()
        found = searcher.search(question, k=10, locale=locale, legs=legs)
        wall.append((time.perf_counter() - began) * 1000)
        if not found.hits:
            wrong.append(f"nothing found: {question}")
        few = rng.random() < 0.5
        number = rng.randrange(int(changed) if few else int(cards))
        looked = searcher.search(f"only{number}", k=1, locale="en", legs="lexical")
        version = _version(looked, number)
        if version < newest.get(number, 1) or version > 1 + (number < int(changed)):
            wrong.append(f"d{number}: version {version} after {newest.get(number, 1)}")
        newest[number] = max(version, 1)
    searcher.close()
    return {"asked": len(wall), "wrong": wrong, "wall_ms": _spread(wall)}


def _version(found: Ranking, number: int) -> int:
    """Return the version in which a card is found first; 0: it is not."""
    if not found.hits or found.hits[0].document_id != f"d{number}":
        return 0
    said = _VERSION.search(found.hits[0].passage.text)
    return int(said[1]) if said else 0


def second(kb: Path, source: str) -> object:
    """Try to write while another process does."""
    print("ready", flush=True)
    sys.stdin.readline()
    try:
        ingest(kb, [Path(source)], wait=0.1)
    except KnowledgeBaseBusy as error:
        return {"told": "another process is writing" in str(error)}
    return {"told": False}


_STEPS: Mapping[str, Callable[..., object]] = {
    step.__name__: step for step in (make, take, drop, start, search, read, second)
}


def main() -> None:
    """Do one step."""
    step, place, *rest = sys.argv[1:]
    print(json.dumps(_STEPS[step](Path(place), *rest)), flush=True)


if __name__ == "__main__":
    main()
