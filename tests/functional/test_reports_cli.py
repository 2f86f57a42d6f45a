"""The reports of the real command line: what lies in the folder, what a build sees."""

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import desk
import pytest
from command import lastro
from schemas import REPORT, SCORES, problems

pytestmark = pytest.mark.functional

MARK = "zqxmark"


def lines(path: Path, *rows: object) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """Return two comparisons and what was left of them: the pinned leak."""
    sides = [
        {"target": "A", "expected_doc_ids": ["a"], "expected_terms": ["30 euros"]},
        {"target": "B", "expected_doc_ids": ["b"], "expected_terms": ["20 euros"]},
    ]
    case = {
        "query": "Which is cheaper?",
        "query_type": "comparison",
        "must_cite_one_of": ["a"],
        "expected_terms": ["30 euros", "20 euros"],
        "expected_claim_citations": sides,
    }
    text = "A costs 30 euros, B costs 20 euros."
    left = [
        {
            "case_id": name,
            "system": "other",
            "retrieved": [{"id": document, "text": text}],
            "answer_text": text,
            "abstained": False,
        }
        for name, document in (("half", "a"), ("none", "x"))
    ]
    cases = lines(tmp_path / "c.jsonl", {"id": "half", **case}, {"id": "none", **case})
    return cases, lines(tmp_path / "t.jsonl", *left)


def test_the_pinned_leak_is_seen_in_the_page_of_a_scored_run(
    files: tuple[Path, Path], tmp_path: Path
) -> None:
    run = tmp_path / "run"
    lastro("score", *files, "--run-dir", run)

    assert sorted(path.name for path in run.iterdir()) == [
        ".lock",
        "junit.xml",
        "report.html",
        "report.json",
        "report.md",
        "run.json",
        "scores.jsonl",
        "traces.jsonl",
    ]
    page = (run / "report.html").read_text("utf-8")
    half, none = (
        page.split(f"<code>{name}</code>")[1].split("</details>")[0]
        for name in ("half", "none")
    )
    assert "groundedness 1.000" in half
    assert "comparison_groundedness 0.500" in half
    assert "groundedness 1.000" in none
    assert "comparison_groundedness 0.000" in none
    assert "<code>one_sided_comparison</code> · 1 case" in page
    report = (run / "report.json").read_text("utf-8")
    assert problems(REPORT, report) == []
    assert json.loads(report)["attribution"]["one_sided_comparison"] == 1
    for line in (run / "scores.jsonl").read_text("utf-8").splitlines():
        assert problems(SCORES, line) == []


def test_a_build_gets_its_summary_and_annotations_and_json_stays_clean(
    files: tuple[Path, Path], tmp_path: Path
) -> None:
    summary = tmp_path / "summary.md"
    env = {"GITHUB_STEP_SUMMARY": str(summary), "GITHUB_ACTIONS": "true"}
    bar = ("--min", "comparison_groundedness=0.9")

    for _ in range(2):
        done = lastro("score", *files, *bar, "--json", code=1, env=env)

    report = json.loads(done.stdout)
    page = summary.read_text("utf-8")
    assert report["verdict"]["exit_code"] == 1
    assert page.count("# FAIL: 1 of 1 bars missed: comparison_groundedness") == 2
    assert "\n\n# FAIL" in page
    error, notice = (line for line in done.stderr.splitlines() if line[:2] == "::")
    assert error.startswith("::error title=lastro%3A a bar was missed::comparison_")
    assert notice.startswith("::notice title=lastro::FAIL: 1 of 1 bars missed")


def test_p05_the_summary_of_a_step_stays_under_its_limit(
    files: tuple[Path, Path], tmp_path: Path
) -> None:
    summary = tmp_path / "summary.md"
    summary.write_bytes(b"x" * 998_000)

    lastro("score", *files, env={"GITHUB_STEP_SUMMARY": str(summary)})

    written = summary.read_bytes()
    assert len(written) <= 1_000_000
    assert b"This page was cut: " in written


@pytest.mark.parametrize("where", ["", "undefined", "summary.md"])
def test_p10_a_summary_goes_to_a_whole_path_or_nowhere(
    files: tuple[Path, Path], where: str
) -> None:
    done = lastro("score", *files, env={"GITHUB_STEP_SUMMARY": where})

    assert ("no summary is written" in done.stderr) is bool(where)
    assert not Path(where or "undefined").is_file()


def test_a_summary_that_cannot_be_written_changes_no_verdict(
    files: tuple[Path, Path], tmp_path: Path
) -> None:
    where = {"GITHUB_STEP_SUMMARY": str(tmp_path / "no" / "such" / "file")}

    done = lastro("score", *files, env=where)

    assert "GITHUB_STEP_SUMMARY cannot be written: no such file" in done.stderr


def test_r19_a_folder_that_cannot_be_written_is_found_before_scoring(
    files: tuple[Path, Path], tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    missing = tmp_path / "no-traces.jsonl"

    done = lastro("score", files[0], missing, "--run-dir", tmp_path / "file", code=3)

    assert "cannot be written" in done.stderr
    assert "no-traces" not in done.stderr


def private(**more: object) -> dict[str, object]:
    return {
        "id": f"{MARK}-1",
        "query": f"What does {MARK} cost?",
        "locale": "en",
        "must_cite_one_of": [f"{MARK}-doc"],
        "expected_terms": [f"{MARK} euros"],
        "tags": [f"{MARK}-tag"],
        "provenance": {"origin": "private", "source": MARK},
        f"{MARK}-field": 1,
        **more,
    }


def trace(**more: object) -> dict[str, object]:
    return {
        "case_id": f"{MARK}-1",
        "system": MARK,
        "retrieved": [{"id": f"{MARK}-doc", "text": MARK}],
        "decision": {"reason": MARK, "confidence": 0.5},
        f"{MARK}-field": 1,
        **more,
    }


@pytest.mark.parametrize("shape", [(), ("--json",)])
def test_aggregates_only_names_nothing_anywhere(
    tmp_path: Path, shape: tuple[str, ...]
) -> None:
    cases = lines(tmp_path / "c.jsonl", private(), private(id=f"{MARK}-2"))
    left = lines(tmp_path / "t.jsonl", trace(), trace(case_id=f"{MARK}-stray"))
    run, summary = tmp_path / "run", tmp_path / "summary.md"
    env = {"GITHUB_STEP_SUMMARY": str(summary), "GITHUB_ACTIONS": "true"}

    bars = ("--min-hit", "0.9", "--min-scored", "0.1", "--min", "groundedness=0.5")
    only = ("--run-dir", str(run), "--aggregates-only", *shape)

    done = lastro("score", cases, left, *only, *bars, code=None, env=env)

    names = sorted(path.name for path in run.iterdir())
    assert names == ["junit.xml", "report.html", "report.json", "report.md"]
    written = [path.read_text("utf-8") for path in (*run.iterdir(), summary)]
    assert not [text for text in (*written, done.stdout, done.stderr) if MARK in text]
    assert "warnings not shown: they may name cases" in done.stderr
    assert ET.fromstring((run / "junit.xml").read_bytes()) is not None  # noqa: S314


@pytest.mark.parametrize(
    ("case", "left"),
    [
        (private(query=""), trace()),
        (private(id=f"{MARK}\n"), trace()),
        (private(category=MARK), trace()),
        (private(provenance={"origin": MARK}), trace()),
        (private(), trace(retrieved=[{"id": [MARK]}])),
        (private(), trace(retrieved={MARK: 1})),
        (private(), trace(decision={"features": {MARK: MARK}})),
        (private(), trace(stages={MARK: MARK})),
    ],
)
def test_aggregates_only_what_is_wrong_is_placed_and_not_repeated(
    tmp_path: Path, case: dict[str, object], left: dict[str, object]
) -> None:
    files = lines(tmp_path / "c.jsonl", case), lines(tmp_path / "t.jsonl", left)

    done = lastro("score", *files, "--aggregates-only", code=3)

    assert ".jsonl:1" in done.stderr
    assert "what stands there is not shown" in done.stderr
    assert MARK not in done.stdout + done.stderr


def test_of_a_private_set_more_than_aggregates_is_refused_before_it_is_asked(
    tmp_path: Path,
) -> None:
    docs = desk.write(tmp_path / "docs")
    lastro("ingest", docs, "--kb", tmp_path / "kb")
    cases = lines(tmp_path / "c.jsonl", private(query="How long is a code valid?"))
    run = tmp_path / "run"

    refused = lastro("eval", cases, "--kb", tmp_path / "kb", "--run-dir", run, code=3)
    done = lastro(
        *("eval", cases, "--kb", tmp_path / "kb", "--run-dir", run),
        "--aggregates-only",
    )
    shown = lastro("eval", cases, "--kb", tmp_path / "kb")

    assert "--aggregates-only" in refused.stderr
    for said in (refused, done, shown):
        assert MARK not in said.stdout + said.stderr
    assert "retrieval_hit_at_k" in done.stdout
    assert not [path for path in run.iterdir() if MARK in path.read_text("utf-8")]


def test_check_says_where_a_private_case_does_not_fit_and_not_what_it_says(
    tmp_path: Path,
) -> None:
    lastro("ingest", desk.write(tmp_path / "docs"), "--kb", tmp_path / "kb")
    twice = private(
        query=f"What is in {MARK}-doc?",
        must_cite_one_of=[f"{MARK}-doc", f"{MARK}-doc"],
        expected_doc_ids=["en/guest-code.md"],
        locale=f"en-x-{MARK[:5]}",
    )
    cases = lines(tmp_path / "c.jsonl", private(id="1", must_cite_one_of=[]), twice)

    done = lastro("check", cases, "--kb", tmp_path / "kb", code=1)
    data = lastro("check", cases, "--kb", tmp_path / "kb", "--json", code=1)

    wrong = "what does not fit is not shown, since the set has private cases"
    assert done.stdout.splitlines()[:4] == [
        f"{cases}:1: expected_terms: {wrong}",
        f"{cases}:2: must_cite_one_of: {wrong}",
        f"{cases}:2: expected_terms: {wrong}",
        f"{cases}:2: query: {wrong}",
    ]
    assert "locale: en 1, other 1" in done.stdout
    found = json.loads(data.stdout)
    assert found["findings"][3] == {"at": f"{cases}:2", "field": "query"}
    assert found["counts"]["locale"] == {"en": 1, "other": 1}
    for said in (done, data):
        assert MARK[:5] not in said.stdout + said.stderr
        assert "2 warnings not shown" in said.stderr


def test_why_lists_private_cases_by_line_and_shows_the_one_that_is_asked_for(
    tmp_path: Path,
) -> None:
    cases = lines(tmp_path / "c.jsonl", private(), private(id=f"{MARK}-2"))
    left = lines(tmp_path / "t.jsonl", trace(), trace(case_id=f"{MARK}-stray"))
    one = lines(tmp_path / "one.jsonl", trace())
    asked = ("--cases", str(cases))

    done = lastro("why", left, *asked)
    data = lastro("why", left, *asked, "--json")
    single = lastro("why", one, *asked)
    lost = lastro("why", left, *asked, "--case", "nothing", code=2)
    shown = lastro("why", left, *asked, "--case", f"{MARK}-1")

    assert f"ungrounded            {cases}:1" in done.stdout
    assert f"lastro why {left} --cases {cases} --case ID" in done.stdout
    assert {"at": f"{cases}:1", "failure": "ungrounded"} in (
        json.loads(data.stdout)["failed"]
    )
    for said in (done, data, single, lost):
        assert MARK not in said.stdout + said.stderr
    assert f"What does {MARK} cost?" in shown.stdout


def test_what_does_not_read_beside_private_cases_is_placed_and_not_repeated(
    tmp_path: Path,
) -> None:
    cases = lines(tmp_path / "c.jsonl", private())
    left = lines(tmp_path / "t.jsonl", trace(), trace(stages={MARK: MARK}))

    done = lastro("why", left, "--cases", cases, code=3)

    assert f"{left}:2: stages: what stands there is not shown" in done.stderr
    assert MARK not in done.stdout + done.stderr


def test_a_baseline_is_checked_against_private_cases_without_naming_one(
    tmp_path: Path,
) -> None:
    cases = lines(tmp_path / "c.jsonl", private())
    left = lines(tmp_path / "t.jsonl", trace())
    run, file = tmp_path / "run", tmp_path / "b.json"
    lastro("score", cases, left, "--run-dir", run, "--aggregates-only")
    lastro("baseline", "update", run, "--out", file)
    twice = private(must_cite_one_of=[f"{MARK}-doc", f"{MARK}-doc"])
    other = lines(tmp_path / "other.jsonl", twice, private(id=f"{MARK}-2"))
    torn = lines(tmp_path / "torn.jsonl", private(id=f"{MARK}\n"))

    differs = lastro("baseline", "check", file, "--cases", other, code=3)
    unread = lastro("baseline", "check", file, "--cases", torn, code=3)

    assert "another case set: 1 cases, " in differs.stderr
    assert "2 warnings not shown" in differs.stderr
    assert f"{torn}:1: id: what stands there is not shown" in unread.stderr
    for said in (differs, unread):
        assert MARK not in said.stdout + said.stderr
