"""The processes beside ``kill9.py``: the writer that is killed, the reader that looks.

python bench/kill9_beside.py write KB SOURCE [--large] [IDS…]
python bench/kill9_beside.py watch KB --documents N --seed S

Vectors come from an embedder that gives each document a direction of its own, so
that the dense leg has to find exactly the passages that the words find.
"""

import argparse
import json
import random
import re
import select
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lastro.index.embedder import Identity
from lastro.index.ingest import ingest
from lastro.index.ingest import remove as remove_documents
from lastro.index.publish import SMALL
from lastro.index.reports import EmbedWith, Progress
from lastro.index.search import Searcher
from lastro.model.ranking import Ranking, Stage

_VERSION = re.compile(r"version(\d+)")
_ONLY = re.compile(r"only(\d+)")
_SAME = 0.95  # the cosine of a number with itself; with another one it is far less
_PARAGRAPH = 130  # words: each paragraph is a passage of its own


class Numbers:
    """An embedder of the word ``only<number>``, and of nothing else."""

    identity = Identity(name="numbers", revision="1", dimension=64)
    window = 0
    costly = False

    def tokens(self, text: str) -> int:
        """Return how many words there are."""
        return len(text.split())

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return a direction for each number."""
        return np.stack([self.query(text) for text in texts])

    def query(self, text: str) -> NDArray[np.float32]:
        """Return the direction of a number; zeros without one."""
        found = _ONLY.search(text)
        if found is None:
            return np.zeros(64, np.float32)
        drawn = np.random.default_rng(int(found[1])).normal(size=64)
        return (drawn / np.linalg.norm(drawn)).astype(np.float32)


def numbers(_: str) -> Numbers:
    """Return the embedder, whatever its name."""
    return Numbers()


def text(number: int, version: int) -> str:
    """Return a document of one to three passages, each of which names its version."""
    words = f"only{number} version{version} " + "word " * _PARAGRAPH
    sections = (f"{part}. {words}.\n\n" for part in range(1 + version % 3))
    return "".join(sections)


def write_source(path: Path, state: dict[int, int]) -> None:
    """Write the documents of ``state``, one card a line."""
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for number, version in sorted(state.items()):
            card = {"id": f"d{number}", "text": text(number, version), "locale": "en"}
            file.write(json.dumps(card) + "\n")


def seen(searcher: Searcher, number: int) -> tuple[int | None, str]:
    """Return the version in which a document is found, and what is wrong with it."""
    ranking = searcher.search(
        f"only{number}", k=8, max_chunks_per_source=8, locale="en", legs="hybrid"
    )
    problem = _legs(ranking)
    if problem:
        return None, problem
    words = {one.passage_id for one in ranking.stages[Stage.LEXICAL]}
    versions = Counter(
        int(found)
        for hit in ranking.selected
        if hit.passage_id in words
        for found in _VERSION.findall(hit.passage.text)
    )
    if not versions:
        return None, ""
    (version, passages), *others = versions.items()
    if others:
        return version, f"two versions at once: {dict(versions)}"
    if passages != 1 + version % 3:
        return version, f"half of a document: {passages} passages of version {version}"
    return version, ""


def _legs(ranking: Ranking) -> str:
    """Return what is wrong with the legs: one that did not run, or another finding."""
    for name, leg in ranking.legs.items():
        if leg.status != "ok" or leg.why:
            return f"{name} leg {leg.status}: {leg.why}"
    words, vectors = ranking.stages[Stage.LEXICAL], ranking.stages[Stage.DENSE]
    near = {one.passage_id for one in vectors if one.score > _SAME}
    if near != {one.passage_id for one in words}:
        return f"the legs disagree: words {len(words)}, vectors {sorted(near)}"
    documents = sorted({one.document_id for one in words})
    return f"several documents: {documents}" if len(documents) > 1 else ""


def stored(searcher: Searcher, number: int) -> tuple[int | None, str]:
    """Return the version in which a document is shown, and what is wrong with it."""
    document = searcher.document(f"d{number}")
    if document is None:
        return None, ""
    version = int(_VERSION.findall(document.text)[0])
    whole = document.text.strip() == text(number, version).strip()
    return version, "" if whole else "the document's text is not that of its version"


# ---- the processes beside the parent


def write(kb: Path, source: Path, *, large: bool, remove: list[str]) -> None:
    """Child: change the base and say on standard output what was acknowledged."""
    print("start", flush=True)
    if remove:
        remove_documents(kb, remove)
    else:
        # As a large base does it: the index is added to, not made anew.
        small = 0 if large else SMALL
        vectors = EmbedWith(embedders=numbers, name="numbers")
        ingest(kb, [source], sync=True, progress=say, small=small, vectors=vectors)
    print("done", flush=True)


def say(progress: Progress) -> None:
    """Say that the first so many documents of the source are acknowledged."""
    print("ack", progress.done, flush=True)


def watch(kb: Path, documents: int, seed: int) -> None:
    """Reader: look at random documents until standard input is closed."""
    rng = random.Random(seed)
    newest: dict[int, int] = {}
    checks, wrong = 0, []
    searcher = Searcher.open(kb, embedders=numbers)
    while not stdin_is_closed():
        if rng.random() < 0.02:
            searcher.close()
            searcher = Searcher.open(kb, embedders=numbers)
        number = rng.randrange(documents)
        look = seen if rng.random() < 0.7 else stored
        version, problem = look(searcher, number)
        checks += 1
        if not problem and version is None and number < kept(documents):
            problem = "missing"
        if not problem and version is not None and version < newest.get(number, 0):
            problem = f"version {version} after {newest[number]}"
        if problem:
            wrong.append(f"reader: d{number}: {problem}")
        newest[number] = max(version or 0, newest.get(number, 0))
    searcher.close()
    print(json.dumps({"checks": checks, "wrong": wrong}))


def stdin_is_closed() -> bool:
    """Return whether the parent wants this process to end."""
    ready, _, _ = select.select([sys.stdin], [], [], 0)
    return bool(ready)


def kept(documents: int) -> int:
    """Return how many documents are only replaced and never deleted."""
    return documents * 2 // 3


def main() -> None:
    """Be one of the two."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("role", nargs="?", choices=["write", "watch"])
    parser.add_argument("kb", nargs="?", type=Path)
    parser.add_argument("rest", nargs="*")
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--documents", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    if args.role is None:
        print("no measurement of its own: see kill9.py")
    elif args.role == "write":
        source, *ids = args.rest
        write(args.kb, Path(source), large=args.large, remove=ids)
    else:
        watch(args.kb, args.documents, args.seed)


if __name__ == "__main__":
    main()
