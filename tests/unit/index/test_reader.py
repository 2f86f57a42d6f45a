"""Store and index are read as of one change, whatever happens beside the reader."""

import threading
from collections.abc import Iterator
from pathlib import Path

import library
import pytest

from lastro.index import integrity
from lastro.index.lock import writing
from lastro.index.publish import folder_of
from lastro.index.reader import Reader, Stale
from lastro.index.search import Searcher
from lastro.model.ranking import LegStatus


class Clock:
    """Stands until it is set."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def reader(tmp_path: Path, clock: Clock) -> Iterator[Reader]:
    library.take(tmp_path, [library.document("a", "Alpha.")])
    reader = Reader(tmp_path, clock)
    yield reader
    reader.close()


def test_a_view_is_renewed_only_when_something_was_committed(
    reader: Reader, tmp_path: Path
) -> None:
    first = reader.view()
    assert reader.view() is first

    library.take(tmp_path, [library.document("b", "Beta.")])
    second = reader.view()
    assert (first.at, second.at) == (1, 2)
    assert reader.view() is second


def test_a_view_whose_rows_are_gone_is_stale_and_a_newer_one_is_taken(
    reader: Reader, tmp_path: Path
) -> None:
    old = reader.view()
    library.take(tmp_path, [library.document("a", "Omega.")])
    with pytest.raises(Stale):
        reader.read(old, lambda store: store.documents(old.at))

    tried = []

    def look(view: object) -> object:
        tried.append(view)
        return reader.read(old if len(tried) == 1 else reader.view(), lambda _: view)

    assert reader.with_view(look) is tried[-1]
    assert len(tried) == 2


def test_a_view_stays_whole_until_its_rows_are_purged(
    reader: Reader, tmp_path: Path
) -> None:
    old = reader.view()
    library.take(tmp_path, [library.document("a", "Omega.")], publish=False)
    document = reader.read(old, lambda store: store.document("a", old.at))
    assert document is not None
    assert document.text == "Alpha."


def test_a_reader_behind_tries_again_once_in_a_while(
    reader: Reader, tmp_path: Path, clock: Clock
) -> None:
    with writing(tmp_path):
        library.take(tmp_path, [library.document("a", "Omega.")], publish=False)
        clock.now += 5
        assert (reader.view().at, reader.view().behind) == (1, True)
    assert reader.view().behind  # tried in this second already

    clock.now += 1
    assert (reader.view().at, reader.view().behind) == (2, False)


def test_what_breaks_under_a_reader_fails_once_and_is_mended(
    tmp_path: Path, clock: Clock
) -> None:
    library.take(tmp_path, [library.document("a", "Alpha.")])
    searcher = Searcher(tmp_path, clock)
    assert searcher.search("alpha").hits
    for path in folder_of(tmp_path, 1).glob("*.idx"):
        with path.open("r+b") as file:  # in place: it is mapped into memory
            file.write(bytes(path.stat().st_size))
    assert integrity.damage(folder_of(tmp_path, 1))

    library.take(tmp_path, [library.document("b", "Beta.")])  # the writer notices
    ranking = searcher.search("alpha")
    assert [hit.document_id for hit in ranking.hits] == ["a"]
    searcher.close()


def test_a_first_ingest_under_way_shows_nothing_and_says_so(tmp_path: Path) -> None:
    library.take(tmp_path, [library.document("a", "Alpha.")], publish=False)
    with writing(tmp_path):
        searcher = Searcher.open(tmp_path)
        ranking = searcher.search("alpha")
        assert ranking.hits == ()
        assert ranking.legs["lexical"].status is LegStatus.OK
        assert "being built" in ranking.notes[0]
        assert list(searcher.documents()) == []
        searcher.close()


def test_many_threads_share_a_searcher_while_documents_change(tmp_path: Path) -> None:
    library.take(tmp_path, [library.document("a", "Alpha version0.")])
    searcher = Searcher.open(tmp_path)
    wrong: list[str] = []
    done = threading.Event()

    def look() -> None:
        while not done.is_set():
            hits = searcher.search("alpha", locale="en").hits
            if [hit.document_id for hit in hits] != ["a"]:
                wrong.append(str(hits))

    threads = [threading.Thread(target=look) for _ in range(4)]
    for thread in threads:
        thread.start()
    try:
        for number in range(1, 12):
            library.take(tmp_path, [library.document("a", f"Alpha version{number}.")])
    finally:
        done.set()
        for thread in threads:
            thread.join()
    assert searcher.search("version11", locale="en").hits
    searcher.close()
    assert wrong == []


@pytest.mark.parametrize("kind", ["term", "idx", "fieldnorm", "fast", "store"])
def test_a_segment_that_rots_under_a_reader_is_a_failed_leg_and_then_mended(
    tmp_path: Path, clock: Clock, kind: str
) -> None:
    many = [library.document(f"d{n}", f"Alpha number n{n}.") for n in range(300)]
    library.take(tmp_path, many)
    searcher = Searcher(tmp_path, clock)
    assert searcher.search("n7", locale="en").hits
    (path,) = folder_of(tmp_path, 1).glob(f"*.{kind}")
    with path.open("r+b") as file:  # in place: it is mapped into memory
        file.write(b"\xff" * (path.stat().st_size // 2))

    ranking = searcher.search("alpha n7", locale="en")
    leg = ranking.legs["lexical"]
    assert leg.status is LegStatus.OK or "lexical index" in leg.why
    clock.now += 5
    searcher.close()
    searcher = Searcher(tmp_path, clock)
    ranking = searcher.search("alpha n7", locale="en")
    assert ranking.hits[0].document_id == "d7"
    assert "was damaged" in ranking.notes[0]
    searcher.close()
