"""Search libraries side by side on the same passages and questions, in one run.

    python bench/peers.py --passages 100000

Runs with those that are installed and names the others.  Building and searching
are processes of their own.  Prints a table and stores it in bench/results/peers.md
and peers.json.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from statistics import quantiles

from ingest import write_markdown
from rivals import RIVALS, Query, Row
from scaled.measured import measured, own_memory

from lastro.index.ingest import ingest
from lastro.index.store import Store
from lastro.text.analyse import index_text, query_words

RESULTS = Path(__file__).parent / "results" / "peers.json"
_QUERIES = 200
_WARM_UP = 20
_PATIENCE = 60.0  # CPU seconds of questions; a slow one is asked fewer of them
_PACKAGES = (
    "lastro", "tantivy", "bm25s", "rank_bm25", "langchain-community",
    "langchain-classic", "faiss-cpu", "txtai", "numpy",
)  # fmt: skip

Found = dict[str, object]


def prepare(folder: Path, passages: int) -> int:
    """Write files, passages and questions; return how many passages there are."""
    docs, kb = folder / "docs", folder / "first"
    docs.mkdir()
    write_markdown(docs, passages)
    ingest(kb, [docs])
    with Store(kb) as store:
        found = store.db.execute(
            "SELECT d.title, p.text, d.locale FROM passages p"
            " JOIN documents d ON d.row = p.document"
        ).fetchall()
    with (folder / "rows").open("w", encoding="utf-8") as file:
        for title, text, locale in found:
            terms = f"{index_text(title, locale)} {index_text(text, locale)}"
            file.write(json.dumps([title, text, terms]) + "\n")
    asked = list(questions([text for _, text, _ in found]))
    (folder / "queries").write_text(json.dumps(asked), encoding="utf-8")
    return len(found)


def questions(texts: Sequence[str]) -> Iterator[Query]:
    """Yield questions of ten words, each from a passage."""
    rng = random.Random(2)
    picked = [words for words in map(str.split, texts) if len(words) >= 10]
    for words in rng.sample(picked, min(len(picked), _QUERIES + _WARM_UP)):
        text = " ".join(rng.sample(words, 10))
        terms = (word.emissions[0] for word in query_words(text, ["en"]))
        yield Query(text, " ".join(terms))


def build(name: str, folder: Path) -> Found:
    """Child: build one of them from rows in memory."""
    with (folder / "rows").open(encoding="utf-8") as file:
        rows = [] if name == "lastro" else [Row(*json.loads(line)) for line in file]
    _imported(name)
    before = own_memory()
    place = folder / name
    place.mkdir()
    with measured() as took:
        RIVALS[name].build(rows, place)
    peak = int(str(took["peak_own_mb"])) - (before if rows else 0)
    return {"build_cpu_s": took["cpu_s"], "build_mb": peak, "disk_mb": _size(place)}


def _imported(name: str) -> float:
    """Import what a library needs; return the CPU seconds."""
    began = time.process_time()
    for module in RIVALS[name].needs:
        import_module(module)
    return round(time.process_time() - began, 3)


def _size(place: Path) -> float:
    files = (path for path in place.rglob("*") if path.is_file())
    return round(sum(path.stat().st_size for path in files) / 1e6, 1)


def ask(name: str, folder: Path) -> Found:
    """Child: open one of them and ask, each question once."""
    asked = [Query(*one) for one in json.loads((folder / "queries").read_text("utf-8"))]
    imported = _imported(name)
    began = time.process_time()
    search = RIVALS[name].open(folder / name)
    opened = time.process_time() - began
    for query in asked[:_WARM_UP]:
        search(query)
        if time.process_time() - began > _PATIENCE / 4:
            break
    taken: list[float] = []
    for query in asked[_WARM_UP:]:
        before = time.process_time()
        search(query)
        taken.append((time.process_time() - before) * 1000)
        if sum(taken) > _PATIENCE * 1000:
            break
    cuts = quantiles(taken, n=100)
    return {
        "import_cpu_s": imported,
        "open_cpu_s": round(opened, 3),
        "query_p50_ms": round(cuts[49], 2),
        "query_p95_ms": round(cuts[94], 2),
        "questions": len(taken),
        "search_mb": own_memory(),
    }


def child(step: str, name: str, folder: Path) -> Found:
    """Do one step in a process of its own."""
    command = [sys.executable, __file__, "--step", step, name, str(folder)]
    # One thread: the processor time of a library that spins up more is no speed.
    env = {**os.environ, "OMP_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false"}
    done = subprocess.run(
        command, env=env, check=False, stdout=subprocess.PIPE, text=True
    )
    if done.returncode:
        return {"failed": step}
    found: Found = json.loads(done.stdout.splitlines()[-1])
    return found


def missing(name: str) -> str:
    """Return the module that a library needs and that is not installed, if any."""
    for module in RIVALS[name].needs:
        if find_spec(module.partition(".")[0]) is None:
            return module
    return ""


def run(folder: Path, names: Sequence[str]) -> dict[str, Found]:
    """Measure all of them in ``folder``."""
    found: dict[str, Found] = {}
    for name in names:
        absent = missing(name)
        if absent:
            found[name] = {"missing": absent}
        else:
            found[name] = {"terms": RIVALS[name].terms, **child("build", name, folder)}
            if "failed" not in found[name]:
                found[name] |= child("ask", name, folder)
        print(name, json.dumps(found[name]), flush=True)
    return found


def versions() -> dict[str, str]:
    """Return the versions of what is installed."""
    there: dict[str, str] = {}
    for package in _PACKAGES:
        try:
            there[package] = version(package)
        except PackageNotFoundError:
            continue
    return there


def page(passages: int, libraries: dict[str, Found]) -> str:
    """Return the table as Markdown."""
    intro = (
        f"Search libraries side by side: {passages} passages, questions of ten words,"
        " top 10, processor time of one thread."
    )
    lines = [
        intro,
        "",
        f"| | {' | '.join(_COLUMNS)} |",
        "|---" * (len(_COLUMNS) + 1) + "|",
    ]
    for name, one in libraries.items():
        if "missing" in one or "failed" in one:
            why = f"needs {one['missing']}" if "missing" in one else "failed"
            lines.append(f"| {name} | {why} {'| ' * (len(_COLUMNS))}|")
        else:
            cells = (str(one[key]) for key in _COLUMNS.values())
            lines.append(f"| {name} | {' | '.join(cells)} |")
    there = ", ".join(f"{name} {number}" for name, number in versions().items())
    return "\n".join([*lines, "", there]) + "\n"


_COLUMNS = {
    "terms": "terms",
    "query p50 ms": "query_p50_ms",
    "p95 ms": "query_p95_ms",
    "build s": "build_cpu_s",
    "build MB": "build_mb",
    "search MB": "search_mb",
    "import s": "import_cpu_s",
    "open s": "open_cpu_s",
    "disk MB": "disk_mb",
    "questions": "questions",
}


def main() -> None:
    """Parse the command line, measure, print and store."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--passages", type=int, default=100_000)
    parser.add_argument("--only", default="", help="names, by commas")
    parser.add_argument("--out", type=Path, default=RESULTS)
    parser.add_argument("--step", nargs=3, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.step:
        step, name, place = args.step
        print(json.dumps((build if step == "build" else ask)(name, Path(place))))
        return
    names = args.only.split(",") if args.only else list(RIVALS)
    with tempfile.TemporaryDirectory() as folder:
        passages = prepare(Path(folder), args.passages)
        found = run(Path(folder), names)
    kept = {"passages": passages, "versions": versions(), "libraries": found}
    args.out.parent.mkdir(parents=True, exist_ok=True)
    args.out.write_text(json.dumps(kept, indent=2) + "\n", encoding="utf-8")
    table = page(passages, found)
    args.out.with_suffix(".md").write_text(table, encoding="utf-8")
    print(table)


if __name__ == "__main__":
    main()
