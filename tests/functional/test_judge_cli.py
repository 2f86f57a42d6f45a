"""--judge on the real command line: a model behind HTTP, and one in a folder."""

import json
from pathlib import Path
from typing import Any

import desk
import pytest
from chat_server import chatting, content
from command import lastro
from embeddings_server import Log

pytestmark = pytest.mark.functional

EVIDENCE = [{"document_id": "fees", "text": "The fee is 30 euros."}]
CLAIMS = [
    {"text": "the fee is 30 euros", "citations": [{"document_id": "fees"}]},
    {"text": "the fee is 62 euros", "citations": [{"document_id": "fees"}]},
]


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """Return two cases and their traces: of three claims two are supported."""
    cases = lines(tmp_path / "cases.jsonl", *({"id": i, "query": "q"} for i in "ab"))
    traces = lines(
        tmp_path / "traces.jsonl",
        {"case_id": "a", "evidence": EVIDENCE, "claims": CLAIMS},
        {"case_id": "b", "evidence": EVIDENCE, "claims": CLAIMS[:1]},
    )
    return cases, traces


def lines(path: Path, *rows: object) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def judged(files: tuple[Path, Path], judge: str, *more: str | Path) -> dict[str, Any]:
    done = lastro("score", *files, "--judge", judge, "--json", *more)
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def left(run: Path) -> dict[str, bytes]:
    """Return the files of a run but the record of when it was."""
    names = sorted(each.name for each in run.iterdir() if each.name != "run.json")
    return {name: (run / name).read_bytes() for name in names}


def test_r17_r10_a_second_run_asks_nobody_and_writes_the_same_bytes(
    files: tuple[Path, Path], tmp_path: Path
) -> None:
    run = tmp_path / "run"
    with chatting() as log:
        spec = f"{log.url}#tiny"
        report = judged(files, spec, "--run-dir", run)
        asked = len(log.texts)
        pages = left(run)
        judged(files, spec, "--run-dir", run)

    assert report["aggregates"]["judge_groundedness"]["mean"] == 0.75
    assert report["provenance"]["judge"].startswith(f"{spec}, prompt ")
    assert asked == 2  # one claim stands in both traces
    assert len(log.texts) == asked
    assert len(pages["judge.jsonl"].splitlines()) == 2
    assert left(run) == pages


def test_a_model_in_a_folder_says_the_same(
    files: tuple[Path, Path], tmp_path: Path
) -> None:
    onnx_nli = pytest.importorskip("onnx_nli", reason="onnx is not installed")
    folder = onnx_nli.make(tmp_path / "tiny")

    report = judged(files, f"nli:{folder}")

    assert report["aggregates"]["judge_groundedness"]["mean"] == 0.75
    assert report["provenance"]["judge"].startswith("nli:tiny@")


def test_g18_a_bar_on_verdicts_that_are_none_cannot_be_measured(
    files: tuple[Path, Path],
) -> None:
    bar = ("--min", "judge_groundedness=0.1")
    with chatting(lambda _: content("Supported!")) as log:
        spec = f"{log.url}#tiny"
        lastro("score", *files, "--judge", spec, *bar, code=3)
    lastro("score", *files, *bar, code=3)


@pytest.mark.parametrize("spec", ["gpt-4", "nli:nowhere", "http://host/v1"])
def test_a_judge_that_is_none_is_wrong_usage_before_anything_is_read(spec: str) -> None:
    done = lastro("score", "no.jsonl", "no.jsonl", "--judge", spec, code=2)

    assert "error: " in done.stderr
    assert "hint: " in done.stderr


def test_eval_judges_as_it_runs_with_the_key_from_the_environment(
    tmp_path: Path,
) -> None:
    lastro("ingest", desk.write(tmp_path / "docs"), "--kb", tmp_path / "kb")
    case = {"id": "code", "query": "How long is a guest code valid?", "locale": "en"}
    cases = lines(tmp_path / "cases.jsonl", case)
    with chatting() as log:
        report = evaluated(log, cases, tmp_path)

    summary = report["aggregates"]["judge_groundedness"]
    assert (summary["n"], summary["mean"]) == (1, 1.0)
    assert set(log.keys) == {"Bearer sk-1"}
    assert (tmp_path / "run" / "judge.jsonl").stat().st_size > 0


def evaluated(log: Log, cases: Path, folder: Path) -> dict[str, Any]:
    done = lastro(
        *("eval", cases, "--kb", folder / "kb", "--run-dir", folder / "run"),
        *("--judge", f"{log.url}#tiny", "--json"),
        env={"LASTRO_JUDGE_KEY": "sk-1"},
    )
    report: dict[str, Any] = json.loads(done.stdout)
    return report
