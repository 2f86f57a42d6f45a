"""What `lastro score --run-dir` leaves is a folder that other commands work on."""

import json
import os
import threading
from pathlib import Path

import pytest
from command import lastro

pytestmark = pytest.mark.functional

N = 12
PRIVATE = {"origin": "private", "source": "s", "licence": "l"}


def lines(path: Path, rows: list[dict[str, object]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def asked(folder: Path, n: int = N, **more: object) -> Path:
    rows = [
        {"id": f"c{i}", "query": "q", "must_cite_one_of": ["x"], **more}
        for i in range(n)
    ]
    return lines(folder / f"cases-{n}.jsonl", rows)


def left(folder: Path, hits: int, n: int = N) -> Path:
    rows: list[dict[str, object]] = [
        {"case_id": f"c{i}", "retrieved": [{"id": "x" if i < hits else "y"}]}
        for i in range(n)
    ]
    return lines(folder / f"traces-{hits}-{n}.jsonl", rows)


def record(run: Path) -> dict[str, object]:
    found = json.loads((run / "run.json").read_bytes())
    assert isinstance(found, dict)
    return found


def test_the_folder_of_another_systems_traces_works_as_that_of_a_run(
    tmp_path: Path,
) -> None:
    cases, traces, run = asked(tmp_path), left(tmp_path, 8), tmp_path / "run"
    lastro("score", cases, traces, "--run-dir", run)
    traces.unlink()

    why = lastro("why", run)
    again = lastro("score", cases, run, "--min-hit", ".5", "--run-dir", run)
    lastro("baseline", "update", run, "--out", tmp_path / "b.json")

    assert f"4 of {N} cases failed" in why.stdout
    assert again.stdout.startswith("PASS")
    assert "replaced" not in again.stderr
    assert (record(run)["state"], record(run)["command"]) == ("finished", "score")
    assert record(run)["cases_file"] == str(cases)
    assert sorted(path.name for path in run.glob(".*")) == [".lock"]


def test_a_pipe_is_judged_and_kept_though_it_is_read_only_once(tmp_path: Path) -> None:
    cases, pipe, run = asked(tmp_path), tmp_path / "pipe", tmp_path / "run"
    text = left(tmp_path, 8).read_bytes()
    os.mkfifo(pipe)
    writing = threading.Thread(target=pipe.write_bytes, args=(text,), daemon=True)
    writing.start()

    lastro("score", cases, pipe, "--run-dir", run)

    writing.join(10)
    assert len((run / "traces.jsonl").read_text("utf-8").splitlines()) == N


def test_other_traces_replace_those_of_a_score_with_one_warning(
    tmp_path: Path,
) -> None:
    cases, run = asked(tmp_path), tmp_path / "run"
    lastro("score", cases, left(tmp_path, 8), "--run-dir", run)

    same = lastro("score", cases, left(tmp_path, 8), "--run-dir", run)
    other = lastro("score", cases, left(tmp_path, 9), "--run-dir", run)

    assert "is replaced" not in same.stderr
    assert f"a run of {N} cases is replaced: traces: " in other.stderr
    assert lastro("why", run).stdout.startswith(f"3 of {N} cases failed")


def test_a_run_of_eval_is_neither_replaced_by_other_traces_nor_goes_on_as_these(
    tmp_path: Path,
) -> None:
    docs, base = tmp_path / "docs", tmp_path / "kb"
    docs.mkdir()
    (docs / "x.md").write_text("# X\n\nCats purr.\n", encoding="utf-8")
    lastro("ingest", docs, "--kb", base)
    cases, traces = asked(tmp_path), left(tmp_path, 8)
    asked_run, judged = tmp_path / "asked", tmp_path / "judged"
    lastro("eval", cases, "--kb", base, "--run-dir", asked_run)
    lastro("score", cases, traces, "--run-dir", judged)
    before = (asked_run / "traces.jsonl").read_bytes()

    refused = lastro("score", cases, traces, "--run-dir", asked_run, code=3)
    onto = ("eval", cases, "--kb", base, "--run-dir", judged)
    resumed = lastro(*onto, "--resume", code=3)
    anew = lastro(*onto)

    assert "holds a run of `lastro eval`" in refused.stderr
    assert (asked_run / "traces.jsonl").read_bytes() == before
    assert "another run" in resumed.stderr
    assert f"what `lastro score` judged of {N} cases is replaced" in anew.stderr


def test_a_folder_scored_with_several_traces_a_case_is_scored_so_again(
    tmp_path: Path,
) -> None:
    cases, run, other = asked(tmp_path), tmp_path / "run", tmp_path / "other"
    twice = tmp_path / "twice.jsonl"
    twice.write_bytes(left(tmp_path, 8).read_bytes() + left(tmp_path, 4).read_bytes())
    lastro("score", cases, twice, "--repeats", "mean", "--run-dir", run)

    again = lastro("score", cases, run, "--json", "--run-dir", other)
    refused = lastro("score", cases, run, "--repeats", "refuse", code=3)
    lastro("score", cases, twice, code=3)

    assert json.loads(again.stdout)["provenance"]["repeats"] == "mean"
    assert json.loads(again.stdout)["aggregates"]["retrieval_hit_at_k"]["mean"] == 0.5
    assert record(run)["repeats"] == record(other)["repeats"] == "mean"
    assert "has a trace on line 1 already" in refused.stderr


def test_what_is_refused_leaves_no_folder_behind(tmp_path: Path) -> None:
    cases, run = asked(tmp_path), tmp_path / "deep" / "run"
    bad = tmp_path / "bad.jsonl"
    bad.write_text(left(tmp_path, 8).read_text("utf-8") + "{}\n", encoding="utf-8")

    done = lastro("score", cases, bad, "--run-dir", run, code=3)
    private = asked(tmp_path, 3, provenance=PRIVATE)
    lastro("score", private, bad, "--run-dir", run, code=3)

    assert "nothing was written" in done.stderr
    assert not run.parent.exists()


def test_what_is_refused_leaves_an_earlier_run_as_it_was(tmp_path: Path) -> None:
    cases, run = asked(tmp_path), tmp_path / "run"
    lastro("score", cases, left(tmp_path, 8), "--run-dir", run)
    before = {path.name: path.read_bytes() for path in run.iterdir()}
    bad = tmp_path / "bad.jsonl"
    bad.write_text(left(tmp_path, 9).read_text("utf-8") + "{}\n", encoding="utf-8")

    lastro("score", cases, bad, "--run-dir", run, code=3)

    assert {path.name: path.read_bytes() for path in run.iterdir()} == before


def test_of_a_run_of_trec_no_traces_are_kept_and_the_folder_says_so(
    tmp_path: Path,
) -> None:
    qrels, ranked, run = tmp_path / "q", tmp_path / "r", tmp_path / "run"
    qrels.write_text("1 0 a 1\n2 0 b 1\n", encoding="utf-8")
    ranked.write_text("1 Q0 a 1 2 tag\n2 Q0 c 1 2 tag\n", encoding="utf-8")
    lastro("score", qrels, ranked, "--run-dir", run)

    done = lastro("score", qrels, run, code=3)

    assert not (run / "traces.jsonl").exists()
    assert f"{run} holds no traces.jsonl: of a run of TREC" in done.stderr
    assert "Give what was judged then" in done.stderr
    asked = lastro("why", run, code=3)
    assert "it was scored from files of TREC, whose lines are no traces" in asked.stderr
    assert "lastro import trec-run RUN --cases QRELS" in asked.stderr
    lastro("baseline", "update", run, "--out", tmp_path / "b.json")


def test_traces_that_were_removed_are_not_taken_for_a_run_of_trec(
    tmp_path: Path,
) -> None:
    run = tmp_path / "run"
    lastro("score", asked(tmp_path), left(tmp_path, 8), "--run-dir", run)
    (run / "traces.jsonl").unlink()

    why = lastro("why", run, code=3)

    assert f"{run} holds no traces.jsonl\n" in why.stderr
    assert "TREC" not in why.stderr


def test_of_aggregates_alone_neither_traces_nor_a_record_are_kept(
    tmp_path: Path,
) -> None:
    run = tmp_path / "run"

    lastro(
        *("score", asked(tmp_path), left(tmp_path, 8)),
        *("--run-dir", run, "--aggregates-only"),
    )

    names = {path.name for path in run.iterdir()}
    assert not names & {"traces.jsonl", "run.json", "scores.jsonl", ".lock"}
    assert "report.json" in names
