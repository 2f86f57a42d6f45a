"""The store keeps versions: what was acknowledged can be read as of any change."""

import os
import re
import sqlite3
from pathlib import Path

import library
import pytest

from lastro.corpus.split import split
from lastro.errors import KnowledgeBaseError
from lastro.index import connection
from lastro.index.folder import STORE
from lastro.index.search import Searcher
from lastro.index.store import Store
from lastro.model.document import Document, Heading, Span
from lastro.model.ids import DocumentId

FULL = Document(
    id=DocumentId("guia/senha.md"),
    title="Senhas",
    text="# Senhas\n\nA senha vale por 365 dias.\n\n| a | b |\n",
    source="docs/guia/senha.md",
    version="v1",
    locale="pt-BR",
    locale_detected=True,
    collection="ajuda",
    headings=(Heading(start=2, end=8, level=1, text="Senhas"),),
    whole=(Span(38, 47),),
    metadata={"encoding": "utf-8", "autor": "Zoë \U0001f600"},
)


def put(store: Store, document: Document, seq: int) -> None:
    with store.writing():
        store.end(document.id, seq)
        store.add(document, split(document), seq)
        store.number(applied=seq)


def test_a_document_comes_back_as_it_was_put_in(tmp_path: Path) -> None:
    with library.make(tmp_path) as store:
        put(store, FULL, 1)
        assert store.document(FULL.id, 1) == FULL

        rows = [row for (row,) in store.db.execute("SELECT row FROM passages")]
        found = store.passages(rows)
        assert tuple(one.passage for one in found.values()) == split(FULL)
        (first, *_) = found.values()
        assert (first.title, first.source, first.collection) == (
            FULL.title,
            FULL.source,
            FULL.collection,
        )
        assert [key.document for key in store.keys(rows).values()] == [FULL.id] * len(
            rows
        )


def test_each_change_shows_its_own_version_and_never_two(tmp_path: Path) -> None:
    old, new = library.document("a", "Old text."), library.document("a", "New text.")
    with library.make(tmp_path) as store:
        put(store, old, 1)
        put(store, new, 2)
        with store.writing():
            assert store.end("a", 3)
            assert not store.end("a", 3)
            assert not store.end("b", 3)

        seen = [store.document("a", at) for at in range(4)]
        assert seen == [None, old, new, None]
        assert [len(store.documents(at)) for at in range(4)] == [0, 1, 1, 0]
        assert store.totals() == (0, 0)


def test_a_second_live_version_is_impossible(tmp_path: Path) -> None:
    with library.make(tmp_path) as store:
        put(store, library.document("a", "One."), 1)
        with pytest.raises(KnowledgeBaseError), store.writing():
            store.add(library.document("a", "Two."), (), 2)
        assert store.totals() == (1, 1)


def interrupted(store: Store) -> None:
    with store.writing():
        store.add(library.document("a", "One."), (), 1)
        store.number(applied=1)
        raise KeyboardInterrupt


def test_an_interrupt_takes_the_whole_change_back(tmp_path: Path) -> None:
    with library.make(tmp_path) as store:
        with pytest.raises(KeyboardInterrupt):
            interrupted(store)
        assert store.totals() == (0, 0)
        assert store.state().applied == 0


def test_a_reader_sees_one_state_while_another_writes(tmp_path: Path) -> None:
    with library.make(tmp_path) as writer, Store(tmp_path) as reader:
        version = reader.data_version()
        with reader.reading():
            put(writer, library.document("a", "One."), 1)
            assert reader.documents(9) == []
            assert reader.state().applied == 0
        assert len(reader.documents(9)) == 1
        assert reader.data_version() != version


def test_a_missing_store_is_not_made_by_a_reader(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeBaseError, match="missing"):
        Store(tmp_path)
    assert not (tmp_path / STORE).exists()


def test_a_store_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    with library.make(tmp_path) as store:
        store.db.execute("PRAGMA user_version = 3")

    with pytest.raises(KnowledgeBaseError, match="newer version"):
        Store(tmp_path)


def test_a_store_of_an_earlier_layout_is_refused_not_misread(tmp_path: Path) -> None:
    with library.make(tmp_path) as store:
        store.db.execute("PRAGMA user_version = 1")

    for reading in (False, True):
        with pytest.raises(KnowledgeBaseError, match="earlier version"):
            Store(tmp_path, reading=reading)


@pytest.mark.parametrize("rest", ["{", "[]", '{"headings": [[1]], "whole": []}', "3"])
def test_a_row_that_nobody_wrote_is_damage(tmp_path: Path, rest: str) -> None:
    with library.make(tmp_path) as store:
        put(store, FULL, 1)
        store.db.execute("UPDATE documents SET rest = ?", (rest,))
        store.db.execute("UPDATE passages SET headings = ?", (rest,))
        with pytest.raises(KnowledgeBaseError, match="the store is damaged"):
            store.document(FULL.id, 1)


@pytest.mark.parametrize("size", [0, 100, 4096 * 3])
def test_a_store_cut_off_under_an_open_reader_is_damage(
    tmp_path: Path, size: int
) -> None:
    library.take(
        tmp_path,
        [library.document(f"d{n}", f"Alpha {n}. " * 500) for n in range(100)],
    )
    searcher = Searcher.open(tmp_path)
    assert searcher.search("alpha").hits
    os.truncate(tmp_path / STORE, size)

    for read in (
        lambda: searcher.search("alpha 77"),
        lambda: searcher.document("d50"),
        lambda: list(searcher.documents()),
        lambda: Searcher.open(tmp_path).document("d60"),
    ):
        with pytest.raises(KnowledgeBaseError, match="store") as error:
            read()
        assert not re.search("malformed|disk image|sqlite3|no such", str(error.value))
        assert "ingest the sources into a new folder" in error.value.hint
    searcher.close()


def test_a_closed_store_says_so(tmp_path: Path) -> None:
    with library.make(tmp_path) as store:
        pass
    with pytest.raises(KnowledgeBaseError, match="was closed"):
        store.state()


def test_a_fixed_store_is_opened_anew_when_another_user_has_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with library.make(tmp_path) as store:
        put(store, library.document("a", "One."), 1)
    monkeypatch.setattr(connection, "_writable", lambda _: False)
    with Store(tmp_path, reading=True) as reader:
        version = reader.data_version()
        assert reader.data_version() == version
        with pytest.raises(KnowledgeBaseError, match="the folder is read-only"):
            Store(tmp_path)

        monkeypatch.undo()
        with library.make(tmp_path) as store:
            put(store, library.document("b", "Two."), 2)
        monkeypatch.setattr(connection, "_writable", lambda _: False)
        assert reader.data_version() != version
        assert len(reader.documents(2)) == 2


@pytest.mark.parametrize("content", [b"no database at all, but long enough" * 40, b""])
def test_a_file_that_is_no_store_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / STORE).write_bytes(content)

    with pytest.raises(KnowledgeBaseError, match="store"):
        Store(tmp_path)


def test_damage_is_named_and_has_a_hint(tmp_path: Path) -> None:
    long = "\n\n".join(f"Paragraph {number} of many words." for number in range(4000))
    with library.make(tmp_path) as store:
        put(store, library.document("a", long), 1)
        store.checkpoint()
    path = tmp_path / STORE
    data = bytearray(path.read_bytes())
    data[4096 * 3 :] = b"\xff" * len(data[4096 * 3 :])
    path.write_bytes(bytes(data))

    with (
        Store(tmp_path) as store,
        pytest.raises(KnowledgeBaseError, match="damaged") as error,
        store.reading(),
    ):
        store.passages(range(1, 400))
    assert "copy" in error.value.hint


def test_a_full_disk_is_told_as_such_and_loses_nothing(tmp_path: Path) -> None:
    with library.make(tmp_path) as store:
        put(store, library.document("a", "One."), 1)
        store.db.execute("PRAGMA max_page_count = 30")
        with pytest.raises(KnowledgeBaseError, match="disk is full"):
            put(store, library.document("b", "word " * 100_000), 2)
        assert store.totals() == (1, 1)
        assert store.state().applied == 1


def test_prepare_leaves_a_store_alone_that_is_there(tmp_path: Path) -> None:
    with library.make(tmp_path) as store:
        put(store, FULL, 1)
    with library.make(tmp_path) as store:
        assert store.document(FULL.id, 1) == FULL
        assert store.db.execute("PRAGMA synchronous").fetchone()[0] == 2
        assert store.db.execute("PRAGMA journal_mode").fetchone()[0] == "wal"


def test_sqlite_threads_share_a_connection() -> None:
    assert sqlite3.threadsafety in (1, 3)
