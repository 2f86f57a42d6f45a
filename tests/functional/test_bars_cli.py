"""Bars as a build meets them: the real command line, its files and exit codes."""

import json
import shutil
import subprocess
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from command import lastro

pytestmark = pytest.mark.functional

HIT, RECALL = "retrieval_hit_at_k", "retrieval_recall_at_k"


def lines(path: Path, rows: object) -> Path:
    assert isinstance(rows, list)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def asked(folder: Path, n: int = 40, **more: object) -> Path:
    rows = [
        {
            "id": f"c{i:02d}",
            "query": "q",
            "locale": "ko" if i % 2 else "en",
            "must_cite_one_of": ["x"],
            **more,
        }
        for i in range(n)
    ]
    return lines(folder / "cases.jsonl", rows)


def left(path: Path, hits: int, n: int = 40) -> Path:
    rows = [
        {
            "case_id": f"c{i:02d}",
            "retrieved": [{"id": "x" if i < hits else "y"}],
            "cited_ids": ["x"] if i < hits else [],
        }
        for i in range(n)
    ]
    return lines(path, rows)


@dataclass(frozen=True)
class Kept:
    """Cases, a run of them that found 36 of 40, and its baseline."""

    cases: Path
    good: Path
    run: Path
    baseline: Path
    folder: Path


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Kept:
    folder = tmp_path_factory.mktemp("kept")
    cases, run = asked(folder), folder / "run"
    good = left(folder / "good.jsonl", 36)
    lastro("score", cases, good, "--run-dir", run)
    file = folder / "baseline.json"
    lastro("baseline", "update", run, "--out", file)
    left(folder / "bad.jsonl", 10)
    return Kept(cases=cases, good=good, run=run, baseline=file, folder=folder)


def test_a08_a11_a12_the_baseline_bar_fails_a_run_with_planted_worse_scores(
    kept: Kept, tmp_path: Path
) -> None:
    bad, run = kept.folder / "bad.jsonl", tmp_path / "run"

    done = lastro(
        "score", kept.cases, bad, "--baseline", kept.baseline, "--run-dir", run, code=1
    )

    assert done.stdout.startswith("FAIL: ")
    assert f"{HIT}, {RECALL}" in done.stdout.splitlines()[0]
    assert "lower: c10, c11" in done.stdout
    verdict = json.loads((run / "report.json").read_bytes())["verdict"]
    assert verdict["exit_code"] == 1
    drops = [bar for bar in verdict["bars"] if bar["kind"] == "drop"]
    assert {bar["metric"] for bar in drops} > {HIT, f"by_locale.ko.{HIT}"}
    assert (run / "junit.xml").read_text().count("<failure") == len(
        [bar for bar in verdict["bars"] if bar["state"] == "active" and not bar["held"]]
    )


def test_against_its_own_baseline_a_run_holds(
    kept: Kept,
) -> None:
    done = lastro("score", kept.cases, kept.good, "--baseline", kept.baseline)

    assert done.stdout.startswith("PASS: ")


def test_a15_another_case_set_exits_3_and_says_what_differs(
    kept: Kept, tmp_path: Path
) -> None:
    other = asked(tmp_path, 39)
    traces = left(tmp_path / "t.jsonl", 39, 39)

    checked = lastro("baseline", "check", kept.baseline, "--cases", other, code=3)
    judged = lastro("score", other, traces, "--baseline", kept.baseline, code=3)

    assert "differs: another case set: 40 cases, hash " in checked.stderr
    assert checked.stdout == f"{kept.baseline}: does not hold\n"
    assert "incomparable: another case set" in judged.stdout
    assert "gone: c39; new: none" in judged.stdout


def test_check_holds_for_the_cases_and_the_run_that_it_was_measured_on(
    kept: Kept,
) -> None:
    for how in (("--cases", kept.cases), ("--run", kept.run)):
        done = lastro("baseline", "check", kept.baseline, *how)
        assert done.stdout == f"{kept.baseline}: holds\n"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (None, "the baseline cannot be read: no such file"),
        ("{", "cut off in column 2"),
        ('{"schema_version": 7}', "schema_version: 7 is unknown"),
    ],
)
def test_a03_a30_a_baseline_that_is_missing_or_none_exits_3_and_says_what_to_do(
    kept: Kept, tmp_path: Path, text: str | None, told: str
) -> None:
    file = tmp_path / "b.json"
    if text is not None:
        file.write_text(text, encoding="utf-8")

    judged = lastro("score", kept.cases, kept.good, "--baseline", file, code=3)
    checked = lastro("baseline", "check", file, code=3)

    assert told in judged.stderr
    assert judged.stderr == checked.stderr
    assert "lastro baseline update RUN_DIR --out FILE" in judged.stderr


def test_every_state_of_a_bar_is_seen_in_the_report(kept: Kept) -> None:
    done = lastro(
        *("score", kept.cases, kept.good),
        *("--min-hit", "0.5", "--min", "citation_coverage=0.99"),
        *("--min", "refusal=0.1", "--min-lower", f"{HIT}=0.7"),
        code=3,
    )

    shown = [line.strip() for line in done.stdout.splitlines()]
    assert any(each.endswith("active, held") for each in shown)
    assert any(each.endswith("active, MISSED") for each in shown)
    assert any("inactive: no threshold is set" in each for each in shown)
    assert any("not measured: no case carries it" in each for each in shown)


def test_a10_no_case_may_fail_where_that_is_asked(kept: Kept, tmp_path: Path) -> None:
    fine = left(tmp_path / "fine.jsonl", 40)

    assert lastro("score", kept.cases, fine, "--fail-on-case").returncode == 0
    done = lastro("score", kept.cases, kept.good, "--fail-on-case", code=1)

    assert "4 of 40 cases failed: c36 (" in done.stdout


def test_a09_where_half_of_the_traces_are_missing_no_bar_of_cases_is_judged(
    kept: Kept, tmp_path: Path
) -> None:
    half = left(tmp_path / "half.jsonl", 40)
    rows = half.read_text("utf-8").splitlines(keepends=True)
    half.write_text("".join(rows[:20]), encoding="utf-8")

    done = lastro("score", kept.cases, half, "--fail-on-case", code=3)

    assert "20 of 40 eligible cases were scored" in done.stdout


def test_m13_a31_nothing_to_judge_exits_3(tmp_path: Path) -> None:
    empty = lines(tmp_path / "none.jsonl", [])

    lastro("score", empty, empty, "--fail-on-case", "--min-hit", "0", code=3)


@pytest.fixture
def bars(kept: Kept) -> Iterator[Path]:
    file = kept.folder / "bars.toml"
    yield file
    file.unlink()


def test_bars_of_a_file_count_and_those_of_the_call_count_instead(
    kept: Kept, bars: Path
) -> None:
    bars.write_text(
        'min_hit = 0.95\nbaseline = "baseline.json"\n[min]\ncitation_coverage = 0.8\n',
        encoding="utf-8",
    )
    command = ("score", kept.cases, kept.good, "--bars", bars)

    missed = lastro(*command, code=1)
    held = lastro(*command, "--min-hit", "0.9")

    assert missed.stdout.splitlines()[0].endswith(f"bars missed: {HIT}")
    rows = [line.split()[:2] for line in held.stdout.splitlines()]
    assert ["citation_coverage", "mean"] in rows
    assert ["15", "bars"] in rows


def test_a_file_of_bars_that_makes_no_sense_exits_3_with_line_and_key(
    kept: Kept, bars: Path
) -> None:
    bars.write_text("\nmin_hit = 0.9\nmin_hits = 0.9\n", encoding="utf-8")

    done = lastro("score", kept.cases, kept.good, "--bars", bars, code=3)

    assert f"{bars}:3: min_hits: is unknown" in done.stderr


def test_a_file_that_a_failed_command_left_empty_does_not_pass_a_build(
    kept: Kept, bars: Path
) -> None:
    bars.write_text("", encoding="utf-8")

    done = lastro("score", kept.cases, kept.good, "--bars", bars, code=3)

    assert f"{bars}: holds no bar" in done.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("--min", f"{HIT}=0.8", "--min-hit", "0.7"),
        ("--min-lower", f"{HIT}=0.8", "--min-lower", f"{HIT}=0.7"),
        ("--min-lower", HIT),
        ("--min", f"{HIT}=nan"),
        ("--min-lower", "hit=0.5"),
        ("--min-n", "0"),
        ("--tolerance", "inf"),
        ("--tolerance", "0.1"),  # of no baseline
    ],
)
def test_a04_bars_that_no_run_could_be_judged_by_exit_2(
    kept: Kept, words: tuple[str, ...]
) -> None:
    done = lastro("score", kept.cases, kept.good, *words, code=2)

    assert done.stdout == ""
    assert done.stderr.startswith("error: ")


def test_what_floor_suggest_prints_is_a_file_of_bars_that_the_run_holds(
    kept: Kept, bars: Path
) -> None:
    for slack in ((), ("--slack", "0.05")):
        for source in (kept.run, kept.baseline):
            done = lastro("floor", "suggest", source, *slack)
            bars.write_text(done.stdout, encoding="utf-8")
            lastro("score", kept.cases, kept.good, "--bars", bars)
    floors = tomllib.loads(done.stdout)["min"]
    assert floors[HIT] == 0.85  # 36 of 40, less the slack
    bars.write_text(done.stdout, encoding="utf-8")
    lastro("score", kept.cases, kept.folder / "bad.jsonl", "--bars", bars, code=1)


def test_floor_suggest_says_what_it_does_not_propose(tmp_path: Path) -> None:
    run = tmp_path / "run"
    lastro(
        *("score", asked(tmp_path, 1), left(tmp_path / "t.jsonl", 1, 1)),
        *("--run-dir", run),
    )

    done = lastro("floor", "suggest", run)

    assert tomllib.loads(done.stdout) == {"min": {}}
    assert f"# {HIT}: n is 1, so it has no interval" in done.stdout


def test_floor_suggest_leaves_out_what_would_be_no_bar(tmp_path: Path) -> None:
    run = tmp_path / "run"
    none = left(tmp_path / "t.jsonl", 0, 18)
    lastro("score", asked(tmp_path, 18), none, "--run-dir", run)

    done = lastro("floor", "suggest", run)

    assert tomllib.loads(done.stdout) == {"min": {}}
    assert f"# {HIT}: its floor would be 0.0" in done.stdout
    assert f"# by_locale.ko.{HIT}: n is 9, and a floor of a locale" in done.stdout
    assert "stage." not in done.stdout


def test_settings_that_differ_are_named_wherever_a_run_is_held_against_another(
    tmp_path: Path,
) -> None:
    base, docs = tmp_path / "kb", tmp_path / "docs"
    docs.mkdir()
    (docs / "a.md").write_text("# A\n\nCats purr.\n", encoding="utf-8")
    lastro("ingest", docs, "--kb", base)
    cases = asked(tmp_path, 4)
    runs = {legs: tmp_path / legs for legs in ("lexical", "hybrid")}
    for legs, run in runs.items():
        command = ("eval", cases, "--kb", base, "--legs", legs, "--run-dir", run)
        lastro(*command)
    out = tmp_path / "b.json"
    lastro("baseline", "update", runs["hybrid"], "--out", out)
    told = "setting search_legs: hybrid then, lexical now"

    asked_again = lastro(
        *("eval", cases, "--kb", base, "--legs", "lexical", "--baseline", out)
    )
    judged_again = lastro("score", cases, runs["lexical"], "--baseline", out)

    assert told in asked_again.stdout
    assert told in judged_again.stdout


def test_a_run_with_cases_that_broke_makes_no_baseline(
    kept: Kept, tmp_path: Path
) -> None:
    run, out = tmp_path / "run", tmp_path / "b.json"
    out.write_text("kept", encoding="utf-8")
    few = left(tmp_path / "t.jsonl", 30, 38)
    lastro("score", kept.cases, few, "--run-dir", run)

    done = lastro("baseline", "update", run, "--out", out, code=3)

    assert "2 of 40 cases broke: c38, c39" in done.stderr
    assert "leave these cases out" in done.stderr
    assert "--resume" not in done.stderr  # it was never asked by `lastro eval`
    assert out.read_text(encoding="utf-8") == "kept"


def test_of_a_private_set_the_baseline_names_no_case_and_still_sees_a_drop(
    tmp_path: Path,
) -> None:
    private = {"origin": "private", "source": "s", "licence": "l"}
    cases = asked(tmp_path, provenance=private)
    run, out = tmp_path / "run", tmp_path / "b.json"
    closed = ("--run-dir", run, "--aggregates-only")
    good, bad = (left(tmp_path / f"{n}.jsonl", n) for n in (36, 10))
    lastro("score", cases, good, *closed)

    lastro("baseline", "update", run, "--out", out)
    again = lastro("score", cases, good, "--baseline", out)
    done = lastro("score", cases, bad, "--baseline", out, code=1)

    assert json.loads(out.read_bytes())["scores"] is None
    for text in (out.read_text("utf-8"), again.stdout, done.stdout):
        assert "c36" not in text


def test_show_tells_what_it_was_measured_on(kept: Kept) -> None:
    text = lastro("baseline", "show", kept.baseline).stdout
    found = json.loads(lastro("baseline", "show", kept.baseline, "--json").stdout)

    assert text.startswith("Baseline of 40 cases, with scores by case\n")
    assert f"by_locale.ko.{HIT}" in text
    assert found["measured"]["cases"] == 40
    assert found["aggregates"][HIT]["mean"] == 0.9


def git(folder: Path, *words: str) -> None:
    program = shutil.which("git")
    assert program is not None
    named = ("-c", "user.name=a", "-c", "user.email=a@b.c")
    command = [program, "-C", str(folder), *named, *words]
    subprocess.run(command, check=True, capture_output=True)


def test_a_baseline_is_checked_against_base_settings_and_history(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = tmp_path / "repo"
    (repo / "docs").mkdir(parents=True)
    (repo / "docs" / "a.md").write_text("# Fee\n\nThe fee is 30 euros.\n", "utf-8")
    monkeypatch.chdir(repo)
    for words in (("init", "-q"), ("add", "docs"), ("commit", "-q", "-m", "one")):
        git(repo, *words)
    cases = lines(
        repo / "cases.jsonl",
        [{"id": "a", "query": "What is the fee?", "must_cite_one_of": ["a"]}],
    )
    lastro("ingest", "docs", "--kb", "kb")
    lastro("eval", cases, "--kb", "kb", "--run-dir", "run", "--legs", "lexical")
    lastro("baseline", "update", "run", "--out", "b.json")
    again = lastro("score", cases, "run", "--baseline", "b.json")
    whole = ("baseline", "check", "b.json", "--cases", cases, "--kb", "kb")

    holds = lastro(*whole, "--legs", "lexical")
    other = lastro(*whole, code=3)
    (repo / "docs" / "b.md").write_text("# Rent\n\nThe rent is 9 euros.\n", "utf-8")
    lastro("ingest", "docs", "--kb", "kb")
    grown = lastro(*whole, "--legs", "lexical", code=3)
    monkeypatch.chdir(tmp_path)
    outside = lastro("baseline", "check", "repo/b.json")
    (tmp_path / "other").mkdir()
    git(tmp_path / "other", "init", "-q")
    monkeypatch.chdir(tmp_path / "other")
    gone = lastro("baseline", "check", "../repo/b.json", code=3)

    assert again.stdout.startswith("PASS: ")
    assert "differs" not in holds.stderr
    assert "not compared" not in holds.stderr
    assert "differs: setting search_legs: lexical then, hybrid now" in other.stderr
    assert "differs: another knowledge base: 1 documents" in grown.stderr
    assert "no whole history" in outside.stderr
    assert "is not in this repository" in gone.stderr


def test_a_device_is_no_baseline_and_is_not_read_for_ever() -> None:
    told = lastro("baseline", "show", "/dev/zero", code=3)

    assert "this is a device, not a file" in told.stderr
