"""Made-up runs, judgements, cases and traces: the same ones for every rival."""

import json
import random
from collections.abc import Iterator
from pathlib import Path

from lastro.model.case import Case
from lastro.model.ids import CaseId
from lastro.model.trace import Retrieved, Trace

DEPTH = 100
SIDES = ("en", "pt-BR", "es-419", "ko")

Judged = dict[str, dict[str, int]]
Ranked = dict[str, dict[str, float]]


def ranked(queries: int, *, seed: int = 1) -> tuple[Judged, Ranked]:
    """Return judgements and a run: 100 documents a query, one to five of them gold.

    No two scores of a query are equal, so that every rival has the same ranking.
    """
    rng = random.Random(seed)
    judged: Judged = {}
    run: Ranked = {}
    for number in range(queries):
        name = f"q{number}"
        found = [f"d{number}-{place}" for place in range(DEPTH)]
        gold = rng.sample(range(DEPTH + 20), rng.randint(1, 5))
        judged[name] = {f"d{number}-{place}": 1 for place in gold}
        run[name] = {
            item: 100.0 - place - rng.random() / 2 for place, item in enumerate(found)
        }
    return judged, run


def values(judged: Judged, run: Ranked) -> tuple[list[Case], list[Trace]]:
    """Return the same judgements and run as cases and traces."""
    cases = [
        Case(id=CaseId(name), query=name, relevant_ids=tuple(gold))
        for name, gold in judged.items()
    ]
    traces = [
        Trace(
            case_id=CaseId(name),
            retrieved=tuple([Retrieved(id=i, score=s) for i, s in found.items()]),
        )
        for name, found in run.items()
    ]
    return cases, traces


def write_trec(folder: Path, queries: int) -> tuple[Path, Path]:
    """Write both as TREC files; the run's lines stand best first, as runs do."""
    judged, run = ranked(queries)
    qrels, lines = folder / f"{queries}.qrels", folder / f"{queries}.run"
    with qrels.open("w", encoding="utf-8") as file:
        for name, gold in judged.items():
            file.writelines(f"{name} 0 {item} 1\n" for item in gold)
    with lines.open("w", encoding="utf-8") as file:
        for name, scores in run.items():
            for rank, (item, score) in enumerate(scores.items(), 1):
                file.write(f"{name} Q0 {item} {rank} {score!r} made\n")
    return qrels, lines


def write_traces(folder: Path, n: int) -> tuple[Path, Path]:
    """Write cases and traces that give every deterministic scorer something."""
    cases, traces = folder / f"{n}.cases.jsonl", folder / f"{n}.traces.jsonl"
    with cases.open("w", encoding="utf-8") as file:
        for case in _cases(n):
            file.write(json.dumps(case) + "\n")
    rng = random.Random(2)
    with traces.open("w", encoding="utf-8") as file:
        for number in range(n):
            file.write(json.dumps(_trace(number, rng)) + "\n")
    return cases, traces


def _cases(n: int) -> Iterator[dict[str, object]]:
    for number in range(n):
        a, b = f"d{number}-a", f"d{number}-b"
        yield {
            "id": f"c{number}",
            "query": "How do the two sides of this question compare?",
            "locale": SIDES[number % 4],
            "query_type": "comparison" if number % 3 == 0 else "single_doc",
            "answerable": number % 11 != 0,
            "must_cite_one_of": [a, b],
            "expected_doc_ids": [a, b],
            "expected_terms": ["4 months"],
            "expected_reason": "ok",
            "tags": ["fees" if number % 5 else "dates"],
            "expected_claim_citations": [
                {"target": side, "expected_doc_ids": [side], "expected_terms": ["fee"]}
                for side in (a, b)
            ],
        }


def _trace(number: int, rng: random.Random) -> dict[str, object]:
    found = [f"d{number}-{letter}" for letter in "abcdefghij"]
    rng.shuffle(found)
    text = "The fee of this course is due after 4 months and is 30 euros. " * 6
    entries = [
        {"passage_id": f"{item}#0", "document_id": item, "score": 9.0 - place}
        for place, item in enumerate(found)
    ]
    evidence = [
        {"document_id": item, "passage_id": f"{item}#0", "text": text, "start": 0}
        for item in found[:4]
    ]
    cited = {
        "document_id": found[0],
        "passage_id": f"{found[0]}#0",
        "start": 0,
        "end": 7,
        "quote": "The fee",
    }
    return {
        "case_id": f"c{number}",
        "retrieved": [
            {"id": f"{item}#0", "parent_id": item, "score": 1.0, "text": text}
            for item in found[:4]
        ],
        "stages": dict.fromkeys(("lexical", "dense", "fused", "selected"), entries),
        "evidence": evidence,
        "decision": {"reason": "ok", "confidence": rng.random()},
        "answer_text": "The fee is due after 4 months.",
        "claims": [
            {"target": found[0], "text": "The fee is due", "citations": [cited]},
        ],
        "abstained": rng.random() < 0.1,
        "refused": False,
    }
