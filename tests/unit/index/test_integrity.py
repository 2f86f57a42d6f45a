"""Damage to the index's files is noticed, whatever tantivy makes of it."""

from pathlib import Path

import pytest

from lastro.index import integrity
from lastro.index.entry import Entry
from lastro.index.lexical import Writer


@pytest.fixture
def index(tmp_path: Path) -> Path:
    writer = Writer(tmp_path, "0" * 16)
    writer.add(
        Entry(
            row=row,
            document=row,
            title="title",
            headings=(),
            body=f"body of number n{row}",
            spoken="en",
            locale="en",
            collection="",
        )
        for row in range(50)
    )
    writer.publish(0, 1)
    for row in range(10):
        writer.drop(row)
    writer.publish(1, 2)
    writer.close()
    return tmp_path


def data_files(index: Path) -> list[Path]:
    return [path for path in index.glob("*.*") if len(path.stem.split(".")[0]) == 32]


def test_a_sound_index_has_no_damage(index: Path) -> None:
    assert integrity.damage(index) == ""
    assert integrity.size(index) > 0


def test_every_flipped_bit_is_noticed_in_every_file(index: Path) -> None:
    assert len(data_files(index)) > 10
    for path in data_files(index):
        good = path.read_bytes()
        body = good.rindex(b'{"version"')
        assert body > 0
        for at in {0, body // 2, body - 1, len(good) - 1, len(good) - 10}:
            bad = bytearray(good)
            bad[at] ^= 0x10
            path.write_bytes(bytes(bad))
            assert integrity.damage(index), (path.name, at)
        path.write_bytes(good)
    assert integrity.damage(index) == ""


def test_a_cut_or_emptied_file_is_named(index: Path) -> None:
    for path in data_files(index):
        good = path.read_bytes()
        for bad in (good[: len(good) // 2], b"", bytes(len(good))):
            path.write_bytes(bad)
            assert integrity.damage(index) == f"{path.name} was damaged"
        path.write_bytes(good)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"segments": 3}', "\xff"])
def test_a_broken_page_of_the_index_is_named(index: Path, text: str) -> None:
    (index / integrity.META).write_text(text, encoding="latin-1")

    assert integrity.damage(index) == "meta.json was damaged"


def test_a_missing_page_of_the_index_is_named(index: Path) -> None:
    (index / integrity.META).unlink()

    assert integrity.damage(index) == "meta.json was missing"


def test_the_share_of_dead_rows_is_what_was_dropped(index: Path) -> None:
    # 50 passages and a marker, 10 and a marker of them dropped, and a new marker.
    assert integrity.dead_share(index) == pytest.approx(11 / 52)


def test_what_a_cut_off_commit_left_is_told_from_what_is_needed(index: Path) -> None:
    held = {path.name for path in data_files(index)}
    (deletes,) = (name for name in held if name.endswith(".del"))
    segment = deletes.split(".")[0]
    left = {f"{segment}.99999.del", f"{'0' * 32}.store"}
    for name in left:
        (index / name).write_bytes(b"")

    assert {path.name for path in integrity.strays(index)} == left
