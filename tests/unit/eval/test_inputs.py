"""Cases and traces come from files or from lists, and give the same run."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

import lastro
from lastro.errors import InputError
from lastro.eval.inputs import read_case_set
from lastro.eval.inputs import score as score_files
from lastro.eval.repeats import Repeats
from lastro.model.case import Case
from lastro.model.ids import CaseId
from lastro.model.trace import Retrieved, Trace
from lastro.trace import dumps

CASE = Case(id=CaseId("a"), query="q", must_cite_one_of=("x",))
TRACE = Trace(case_id=CaseId("a"), retrieved=(Retrieved(id="x"),))
ROW: dict[str, object] = {"id": "a", "query": "q", "must_cite_one_of": ["x"]}


def written(folder: Path, *rows: dict[str, object], bom: bool = False) -> Path:
    text = "".join(json.dumps(row) + "\r\n" for row in rows)
    path = folder / "cases.jsonl"
    path.write_bytes((b"\xef\xbb\xbf" if bom else b"") + text.encode())
    return path


def test_files_and_lists_give_the_same_run(tmp_path: Path) -> None:
    cases = written(tmp_path, ROW, bom=True)
    traces = tmp_path / "traces.jsonl"
    traces.write_text(dumps(TRACE) + "\n", encoding="utf-8")

    assert score_files(cases, str(traces)) == score_files([CASE], [TRACE])


def test_a_file_of_cases_is_refused_with_file_line_and_field(tmp_path: Path) -> None:
    cases = written(tmp_path, ROW, ROW, bom=True)

    with pytest.raises(InputError) as caught:
        score_files(cases, [TRACE])

    (problem,) = caught.value.problems
    assert (problem.line, problem.field) == (2, "id")
    assert problem.file.endswith("cases.jsonl")


def test_what_was_read_otherwise_than_it_stands_there_is_told(tmp_path: Path) -> None:
    cases = written(tmp_path, {**ROW, "colour": "red", "query_type": "multi_doc"})
    traces = tmp_path / "traces.jsonl"
    traces.write_text('{"case_id": "a", "mood": "good"}\n', encoding="utf-8")
    told: list[str] = []

    score_files(cases, traces, warn=told.append)

    assert any("colour" in each for each in told)
    assert any("multi_doc is read as comparison" in each for each in told)
    assert any("mood (1)" in each for each in told)


def test_two_traces_in_a_file_are_named_with_their_lines(tmp_path: Path) -> None:
    traces = tmp_path / "traces.jsonl"
    traces.write_text((dumps(TRACE) + "\n\n") * 2, encoding="utf-8")

    with pytest.raises(InputError, match=r"traces\.jsonl:3: case_id: 'a' .* line 1"):
        score_files([CASE], traces)


def test_lists_are_numbered_from_one() -> None:
    with pytest.raises(InputError, match=r"traces:2: case_id: 'a' .* line 1"):
        score_files([CASE], [TRACE, TRACE])


def test_a_list_of_cases_is_taken_as_it_is() -> None:
    assert read_case_set(iter([CASE])) == (CASE,)


def test_the_conformance_vectors_agree(shared: Path) -> None:
    folder = shared / "conformance"
    lines = (folder / "expected_k4.jsonl").read_text(encoding="utf-8").splitlines()
    expected = {row["id"]: row["scores"] for row in map(json.loads, lines)}
    covered = set().union(*expected.values())

    run = score_files(folder / "cases.jsonl", folder / "traces.jsonl", k=4)

    assert len(run.results) == len(expected) == 120
    for result in run.results:
        found = {k: v for k, v in run.scores(result).items() if k in covered}
        assert found == pytest.approx(expected[str(result.id)], abs=1e-9)


def test_the_public_form_takes_files_or_lists(shared: Path) -> None:
    folder = shared / "conformance"

    run = lastro.score(folder / "cases.jsonl", str(folder / "traces.jsonl"), k=4)

    assert run.aggregates["retrieval_hit_at_k"].n == 97
    assert lastro.score([CASE], [TRACE]).k == 4


def told_of(*traces: Trace, cases: tuple[Case, ...] = (CASE,)) -> list[str]:
    told: list[str] = []
    score_files(cases, traces, warn=told.append)
    return told


def test_m41_not_one_retrieved_document_is_told_not_only_scored_zero() -> None:
    empty = Trace(case_id=CaseId("a"), retrieved=())
    cited = Trace(case_id=CaseId("b"), retrieved=(), cited_ids=("x",))

    assert told_of(empty) == [
        "0 documents in the `retrieved` of 1 traces: every retrieval metric is 0"
    ]
    (told,) = told_of(empty, cited)
    assert "of 2 traces, though 1 of them name documents" in told
    assert told_of(TRACE) == []
    assert told_of(empty, Trace(case_id=CaseId("b"), retrieved=TRACE.retrieved)) == []
    # Where no case has gold, no metric of retrieval is measured.
    assert told_of(empty, cases=(replace(CASE, must_cite_one_of=()),)) == []
    # No retrieval step at all is said where metrics are not measured.
    assert told_of(Trace(case_id=CaseId("a"), cited_ids=("x",))) == []


def test_several_traces_of_a_case_are_averaged_where_that_is_asked_for() -> None:
    missed = Trace(case_id=CaseId("a"), retrieved=(Retrieved(id="y"),))

    run = score_files([CASE], [TRACE, missed], repeats=Repeats.MEAN)

    assert run.aggregates["retrieval_hit_at_k"].mean == 0.5
    with pytest.raises(InputError, match="line 1 already"):
        score_files([CASE], [TRACE, missed])
