"""What other systems left behind, through the real command line."""

import json
import os
import threading
from pathlib import Path

import desk
import pytest
from command import lastro

pytestmark = pytest.mark.functional

QRELS = "1 0 a 2\n1 0 b 1\n2 0 c 1\n3 0 d 0\n"
RUN = "1 Q0 x 1 3 tag\n1 Q0 a 2 2 tag\n1 Q0 b 3 2 tag\n9 Q0 z 1 1 tag\n"


def put(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def rows(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def means(stdout: str) -> dict[str, float]:
    found = json.loads(stdout)["aggregates"]
    return {name.split("_")[1]: found[name]["mean"] for name in found}


def test_judgements_and_a_run_are_scored_as_they_are(tmp_path: Path) -> None:
    qrels, run = put(tmp_path / "q", QRELS), put(tmp_path / "r", RUN)

    done = lastro("score", qrels, run, "-k", "2", "--json")

    assert means(done.stdout) == {
        "hit": 0.5,
        "recall": 0.25,
        "ndcg": pytest.approx(0.193426, abs=1e-6),
    }
    assert "graded up to 2" in done.stderr
    assert "ties across k=2: 1 of 1 queries; their order in the file" in done.stderr
    assert "queries without a line in the run: 2, nothing was found" in done.stderr
    assert "queries of the run without a case: 1, " in done.stderr
    report = json.loads(done.stdout)
    assert report["provenance"]["trec_run"]["ties"] == "given"


def test_judgements_alone_are_not_asked_as_if_ids_were_questions(
    tmp_path: Path,
) -> None:
    lastro("ingest", desk.write(tmp_path / "docs"), "--kb", tmp_path / "kb")
    qrels, run = put(tmp_path / "q", QRELS), tmp_path / "run"

    done = lastro("eval", qrels, "--kb", tmp_path / "kb", "--run-dir", run, code=3)

    assert f"error: {qrels}: judgements alone hold no question to ask" in done.stderr
    assert "Give cases or a BEIR folder" in done.stderr
    assert not run.exists()


def test_cases_that_come_through_a_pipe_are_asked(tmp_path: Path) -> None:
    lastro("ingest", desk.write(tmp_path / "docs"), "--kb", tmp_path / "kb")
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    line = '{"id": "c", "query": "How long is a guest code valid?"}\n'
    writing = threading.Thread(target=pipe.write_text, args=(line,), daemon=True)
    writing.start()

    done = lastro("eval", pipe, "--kb", tmp_path / "kb", "--json")

    writing.join(10)
    assert json.loads(done.stdout)["counts"]["cases"] == 1


@pytest.mark.parametrize(
    ("ties", "recall"), [("given", 0.5), ("docno", 0.0), ("expected", 0.25)]
)
def test_m20_the_tie_rule_is_asked_for(
    ties: str, recall: float, tmp_path: Path
) -> None:
    qrels = put(tmp_path / "q", "1 0 a 1\n1 0 d 1\n")
    run = put(tmp_path / "r", "1 Q0 a 1 2 t\n1 Q0 b 2 2 t\n")

    done = lastro("score", qrels, run, "-k", "1", "--ties", ties, "--json")

    assert means(done.stdout)["recall"] == recall


def test_ties_of_what_is_no_run_are_wrong_usage(tmp_path: Path) -> None:
    traces = put(tmp_path / "t", '{"case_id": "1"}\n')

    done = lastro(
        "score", put(tmp_path / "q", QRELS), traces, "--ties", "given", code=2
    )

    assert "--ties is for a run of TREC" in done.stderr


def test_l24_imported_files_are_json_lines_and_score_as_what_they_came_from(
    tmp_path: Path,
) -> None:
    qrels, run = put(tmp_path / "q", QRELS), put(tmp_path / "r", RUN)
    cases, traces = tmp_path / "cases.jsonl", tmp_path / "traces.jsonl"
    texts = put(tmp_path / "texts.tsv", "1\twhat is a?\n2\twhat is c?\n")
    lastro("import", "trec-qrels", qrels, "--queries", texts, "--out", cases)
    done = lastro("import", "trec-run", run, "--cases", cases, "--out", traces)

    assert rows(cases) == [
        {"id": "1", "query": "what is a?", "relevant_ids": ["a", "b"]},
        {"id": "2", "query": "what is c?", "relevant_ids": ["c"]},
        {"id": "3", "query": "3"},
    ]
    assert "queries without lines: 2" in done.stderr
    assert "queries without case: 1" in done.stderr
    assert "wrote 4 traces to" in done.stderr
    assert done.stdout == ""
    whole = means(lastro("score", qrels, run, "-k", "2", "--json").stdout)
    for left in (qrels, cases):
        for right in (run, traces):
            assert means(lastro("score", left, right, "-k", "2", "--json").stdout) == (
                whole
            )


def test_the_language_of_a_query_is_that_of_its_case(tmp_path: Path) -> None:
    texts = (
        '{"_id": "1", "text": "o que é a?", "locale": "pt-BR"}\n'
        '{"_id": "2", "text": "c란?", "metadata": {"lang": "ko"}}\n'
        '{"_id": "3", "text": "what is d?"}\n'
    )
    lastro(
        *("import", "trec-qrels", put(tmp_path / "q", QRELS)),
        *("--queries", put(tmp_path / "queries.jsonl", texts)),
        *("--out", tmp_path / "cases.jsonl"),
    )

    spoken = [row.get("locale") for row in rows(tmp_path / "cases.jsonl")]
    assert spoken == ["pt-BR", "ko", None]


def test_a_pipe_of_what_is_read_twice_is_refused_and_not_taken_for_empty(
    tmp_path: Path,
) -> None:
    qrels, pipe, out = put(tmp_path / "q", QRELS), tmp_path / "pipe", tmp_path / "c"
    os.mkfifo(pipe)

    judgements = lastro("import", "trec-qrels", pipe, "--out", out, code=3)
    texts = lastro(
        "import", "trec-qrels", qrels, "--queries", pipe, "--out", out, code=3
    )

    for told in (judgements, texts):
        assert f"{pipe}: this is a pipe, and it is read twice" in told.stderr
    assert not out.exists()


def test_what_has_no_text_is_told(tmp_path: Path) -> None:
    done = lastro(
        *("import", "trec-qrels", put(tmp_path / "q", QRELS)),
        *("--out", tmp_path / "cases.jsonl"),
    )

    assert "queries without a text: 3, it is their id: 1, 2, 3" in done.stderr


def test_the_mean_over_orders_is_no_trace(tmp_path: Path) -> None:
    done = lastro(
        *("import", "trec-run", put(tmp_path / "r", RUN), "--ties", "expected"),
        *("--out", tmp_path / "t"),
        code=2,
    )

    assert "lastro score QRELS RUN --ties expected" in done.stderr
    assert not (tmp_path / "t").exists()


def test_m34_a_document_named_as_its_query_is_left_out_if_asked(
    tmp_path: Path,
) -> None:
    run = put(tmp_path / "r", "0 Q0 0 1 2 t\n0 Q0 1 2 1 t\n")
    lastro("import", "trec-run", run, "--exclude-self", "--out", tmp_path / "t")

    (trace,) = rows(tmp_path / "t")
    assert trace["retrieved"] == [{"id": "1", "score": 1.0}]
    assert trace["provenance"] == {
        "exclude_self": True,
        "format": "trec-run",
        "ties": "given",
    }


def test_l13_a_beir_folder_becomes_cases_and_is_counted(tmp_path: Path) -> None:
    folder = tmp_path / "beir"
    (folder / "qrels").mkdir(parents=True)
    put(folder / "corpus.jsonl", '{"_id": "a", "text": "x"}\n')
    put(folder / "queries.jsonl", '{"_id": "1", "text": "why?", "locale": "en"}\n')
    put(folder / "qrels/test.tsv", "query-id\tcorpus-id\tscore\n1\ta\t1\n1\tlost\t1\n")
    out = tmp_path / "cases.jsonl"

    done = lastro("import", "beir", folder, "--out", out, "--json")

    told = json.loads(done.stdout)
    assert (told["cases"], told["counts"]["documents_missing"]) == (1, 1)
    assert told["warnings"] == [
        "line 1 is a header: query-id, corpus-id, score",
        "documents judged and not in corpus.jsonl: 1, they stay gold: lost",
    ]
    assert rows(out)[0]["relevant_ids"] == ["a", "lost"]
    run = put(tmp_path / "r", "1 Q0 a 1 1 t\n")
    whole = means(lastro("score", folder, run, "--json").stdout)
    assert whole == means(lastro("score", out, run, "--json").stdout)


def test_nothing_is_written_where_a_line_is_wrong(tmp_path: Path) -> None:
    out = put(tmp_path / "cases.jsonl", "as it was\n")
    wrong = put(tmp_path / "q", "1 0 a 1\n1 0 b\n1 0 c x\n")

    done = lastro("import", "trec-qrels", wrong, "--out", out, code=3)

    assert "q:2: 4 columns are needed" in done.stderr
    assert "q:3: judgement: 'x' is no number" in done.stderr
    assert out.read_text() == "as it was\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cases.jsonl", "q"]


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    qrels = put(tmp_path / "q", QRELS)

    done = lastro("import", "trec-qrels", qrels, "--out", tmp_path / "no/c", code=3)

    assert "cannot be written: no such file or directory" in done.stderr


def test_an_option_of_another_format_is_wrong_usage(tmp_path: Path) -> None:
    qrels = put(tmp_path / "q", QRELS)
    options: tuple[list[str], ...] = (
        ["--ties", "docno"],
        ["--exclude-self"],
        ["--markers"],
    )
    for option in options:
        done = lastro(
            "import", "trec-qrels", qrels, "--out", tmp_path / "c", *option, code=2
        )
        assert f"error: {option[0]} is not for trec-qrels" in done.stderr


def test_the_folder_of_a_run_is_judged_again_under_other_bars(
    tmp_path: Path,
) -> None:
    qrels = put(tmp_path / "q", QRELS)
    lastro("import", "trec-run", put(tmp_path / "r", RUN), "--cases", qrels,
           "--out", tmp_path / "traces.jsonl")  # fmt: skip

    lastro("score", qrels, tmp_path, "-k", "2", "--min-hit", "0.5")
    missed = lastro("score", qrels, tmp_path, "-k", "2", "--min-hit", "0.6", code=1)

    assert "0.5" in missed.stdout


def test_a_run_folder_of_a_trec_run_shows_failing_cases(tmp_path: Path) -> None:
    qrels, run = put(tmp_path / "q", QRELS), put(tmp_path / "r", RUN)

    lastro("score", qrels, run, "-k", "1", "--run-dir", tmp_path / "out")

    page = (tmp_path / "out/report.html").read_text(encoding="utf-8")
    assert "retrieval_miss" in page
    assert len(rows(tmp_path / "out/scores.jsonl")) == 3


def test_c02_c09_markers_become_claims_and_findings_are_printed(
    tmp_path: Path,
) -> None:
    answers: list[dict[str, object]] = [
        {
            "case_id": "1",
            "answer_text": "It opens at nine [1, 2]. It closes at noon [7].",
            "retrieved": [{"id": "a", "text": "opens at nine"}, {"id": "b"}],
        },
        {"case_id": "2", "answer_text": "So [1].", "claims": []},
    ]
    file = put(tmp_path / "answers.jsonl", "\n".join(map(json.dumps, answers)))
    out = tmp_path / "traces.jsonl"

    done = lastro("import", "traces", file, "--markers", "--out", out)

    assert done.stdout == "1: out_of_range: [7] at 43:46\n"
    assert "out of range: 1" in done.stderr
    assert "left as they were: 1" in done.stderr
    first, second = rows(out)
    assert first["cited_ids"] == ["a", "b"]
    assert first["claims"] == [
        {
            "text": "It opens at nine.",
            "citations": [{"document_id": "a"}, {"document_id": "b"}],
        },
        {"text": "It closes at noon.", "citations": []},
    ]
    assert second == answers[1] | {"trace_version": 1}
    found = json.loads(
        lastro("import", "traces", file, "--markers", "--out", out, "--json").stdout
    )
    assert found["findings"] == [
        {"case_id": "1", "code": "out_of_range", "start": 43, "end": 46, "text": "[7]"}
    ]
    assert (
        "--markers reads"
        in lastro("import", "traces", file, "--out", out, code=2).stderr
    )


def test_a06_a_file_without_traces_is_refused_and_leaves_what_stood_there(
    tmp_path: Path,
) -> None:
    empty, out = tmp_path / "empty.jsonl", tmp_path / "out.jsonl"
    empty.write_text("\n", encoding="utf-8")
    out.write_text("mine\n", encoding="utf-8")

    told = lastro("import", "traces", empty, "--markers", "--out", out, code=3)

    assert "empty.jsonl: holds no traces" in told.stderr
    assert out.read_text(encoding="utf-8") == "mine\n"


def test_a12_an_empty_name_of_a_folder_is_wrong_usage(tmp_path: Path) -> None:
    cases, traces = tmp_path / "c.jsonl", tmp_path / "t.jsonl"
    cases.write_text('{"id": "c", "query": "q"}\n', encoding="utf-8")
    traces.write_text('{"case_id": "c"}\n', encoding="utf-8")

    told = lastro("score", cases, traces, "--run-dir", "", code=2)

    assert "the name is empty" in told.stderr
