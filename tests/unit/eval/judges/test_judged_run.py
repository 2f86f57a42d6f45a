"""A judge beside a run of a real knowledge base: asked once, whoever asks and when."""

from pathlib import Path

import desk
import pytest
from reading_judge import Reading

from lastro import compose
from lastro.eval.run import evaluate
from lastro.model.case import Case
from lastro.model.ids import CaseId

QUESTIONS = {
    "code": "How long is a guest code valid?",
    "devices": "How many devices does one guest code work on?",
    "pages": "How many pages does a student print for free?",
}
CASES = [Case(id=CaseId(i), query=q, locale="en") for i, q in QUESTIONS.items()]


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("desk")
    with compose.open(folder / "kb", environ={}) as kb:
        kb.ingest([desk.write(folder / "docs")])
    return folder / "kb"


def test_r17_r10_runs_in_one_folder_pay_once_and_end_in_the_same_bytes(
    base: Path, tmp_path: Path
) -> None:
    first, second, third = Reading(), Reading(), Reading()

    run = evaluate(CASES, base, run_dir=tmp_path / "a", judge=first)
    evaluate(CASES, base, run_dir=tmp_path / "a", judge=second, workers=2)
    evaluate(CASES[::-1], base, run_dir=tmp_path / "b", judge=third, workers=2)

    assert run.aggregates["judge_groundedness"].mean == 1.0
    assert run.floors is not None
    assert {"judge_groundedness" in each for each in run.floors.values()} == {False}
    assert len(first.asked) == len(third.asked) >= 3
    assert second.asked == []
    reports = [(tmp_path / each / "report.json").read_bytes() for each in "ab"]
    assert reports[0] == reports[1]


def test_r17_a_run_whose_judge_gave_out_goes_on_with_what_is_left(
    base: Path, tmp_path: Path
) -> None:
    whole = Reading()
    evaluate(CASES, base, run_dir=tmp_path / "whole", judge=whole)
    claims = [claim for claim, _ in whole.asked]
    gave_out, by = Reading(open=frozenset(claims[-1:])), Reading()

    cut = evaluate(CASES, base, run_dir=tmp_path / "cut", judge=gave_out)
    evaluate(CASES, base, run_dir=tmp_path / "cut", judge=by, resume=True)

    summary = cut.aggregates["judge_groundedness"]
    assert (summary.n, summary.eligible) == (2, 3)
    assert [claim for claim, _ in by.asked] == claims[-1:]
    reports = [
        (tmp_path / each / "report.json").read_bytes() for each in ("whole", "cut")
    ]
    assert reports[0] == reports[1]


def test_without_a_judge_a_run_has_no_such_file_and_no_such_key(
    base: Path, tmp_path: Path
) -> None:
    run = evaluate(CASES[:1], base, run_dir=tmp_path)

    assert "judge_groundedness" not in run.metrics
    assert not (tmp_path / "judge.jsonl").exists()
