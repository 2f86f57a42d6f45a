"""A run that was written is the run that is read; everything else is named."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from measured import CASES, HELD, HOSTILE, MISSED, TRACES, WITH_FLOORS, case, run_of

from lastro.errors import EvaluationError, InputError
from lastro.eval import folder
from lastro.eval.repeats import Repeats
from lastro.eval.report.data import as_json, scores_lines
from lastro.eval.report.terminal import terminal
from lastro.eval.results import Run
from lastro.eval.score import score
from lastro.eval.verdict import Bars, judge

Edit = Callable[[dict[str, object]], object]


def written(run: Run, path: Path, bars: Bars = HELD) -> Path:
    folder.write(path, run, judge(run, bars))
    return path


def repeated() -> Run:
    return score(CASES, enumerate([*TRACES, *TRACES], 1), repeats=Repeats.MEAN)


@pytest.mark.parametrize(
    ("run", "bars"),
    [
        (run_of(), HELD),
        (WITH_FLOORS, MISSED),
        (run_of(CASES, ()), Bars()),
        (run_of((), ()), Bars()),
        (repeated(), Bars()),
        (run_of((case(HOSTILE, "ko", tags=(HOSTILE,)),), ()), Bars()),
    ],
    ids=["plain", "floors", "no traces", "no cases", "repeats", "hostile"],
)
def test_a_run_that_is_read_is_the_run_that_was_written(
    run: Run, bars: Bars, tmp_path: Path
) -> None:
    back = folder.read(written(run, tmp_path, bars))

    assert as_json(back, judge(back, bars)) == as_json(run, judge(run, bars))
    assert terminal(back, judge(back, bars)) == terminal(run, judge(run, bars))
    assert list(scores_lines(back)) == list(scores_lines(run))
    assert back.metrics == run.metrics or not run.results


def test_what_cases_are_sliced_by_comes_back(tmp_path: Path) -> None:
    run = run_of()

    back = folder.read(written(run, tmp_path))

    for there, here in zip(run.results, back.results, strict=True):
        assert replace(there, scores=()) == replace(here, scores=())
        assert run.scores(there) == back.scores(here)
        assert run.unscored(there) == back.unscored(here)
        assert run.failed(there) == back.failed(here)


def test_what_is_no_folder_of_a_run_is_said_to_be_none(tmp_path: Path) -> None:
    for path in (tmp_path / "absent", tmp_path):
        with pytest.raises(EvaluationError, match="is not the folder of a run") as told:
            folder.read(path)
        assert "--run-dir" in told.value.hint


@pytest.mark.parametrize("name", [folder.RUN, folder.REPORT])
def test_a_device_in_a_folder_is_refused_and_not_read_for_ever(
    name: str, tmp_path: Path
) -> None:
    (tmp_path / name).symlink_to("/dev/zero")
    read = {folder.RUN: folder.recorded, folder.REPORT: folder.reported}

    with pytest.raises(InputError, match=f"{name}: this is a device, not a file"):
        read[name](tmp_path)


def test_a_folder_of_aggregates_alone_has_no_cases_to_pair(tmp_path: Path) -> None:
    written(run_of(), tmp_path)
    (tmp_path / "scores.jsonl").unlink()

    with pytest.raises(EvaluationError, match="nothing is kept case by case"):
        folder.read(tmp_path)


@pytest.mark.parametrize(
    ("version", "why"), [(99, "of a newer Lastro"), ("1", "'1' is unknown")]
)
def test_a_report_of_another_schema_is_refused(
    version: object, why: str, tmp_path: Path
) -> None:
    path = written(run_of(), tmp_path) / "report.json"
    path.write_text(json.dumps({"schema_version": version}), "utf-8")

    with pytest.raises(InputError, match=why):
        folder.read(tmp_path)


def test_l06_a_report_that_was_cut_off_is_named(tmp_path: Path) -> None:
    path = written(run_of(), tmp_path) / "report.json"
    path.write_bytes(path.read_bytes()[:-40])

    with pytest.raises(InputError, match=r"report\.json: cut off"):
        folder.read(tmp_path)


@pytest.mark.parametrize(
    ("edit", "why"),
    [
        (lambda row: row.pop("scores"), "scores"),
        (lambda row: row.update(scores={"accuracy": "1"}), "2: scores"),
        (lambda row: row.update(scores={}), "neither measured nor not"),
        (lambda row: row["unscored"].update(row["scores"]), "2: unscored"),
        (
            lambda row: row["unscored"].update(dict.fromkeys(row["scores"], "why")),
            "both measured and not",
        ),
        (lambda row: row.update(id="c1"), "'c1' stands on line 1 already"),
        (lambda row: row.update(failure="bad luck"), "2: failure"),
        (lambda row: row.update(category=3), "2: category"),
    ],
)
def test_a_line_that_is_not_as_written_is_named_with_its_field(
    edit: Edit, why: str, tmp_path: Path
) -> None:
    path = written(run_of(), tmp_path) / "scores.jsonl"
    first, second, *rest = path.read_text("utf-8").splitlines()
    row = json.loads(second)
    edit(row)
    lines = [first, json.dumps(row), *rest]
    path.write_text("\n".join(lines), "utf-8")

    with pytest.raises(InputError, match=why) as told:
        folder.read(tmp_path)

    assert f"{path}:2" in str(told.value)


@pytest.mark.parametrize("bad", ["NaN", '"1"}{', "[]"])
def test_a04_l06_a_line_that_is_no_json_is_named(bad: str, tmp_path: Path) -> None:
    path = written(run_of(), tmp_path) / "scores.jsonl"
    lines = path.read_text("utf-8").splitlines()
    lines[2] = '{"id": "c3", "abstained": ' + bad + "}"
    path.write_text("\n".join(lines), "utf-8")

    with pytest.raises(InputError, match=r"scores\.jsonl:3"):
        folder.read(tmp_path)


def test_r07_lost_lines_are_noticed(tmp_path: Path) -> None:
    path = written(run_of(), tmp_path) / "scores.jsonl"
    lines = path.read_text("utf-8").splitlines()
    path.write_text("\n".join(lines[:-1]), "utf-8")

    with pytest.raises(InputError, match="7 cases stand here, and 8 in"):
        folder.read(tmp_path)
