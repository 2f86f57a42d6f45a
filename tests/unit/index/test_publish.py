"""The index follows the store, from wherever it was left, and nothing is left over."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import library
import pytest

from lastro.index.lexical import Lexical, Writer
from lastro.index.lock import writing
from lastro.index.publish import Publisher, catch_up, folder_of, unfit
from lastro.index.search import Searcher
from lastro.index.store import State, Store


def state(kb: Path) -> State:
    with Store(kb) as store:
        return store.state()


def marker(kb: Path) -> int:
    return Lexical(folder_of(kb, state(kb).generation)).snapshot().marker.applied


def ids(kb: Path, query: str) -> list[str]:
    searcher = Searcher.open(kb)
    try:
        return [hit.document_id for hit in searcher.search(query).hits]
    finally:
        searcher.close()


def bytes_of(kb: Path) -> bytes:
    return b"".join(path.read_bytes() for path in kb.rglob("*") if path.is_file())


def test_after_publishing_all_numbers_agree_and_old_rows_are_gone(
    tmp_path: Path,
) -> None:
    library.take(tmp_path, [library.document("a", "Alpha one.")])
    library.take(tmp_path, [library.document("a", "Alpha two.")])

    now = state(tmp_path)
    assert (now.applied, now.published, now.purged, now.stale) == (2, 2, 2, 0)
    assert marker(tmp_path) == 2
    with Store(tmp_path) as store:
        assert store.db.execute("SELECT count(*) FROM documents").fetchone()[0] == 1
        assert store.db.execute("SELECT count(*) FROM passages").fetchone()[0] == 1


def test_an_index_left_behind_is_caught_up_by_the_next_who_opens(
    tmp_path: Path,
) -> None:
    library.take(
        tmp_path, [library.document("a", "Alpha."), library.document("b", "B")]
    )
    library.take(tmp_path, [library.document("a", "Omega.")], publish=False)
    library.take(tmp_path, [library.document("c", "Gamma.")], publish=False)
    library.drop(tmp_path, "b", publish=False)
    assert marker(tmp_path) == 1

    assert ids(tmp_path, "omega") == ["a"]
    assert (ids(tmp_path, "alpha"), ids(tmp_path, "gamma")) == ([], ["c"])
    assert ids(tmp_path, "b") == []
    assert marker(tmp_path) == state(tmp_path).purged == 4


def test_a_purge_left_undone_is_done_by_the_next_who_opens(tmp_path: Path) -> None:
    library.take(tmp_path, [library.document("a", "Alpha.")])
    library.take(tmp_path, [library.document("a", "Omega.")], publish=False)
    writer = Writer(folder_of(tmp_path, 1), "0123456789abcdef")
    writer.publish(1, 2)  # killed between this and saying so in the store
    writer.close()
    assert (marker(tmp_path), state(tmp_path).purged) == (2, 1)

    Searcher.open(tmp_path).close()
    assert state(tmp_path).purged == 2
    assert b"Alpha" not in bytes_of(tmp_path)


def test_nobody_catches_up_while_another_writes(tmp_path: Path) -> None:
    library.take(tmp_path, [library.document("a", "Alpha.")])
    library.take(tmp_path, [library.document("a", "Omega.")], publish=False)
    with writing(tmp_path):
        assert catch_up(tmp_path) is None
        assert ids(tmp_path, "alpha") == ["a"]
        assert ids(tmp_path, "omega") == []


def test_a_version_opened_and_closed_between_publications_is_never_seen(
    tmp_path: Path,
) -> None:
    library.take(tmp_path, [library.document("z", "Zeta.")])
    for text in ("Alpha.", "Beta.", "Gamma."):
        library.take(tmp_path, [library.document("a", text)], publish=False)

    assert ids(tmp_path, "alpha beta gamma") == ["a"]
    assert ids(tmp_path, "alpha beta") == []


def lose(folder: Path) -> None:
    shutil.rmtree(folder)


def empty(folder: Path) -> None:
    for path in folder.iterdir():
        path.unlink()


def flip(folder: Path) -> None:
    (path,) = folder.glob("*.idx")
    data = bytearray(path.read_bytes())
    data[0] ^= 1
    path.write_bytes(bytes(data))


def cut(folder: Path) -> None:
    (folder / "meta.json").write_bytes(b"{")


def lose_a_file(folder: Path) -> None:
    (path,) = folder.glob("*.store")
    path.unlink()


def exchange(folder: Path) -> None:
    shutil.rmtree(folder)
    writer = Writer(folder, "of-another-store")
    writer.publish(0, 1)
    writer.close()


def overtake(folder: Path) -> None:
    writer = Writer(folder, "0123456789abcdef")
    writer.publish(1, 99)
    writer.close()


@pytest.mark.parametrize(
    ("harm", "said"),
    [
        (lose, "missing"),
        (empty, "missing"),
        (flip, "damaged"),
        (cut, "damaged"),
        (lose_a_file, "could not be opened"),
        (exchange, "another store"),
        (overtake, "another store"),
    ],
)
def test_an_index_that_is_lost_or_broken_is_made_anew_and_it_says_so(
    tmp_path: Path, harm: Callable[[Path], None], said: str
) -> None:
    library.take(tmp_path, [library.document("a", "Alpha beta.")])
    harm(folder_of(tmp_path, 1))

    searcher = Searcher.open(tmp_path)
    ranking = searcher.search("alpha")
    assert [hit.document_id for hit in ranking.hits] == ["a"]
    assert any("rebuilt" in note and said in note for note in ranking.notes)
    assert [path.name for path in (tmp_path / "lexical").iterdir()] == ["000002"]
    searcher.close()


def test_an_index_of_another_analyser_does_not_fit(tmp_path: Path) -> None:
    library.take(tmp_path, [library.document("a", "Alpha.")])
    mark = Lexical(folder_of(tmp_path, 1)).snapshot().marker

    assert unfit(mark, state(tmp_path)) == ""
    assert "analyser" in unfit(replace(mark, analyser="1-0"), state(tmp_path))


def test_an_index_from_before_the_last_purge_does_not_fit(tmp_path: Path) -> None:
    library.take(tmp_path, [library.document("a", "Alpha.")])
    mark = Lexical(folder_of(tmp_path, 1)).snapshot().marker
    library.take(tmp_path, [library.document("a", "Beta.")])

    assert "older" in unfit(mark, state(tmp_path))


def test_the_folders_of_an_interrupted_rebuild_are_swept_away(tmp_path: Path) -> None:
    library.take(tmp_path, [library.document("a", "Alpha.")])
    (tmp_path / "lexical" / "000002").mkdir()
    (tmp_path / "lexical" / "000002" / "half").touch()
    library.take(tmp_path, [library.document("b", "Beta.")])

    assert [path.name for path in (tmp_path / "lexical").iterdir()] == ["000001"]


def test_i29_nothing_of_a_removed_document_is_left_in_any_file(tmp_path: Path) -> None:
    unique = "Xylographer quokkas juggle zymurgy."
    others = [library.document(f"d{n}", f"Common text number {n}.") for n in range(50)]
    library.take(tmp_path, [library.document("gone", unique, title="Kvetch"), *others])
    library.take(tmp_path, [library.document("d1", "Flibbertigibbet instead.")])
    library.take(tmp_path, [library.document("d1", "Common again.")])
    library.drop(tmp_path, "gone")

    left = bytes_of(tmp_path)
    for word in ("Xylograph", "xylograph", "quokka", "zymurg", "Kvetch", "kvetch"):
        assert word.encode() not in left, word
    assert b"libbertigibbet" not in left
    assert b"Common" in left


def test_a_large_index_waits_until_a_fifth_of_it_is_stale(tmp_path: Path) -> None:
    documents = [library.document(f"d{n}", f"Text number n{n}.") for n in range(40)]
    library.take(tmp_path, documents)
    for number in range(3):
        library.take(tmp_path, [library.document(f"d{number}", "Other.")], small=0)
    assert (state(tmp_path).generation, state(tmp_path).stale) == (1, 3)

    with Store(tmp_path) as store:
        publisher = Publisher(tmp_path, store, small=0)
        publisher.settle()
        assert "3 replaced or removed" in publisher.notes[0]
        publisher.settle(erase=True)
    assert (state(tmp_path).generation, state(tmp_path).stale) == (2, 0)

    for number in range(12):
        library.take(tmp_path, [library.document(f"d{number}", "Third.")], small=0)
    assert 2 < state(tmp_path).generation < 6
    assert state(tmp_path).stale < 12
    assert len(ids(tmp_path, "third")) == 4


def test_i33_the_same_document_three_times_is_one(tmp_path: Path) -> None:
    for _ in range(3):
        library.take(tmp_path, [library.document("a", "Alpha. " * 300)])
        with Store(tmp_path) as store:
            counts = store.totals()
        assert counts[0] == 1
    assert state(tmp_path).applied == 1


@pytest.mark.parametrize("link", [False, True])
def test_what_stands_in_the_place_of_the_index_is_taken_away(
    tmp_path: Path, link: bool
) -> None:
    library.take(tmp_path, [library.document("a", "Alpha.")])
    place = tmp_path / "lexical"
    shutil.rmtree(place)
    if link:
        place.symlink_to("nothing")
    else:
        place.write_text("a file", encoding="utf-8")

    searcher = Searcher.open(tmp_path)
    ranking = searcher.search("alpha")
    searcher.close()
    assert [hit.document_id for hit in ranking.hits] == ["a"]
    assert "was in the place of its folder" in ranking.notes[0]
    assert place.is_dir()


def test_what_stands_in_the_place_of_a_generation_is_taken_away(tmp_path: Path) -> None:
    library.take(tmp_path, [library.document("a", "Alpha.")])
    shutil.rmtree(folder_of(tmp_path, 1))
    for number in (1, 2, 3):
        folder_of(tmp_path, number).write_text("a file", encoding="utf-8")

    searcher = Searcher.open(tmp_path)
    assert searcher.search("alpha").hits
    searcher.close()
    assert [path.name for path in (tmp_path / "lexical").iterdir()] == ["000002"]


def test_whoever_may_read_the_folder_may_read_the_index(tmp_path: Path) -> None:
    library.take(tmp_path, [library.document("a", "Alpha.")])

    modes = {path.stat().st_mode for path in folder_of(tmp_path, 1).iterdir()}
    assert len(modes) == 1


def test_a_commit_cut_off_after_its_deletes_does_not_stop_the_next(
    tmp_path: Path,
) -> None:
    library.take(tmp_path, [library.document(f"d{n}", "Alpha.") for n in range(20)])
    library.take(tmp_path, [library.document("d0", "Omega.")], small=0)
    library.take(tmp_path, [library.document("d1", "Omega.")], publish=False)
    folder = folder_of(tmp_path, state(tmp_path).generation)
    deletes = max(folder.glob("*.del"))
    segment, number, _ = deletes.name.split(".")
    # The name that the next commit takes: killed, it had come that far.
    for further in range(1, 40):
        stray = folder / f"{segment}.{int(number) + further}.del"
        stray.write_bytes(deletes.read_bytes())

    assert ids(tmp_path, "Omega") == ["d0", "d1"]
    assert "d1" not in ids(tmp_path, "Alpha")
