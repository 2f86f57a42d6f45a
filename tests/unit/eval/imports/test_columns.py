"""Columns are read block by block, and a line is never taken for another."""

from pathlib import Path

import pytest

from lastro.errors import InputError
from lastro.eval.imports import columns
from lastro.eval.imports.columns import Shape, Table

THREE = Shape(names=("a", "b", "c"))


def read(path: Path, shape: Shape = THREE) -> list[tuple[int, list[str]]]:
    """Return every row with its line."""
    table = Table(str(path), shape)
    found = [
        (line, block.row(at))
        for block in table.blocks()
        for at, line in enumerate(block.lines)
    ]
    table.close()
    return found


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_l17_rows_and_lines_are_the_same_in_blocks_of_any_size(
    end: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "t"
    lines = ["1 2 3", "", "# no", "4 5  6", " 7\t8 9 ", "ç 문 ß"]
    path.write_bytes("\ufeff".encode() + end.join(lines * 3).encode())
    whole = read(path)

    assert whole[:4] == [
        (1, ["1", "2", "3"]),
        (4, ["4", "5", "6"]),
        (5, ["7", "8", "9"]),
        (6, ["ç", "문", "ß"]),
    ]
    assert [line for line, _ in whole] == [1, 4, 5, 6, 7, 10, 11, 12, 13, 16, 17, 18]
    for size in (4, 5, 7, 16, 31):
        monkeypatch.setattr(columns, "_BLOCK", size)
        assert read(path) == whole


def test_a_short_line_and_a_long_one_do_not_make_two(tmp_path: Path) -> None:
    path = tmp_path / "t"
    path.write_bytes(b"1 2 3\n4 5\n6 7 8 9\n1 2 3\n")

    with pytest.raises(InputError) as caught:
        read(path)

    assert [problem.line for problem in caught.value.problems] == [2, 3]


def test_the_last_column_may_take_the_rest_of_its_line(tmp_path: Path) -> None:
    path = tmp_path / "t"
    path.write_bytes(b"1 2 three and more \n4 5 6\n")

    assert [row for _, row in read(path, Shape(names=("a", "b", "c"), rest=True))] == [
        ["1", "2", "three and more "],
        ["4", "5", "6"],
    ]


def test_a_file_without_line_ends_is_refused_and_not_held(tmp_path: Path) -> None:
    path = tmp_path / "t"
    path.write_bytes(b"1 2 3\n" + b"x" * 3_000_000)

    with pytest.raises(InputError, match="t:2: the line is longer than 1 MB"):
        read(path)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read: no such file"):
        read(tmp_path / "none")


def test_reading_ends_after_a_thousand_problems(tmp_path: Path) -> None:
    path = tmp_path / "t"
    path.write_bytes(b"1 2\n" * 100_000)

    with pytest.raises(InputError) as caught:
        read(path)

    assert 1000 <= len(caught.value.problems) < 100_000


@pytest.mark.parametrize("cell", ["1,5", "1_0", "true", "", "[1]"])
def test_what_only_another_notation_takes_for_a_number_is_none(
    cell: str, tmp_path: Path
) -> None:
    path = tmp_path / "t"
    path.write_bytes(f"a\tb\t1\na\tb\t{cell}\n".encode())
    table = Table(str(path), Shape(names=("a", "b", "c"), tabs=True))
    for block in table.blocks():
        table.numbers(block, 2)

    assert [(each.line, each.field) for each in table.problems] == [(2, "c")]


@pytest.mark.parametrize("cell", ["+1", ".5", "1.", "007", "-0", "1e-400", "1" * 400])
def test_every_notation_of_a_number_is_read_as_python_reads_it(
    cell: str, tmp_path: Path
) -> None:
    path = tmp_path / "t"
    path.write_bytes(f"a b 2.5\na b {cell}\n".encode())
    table = Table(str(path), THREE)
    (found,) = [table.numbers(block, 2) for block in table.blocks()]
    if cell == "1" * 400:
        assert [each.what for each in table.problems] == [f"{cell} is no finite number"]
    else:
        assert found == [2.5, float(cell)]
        assert table.problems == []


def test_blanks_of_other_scripts_belong_to_a_cell(tmp_path: Path) -> None:
    path = tmp_path / "t"
    path.write_bytes("a b\u00a0c d\u3000e\n".encode())

    assert read(path) == [(1, ["a", "b\u00a0c", "d\u3000e"])]


@pytest.mark.parametrize("name", ["\u200b", "\u2060\u200d", "\u3164", "\u2800"])
def test_a_name_that_shows_nothing_is_refused(name: str, tmp_path: Path) -> None:
    path = tmp_path / "t"
    path.write_bytes(f"a b 1\na {name} 1\n".encode())
    table = Table(str(path), THREE)
    for block in table.blocks():
        table.texts(block, 1)

    (problem,) = table.problems
    assert (problem.line, problem.field) == (2, "b")
    assert problem.what == f"nothing of the id can be seen: {name!a}"


def test_a_device_is_refused_and_not_read_for_ever() -> None:
    with pytest.raises(InputError, match="this is a device, not a file"):
        next(columns.raw_blocks("/dev/zero"))
