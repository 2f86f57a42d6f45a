"""``lastro why`` on a real run: what failed, and at which layer."""

import json
from pathlib import Path

import desk
import pytest
from command import lastro

pytestmark = pytest.mark.functional

CASES: tuple[dict[str, object], ...] = (
    {
        "id": "en.code",
        "query": "How long is a guest code valid?",
        "locale": "en",
        "must_cite_one_of": ["en/guest-code.md"],
        "expected_terms": ["24 hours"],
    },
    {
        "id": "en.gap",
        "query": "How many pages may a student print?",
        "locale": "en",
        "must_cite_one_of": ["en/of-another-base.md"],
    },
    {
        "id": "pt.senha",
        "query": "Quantos caracteres tem a senha nova?",
        "locale": "pt-BR",
        "must_cite_one_of": ["pt/senha.md"],
        "expected_terms": ["14 caracteres"],
    },
)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a run of the cases on the tiny desk."""
    folder = tmp_path_factory.mktemp("why")
    lastro("ingest", desk.write(folder / "docs"), "--kb", folder / "kb")
    rows = "".join(json.dumps(row) + "\n" for row in CASES)
    (folder / "cases.jsonl").write_text(rows, encoding="utf-8")
    cases, kb = folder / "cases.jsonl", folder / "kb"
    lastro("eval", cases, "--kb", kb, "--run-dir", folder / "run", code=None)
    return folder / "run"


def test_a_run_names_its_failed_cases_and_how_to_look_at_one(run: Path) -> None:
    done = lastro("why", run)

    assert "1 of 3 cases failed" in done.stdout
    assert "corpus_gap            en.gap" in done.stdout
    assert f"lastro why {run} --cases" in done.stdout
    assert "--case en.gap" in done.stdout
    assert "cases.jsonl" in done.stderr


def test_a_failed_case_is_shown_layer_by_layer(run: Path) -> None:
    done = lastro("why", run, "--case", "en.gap")

    assert done.stdout.startswith("en.gap  corpus_gap\n")
    assert "NOT IN THE KNOWLEDGE BASE: en/of-another-base.md" in done.stdout
    assert "LOST HERE" in done.stdout
    assert "retrieval_hit_at_k 0.000" in done.stdout


def test_a_case_that_did_not_fail_can_be_looked_at_too(run: Path) -> None:
    done = lastro("why", run, "--case", "en.code")

    assert "It did not fail." in done.stdout
    assert "LOST HERE" not in done.stdout
    assert "term '24 hours': in passage" in done.stdout


def test_the_json_of_one_case_is_one_object(run: Path) -> None:
    done = lastro("why", run, "--case", "en.gap", "--json")

    data = json.loads(done.stdout)
    assert data["failure"] == "corpus_gap"
    assert data["k"] == 4
    assert {each["name"] for each in data["layers"]} >= {"lexical", "fused", "cited"}


def test_the_json_of_a_run_lists_what_failed(run: Path) -> None:
    done = lastro("why", run, "--json")

    assert json.loads(done.stdout) == {
        "cases": 3,
        "failed": [{"case_id": "en.gap", "failure": "corpus_gap"}],
        "not_asked": 0,
    }


def test_the_cut_off_is_that_of_the_run_unless_another_is_given(run: Path) -> None:
    report = json.loads((run / "report.json").read_text(encoding="utf-8"))

    own = json.loads(lastro("why", run, "--case", "en.code", "--json").stdout)
    other = lastro("why", run, "--case", "en.code", "-k", "1", "--json")

    assert own["k"] == report["provenance"]["k"]
    assert json.loads(other.stdout)["k"] == 1


def test_a_device_for_a_report_is_refused_and_not_read_for_ever(
    tmp_path: Path,
) -> None:
    (tmp_path / "traces.jsonl").write_text('{"case_id": "c"}\n', encoding="utf-8")
    (tmp_path / "report.json").symlink_to("/dev/zero")

    done = lastro("why", tmp_path, code=3)

    assert "report.json: this is a device, not a file" in done.stderr


def test_traces_alone_are_shown_without_gold(run: Path, tmp_path: Path) -> None:
    traces = tmp_path / "t.jsonl"
    traces.write_bytes((run / "traces.jsonl").read_bytes())

    several = lastro("why", traces)
    one = lastro("why", traces, "--case", "en.gap")

    assert "3 traces, 0 ended in an error" in several.stdout
    assert "see --cases" in several.stdout
    assert "shown without gold" in one.stdout
    assert json.loads(lastro("why", traces, "--json").stdout)["failed"] is None


def test_a_turn_that_was_asked_is_shown_at_once(run: Path, tmp_path: Path) -> None:
    kept = tmp_path / "t.jsonl"
    lastro("ask", "What is a guest code?", "--kb", run.parent / "kb", "--trace", kept)

    done = lastro("why", kept)

    assert "What is a guest code?" in done.stdout
    assert "Decision: " in done.stdout


def test_an_unknown_case_is_one_error_with_the_nearest_ids(run: Path) -> None:
    done = lastro("why", run, "--case", "en.gasp", code=2)

    assert "there is no case 'en.gasp'" in done.stderr
    assert "Nearest are: en.gap" in done.stderr
    assert done.stdout == ""


def test_a_case_that_left_no_trace_is_shown_as_such(run: Path, tmp_path: Path) -> None:
    traces = tmp_path / "t.jsonl"
    lines = (run / "traces.jsonl").read_text(encoding="utf-8").splitlines(True)
    traces.write_text(lines[0], encoding="utf-8")
    cases = run.parent / "cases.jsonl"

    done = lastro("why", traces, "--cases", cases, "--case", "pt.senha")

    assert "The run left no trace of it." in done.stdout
    assert done.stdout.startswith("pt.senha  unknown\n")


def test_a10_of_several_runs_the_first_that_failed_is_shown(
    run: Path, tmp_path: Path
) -> None:
    traces = tmp_path / "t.jsonl"
    lines = (run / "traces.jsonl").read_text(encoding="utf-8").splitlines()
    good = next(json.loads(line) for line in lines if "en.code" in line)
    runs = [good, {**good, "retrieved": []}, good]
    traces.write_text(
        "".join(json.dumps(each) + "\n" for each in runs), encoding="utf-8"
    )
    cases = run.parent / "cases.jsonl"

    one = lastro("why", traces, "--cases", cases, "--case", "en.code")
    several = lastro("why", traces, "--cases", cases)

    assert "it ran 3 times and failed 1 of them" in one.stderr
    assert "LOST HERE" in one.stdout
    assert "en.code  1 of 3 runs" in several.stdout


@pytest.mark.parametrize("what", ["missing.jsonl", "empty.jsonl", "folder"])
def test_what_holds_no_trace_is_one_clear_error(what: str, tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").write_text("\n", encoding="utf-8")
    (tmp_path / "folder").mkdir()

    done = lastro("why", tmp_path / what, code=3)

    assert str(tmp_path / what) in done.stderr
    assert "hint: " in done.stderr


def test_cases_of_a_run_that_were_moved_are_told(run: Path, tmp_path: Path) -> None:
    moved = tmp_path / "run"
    moved.mkdir()
    record = json.loads((run / "run.json").read_text(encoding="utf-8"))
    record["cases_file"] = str(tmp_path / "gone.jsonl")
    (moved / "run.json").write_text(json.dumps(record), encoding="utf-8")
    (moved / "traces.jsonl").write_bytes((run / "traces.jsonl").read_bytes())

    done = lastro("why", moved)

    assert "gone.jsonl, are not there: give them with --cases" in done.stderr
    assert "3 traces, 0 ended in an error" in done.stdout


def test_repeated_traces_are_refused_by_score_unless_they_are_averaged(
    run: Path, tmp_path: Path
) -> None:
    traces = tmp_path / "t.jsonl"
    lines = (run / "traces.jsonl").read_text(encoding="utf-8")
    traces.write_text(lines + lines, encoding="utf-8")
    cases = run.parent / "cases.jsonl"

    refused = lastro("score", cases, traces, code=3)
    mean = lastro("score", cases, traces, "--repeats", "mean", "--json")

    assert "has a trace on line 1 already" in refused.stderr
    assert "--repeats mean" in refused.stderr
    report = json.loads(mean.stdout)
    assert report["provenance"]["runs_per_case"] == [2, 2]
    assert report["attribution"]["corpus_gap"] == 1


def test_what_a_run_that_did_not_end_has_not_asked_did_not_fail(
    run: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    record = json.loads((run / "run.json").read_bytes()) | {"state": "started"}
    (folder / "run.json").write_text(json.dumps(record), encoding="utf-8")
    lines = (run / "traces.jsonl").read_text(encoding="utf-8").splitlines(True)
    kept = [line for line in lines if "en.code" in line]
    (folder / "traces.jsonl").write_text("".join(kept), encoding="utf-8")

    listed = lastro("why", folder).stdout
    one = lastro("why", folder, "--case", "pt.senha").stdout

    assert listed.startswith(
        "The run did not end: 2 of 3 cases were not asked; "
        "lastro eval ... --resume goes on.\n0 of 1 case failed\n"
    )
    assert "unknown" not in listed + one
    assert "It was not asked: the run did not end" in one
    found = json.loads(lastro("why", folder, "--json").stdout)
    assert found == {"cases": 1, "failed": [], "not_asked": 2}


def test_more_failed_cases_than_are_listed_say_where_all_are(tmp_path: Path) -> None:
    rows = [
        {"id": f"c{n:02d}", "query": "q", "must_cite_one_of": ["a"]} for n in range(22)
    ]
    left = [{"case_id": row["id"], "trace_version": 1, "retrieved": []} for row in rows]
    for name, found in (("cases.jsonl", rows), ("t.jsonl", left)):
        text = "".join(json.dumps(each) + "\n" for each in found)
        (tmp_path / name).write_text(text, encoding="utf-8")
    call = ("why", tmp_path / "t.jsonl", "--cases", tmp_path / "cases.jsonl")

    assert "and 2 more: --json lists all of them" in lastro(*call).stdout
    assert len(json.loads(lastro(*call, "--json").stdout)["failed"]) == 22
