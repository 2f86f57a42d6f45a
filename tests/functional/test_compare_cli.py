"""``lastro compare`` as a shell sees it: two folders, claims, exit codes, a page."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from command import lastro

pytestmark = pytest.mark.functional

ROOT = Path(__file__).resolve().parents[2]
HIT = "retrieval_hit_at_k"


Runs = tuple[Path, Path]


def judged(folder: Path, hits: int, *, letter: str = "c", k: int = 4) -> Path:
    """Score a system that found gold in the first ``hits`` of forty cases."""
    folder.mkdir(exist_ok=True)
    ids = [f"{letter}{i:02d}" for i in range(40)]
    cases: list[object] = [
        {"id": i, "query": "q", "must_cite_one_of": ["x"]} for i in ids
    ]
    found: list[object] = [
        {"case_id": each, "retrieved": [{"id": "x" if i < hits else "y"}]}
        for i, each in enumerate(ids)
    ]
    files = folder / "cases.jsonl", folder / "traces.jsonl"
    for rows, file in zip((cases, found), files, strict=True):
        text = "".join(json.dumps(row) + "\n" for row in rows)
        file.write_text(text, encoding="utf-8")
    lastro("score", *files, "--run-dir", folder / "run", "-k", str(k))
    return folder / "run"


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Runs:
    """Return the folders of two runs, the second better by half of the cases."""
    folder = tmp_path_factory.mktemp("runs")
    return judged(folder / "before", 10), judged(folder / "after", 30)


@pytest.mark.parametrize(
    ("claims", "code", "begins"),
    [
        ((), 0, "COMPARED: 40 cases in both runs"),
        ((f"{HIT} >= +0.05", f"{HIT} > 0"), 0, "PASS: 2 of 2 claims hold"),
        ((f"{HIT} >= 0.9", f"{HIT} > 0"), 1, "FAIL: 1 of 2 claims hold"),
        ((f"{HIT} > 0", "groundedness > 0"), 3, "COULD NOT MEASURE: 1 of 2"),
        ((f"{HIT} above 0",), 2, ""),
        (("hit_rate > 0",), 2, ""),
    ],
)
def test_p11_claims_drive_headline_and_exit_code(
    claims: tuple[str, ...], code: int, begins: str, runs: Runs
) -> None:
    asked = [word for claim in claims for word in ("--claim", claim)]

    done = lastro("compare", *runs, *asked, code=code)

    assert done.stdout.startswith(begins)
    assert bool(done.stdout) == bool(begins)
    assert ("error: " in done.stderr) == (code == 2)


def test_json_is_one_object_and_the_page_is_written(runs: Runs, tmp_path: Path) -> None:
    page = tmp_path / "compared.html"

    done = lastro("compare", *runs, "--json", "--html", page)

    data = json.loads(done.stdout)
    assert data["differences"][0]["difference"] == 0.5
    assert (data["a"], data["b"]) == (str(runs[0]), str(runs[1]))
    assert "wrote" in done.stderr
    assert f"{HIT} rose by 0.500" in page.read_text(encoding="utf-8")


def test_a15_m33_no_case_in_common_exits_3_and_lists_what_differs(
    runs: Runs, tmp_path: Path
) -> None:
    other = judged(tmp_path / "other", 40, letter="d")

    done = lastro("compare", runs[0], other, code=3)

    assert "no case in common" in done.stdout
    assert "only in A  40     c00, c01" in done.stdout
    assert "only in B  40     d00, d01" in done.stdout
    assert "case_set" in done.stdout


def test_runs_judged_by_another_k_are_refused(runs: Runs, tmp_path: Path) -> None:
    done = lastro("compare", runs[0], judged(tmp_path / "other", 10, k=10), code=3)

    assert "error: the runs were judged by different rules: k 4 and 10" in done.stderr
    assert "hint: `lastro score" in done.stderr


def test_what_is_no_folder_of_a_run_exits_3(runs: Runs, tmp_path: Path) -> None:
    done = lastro("compare", runs[0], tmp_path / "nowhere", code=3)

    assert "nowhere is not the folder of a run" in done.stderr


def test_a27_the_same_bytes_under_any_hash_seed(runs: Runs) -> None:
    said = {
        lastro("compare", *runs, *more, env={"PYTHONHASHSEED": seed}).stdout
        for more in ((), ("--json",))
        for seed in ("1", "2", "3")
    }

    assert len(said) == 2


def test_the_layer_of_a_planted_fault_is_named_and_the_bar_misses_it(
    tmp_path: Path,
) -> None:
    script = [sys.executable, str(ROOT / "bench" / "planted.py"), "--cases=60"]
    ended = subprocess.run(
        [*script, f"--results={tmp_path}", f"--out={tmp_path / 'runs'}"],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )

    assert ended.returncode == 0, ended.stdout + ended.stderr
    figures = json.loads((tmp_path / "planted.json").read_text("utf-8"))
    found = figures["faults"]
    assert found["retrieval"]["named"] == "fusion_miss"
    assert found["citation"]["named"] == "citation_miss"
    for fault in found.values():
        assert fault["paired"] == 60
        assert f"more cases fail at {fault['expected']}: " in fault["told"][0]
    told = " ".join(found["retrieval"]["told"])
    assert f"{HIT} fell by" in told
    assert f"{HIT} fell by" not in " ".join(found["citation"]["told"])
    assert {run: bar["exit"] for run, bar in figures["bars"].items()} == {
        "base": 0,
        "retrieval": 1,
        "citation": 1,
        "other cases": 3,
    }
    assert HIT in figures["bars"]["retrieval"]["told"]
    assert "another case set" in figures["bars"]["other cases"]["told"]
