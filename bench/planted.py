"""Two faults planted in a real run: does the harness name the layer of each?

    .venv/bin/python bench/planted.py

The bundled cases are put to the bundled knowledge base three times: as it is
(``base``), with the order of the candidates turned round (``retrieval``: the worst
are selected), and with every citation moved to another document of the evidence
(``citation``).  Then ``lastro compare`` and the baseline bar are run as anybody runs
them.  A fault is *named* if the greatest rise in failing cases is at its layer; the
bar has to let the base pass (0), to miss both faults (1), and the baseline must be
refused for other cases (3).  Writes ``bench/results/planted.json``.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import lastro
from lastro.compose import KnowledgeBase
from lastro.corpus import bundled
from lastro.eval.run import evaluate
from lastro.model.events import Event, Finished
from lastro.model.ranking import Hit, Ranking, Stage, StageEntry
from lastro.model.trace import Trace

HERE = Path(__file__).parent
LASTRO = Path(sys.executable).with_name("lastro")
CANDIDATES = 50
EXPECTED = {"retrieval": "fusion_miss", "citation": "citation_miss"}


class TurnedRound(KnowledgeBase):
    """A knowledge base whose fusion puts the worst candidates first."""

    def search(self, query: str, *, k: int = 10, **more: Any) -> Ranking:  # noqa: ANN401
        """Search as it should be done, then turn the order round."""
        found = super().search(query, k=CANDIDATES, **more)
        worst = tuple(
            replace(hit, rank=rank) for rank, hit in enumerate(found.hits[::-1][:k], 1)
        )
        turned = found.stages.get(Stage.FUSED, ())[::-1]
        stages = {
            **found.stages,
            Stage.FUSED: turned,
            Stage.SELECTED: tuple(map(_entry, worst)),
        }
        return replace(found, hits=worst, selected=worst, stages=stages)


def _entry(hit: Hit) -> StageEntry:
    return StageEntry(
        passage_id=hit.passage_id, document_id=hit.document_id, score=hit.score
    )


class Miscited(KnowledgeBase):
    """A knowledge base whose answers cite another document for what they say."""

    def stream(self, question: str, **more: Any) -> Iterator[Event]:  # noqa: ANN401
        """Answer as it should be done, then move every citation."""
        for event in super().stream(question, **more):
            if isinstance(event, Finished):
                yield replace(event, trace=moved(event.trace))
            else:
                yield event


def moved(trace: Trace) -> Trace:
    """Return a trace that cites for each document the one shown after it."""
    shown = list(dict.fromkeys(each.document_id for each in trace.evidence or ()))
    after = dict(zip(shown, [*shown[1:], *shown[:1]], strict=True))
    claims = tuple(
        replace(
            claim,
            citations=tuple(
                replace(each, document_id=after.get(each.document_id, each.document_id))
                for each in claim.citations
            ),
        )
        for claim in trace.claims or ()
    )
    cited = tuple(after.get(each, each) for each in trace.cited_ids or ())
    return replace(trace, claims=claims, cited_ids=cited)


def sample(n: int, file: Path) -> Path:
    """Write ``n`` of the bundled cases, spread over all of them; 0 is all."""
    lines = [
        line
        for path in bundled.cases()
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    if 0 < n < len(lines):
        lines = [lines[at * len(lines) // n] for at in range(n)]
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


def runs(kb: Path, out: Path, cases: Path) -> None:
    """Put the cases to the base as it is, and with each fault."""
    with lastro.open(kb) as base:
        if not kb.exists():
            base.ingest(bundled.sources())
        seen = base.settings
    kinds = {"base": KnowledgeBase, "retrieval": TurnedRound, "citation": Miscited}
    for name, kind in kinds.items():
        with kind(kb, seen, time.perf_counter, os.environ) as engine:
            evaluate(cases, engine, run_dir=out / name, floors=False)


def said(*words: str | Path) -> subprocess.CompletedProcess[str]:
    """Run ``lastro`` as anybody does."""
    return subprocess.run(
        [LASTRO, *words], capture_output=True, check=False, encoding="utf-8"
    )


def compared(out: Path, fault: str) -> tuple[dict[str, Any], str]:
    """Return what ``lastro compare`` says of a fault, as JSON and in words."""
    command: list[str | Path] = ["compare", out / "base", out / fault]
    text = said(*command, "--html", out / f"{fault}.html").stdout
    return json.loads(said(*command, "--json").stdout), text


def barred(out: Path, run: str, cases: Path) -> dict[str, Any]:
    """Hold a run against the baseline that the run without a fault makes."""
    baseline = out / "baseline.json"
    said("baseline", "update", out / "base", "--out", baseline)
    done = said("score", cases, out / run, "--baseline", baseline)
    return {"exit": done.returncode, "told": done.stdout.partition("\n")[0]}


def refused(out: Path, cases: Path) -> dict[str, Any]:
    """Check that baseline against a set with one case fewer."""
    fewer = out / "fewer.jsonl"
    fewer.write_text(cases.read_text("utf-8").partition("\n")[2], encoding="utf-8")
    done = said("baseline", "check", out / "baseline.json", "--cases", fewer)
    lines = done.stdout.splitlines() + done.stderr.splitlines()
    told = (line for line in lines if line.startswith("differs"))
    return {"exit": done.returncode, "told": next(told, "")}


def row(fault: str, found: dict[str, Any], text: str) -> dict[str, Any]:
    """Return what is measured of one fault."""
    rises = {label: n["b"] - n["a"] for label, n in found["attribution"].items()}
    named = max(rises, key=lambda label: rises[label])
    told = text.partition("\nWhat changed\n")[2].partition("\n\n")[0]
    return {
        "expected": EXPECTED[fault],
        "named": named,
        "rise": rises[named],
        "paired": found["paired"],
        "told": [line.strip() for line in told.splitlines()],
    }


def main() -> None:
    """Run, compare, print and store."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--kb", type=Path, help="built here if it is not there")
    asked.add_argument("--out", type=Path, help="run folders; temporary by default")
    asked.add_argument("--cases", type=int, default=0, help="how many; 0: all")
    asked.add_argument("--results", type=Path, default=HERE / "results")
    options = asked.parse_args()
    with tempfile.TemporaryDirectory(prefix="lastro-planted-") as folder:
        out = options.out or Path(folder) / "runs"
        cases = sample(options.cases, out / "cases.jsonl")
        runs(options.kb or Path(folder) / "kb", out, cases)
        faults = {fault: row(fault, *compared(out, fault)) for fault in EXPECTED}
        bars = {run: barred(out, run, cases) for run in ("base", *EXPECTED)}
        bars["other cases"] = refused(out, cases)
    for fault, found in faults.items():
        print(f"{fault}: expected {found['expected']}, named {found['named']}")
        print("".join(f"  {line}\n" for line in found["told"]), end="")
    for run, bar in bars.items():
        print(f"baseline bar, {run}: exit {bar['exit']}: {bar['told']}")
    figures = {
        "bars": bars,
        "faults": faults,
        "lastro": version("lastro"),
        "python": platform.python_version(),
    }
    options.results.mkdir(parents=True, exist_ok=True)
    text = json.dumps(figures, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
    (options.results / "planted.json").write_text(text, encoding="utf-8")
    named = all(each["named"] == each["expected"] for each in faults.values())
    sys.exit(not named or [bar["exit"] for bar in bars.values()] != [0, 1, 1, 3])


if __name__ == "__main__":
    main()
