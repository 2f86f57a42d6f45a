"""``run.json`` says what a run was: clock, host and repository stand only there."""

import json
from datetime import datetime
from pathlib import Path

import pytest
from setups import CASES, SETUP, record

from lastro import __version__
from lastro.errors import EvaluationError
from lastro.eval import folder
from lastro.eval.cases.fingerprint import case_set_hash
from lastro.eval.resume.record import judged


def test_a_run_that_begins_is_started_and_one_that_ended_finished(
    tmp_path: Path,
) -> None:
    begun = record()
    begun.write(tmp_path)
    first = folder.recorded(tmp_path)
    begun.ended(1.23456).write(tmp_path)
    last = folder.recorded(tmp_path)

    assert first is not None
    assert last is not None
    assert (first["state"], first["finished_at"], first["took_s"]) == (
        "started",
        None,
        None,
    )
    assert (last["state"], last["took_s"]) == ("finished", 1.235)
    assert datetime.fromisoformat(str(last["finished_at"])).tzinfo is not None
    assert first["key"] == last["key"]


def test_the_record_holds_what_a_baseline_asks_for(tmp_path: Path) -> None:
    record().write(tmp_path)

    found = json.loads((tmp_path / "run.json").read_text("utf-8"))

    assert found["schema_version"] == 1
    assert found["command"] == "eval"
    assert (found["system"], found["workers"], found["cases"]) == ("naive", 2, 3)
    assert found["case_set"] == case_set_hash(CASES)
    assert found["cases_file"] == str(Path("cases.jsonl").absolute())
    assert found["kb"] == str(Path("kb").absolute())
    assert found["kb_snapshot"] == {"documents": 3, "listing": "ab" * 32}
    assert found["config_hash"] == SETUP.config_hash
    assert found["models"] == {"embedder": "static 1", "provider": "quote"}
    assert {"python", "lastro", "numpy", "tantivy"} <= found["versions"].keys()
    assert found["key_parts"]["setting retrieval_top_k"] == "4"
    assert {"commit", "tree", "dirty"} <= found.keys()


def test_what_was_judged_is_recorded_as_a_run_is_and_has_its_system(
    tmp_path: Path,
) -> None:
    asked = record()
    asked.write(tmp_path)
    score = judged(
        CASES, tmp_path / "none", "t.jsonl", folder.recorded(tmp_path), "mean"
    )

    assert (score.command, score.state, score.workers) == ("score", "finished", 1)
    assert (score.cases_file, score.repeats) == (None, "mean")
    for name in ("system", "kb", "kb_snapshot", "config_hash", "models", "case_set"):
        assert getattr(score, name) == getattr(asked, name)
    assert (score.commit, score.versions) == (asked.commit, asked.versions)
    assert score.key_parts["lastro"] == score.versions["lastro"] == __version__
    assert score.key_parts["setting retrieval_top_k"] == "4"
    assert score.key != asked.key


def test_a_record_that_cannot_be_written_is_one_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(EvaluationError, match=r"run\.json cannot be written"):
        record().write(tmp_path / "file")
