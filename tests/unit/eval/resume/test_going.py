"""A run's folder is one process's, append-only, and goes on as the same run only."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from setups import CASES, SETUP, record, with_setting

from lastro.errors import EvaluationError, InputError
from lastro.eval.resume import Going, Record, going
from lastro.model.ids import CaseId
from lastro.model.trace import Trace, TraceDecision, TraceError
from lastro.trace import dumps, read

A, B, C = (Trace(case_id=CaseId(name), query=f"What is {name}?") for name in "abc")
PASSES = replace(B, error=TraceError(kind="timeout", retryable=True))
STAYS = replace(C, error=TraceError(kind="auth", retryable=False))
UNKNOWN = replace(A, error=TraceError(kind="retrieval_error"))


def left(folder: Path, *traces: Trace, finish: bool = False) -> None:
    """Leave a run behind."""
    with going(folder, record(), resume=False, private=False) as run:
        for trace in traces:
            run.add(trace)
        if finish:
            run.finish(1.0)


def taken(folder: Path, what: Record | None = None) -> tuple[Going, list[Trace]]:
    with going(folder, what or record(), resume=True, private=False) as run:
        return run, list(run.kept())


def on_disk(folder: Path) -> list[Trace]:
    return [trace for _, trace in read(folder / "traces.jsonl")]


def test_r12_traces_are_on_disk_as_they_come(tmp_path: Path) -> None:
    with going(tmp_path, record(), resume=False, private=False) as run:
        for count, trace in enumerate((A, B), 1):
            run.add(trace)
            assert len(on_disk(tmp_path)) == count


def test_a_run_that_was_ended_goes_on_after_what_it_left(tmp_path: Path) -> None:
    left(tmp_path, A, B)

    with going(tmp_path, record(), resume=True, private=False) as run:
        assert list(run.kept()) == [A, B]
        run.add(C)
        run.finish(2.0)

    assert on_disk(tmp_path) == [A, B, C]
    found = json.loads((tmp_path / "run.json").read_text("utf-8"))
    assert (found["state"], found["kept"]) == ("finished", 2)
    assert list(run.said()) == ["going on after 2 cases"]


def test_resuming_where_there_is_nothing_begins(tmp_path: Path) -> None:
    _, kept = taken(tmp_path / "new")

    assert kept == []
    assert (tmp_path / "new" / "run.json").exists()


@pytest.mark.parametrize("cut", [1, 7, 20])
def test_r13_a_torn_last_line_is_cut_off_and_told(tmp_path: Path, cut: int) -> None:
    left(tmp_path, A, B)
    file = tmp_path / "traces.jsonl"
    file.write_bytes(file.read_bytes()[:-cut])

    run, kept = taken(tmp_path)

    assert kept == [A]
    assert on_disk(tmp_path) == [A]
    assert run.torn == 1
    assert "torn line is cut off" in list(run.said())[-1]


def test_a_file_that_is_one_torn_line_is_emptied(tmp_path: Path) -> None:
    left(tmp_path, A)
    file = tmp_path / "traces.jsonl"
    file.write_bytes(b"x" * 200_000)

    run, kept = taken(tmp_path)

    assert (kept, run.torn, file.read_bytes()) == ([], 1, b"")


def test_a_line_longer_than_what_is_read_at_once_is_found_whole(tmp_path: Path) -> None:
    long = replace(B, answer_text="y" * 300_000)
    left(tmp_path, A, long)
    file = tmp_path / "traces.jsonl"
    file.write_bytes(file.read_bytes() + b'{"case_id": "c", "answer_text": "' * 9000)

    assert taken(tmp_path)[1] == [A, long]


def test_a_broken_line_in_the_middle_is_named_not_dropped(tmp_path: Path) -> None:
    left(tmp_path, A, B)
    file = tmp_path / "traces.jsonl"
    file.write_bytes(b"{\x00\n" + file.read_bytes())

    with pytest.raises(InputError, match=r"traces\.jsonl:1"):
        taken(tmp_path)


def test_r17_only_what_broke_on_something_that_may_pass_is_asked_again(
    tmp_path: Path,
) -> None:
    left(tmp_path, UNKNOWN, PASSES, STAYS)

    run, kept = taken(tmp_path)

    assert kept == [UNKNOWN, STAYS]
    assert on_disk(tmp_path) == [UNKNOWN, STAYS]
    assert run.again == 1
    assert "1 case broke on what may pass: asked again" in run.said()


def test_r11_another_run_is_not_gone_on_with_and_what_differs_is_named(
    tmp_path: Path,
) -> None:
    left(tmp_path, A)
    other = replace(with_setting("retrieval_top_k", 8), listing="01" * 32)

    with pytest.raises(EvaluationError) as caught:
        taken(tmp_path, record(other, CASES[:2]))

    said = str(caught.value)
    assert "holds another run" in said
    assert "setting retrieval_top_k: 4 then, 8 now" in said
    assert "documents: 3, hash abababababab then, 3, hash 010101010101 now" in said
    assert "\n  cases: " in said
    assert on_disk(tmp_path) == [A]


def test_traces_that_nothing_is_known_of_are_neither_taken_nor_replaced(
    tmp_path: Path,
) -> None:
    (tmp_path / "traces.jsonl").write_text(dumps(A) + "\n", "utf-8")

    for resume in (True, False):
        with (
            pytest.raises(EvaluationError, match=r"no run\.json|without run\.json"),
            going(tmp_path, record(), resume=resume, private=False),
        ):
            pytest.fail("taken")
    assert on_disk(tmp_path) == [A]


def test_a_run_that_did_not_end_is_not_replaced_by_who_forgot_to_resume(
    tmp_path: Path,
) -> None:
    left(tmp_path, A)

    with pytest.raises(EvaluationError, match="did not end") as caught:
        left(tmp_path, B)

    assert "--resume" in caught.value.hint
    assert on_disk(tmp_path) == [A]


def test_a_run_that_ended_is_replaced_with_all_its_reports(tmp_path: Path) -> None:
    left(tmp_path, A, finish=True)
    for name in ("report.md", "report.html", "junit.xml", "scores.jsonl", "mine.txt"):
        (tmp_path / name).write_text("old", "utf-8")

    left(tmp_path, B)

    assert on_disk(tmp_path) == [B]
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        ".lock",
        "mine.txt",
        "run.json",
        "traces.jsonl",
    ]


def test_a_run_of_something_else_is_replaced_with_one_word_of_what_it_was(
    tmp_path: Path,
) -> None:
    left(tmp_path, A, finish=True)
    other = record(with_setting("search_legs", "lexical"), CASES[:2])

    with going(tmp_path, other, resume=False, private=False) as run:
        (said,) = run.said()

    assert said.startswith(f"{tmp_path}: a run of 3 cases is replaced: cases: ")
    assert said.endswith("; setting search_legs: hybrid then, lexical now")


def test_the_same_run_again_is_replaced_without_a_word(tmp_path: Path) -> None:
    left(tmp_path, A, finish=True)

    with going(tmp_path, record(), resume=False, private=False) as run:
        assert not list(run.said())


def test_r07_a_second_run_in_the_same_folder_is_refused(tmp_path: Path) -> None:
    with going(tmp_path, record(), resume=False, private=False) as run:
        run.add(A)
        for resume in (True, False):
            with (
                pytest.raises(EvaluationError, match="another `lastro eval`"),
                going(tmp_path, record(), resume=resume, private=False),
            ):
                pytest.fail("taken")

    assert taken(tmp_path)[1] == [A]


def test_a_number_that_is_not_finite_is_refused_and_nothing_is_written(
    tmp_path: Path,
) -> None:
    broken = replace(A, decision=TraceDecision(confidence=float("nan")))

    with going(tmp_path, record(), resume=False, private=False) as run:
        run.add(B)
        with pytest.raises(ValueError, match="not JSON compliant"):
            run.add(broken)

    assert on_disk(tmp_path) == [B]


def test_of_private_cases_nothing_is_kept(tmp_path: Path) -> None:
    with (
        pytest.raises(EvaluationError, match="private"),
        going(tmp_path / "run", record(SETUP), resume=False, private=True),
    ):
        pytest.fail("taken")

    assert not (tmp_path / "run").exists()
