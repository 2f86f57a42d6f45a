"""A run's folder is whole or untouched, and is tried before anything is asked."""

import json
from collections.abc import Container
from pathlib import Path

import pytest

from lastro.errors import EvaluationError
from lastro.eval import folder
from lastro.eval.results import Run
from lastro.eval.score import score
from lastro.eval.verdict import Bars, judge
from lastro.model.case import Case, Origin, Provenance
from lastro.model.ids import CaseId
from lastro.model.trace import Retrieved, Trace
from lastro.trace import dumps, read

CASE = Case(id=CaseId("a"), query="q", must_cite_one_of=("x",))
SECRET = Case(
    id=CaseId("secret"),
    query="q",
    must_cite_one_of=("x",),
    provenance=Provenance(origin=Origin.PRIVATE),
)
TRACE = Trace(case_id=CaseId("a"), retrieved=(Retrieved(id="x"),))


def run_of(*cases: Case) -> Run:
    return score(cases, [(1, TRACE)])


def test_scores_and_reports_are_written(tmp_path: Path) -> None:
    run = run_of(CASE)

    folder.write(tmp_path / "deep" / "run", run, judge(run, Bars()))

    written = tmp_path / "deep" / "run"
    assert sorted(path.name for path in written.iterdir()) == [
        "junit.xml",
        "report.html",
        "report.json",
        "report.md",
        "scores.jsonl",
    ]
    (line,) = (written / "scores.jsonl").read_text("utf-8").splitlines()
    assert json.loads(line)["scores"]["retrieval_hit_at_k"] == 1.0
    assert json.loads(line)["failure"] is None
    assert json.loads((written / "report.json").read_text("utf-8"))["verdict"]


def test_l17_files_are_written_with_unix_line_ends(tmp_path: Path) -> None:
    run = run_of(CASE)

    folder.write(tmp_path, run, judge(run, Bars()))

    assert not any(b"\r" in path.read_bytes() for path in tmp_path.iterdir())


def test_r19_a_folder_that_cannot_be_written_is_refused_at_once(
    tmp_path: Path,
) -> None:
    (tmp_path / "file").write_text("not a folder")

    with pytest.raises(EvaluationError, match="file/run cannot be written") as caught:
        folder.prepare(tmp_path / "file" / "run", private=False)

    assert "--run-dir" in caught.value.hint


def test_scoring_a_folder_again_leaves_its_traces_alone(tmp_path: Path) -> None:
    (tmp_path / "traces.jsonl").write_text(dumps(TRACE) + "\n", "utf-8")
    run = run_of(CASE)

    folder.write(tmp_path, run, judge(run, Bars()))

    assert len(list(read(tmp_path / "traces.jsonl"))) == 1


def test_a_record_of_another_version_is_refused_by_name(tmp_path: Path) -> None:
    assert folder.recorded(tmp_path) is None

    for text in ("{", "[]", '{"schema_version": 2}'):
        (tmp_path / "run.json").write_text(text, "utf-8")
        with pytest.raises(EvaluationError, match=r"run\.json was not written by"):
            folder.recorded(tmp_path)


def test_of_private_cases_no_trace_or_score_is_written(tmp_path: Path) -> None:
    run = run_of(CASE, SECRET)

    with pytest.raises(EvaluationError, match="private") as caught:
        folder.write(tmp_path / "run", run, judge(run, Bars()))

    assert "--aggregates-only" in caught.value.hint
    assert not (tmp_path / "run").exists()


def test_of_private_cases_the_reports_alone_are_written_if_asked(
    tmp_path: Path,
) -> None:
    run = run_of(CASE, SECRET)

    folder.write(
        tmp_path, run, judge(run, Bars()), cases=[CASE, SECRET], aggregates_only=True
    )

    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["junit.xml", "report.html", "report.json", "report.md"]
    assert not any("secret" in path.read_text("utf-8") for path in tmp_path.iterdir())


@pytest.mark.parametrize("name", ["traces.jsonl", "scores.jsonl", "run.json"])
def test_aggregates_are_not_put_beside_more_of_an_earlier_run(
    tmp_path: Path, name: str
) -> None:
    (tmp_path / name).write_text("{}", "utf-8")

    with pytest.raises(EvaluationError, match=name):
        folder.prepare(tmp_path, private=False, aggregates_only=True)


def test_failing_cases_are_shown_with_what_they_left(tmp_path: Path) -> None:
    lost = Case(id=CaseId("lost"), query="Where is it?", must_cite_one_of=("x",))
    left = Trace(
        case_id=lost.id, retrieved=(Retrieved(id="y", text="It is not here."),)
    )
    run = score([CASE, lost], [(1, TRACE), (2, left)])

    asked: list[Container[str]] = []

    def again(only: Container[str]) -> list[Trace]:
        asked.append(only)
        return [TRACE, left]

    folder.write(tmp_path, run, judge(run, Bars()), cases=[CASE, lost], traces=again)

    assert asked == [{"lost"}]
    page = (tmp_path / "report.html").read_text("utf-8")
    assert "Where is it?" in page
    assert "It is not here." in page
