"""Verdicts are kept in a run's folder: the same question is asked once."""

import json
from pathlib import Path

import pytest
from reading_judge import Reading

from lastro.errors import EvaluationError
from lastro.eval.judges import VERDICTS, remembering
from lastro.eval.judges.remembered import Remembered
from lastro.eval.scorers.judge import Judgement, Ruling

QUESTIONS = [
    ("fee", ("the fee is 30",)),
    ("fee", ("the fee is 30", "not fee")),
    ("term", ("not term",)),
    ("sun", ("the moon",)),
    ("\ud800", ("가\0",)),
]


def test_r10_what_is_remembered_is_what_was_judged(tmp_path: Path) -> None:
    """R10: the second run, from the cache, had a score of None."""
    file = tmp_path / "run" / VERDICTS
    plain = [Reading().judge(*each) for each in QUESTIONS]

    first = [Remembered(Reading(), file).judge(*each) for each in QUESTIONS]
    held = file.read_bytes()
    by = Reading()
    remembered = Remembered(by, file)
    second = [remembered.judge(*each) for each in QUESTIONS]

    assert plain == first == second
    assert {each.ruling for each in plain} == set(Ruling) - {Ruling.UNAVAILABLE}
    assert by.asked == []
    assert file.read_bytes() == held
    assert remembered.name == by.name


def test_r17_a_run_that_goes_on_asks_for_the_rest_alone(tmp_path: Path) -> None:
    """R17: a limit after 130 of 400, and all was paid for again."""
    file = tmp_path / VERDICTS
    claims = [f"claim {n}" for n in range(400)]
    gave_out = Reading(open=frozenset(claims[130:]))
    first = Remembered(gave_out, file)
    for claim in claims:
        first.judge(claim, ("x",))
    assert first.judge(claims[130], ("x",)).why == "its answer is not JSON"
    assert len(gave_out.asked) == 401
    assert file.read_bytes().count(b"\n") == 130
    by = Reading()
    again = Remembered(by, file)

    found = [again.judge(claim, ("x",)).ruling for claim in claims]

    assert [claim for claim, _ in by.asked] == claims[130:]
    assert set(found) == {Ruling.UNSUPPORTED}


def test_within_a_run_the_same_question_is_asked_once(tmp_path: Path) -> None:
    by = Reading()
    remembered = Remembered(by, tmp_path / VERDICTS)
    for _ in range(3):
        remembered.judge("fee", ("the fee",))

    assert len(by.asked) == 1


@pytest.mark.parametrize(
    ("name", "claim", "evidence"),
    [
        ("reading:2", "fee", ("a", "b")),
        ("reading:1", "fee ", ("a", "b")),
        ("reading:1", "fee", ("b", "a")),
        ("reading:1", "fee", ("a",)),
        ("reading:1", "fee", ("a, b",)),
        ("reading:1", "feea", ("b",)),
    ],
)
def test_r11_another_judge_claim_or_text_is_another_question(
    tmp_path: Path, name: str, claim: str, evidence: tuple[str, ...]
) -> None:
    """R11: a cache served one model's outputs as another's."""
    file = tmp_path / VERDICTS
    Remembered(Reading(), file).judge("fee", ("a", "b"))
    by = Reading(name)

    Remembered(by, file).judge(claim, evidence)

    assert len(by.asked) == 1


def test_the_file_holds_no_text(tmp_path: Path) -> None:
    file = tmp_path / VERDICTS
    Remembered(Reading(), file).judge("secret fee", ("a secret text",))

    line = json.loads(file.read_text("ascii"))

    assert set(line) == {"key", "verdict"}
    assert line["verdict"] == "unsupported"
    assert "secret" not in file.read_text("ascii")


DAMAGED = (
    b'{"key": "ab',
    b"\xff\xfe",
    b"[" * 100_000,
    b"7",
    b'{"key": 1}',
    b'{"key": "k", "verdict": "unavailable"}',
    b'{"key": "k", "verdict": ["supported"]}',
)


@pytest.mark.parametrize("damaged", DAMAGED)
def test_a_line_that_was_cut_off_is_asked_again_and_spoils_no_other(
    tmp_path: Path, damaged: bytes
) -> None:
    file = tmp_path / VERDICTS
    Remembered(Reading(), file).judge("fee", ("the fee",))
    with file.open("ab") as stream:
        stream.write(damaged)
    by = Reading()
    torn = Remembered(by, file)
    torn.judge("sun", ("the moon",))
    torn.judge("fee", ("the fee",))
    whole = Reading()
    again = Remembered(whole, file)

    assert again.judge("fee", ("the fee",)).ruling is Ruling.SUPPORTED
    assert again.judge("sun", ("the moon",)).ruling is Ruling.UNSUPPORTED
    assert [claim for claim, _ in by.asked] == ["sun"]
    assert whole.asked == []


def test_a_judge_that_breaks_leaves_nothing_behind(tmp_path: Path) -> None:
    file = tmp_path / VERDICTS
    remembered = Remembered(Reading(breaks=frozenset({"fee"})), file)

    with pytest.raises(RuntimeError):
        remembered.judge("fee", ("x",))

    assert file.read_bytes() == b""


def test_of_private_cases_nothing_is_kept(tmp_path: Path) -> None:
    by = Reading()

    assert remembering(by, tmp_path, private=True) is by
    assert remembering(by, None, private=False) is by
    assert remembering(None, tmp_path, private=False) is None
    assert list(tmp_path.iterdir()) == []

    kept = remembering(by, tmp_path, private=False)

    assert kept is not None
    assert kept.judge("fee", ("the fee",)) == Judgement(Ruling.SUPPORTED)
    assert (tmp_path / VERDICTS).read_bytes().count(b"\n") == 1


def test_a_folder_that_cannot_be_written_is_found_out_before_the_first_claim(
    tmp_path: Path,
) -> None:
    (tmp_path / "file").write_bytes(b"")

    with pytest.raises(EvaluationError, match="cannot be written") as raised:
        Remembered(Reading(), tmp_path / "file" / VERDICTS)

    assert "--run-dir" in raised.value.hint
