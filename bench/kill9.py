"""Kill an ingest at random moments and see that nothing is lost, torn or doubled.

A child process replaces and deletes documents and is killed with SIGKILL; a
second process reads all the time.  Checked, always: the reader sees each document
whole, in one version, the same by its words and by its vectors, never an older one
than before, and the ones that are not deleted never as missing.  Checked after each
kill, by the next open (or once the reader has caught the index up, if it was
quicker): every acknowledged change is there, and no document is half of one and
half of another.

    python bench/kill9.py --kills 50 --seed 1

Prints the counts, stores them in bench/results/kill9.json, exits 1 on a violation.
"""

import argparse
import json
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO, cast

from kill9_beside import kept, numbers, seen, stored, write_source

from lastro.index import segments
from lastro.index.folder import DENSE
from lastro.index.ingest import ingest
from lastro.index.lexical import Lexical
from lastro.index.publish import folder_of
from lastro.index.reports import EmbedWith
from lastro.index.search import Searcher
from lastro.index.store import Store

RESULTS = Path(__file__).parent / "results" / "kill9.json"
BESIDE = Path(__file__).parent / "kill9_beside.py"


@dataclass
class Trial:
    """The state that was acknowledged, and what was found."""

    kb: Path
    source: Path
    rng: random.Random
    documents: int
    state: dict[int, int] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    version: int = 0

    def begin(self) -> None:
        """Fill the base, without a kill, and see how long a change takes."""
        self.state = dict.fromkeys(range(self.documents), 0)
        write_source(self.source, self.state)
        vectors = EmbedWith(embedders=numbers, name="numbers")
        ingest(self.kb, [self.source], vectors=vectors)
        self.check(self.state, dict(self.state), acknowledged=self.documents)

    def plan(self) -> tuple[dict[int, int], list[str]]:
        """Return the state to come, and the ids to remove if it is that."""
        self.version += 1
        wanted = dict(self.state)
        if self.rng.random() < 0.25:
            gone = [
                n
                for n in wanted
                if n >= kept(self.documents) and self.rng.random() < 0.3
            ]
            return {n: v for n, v in wanted.items() if n not in gone}, [
                f"d{n}" for n in gone
            ]
        for number in range(self.documents):
            luck = self.rng.random()
            if luck < 0.3:
                wanted[number] = self.version
            elif luck < 0.5 and number >= kept(self.documents):
                wanted.pop(number, None)
        return wanted, []

    def round(self, longest: float) -> tuple[bool, float]:
        """Run one change, kill it somewhere, check; return if it ended and when."""
        wanted, remove = self.plan()
        write_source(self.source, wanted)
        large = ["--large"] if self.rng.random() < 0.5 else []
        command = [sys.executable, str(BESIDE), *large, "write", str(self.kb)]
        child = subprocess.Popen(
            [*command, str(self.source), *remove],
            stdout=subprocess.PIPE,
            text=True,
        )
        output = cast("TextIO", child.stdout)
        output.readline()  # it has started
        began = time.monotonic()
        try:
            child.wait(self.rng.uniform(0, longest))
        except subprocess.TimeoutExpired:
            child.kill()
        took = time.monotonic() - began
        lines = output.read().splitlines()
        child.wait()
        if child.returncode not in (0, -signal.SIGKILL):
            self.wrong.append(f"the writer failed: exit {child.returncode}")
        ended = child.returncode != -signal.SIGKILL
        self.counts["ended" if ended else "killed"] += 1
        done = "done" in lines
        self.counts["acknowledged whole"] += done
        acks = [int(line.split()[1]) for line in lines if line.startswith("ack ")]
        self.behind()
        self.check(
            wanted, dict(self.state), acknowledged=max(acks, default=0), done=done
        )
        return ended, took

    def behind(self) -> None:
        """Count how often the index was behind the store when the child died."""
        with Store(self.kb) as store:
            state = store.state()
        try:
            folder = folder_of(self.kb, state.generation)
            marker = Lexical(folder).snapshot().marker.applied
        except Exception as error:  # noqa: BLE001  (whatever it is, it is counted)
            self.wrong.append(f"the index did not open: {error}")
            return
        self.counts["index behind the store"] += marker < state.applied
        ahead = max(segments.manifests(self.kb / DENSE), default=0)
        self.counts["vectors ahead of the words"] += ahead > marker

    def opened(self) -> Searcher:
        """Open the base; if the reader is just catching it up, let it finish."""
        for attempt in range(100):
            searcher = Searcher.open(self.kb, embedders=numbers)
            with Store(self.kb) as store:
                state = store.state()
            if state.published == state.applied:
                searcher.search("fresh view")
                return searcher
            self.counts["opens while the reader caught up"] += attempt == 0
            searcher.close()
            time.sleep(0.1)
        self.wrong.append("the index was not caught up within 10 s")
        return Searcher.open(self.kb, embedders=numbers)

    def check(
        self,
        wanted: dict[int, int],
        before: dict[int, int],
        *,
        acknowledged: int,
        done: bool = False,
    ) -> None:
        """Open the base as the next user does and compare every document."""
        certain = set(sorted(wanted)[:acknowledged])
        searcher = self.opened()
        listed = {int(line.id[1:]) for line in searcher.documents()}
        self.state = {}
        for number in range(self.documents):
            version, problem = seen(searcher, number)
            new, old = wanted.get(number), before.get(number)
            allowed = {new} if done or number in certain else {new, old}
            if not problem and version not in allowed:
                problem = f"version {version}, acknowledged {allowed}"
            if not problem and (version is not None) != (number in listed):
                problem = "store and index disagree"
            shown, trouble = stored(searcher, number)
            if not problem and (trouble or shown != version):
                problem = trouble or f"shown in version {shown}, found in {version}"
            if problem:
                self.wrong.append(f"after a kill: d{number}: {problem}")
            if version is not None:
                self.state[number] = version
            self.counts["documents checked"] += 1
        searcher.close()


def run(kills: int, documents: int, seed: int, folder: Path) -> dict[str, object]:
    """Run the trial in ``folder`` and return what it found."""
    rng = random.Random(seed)
    trial = Trial(folder / "kb", folder / "cards.jsonl", rng, documents)
    trial.begin()
    reader = subprocess.Popen(
        [
            sys.executable,
            BESIDE,
            "watch",
            trial.kb,
            f"--documents={documents}",
            f"--seed={seed}",
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    longest, rounds = 1.0, 0
    while trial.counts["killed"] < kills and rounds < kills * 5:
        # Aim a little past the end, so that kills fall into every part of a change.
        ended, took = trial.round(longest)
        longest = 1.1 * took if ended else longest * 1.1
        rounds += 1
    output, _ = reader.communicate()
    looked = json.loads(output or '{"checks": 0, "wrong": ["the reader died"]}')
    with Store(trial.kb) as store:
        sound = [row[0] for row in store.db.execute("PRAGMA integrity_check")]
    wrong = [
        *trial.wrong,
        *looked["wrong"],
        *(fault for fault in sound if fault != "ok"),
    ]
    return {
        "kills": trial.counts["killed"],
        "rounds": rounds,
        "seed": seed,
        "documents": documents,
        "counts": dict(sorted(trial.counts.items())),
        "reader_checks": looked["checks"],
        "violations": len(wrong),
        "wrong": wrong[:50],
    }


def main() -> int:
    """Parse the command line; 0: nothing wrong, 1: a violation."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=RESULTS)
    parser.add_argument("--documents", type=int, default=600)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = run(args.kills, args.documents, args.seed, Path(folder))
    args.out.parent.mkdir(parents=True, exist_ok=True)
    args.out.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(found, indent=2))
    return 1 if found["violations"] else 0


if __name__ == "__main__":
    sys.exit(main())
