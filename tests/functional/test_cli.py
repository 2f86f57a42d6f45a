"""The real command line, as a shell sees it: output, streams and exit codes."""

import json
import subprocess
from pathlib import Path

import desk
import pytest
from command import LASTRO, lastro

pytestmark = pytest.mark.functional
CASE = {
    "id": "code",
    "query": "How long is a guest code valid?",
    "locale": "en",
    "must_cite_one_of": ["en/guest-code.md"],
    "expected_terms": ["24 hours"],
}


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a knowledge base of the tiny desk."""
    folder = tmp_path_factory.mktemp("desk")
    lastro("ingest", desk.write(folder / "docs"), "--kb", folder / "kb")
    return folder / "kb"


def cases(folder: Path, *rows: object) -> Path:
    """Write a file of cases."""
    path = folder / "cases.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_ingest_says_what_it_did_and_a_second_run_says_unchanged(
    tmp_path: Path,
) -> None:
    docs = desk.write(tmp_path / "docs")

    first = lastro("ingest", docs, "--kb", tmp_path / "kb", "--json")
    second = lastro("ingest", docs, "--kb", tmp_path / "kb")

    report = json.loads(first.stdout)
    assert (report["indexed"], report["documents"], report["failed"]) == (3, 3, [])
    assert "3 unchanged" in second.stdout


def test_strict_exits_3_if_a_document_failed_and_the_rest_went_on(
    tmp_path: Path,
) -> None:
    docs = desk.write(tmp_path / "docs")
    (docs / "scan.pdf").write_bytes(b"%PDF-1.7\n\x00\x01")

    done = lastro("ingest", docs, "--kb", tmp_path / "kb", "--strict", "--json", code=3)

    report = json.loads(done.stdout)
    assert report["indexed"] == 3
    assert "scan.pdf" in report["failed"][0]["source"]


def test_a_file_is_one_document_however_its_path_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    docs = desk.write(tmp_path / "docs")
    monkeypatch.chdir(docs)
    lastro("ingest", ".", "--kb", "../kb")
    monkeypatch.chdir(tmp_path)

    for written in ("docs", "docs/en", docs):
        done = lastro("ingest", written, "--kb", "kb")
        assert "unchanged" in done.stdout
        assert "kb holds 3 documents" in done.stdout


def test_a_second_folder_with_the_same_names_replaces_nothing(tmp_path: Path) -> None:
    for name in ("s1", "s2"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "index.md").write_text(f"Of {name}.", encoding="utf-8")
    lastro("ingest", tmp_path / "s1", "--kb", tmp_path / "kb")

    done = lastro(
        "ingest", tmp_path / "s2", "--kb", tmp_path / "kb", "--strict", code=3
    )

    assert f"already that of {tmp_path}/s1/index.md" in done.stderr
    assert "ingest the folder above both" in done.stderr
    assert "Of s1." in lastro("show", "index.md", "--kb", tmp_path / "kb").stdout


def test_ask_quotes_the_document_at_the_span_it_gives(base: Path) -> None:
    done = lastro(
        "ask",
        "How long is a guest code valid?",
        "--kb",
        base,
        "--locale",
        "en",
        "--json",
    )

    answer = json.loads(done.stdout)
    cited = [c for claim in answer["claims"] for c in claim["citations"]]
    citation = next(c for c in cited if "24 hours" in c["quote"])
    span = f"{citation['start']}:{citation['end']}"
    shown = lastro("show", citation["document_id"], "--kb", base, "--span", span)
    assert f"»{citation['quote']}«" in shown.stdout
    assert answer["schema_version"] == 2
    assert answer["system"] == "naive"


def test_ask_for_people_numbers_its_sources(base: Path) -> None:
    done = lastro("ask", "How long is a guest code valid?", "--kb", base)

    assert "24 hours" in done.stdout
    assert "[1]" in done.stdout
    assert "[cite:" not in done.stdout


def test_a_declined_question_names_the_closest_documents(base: Path) -> None:
    done = lastro(
        "ask", "Who won the football match?", "--kb", base, "--locale", "en", "--json"
    )

    answer = json.loads(done.stdout)
    assert answer["status"] == "insufficient"
    assert answer["claims"] == []


def test_a_trace_is_kept_and_can_be_scored(base: Path, tmp_path: Path) -> None:
    kept = tmp_path / "t.jsonl"
    lastro("ask", CASE["query"], "--kb", base, "--trace", kept)  # type: ignore[arg-type]
    trace = json.loads(kept.read_text(encoding="utf-8"))
    kept.write_text(json.dumps(trace | {"case_id": "code"}), encoding="utf-8")

    done = lastro("score", cases(tmp_path, CASE), kept, "--json")

    report = json.loads(done.stdout)
    assert report["aggregates"]["retrieval_hit_at_k"]["mean"] == 1.0
    assert report["aggregates"]["groundedness"]["n"] == 1


def test_search_json_has_every_promised_field(base: Path) -> None:
    done = lastro("search", "guest code", "--kb", base, "--json", "--locale", "en")

    found = json.loads(done.stdout)
    assert set(found) == {"query", "hybrid_path", "legs", "decision", "hits"}
    assert found["hybrid_path"] == "rrf_only"
    assert {leg["status"] for leg in found["legs"].values()} == {"ok"}
    assert found["hits"][0]["document_id"] == "en/guest-code.md"
    assert {"lexical", "dense", "fused"} <= found["hits"][0]["stages"].keys()


def test_a_filter_that_takes_nothing_is_said_by_search_and_ask(base: Path) -> None:
    said = "no document is in 'fr'; there are: en, pt-BR"
    for command in ("search", "ask"):
        args = (command, "guest code", "--kb", base, "--filter-locale", "fr")
        assert said in lastro(*args).stderr

        done = lastro(*args, "--json")
        assert said in done.stderr
        assert json.loads(done.stdout)


def test_search_says_where_its_language_comes_from(base: Path) -> None:
    unsure = lastro("search", "zzz", "--kb", base)
    given = lastro("search", "zzz", "--kb", base, "--locale", "en")

    assert "language en, pt (not sure: all of the base)" in unsure.stderr
    assert "language en (given)" in given.stderr


def test_rm_removes_and_names_what_it_does_not_know(tmp_path: Path) -> None:
    kb = tmp_path / "kb"
    lastro("ingest", desk.write(tmp_path / "docs"), "--kb", kb)

    done = lastro("rm", "en/printing.md", "nobody", "--kb", kb, code=3)

    assert "1 removed" in done.stdout
    assert "nobody" in done.stderr
    lastro("show", "en/printing.md", "--kb", kb, code=3)


def test_a_bar_that_is_missed_exits_1_and_names_the_breach(
    base: Path, tmp_path: Path
) -> None:
    missed = {
        "id": "miss",
        "query": "Which wine goes with lamb?",
        "must_cite_one_of": ["en/printing.md"],
    }
    file = cases(tmp_path, CASE, missed)

    words = ("--legs", "lexical")  # by meaning everything is near in three pages
    done = lastro("eval", file, "--kb", base, *words, "--min-hit", "0.9999", code=1)

    assert "retrieval_hit_at_k" in done.stdout
    assert "FAIL" in done.stdout
    assert "lower bound" in done.stdout


def test_a_bar_on_what_was_not_measured_exits_3(base: Path, tmp_path: Path) -> None:
    file = cases(tmp_path, CASE)

    done = lastro("eval", file, "--kb", base, "--min", "refusal=0.5", code=3)

    assert "not measured" in done.stdout


def test_bom_and_crlf_are_read_and_a_duplicate_id_is_refused_by_line_and_field(
    tmp_path: Path, base: Path
) -> None:
    line = json.dumps(CASE)
    file = tmp_path / "cases.jsonl"
    file.write_bytes(f"\ufeff{line}\r\n".encode())
    lastro("eval", file, "--kb", base)
    file.write_bytes(f"\ufeff{line}\r\n{line}\r\n".encode())

    done = lastro("eval", file, "--kb", base, code=3)

    assert f"{file}:2: id" in done.stderr
    assert "hint:" in done.stderr


def test_check_names_a_dangling_gold_id_and_exits_1(base: Path, tmp_path: Path) -> None:
    lastro("check", cases(tmp_path, CASE), "--kb", base)
    dangling = {**CASE, "id": "d", "must_cite_one_of": ["en/guest-kode.md"]}

    done = lastro("check", cases(tmp_path, CASE, dangling), "--kb", base, code=1)

    assert "en/guest-kode.md" in done.stdout


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (["nonsense"], 2),
        (["search", "x", "--kb", "nowhere"], 3),
        (["ingest", "nowhere.md", "--kb", "kb"], 3),
        (["eval", "nowhere.jsonl", "--kb", "nowhere"], 3),
        (["score", "nowhere.jsonl", "nowhere.jsonl"], 3),
        (["search", "x"], 2),
        (["settings"], 0),
        (["--version"], 0),
    ],
)
def test_each_exit_code_means_what_the_help_says(
    args: list[str], code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    lastro(*args, code=code)


def test_every_bad_setting_is_named_at_once() -> None:
    bad = {"LASTRO_RETRIEVAL_MIN_SCORE": "51", "LASTRO_RETRIEVAL_TOP_KK": "3"}

    done = lastro("settings", code=3, env=bad)

    assert (
        "LASTRO_RETRIEVAL_MIN_SCORE: 51 is out of range; range 0 to 50" in done.stderr
    )
    assert "LASTRO_RETRIEVAL_TOP_KK: no such setting" in done.stderr


def test_a_reader_that_leaves_is_no_error(base: Path) -> None:
    line = f"{LASTRO} search code --kb {base} | true; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["/bin/bash", "-c", line], capture_output=True, check=True, text=True
    )

    assert done.stdout.strip() == "0"
    assert "Traceback" not in done.stderr


def test_a_reader_that_leaves_changes_no_verdict(base: Path, tmp_path: Path) -> None:
    file = cases(tmp_path, CASE | {"must_cite_one_of": ["nobody.md"]})
    line = (
        f"{LASTRO} eval {file} --kb {base} --min-hit 1 | true; echo ${{PIPESTATUS[0]}}"
    )

    done = subprocess.run(
        ["/bin/bash", "-c", line], capture_output=True, check=True, text=True
    )

    assert done.stdout.strip() == "1"
    assert "Traceback" not in done.stderr


def test_a_hint_names_the_command_that_was_called(base: Path) -> None:
    done = lastro("show", "en/printing.md", "--kb", base, "--span", "9:99999", code=2)

    assert "`lastro show --help`" in done.stderr


def test_a_value_of_dotenv_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".env").write_text("LASTRO_RETRIEVAL_TOP_K=7\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)

    done = lastro("settings")

    assert "LASTRO_RETRIEVAL_TOP_K = 7  (.env: LASTRO_RETRIEVAL_TOP_K)" in done.stdout


def test_a_marker_of_the_answer_leads_to_its_passage(base: Path) -> None:
    done = lastro("ask", CASE["query"], "--kb", base, "--json")  # type: ignore[arg-type]

    answer = json.loads(done.stdout)
    cited = {c["passage_id"] for claim in answer["claims"] for c in claim["citations"]}
    assert cited <= set(answer["cite_ids"].values())


def test_a_bar_given_twice_is_wrong_usage(base: Path, tmp_path: Path) -> None:
    file = cases(tmp_path, CASE)
    twice = ["--min", "groundedness=1", "--min", "groundedness=0.1"]

    done = lastro("eval", file, "--kb", base, *twice, code=2)

    assert "groundedness" in done.stderr


def test_control_codes_of_a_document_never_reach_the_terminal(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    text = "The flamingo procedure \x1b]52;c;aGk=\x07 takes \x1b[2J three days.\n"
    (docs / "evil.md").write_text(text, encoding="utf-8")
    lastro("ingest", docs, "--kb", tmp_path / "kb")

    for args in (
        ["ask", "How long does the flamingo procedure take?"],
        ["search", "flamingo"],
    ):
        done = lastro(*args, "--kb", tmp_path / "kb")
        assert "three days" in done.stdout
        assert "\x1b" not in done.stdout + done.stderr
    shown = lastro("show", "evil.md", "--kb", tmp_path / "kb")
    assert "\x1b" not in shown.stdout


def test_a_full_disk_is_one_clear_error(base: Path) -> None:
    line = f"{LASTRO} search code --kb {base} > /dev/full; echo $?"
    done = subprocess.run(
        ["/bin/sh", "-c", line], capture_output=True, check=True, text=True
    )

    assert "error: no space left on device" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_reader_that_leaves_hides_no_finding(base: Path, tmp_path: Path) -> None:
    file = cases(tmp_path, CASE | {"must_cite_one_of": ["nobody.md"]})
    line = f"{LASTRO} check {file} --kb {base} | true; echo ${{PIPESTATUS[0]}}"

    done = subprocess.run(
        ["/bin/bash", "-c", line], capture_output=True, check=True, text=True
    )

    assert done.stdout.strip() == "1"
