"""What a large knowledge base costs: a million made-up passages on this machine.

No person wrote the cards: words follow Zipf's law over four made-up vocabularies.
Every step is a process of its own, so that its memory is its own.  Vectors are
those of the static table: real ones, of made-up words.

    python bench/scale.py --passages 1000000 --legs lexical
    python bench/scale.py --passages 100000 --legs lexical,dense,hybrid

Prints each step and stores all of them in bench/results/scale.json, by size.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from scaled import PASSAGES, Cards, write_file

HERE = Path(__file__).parent
RESULTS = HERE / "results" / "scale.json"
LEGS = ("lexical", "dense", "hybrid")
QUESTIONS = 300
READERS = 3
UPDATES = 100
DELETES = 1000

Found = dict[str, object]


def step(name: str, *arguments: object) -> Found:
    """Do one step in a process of its own, print and return what it took."""
    with _started(name, *arguments) as child:
        out, _ = child.communicate()
    if child.returncode:
        raise SystemExit(f"{name} failed")
    return _said(name, out)


def _started(name: str, *arguments: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "scaled.child", name, *map(str, arguments)]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, cwd=HERE, stdin=pipe, stdout=pipe, text=True)


def _said(name: str, out: str) -> Found:
    found: Found = json.loads(out.splitlines()[-1])
    print(name, json.dumps(found), flush=True)
    return found


def _line(child: subprocess.Popen[str]) -> None:
    """Wait until a process says that it is ready."""
    assert child.stdout is not None  # noqa: S101 - it is a pipe
    child.stdout.readline()


def disk(kb: Path) -> dict[str, float]:
    """Return the megabytes of each part of the base."""
    sizes: dict[str, float] = {}
    for folder, _, names in os.walk(kb):
        below = Path(folder).relative_to(kb)
        for name in names:
            part = below.parts[0] if below.parts else name
            size = (Path(folder) / name).stat().st_size / 1e6
            sizes[part] = round(sizes.get(part, 0.0) + size, 1)
    return {part: size for part, size in sorted(sizes.items()) if size}


def beside(kb: Path, source: Path, cards: int, legs: str) -> Found:
    """Let several readers ask while one process writes, and another one tries to."""
    arguments = (kb, cards, UPDATES, legs)
    readers = [_started("read", *arguments, seed) for seed in range(READERS)]
    other = _started("second", kb, source)
    for child in (*readers, other):
        _line(child)
    writer = _started("take", kb, source, legs)
    _line(writer)  # it holds the lock
    told, _ = other.communicate("now\n")
    out, _ = writer.communicate()
    wrote = _said("take beside readers", out)
    read = []
    for reader in readers:
        out, _ = reader.communicate("stop\n")
        read.append(_said("read", out))
    return {"writer": wrote, "readers": read, "second": _said("second", told)}


def run(folder: Path, passages: int, legs: Sequence[str]) -> Found:
    """Measure everything once in ``folder``."""
    cards, kb, most = folder / "cards", folder / "kb", legs[-1]
    count = int(str(step("make", cards, passages)["cards"]))
    made, changes, new = Cards(), folder / "changed.jsonl", folder / "new.jsonl"
    ingested = step("take", kb, cards, most)
    found: Found = {"ingest": ingested, "disk_mb": disk(kb), "open": step("start", kb)}
    for one in legs:
        found[f"search {one}"] = step("search", kb, one, QUESTIONS)
    # The last cards change, so that the readers know of the first ones what is right.
    write_file(changes, made, range(count - UPDATES, count), version=2)
    found[f"{UPDATES} updates"] = step("take", kb, changes, most)
    more = max(400, count // 50)
    with new.open("w", encoding="utf-8") as file:
        for number in range(UPDATES):
            file.write(json.dumps(made.card(number, 2)) + "\n")
        for number in range(count, count + more):
            file.write(json.dumps(made.card(number)) + "\n")
    found["beside"] = beside(kb, new, count - UPDATES, most)
    first = count // 2
    found[f"{DELETES} deletes"] = step("drop", kb, first, min(DELETES, first // 2))
    found["disk_mb after"] = disk(kb)
    return {**found, "search after": step("search", kb, most, QUESTIONS)}


def store(place: Path, passages: int, legs: Sequence[str], found: Found) -> None:
    """Put the figures of this size beside those of others."""
    place.parent.mkdir(parents=True, exist_ok=True)
    known = json.loads(place.read_text("utf-8")) if place.exists() else {}
    known[f"{passages} {','.join(legs)}"] = {
        "data": f"made up, cards of about {PASSAGES} passages in four languages",
        "python": platform.python_version(),
        "tantivy": version("tantivy"),
        "questions": QUESTIONS,
        **found,
    }
    place.write_text(json.dumps(known, indent=2) + "\n", encoding="utf-8")


def main() -> None:
    """Parse the command line, measure, print and store."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--passages", type=int, default=1_000_000)
    parser.add_argument("--legs", default="lexical", help="of lexical,dense,hybrid")
    parser.add_argument("--keep", type=Path, help="a new folder that is left behind")
    parser.add_argument("--out", type=Path, default=RESULTS)
    args = parser.parse_args()
    wanted = args.legs.split(",")
    legs = [one for one in LEGS if one in wanted]
    if not legs or len(legs) < len(wanted):
        parser.error(f"--legs takes some of {','.join(LEGS)}")
    if args.keep:
        args.keep.mkdir(parents=True)
        found = run(args.keep.absolute(), args.passages, legs)
    else:
        with tempfile.TemporaryDirectory() as folder:
            found = run(Path(folder), args.passages, legs)
    store(args.out, args.passages, legs, found)


if __name__ == "__main__":
    main()
