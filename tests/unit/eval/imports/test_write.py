"""What was imported is written whole, and reads back as it was."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from full_case import FULL

from lastro.errors import EvaluationError, InputError
from lastro.eval import cases
from lastro.eval.imports.write import case_line, write_lines


@pytest.mark.parametrize(
    "row", [FULL, FULL | {"colour": "red"}, {"id": "a", "query": "ação \u2028 문서"}]
)
def test_a_case_is_written_as_it_was_read(
    row: dict[str, object], tmp_path: Path
) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_text(json.dumps(row), encoding="utf-8")
    (case,) = cases.read(path).cases

    assert json.loads(case_line(case)) == row
    assert write_lines(path, [case_line(case)]) == 1
    assert cases.read(path).cases == (case,)


def test_what_breaks_on_the_way_leaves_what_was_there(tmp_path: Path) -> None:
    def lines() -> Iterator[str]:
        yield "one"
        raise InputError([])

    path = tmp_path / "out"
    path.write_text("as it was")
    with pytest.raises(InputError):
        write_lines(path, lines())

    assert [each.name for each in tmp_path.iterdir()] == ["out"]
    assert path.read_text() == "as it was"


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match="cannot be written: no such file"):
        write_lines(tmp_path / "no" / "out", ["one"])
