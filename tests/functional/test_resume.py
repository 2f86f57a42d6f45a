"""Runs as processes: killed, interrupted, hanging, side by side, on a full disk."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from command import LASTRO, lastro

from lastro.corpus import bundled
from lastro.eval.folder import REPORTS

pytestmark = pytest.mark.functional
CASES = 30
PROVIDER = '''
import time

class Slow:
    """Writes after a while; hangs, and cannot be ended, when asked about a book."""
    name = "slow"

    def write(self, prompt):
        if "HANG" in prompt.question.text:
            time.sleep(600)
        time.sleep(0.05)
        yield "I do not know."

    def cancel(self):
        pass
'''


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a knowledge base of the bundled help pages."""
    kb = tmp_path_factory.mktemp("bundled") / "kb"
    lastro("ingest", bundled.path() / "help", "--kb", kb)
    return kb


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file of some bundled cases, of all locales and categories."""
    lines = bundled.cases()[0].read_text("utf-8").splitlines()
    path = tmp_path_factory.mktemp("cases") / "cases.jsonl"
    kept = lines[:: len(lines) // CASES][:CASES]
    path.write_text("".join(line + "\n" for line in kept), "utf-8")
    return path


@pytest.fixture(scope="module")
def slow(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, str]:
    """Install a slow provider for the processes of this module; return its place."""
    place = tmp_path_factory.mktemp("plugin")
    (place / "slow_provider.py").write_text(PROVIDER, "utf-8")
    info = place / "slow_provider-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: slow\nVersion: 1\n")
    (info / "entry_points.txt").write_text(
        "[lastro.providers]\nslow = slow_provider:Slow\n"
    )
    return {"PYTHONPATH": str(place), "LASTRO_PROVIDER": "slow"}


@pytest.fixture(scope="module")
def whole(base: Path, cases: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a run that nothing disturbed."""
    run = tmp_path_factory.mktemp("whole") / "run"
    lastro("eval", cases, "--kb", base, "--run-dir", run)
    return run


def same(one: Path, other: Path) -> None:
    """Fail unless every report of two runs is the same, byte for byte."""
    for name in REPORTS:
        assert (one / name).read_bytes() == (other / name).read_bytes(), name


def lines(run: Path) -> int:
    traces = run / "traces.jsonl"
    return traces.read_bytes().count(b"\n") if traces.exists() else 0


def start(
    *args: str | Path, env: Mapping[str, str], said: Path | None = None
) -> subprocess.Popen[bytes]:
    """Start the command and do not wait for it; what it says to people is kept."""
    with Path(said or os.devnull).open("wb") as stderr:
        return subprocess.Popen(
            [LASTRO, *args],
            stdout=subprocess.DEVNULL,
            stderr=stderr,
            env={**os.environ, "NO_COLOR": "1", **env},
        )


def until(process: subprocess.Popen[bytes], what: Callable[[], bool]) -> None:
    """Wait until something is so, while the process runs."""
    end = time.monotonic() + 60
    while not what():
        assert process.poll() is None, "the run ended before it could be disturbed"
        assert time.monotonic() < end
        time.sleep(0.005)


def test_r12_r13_a_run_that_was_killed_goes_on_and_ends_in_the_same_bytes(
    base: Path, cases: Path, slow: Mapping[str, str], tmp_path: Path
) -> None:
    run = ("eval", cases, "--kb", base, "--workers", "2")
    lastro(*run, "--run-dir", tmp_path / "whole", env=slow)
    cut = tmp_path / "cut"
    process = start(*run, "--run-dir", cut, env=slow)
    until(process, lambda: lines(cut) >= CASES // 2)

    process.kill()
    process.wait()
    left = lines(cut)
    done = lastro(*run, "--run-dir", cut, "--resume", env=slow)

    assert CASES // 2 <= left < CASES
    assert f"going on after {left} cases" in done.stderr
    assert lines(cut) == CASES
    same(cut, tmp_path / "whole")
    record = json.loads((cut / "run.json").read_text("utf-8"))
    assert (record["state"], record["kept"]) == ("finished", left)


def test_a_run_that_did_not_end_is_not_replaced(
    base: Path, cases: Path, slow: Mapping[str, str], tmp_path: Path
) -> None:
    run = ("eval", cases, "--kb", base, "--run-dir", tmp_path)
    process = start(*run, env=slow)
    until(process, lambda: lines(tmp_path) >= 2)
    process.kill()
    process.wait()
    left = lines(tmp_path)

    done = lastro(*run, code=3)

    assert "holds a run that did not end" in done.stderr
    assert "--resume" in done.stderr
    assert lines(tmp_path) == left


def test_r11_a_run_on_something_else_does_not_go_on(
    base: Path, cases: Path, whole: Path
) -> None:
    before = (whole / "run.json").read_bytes()

    done = lastro(
        *("eval", cases, "--kb", base, "--run-dir", whole, "--resume"),
        *("--legs", "lexical"),
        env={"LASTRO_RETRIEVAL_TOP_K": "3"},
        code=3,
    )

    assert "setting search_legs: hybrid then, lexical now" in done.stderr
    assert "setting retrieval_top_k: 4 then, 3 now" in done.stderr
    assert (whole / "run.json").read_bytes() == before


@pytest.mark.parametrize(("seed", "workers"), [("1", "1"), ("2", "5"), ("77", "16")])
def test_hash_seeds_workers_and_the_order_of_rows_change_no_byte(
    base: Path, cases: Path, whole: Path, tmp_path: Path, seed: str, workers: str
) -> None:
    rows = cases.read_text("utf-8").splitlines(keepends=True)
    random.Random(seed).shuffle(rows)  # noqa: S311 - a seeded order
    shuffled = tmp_path / "cases.jsonl"
    shuffled.write_text("".join(rows), "utf-8")

    lastro(
        *("eval", shuffled, "--kb", base, "--run-dir", tmp_path / "run"),
        *("--workers", workers),
        env={"PYTHONHASHSEED": seed},
    )

    same(tmp_path / "run", whole)


def test_r10_a_finished_run_is_read_not_asked(
    base: Path, cases: Path, whole: Path
) -> None:
    pages = {name: (whole / name).read_bytes() for name in REPORTS}
    traces = (whole / "traces.jsonl").read_bytes()

    done = lastro("eval", cases, "--kb", base, "--run-dir", whole, "--resume")

    assert f"going on after {CASES} cases" in done.stderr
    assert {name: (whole / name).read_bytes() for name in REPORTS} == pages
    assert (whole / "traces.jsonl").read_bytes() == traces


def test_r07_two_runs_in_one_folder_are_not_mixed(
    base: Path, cases: Path, slow: Mapping[str, str], tmp_path: Path
) -> None:
    run = ("eval", cases, "--kb", base, "--run-dir", tmp_path)
    first = start(*run, env=slow)
    until(first, lambda: lines(tmp_path) >= 1)

    second = lastro(*run, "--resume", env=slow, code=3)

    assert second.stderr.count("error:") == 1
    assert "another `lastro eval` is running in it" in second.stderr
    assert first.wait(60) == 0
    assert lines(tmp_path) == CASES


def hanging(cases: Path, folder: Path) -> Path:
    """Return the cases, one of which hangs."""
    rows = cases.read_text("utf-8").splitlines()[:6]
    row = {"id": "hangs", "query": "HANG guest code?", "must_cite_one_of": ["x"]}
    path = folder / "cases.jsonl"
    path.write_text("\n".join([json.dumps(row), *rows]) + "\n", "utf-8")
    return path


def test_r04_a_case_that_hangs_is_a_record_and_the_process_ends(
    base: Path, cases: Path, slow: Mapping[str, str], tmp_path: Path
) -> None:
    began = time.monotonic()

    done = lastro(
        *("eval", hanging(cases, tmp_path), "--kb", base, "--json"),
        *("--run-dir", tmp_path / "run", "--case-timeout", "0.4"),
        env=slow,
    )

    assert time.monotonic() - began < 60  # it hangs for ten minutes
    report = json.loads(done.stdout)
    assert report["broken"] == {"hangs": "the turn broke: timeout"}
    assert report["aggregates"]["retrieval_hit_at_k"]["failed"] == 1
    assert lines(tmp_path / "run") == 7


def test_ctrl_c_ends_at_once_with_130_and_what_was_done_is_on_disk(
    base: Path, cases: Path, slow: Mapping[str, str], tmp_path: Path
) -> None:
    run = tmp_path / "run"
    # Who runs the tests in the background has Ctrl-C ignored, and a child inherits it.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    process = start(
        *("eval", hanging(cases, tmp_path), "--kb", base),
        *("--run-dir", run, "--workers", "2"),
        env=slow,
        said=tmp_path / "said",
    )
    signal.signal(signal.SIGINT, before)
    until(process, lambda: lines(run) == 6)
    time.sleep(0.2)  # it is on disk a moment before it is counted
    began = time.monotonic()

    process.send_signal(signal.SIGINT)
    code = process.wait(60)

    assert code == 130
    assert time.monotonic() - began < 10
    said = (tmp_path / "said").read_text("utf-8")
    assert "interrupted, 6 of 7 cases done; --resume goes on" in said
    assert "Traceback" not in said
    assert lines(run) == 6


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """Give a disk of 400 kB."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=400k", "tmpfs", str(place)]
    if sys.platform != "linux" or os.geteuid() != 0:
        pytest.skip("a small disk can only be made by root")
    if subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("a small disk cannot be made here")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)  # noqa: S607


def test_r19_a_disk_that_fills_up_is_one_clear_error_and_the_run_goes_on_later(
    base: Path, cases: Path, whole: Path, disk: Path
) -> None:
    run = ("eval", cases, "--kb", base, "--run-dir", disk / "run")
    ballast = disk / "ballast"
    ballast.write_bytes(b"0" * 300_000)

    full = lastro(*run, code=3)
    left = lines(disk / "run")
    ballast.unlink()
    larger = ["mount", "-o", "remount,size=40m", str(disk)]
    subprocess.run(larger, check=True)
    done = lastro(*run, "--resume")

    assert full.stderr.count("error:") == 1
    assert "no space left on device" in full.stderr
    assert 0 < left < CASES
    assert f"going on after {left} cases" in done.stderr
    same(disk / "run", whole)


def test_r19_a_full_disk_is_found_before_the_first_question(
    base: Path, cases: Path, disk: Path
) -> None:
    (disk / "ballast").write_bytes(b"0" * 405_000)

    full = lastro(*("eval", cases, "--kb", base, "--run-dir", disk / "run"), code=3)

    assert full.stderr.count("error:") == 1
    assert "no space left on device" in full.stderr
    assert lines(disk / "run") == 0


def test_a09_a30_a_run_in_which_every_case_broke_exits_3_not_1(
    base: Path, cases: Path, slow: Mapping[str, str]
) -> None:
    done = lastro(
        *("eval", cases, "--kb", base, "--case-timeout", "0.01"),
        *("--workers", "8", "--min-hit", "0.1"),
        env=slow,
        code=3,
    )

    assert "COULD NOT MEASURE" in done.stdout


def test_p11_r15_screen_files_and_exit_code_say_the_same(
    base: Path, cases: Path, slow: Mapping[str, str], tmp_path: Path
) -> None:
    listed = hanging(cases, tmp_path)

    done = lastro(
        *("eval", listed, "--kb", base, "--run-dir", tmp_path / "run"),
        *("--case-timeout", "0.4", "--min-hit", "1", "--min-scored", "0.5"),
        env=slow,
        code=None,
    )

    report = json.loads((tmp_path / "run" / "report.json").read_text("utf-8"))
    scores = (tmp_path / "run" / "scores.jsonl").read_text("utf-8").splitlines()
    record = json.loads((tmp_path / "run" / "run.json").read_text("utf-8"))
    assert report["verdict"]["exit_code"] == done.returncode
    assert report["verdict"]["passed"] == (done.returncode == 0)
    assert len(scores) == lines(tmp_path / "run") == record["cases"] == 7
    assert report["provenance"]["cases"] == 7
    assert [json.loads(line)["id"] for line in scores if "timeout" in line] == ["hangs"]
    assert "1 of 7 cases broke" in done.stdout
