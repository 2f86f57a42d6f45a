"""What the runner itself costs a case, when answering costs nothing.

The engine hands out the events of one turn that was really made, with another
question each time: what is left is putting the case, writing and judging its
trace, and the reports.  ``short`` traces say what was found and answered, about
as much as other runners keep; ``whole`` ones are what ``lastro`` itself leaves,
with every stage of the search.  The floors are two more systems on every case.
What a run costs once (its pages, above all) is that of ten cases, and no part of
what a case costs.  An engine that takes a tenth of a second an answer then shows
what workers gain.

    python bench/runner.py --cases 100,1000,10000,100000

Prints CPU and wall milliseconds a case, stores them in bench/results/runner.json,
exits 1 if a case with a short trace costs more than half a millisecond of CPU,
however many there are, or if workers do not share the waiting.
"""

import argparse
import json
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from lastro import compose
from lastro.answer.provider import Provider
from lastro.compose import KnowledgeBase, Settings
from lastro.eval.run import evaluate
from lastro.eval.turns import Engine
from lastro.index.store import Listing
from lastro.model.answer import Turn
from lastro.model.case import Case
from lastro.model.document import Document
from lastro.model.events import Event, Finished
from lastro.model.ids import CaseId
from lastro.model.ranking import Ranking
from lastro.model.trace import Trace

BAR = 0.5
ONCE = 10  # the cases of the run that is taken for what a run costs once
WAIT = 0.1
WAITING = 160
SHARED = 0.8  # of the gain that N workers could bring
JUDGED = "short traces"
KINDS = {  # whole traces, floors, workers
    JUDGED: (0, 0, 1),
    "short traces, 4 workers": (0, 0, 4),
    "short traces, floors": (0, 1, 1),
    "whole traces": (1, 0, 1),
    "whole traces, floors": (1, 1, 1),
}
RESULTS = Path(__file__).parent / "results" / "runner.json"
PAGES = 40
QUESTION = "How long does the library of building 7 lend a book?"


class Spent(NamedTuple):
    """Seconds of CPU, and of the clock."""

    cpu: float
    wall: float


@dataclass
class Trivial:
    """Answers every question with the events of one turn: it costs nothing."""

    kb: KnowledgeBase
    events: tuple[Event, ...]
    whole: bool
    seconds: float = 0.0

    @property
    def path(self) -> Path:
        """Where the one turn was made."""
        return self.kb.path

    @property
    def settings(self) -> Settings:
        """What the one turn was made with."""
        return self.kb.settings

    def parts(self) -> Mapping[str, str]:
        """Return what the one turn was made of."""
        return self.kb.parts()

    def documents(self) -> Iterator[Listing]:
        """Yield the documents, as they are."""
        return self.kb.documents()

    def document(self, document_id: str) -> Document | None:
        """Return a document, as it is: the floors read some."""
        return self.kb.document(document_id)

    def search(self, query: str, *, k: int, locale: str | None) -> Ranking:
        """Search, as it is."""
        return self.kb.search(query, k=k, locale=locale)

    def stream(  # noqa: D102 - the protocol says it
        self,
        question: str,
        *,
        system: str,  # noqa: ARG002
        provider: Provider,  # noqa: ARG002
        history: Sequence[Turn],  # noqa: ARG002
        locale: str | None,  # noqa: ARG002
    ) -> Iterator[Event]:
        if self.seconds:
            time.sleep(self.seconds)
        for event in self.events:
            if isinstance(event, Finished):
                trace = event.trace if self.whole else short(event.trace)
                yield Finished(event.answer, replace(trace, query=question))
            else:
                yield event


def short(trace: Trace) -> Trace:
    """Return what a system leaves that says only what it found and answered."""
    return Trace(
        case_id=trace.case_id,
        system=trace.system,
        retrieved=trace.retrieved,
        answer_text=trace.answer_text,
        cited_ids=trace.cited_ids,
        abstained=trace.abstained,
    )


def made(folder: Path) -> KnowledgeBase:
    """Make a small knowledge base and open it."""
    pages = folder / "pages"
    pages.mkdir()
    for number in range(PAGES):
        text = f"The library of building {number} lends a book for {number} days. " * 8
        page = pages / f"{number:02}.md"
        page.write_text(f"# Library {number}\n\n{text}\n", encoding="utf-8")
    kb = compose.open(folder / "kb", environ={})
    kb.ingest(pages, locale="en")
    return kb


def trivial(folder: Path, *, whole: bool) -> Trivial:
    """Return an engine that costs nothing; ``folder`` holds what it was made from."""
    kb = made(folder)
    return Trivial(kb, tuple(kb.stream(QUESTION, locale="en")), whole)


def cases(count: int, gold: str) -> list[Case]:
    """Return cases that most of the metrics apply to, and that hold."""
    return [
        Case(
            id=CaseId(f"c{number:06}"),
            query=QUESTION,
            locale=("en", "ko", "pt-BR", "es-419")[number % 4],
            must_cite_one_of=(gold,),
            expected_terms=("7 days",),
            tags=("a" if number % 2 else "b",),
        )
        for number in range(count)
    ]


def spent(
    engine: Engine, listed: list[Case], run: Path, *, floors: bool, workers: int
) -> Spent:
    """Run cases; return the seconds of CPU and of the clock."""
    began, cpu = time.perf_counter(), time.process_time()
    evaluate(listed, engine, run_dir=run, floors=floors, workers=workers)
    return Spent(time.process_time() - cpu, time.perf_counter() - began)


def quickest(runs: Iterable[Spent]) -> Spent:
    """Return the least that was spent, of each kind."""
    cpu, wall = zip(*runs, strict=True)
    return Spent(min(cpu), min(wall))


def cost(count: int, *, whole: bool, floors: bool, workers: int) -> dict[str, float]:
    """Return milliseconds a case, those of a run once, and the megabytes it took.

    A first run of a few cases does what is done once a process, and is not counted.
    Up to 10,000 cases the quickest of three runs counts: others use the machine too.
    """
    with tempfile.TemporaryDirectory() as place:
        engine = trivial(Path(place), whole=whole)
        gold = engine.kb.search(QUESTION, locale="en").hits[0].document_id
        run = Path(place) / "run"

        def timed(size: int) -> Spent:
            listed = cases(size, gold)
            found = spent(engine, listed, run, floors=floors, workers=workers)
            shutil.rmtree(run)
            return found

        timed(ONCE)
        times = range(3 if count <= 10_000 else 1)
        once = quickest(timed(ONCE) for _ in times)
        every = quickest(timed(count + ONCE) for _ in times)
        engine.kb.close()
    return {
        "cpu_ms": (every.cpu - once.cpu) / count * 1000,
        "wall_ms": (every.wall - once.wall) / count * 1000,
        "once_ms": once.cpu * 1000,
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def waiting(workers: int) -> float:
    """Return the cases a second where an answer takes a tenth of a second."""
    with tempfile.TemporaryDirectory() as place:
        engine = replace(trivial(Path(place), whole=True), seconds=WAIT)
        gold = engine.kb.search(QUESTION, locale="en").hits[0].document_id
        run = Path(place) / "run"
        asked = cases(WAITING, gold)
        took = spent(engine, asked, run, floors=True, workers=workers)
        engine.kb.close()
    return WAITING / took.wall


def _apart(*words: int) -> dict[str, float]:
    """Measure in a process of its own, so that memory is that of this run."""
    done = subprocess.run(
        [sys.executable, __file__, "--one", *map(str, words)],
        check=True,
        capture_output=True,
        text=True,
    )
    found: dict[str, float] = json.loads(done.stdout)
    return found


def main() -> int:
    """Print and store what a case costs."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", default="100,1000,10000,100000")
    parser.add_argument("--one", nargs=4, type=int)
    parser.add_argument("--out", type=Path, default=RESULTS)
    given = parser.parse_args()
    if given.one:
        count, whole, floors, workers = given.one
        row = cost(count, whole=bool(whole), floors=bool(floors), workers=workers)
        print(json.dumps(row))
        return 0
    counts = [int(count) for count in given.cases.split(",")]
    rows = {}
    for name, choices in KINDS.items():
        rows[name] = {count: _apart(count, *choices) for count in counts}
        for count, row in rows[name].items():
            print(
                f"{name}, {count:,} cases: {row['cpu_ms']:.3f} ms CPU a case, "
                f"{row['wall_ms']:.3f} ms wall, {row['once_ms']:.0f} ms once, "
                f"peak {row['peak_mb']:.0f} MB",
                flush=True,
            )
    rates = {workers: waiting(workers) for workers in (1, 4, 16)}
    for workers, rate in rates.items():
        gain = rate / rates[1]
        print(
            f"{WAIT:g} s an answer, {workers} workers: {rate:.1f} a second, "
            f"{gain:.1f} x"
        )
    given.out.parent.mkdir(exist_ok=True)
    found = {"a case": rows, "cases a second, by workers": rates}
    text = json.dumps(found, indent=1, sort_keys=True) + "\n"
    given.out.write_text(text, encoding="utf-8")
    most = max(row["cpu_ms"] for row in rows[JUDGED].values())
    least = min(rate / rates[1] / workers for workers, rate in rates.items())
    print(f"most a case: {most:.3f} ms of {BAR}; workers share {least:.0%} of the wait")
    return 0 if most <= BAR and least >= SHARED else 1


if __name__ == "__main__":
    sys.exit(main())
