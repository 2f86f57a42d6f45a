"""The scorers give the values of the public conformance vectors, keys absent too."""

import json
from pathlib import Path

import pytest

from lastro.eval.cases import read as read_cases
from lastro.eval.scorers import SCORERS
from lastro.model.score import Scored
from lastro.trace import read as read_traces


def test_every_value_and_every_absent_key_of_the_vectors(shared: Path) -> None:
    folder = shared / "conformance"
    cases = {case.id: case for case in read_cases(folder / "cases.jsonl").cases}
    traces = {t.case_id: t for _, t in read_traces(folder / "traces.jsonl")}
    lines = (folder / "expected_k4.jsonl").read_text(encoding="utf-8").splitlines()
    rows = {row["id"]: row["scores"] for row in map(json.loads, lines)}
    names = {name for scores in rows.values() for name in scores}
    scorers = [scorer for scorer in SCORERS if scorer.name in names]

    assert len(scorers) == len(names) == 10
    assert rows.keys() == cases.keys()
    for identifier, expected in rows.items():
        scores = {
            scorer.name: scorer.score(cases[identifier], traces.get(identifier), 4)
            for scorer in scorers
        }
        found = {k: s.value for k, s in scores.items() if isinstance(s, Scored)}
        assert found == pytest.approx(expected, abs=1e-9), identifier
