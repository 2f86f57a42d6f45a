"""What ingest, opening, searching and starting cost, beside tantivy called bare.

Searching by words is compared with tantivy, searching by both legs with what the
two legs take alone: the rest is fusion, selection, texts and the gate.  Markdown
files are made from the public collections (or, where these are absent, of random
words), passages of one build are the input of the other, all in one run.

    python bench/ingest.py --passages 20000

Prints CPU seconds and ratios and stores them in bench/results/ingest.json.
"""

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib.metadata import version
from pathlib import Path
from statistics import median

import tantivy

import lastro
from lastro.index.ingest import ingest
from lastro.index.search import Searcher
from lastro.index.store import Store

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
SETS = ("gnome_help", "scifact", "faquad", "xquad_en_es", "squad2_dev_half")
RESULTS = Path(__file__).parent / "results" / "ingest.json"
_QUERIES = 200
# As many before the last ones are timed again: what a server that runs for long has
# in memory by then. No question is asked twice.
_BETWEEN = 1000


def cpu(what: Callable[[], object]) -> float:
    """Return the CPU seconds, of all threads, that ``what`` takes."""
    before = time.process_time()
    what()
    return time.process_time() - before


def cards() -> list[tuple[str, str, str]]:
    """Return locale, title and text of every card of the public collections."""
    found = []
    for name in SETS:
        path = DATA / name / "corpus.jsonl"
        if not path.exists():
            continue
        for line in path.read_text(encoding="utf-8").splitlines():
            card = json.loads(line)
            found.append((card.get("locale", ""), card["title"], card["text"]))
    return found or list(_random_cards())


def _random_cards() -> Iterator[tuple[str, str, str]]:
    rng = random.Random(1)
    words = [f"word{number}" for number in range(50_000)]
    weights = [1 / (rank + 10) for rank in range(50_000)]
    for number in range(5000):
        text = " ".join(rng.choices(words, weights, k=300))
        yield "en", f"Card {number}", f"{text}."


def write_markdown(folder: Path, passages: int) -> int:
    """Write files of about so many passages; words vary from copy to copy."""
    rng = random.Random(1)
    written = number = 0
    source = cards()
    while written < passages:
        locale, title, text = source[number % len(source)]
        words, other = text.split(" "), source[rng.randrange(len(source))][2].split()
        for _ in range(len(words) // 20 if number >= len(source) else 0):
            words[rng.randrange(len(words))] = rng.choice(other)
        place = folder / f"{number % 100:02d}" / f"{number}.md"
        place.parent.mkdir(exist_ok=True)
        head = f"---\nlocale: {locale}\n---\n" if locale else ""
        place.write_text(f"{head}# {title}\n\n{' '.join(words)}\n", encoding="utf-8")
        written += 1 + len(words) // 110
        number += 1
    return number


def bare(folder: Path, texts: list[tuple[str, str]]) -> tantivy.Index:
    """Build a plain tantivy index of the same passages, as its own page shows."""
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("title", tokenizer_name="default", index_option="freq")
    builder.add_text_field("body", tokenizer_name="default", index_option="freq")
    builder.add_integer_field("id", stored=True, indexed=True)
    folder.mkdir()
    index = tantivy.Index(builder.build(), str(folder))
    writer = index.writer(64_000_000, 1)
    for number, (title, text) in enumerate(texts):
        writer.add_document(tantivy.Document(id=number, title=title, body=text))
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    return index


def queries(texts: list[tuple[str, str]]) -> list[str]:
    """Return questions of ten words, each from a passage, no two from one."""
    rng = random.Random(2)
    long = [words for _, text in texts if len(words := text.split()) >= 10]
    most = min(len(long), _BETWEEN + 2 * _QUERIES)
    return [" ".join(rng.sample(words, 10)) for words in rng.sample(long, most)]


def bare_search(
    index: tantivy.Index, searcher: tantivy.Searcher, query: str
) -> tantivy.SearchResult:
    """Search as tantivy's own page shows."""
    return searcher.search(index.parse_query(query, ["body", "title"]), 10)


def search_costs(kb: Path, index: tantivy.Index, asked: list[str]) -> dict[str, float]:
    """Return the CPU milliseconds a query: ours, and tantivy bare on its own words."""
    searcher = Searcher.open(kb)
    bare_searcher = index.searcher()
    ours, theirs = [], []
    search = partial(searcher.search, k=10, locale="en", legs="lexical")
    for query in asked:
        plain = "".join(c if c.isalnum() else " " for c in query.lower())
        ours.append(cpu(partial(search, query)) * 1000)
        theirs.append(cpu(partial(bare_search, index, bare_searcher, plain)) * 1000)
    searcher.close()
    first, last = slice(0, _QUERIES), slice(-_QUERIES, None)
    return {
        "search_cpu_ms": round(median(ours[first]), 3),
        "bare_search_cpu_ms": round(median(theirs[first]), 3),
        "search_over_bare": round(median(ours[first]) / median(theirs[first]), 2),
        "later_search_cpu_ms": round(median(ours[last]), 3),
        "later_search_over_bare": round(median(ours[last]) / median(theirs[last]), 2),
    }


def hybrid_costs(kb: Path, asked: list[str]) -> dict[str, float]:
    """Return the CPU milliseconds a query over both legs, and of the legs alone."""
    whole, legs = [], []
    with lastro.open(kb, environ={}, clock=time.process_time) as base:
        spent = cpu(base.embed)
        for query in asked[:_QUERIES]:
            began = time.process_time()
            ranking = base.search(query, k=10, locale="en", legs="hybrid")
            base.decide(ranking)
            whole.append((time.process_time() - began) * 1000)
            legs.append(sum(leg.took_ms for leg in ranking.legs.values()))
    return {
        "embed_cpu_s": round(spent, 2),
        "hybrid_search_cpu_ms": round(median(whole), 3),
        "legs_alone_cpu_ms": round(median(legs), 3),
        "hybrid_over_legs": round(median(whole) / median(legs), 2),
    }


def start_costs(folder: Path) -> dict[str, float]:
    """Return the CPU seconds of commands as processes, on a base of one page."""
    (folder / "page.md").write_text("# Guest code\n\nIt lasts 24 hours.\n", "utf-8")
    command = str(Path(sys.executable).with_name("lastro"))
    kb = str(folder / "small")
    _process(command, "ingest", str(folder / "page.md"), "--kb", kb)
    search = (command, "search", "guest code", "--kb", kb)
    calls = {
        "help_cpu_s": (command, "--help"),
        "start_lexical_cpu_s": (*search, "--legs", "lexical"),
        "start_hybrid_cpu_s": search,
    }
    return {
        name: round(median(_process(*call) for _ in range(5)), 3)
        for name, call in calls.items()
    }


def _process(*command: str) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def run(passages: int, folder: Path) -> dict[str, object]:
    """Measure everything once in ``folder``."""
    docs, kb = folder / "docs", folder / "kb"
    docs.mkdir()
    files = write_markdown(docs, passages)
    taken = cpu(lambda: ingest(kb, [docs]))
    again = cpu(lambda: ingest(kb, [docs]))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    with Store(kb) as store:
        rows = store.db.execute(
            "SELECT d.title, p.text FROM passages p"
            " JOIN documents d ON d.row = p.document"
        )
        texts = [(title, text) for title, text in rows]
    built: list[tantivy.Index] = []
    plain = cpu(lambda: built.append(bare(folder / "bare", texts)))
    opened = cpu(lambda: Searcher.open(kb).close())
    asked = queries(texts)
    searched = search_costs(kb, built[0], asked)
    searched |= hybrid_costs(kb, asked) | start_costs(folder)
    return {
        "tantivy": version("tantivy"),
        "files": files,
        "passages": len(texts),
        "ingest_cpu_s": round(taken, 2),
        "unchanged_cpu_s": round(again, 2),
        "passages_per_cpu_s": round(len(texts) / taken),
        "bare_tantivy_cpu_s": round(plain, 2),
        "ingest_over_bare": round(taken / plain, 2),
        "peak_memory_mb": round(memory),
        "open_cpu_s": round(opened, 4),
        "queries": _QUERIES,
        **searched,
    }


def main() -> None:
    """Parse the command line, measure, print and store."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--passages", type=int, default=20_000)
    parser.add_argument("--out", type=Path, default=RESULTS)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = run(args.passages, Path(folder))
    args.out.parent.mkdir(parents=True, exist_ok=True)
    args.out.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    json.dump(found, sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
