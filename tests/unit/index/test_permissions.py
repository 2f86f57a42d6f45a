"""What the system does not allow is said in plain words, and what it allows is done."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import library
import powerless
import pytest

from lastro.errors import KnowledgeBaseError, UsageError
from lastro.index import folder
from lastro.index.ingest import ingest

SEARCH = """
import json, sys
from pathlib import Path
from lastro.errors import KnowledgeBaseError
from lastro.index.search import Searcher
try:
    searcher = Searcher.open(Path(sys.argv[1]))
    ranking = searcher.search("alpha")
    leg = ranking.legs["lexical"]
    document = searcher.document("a")
    searcher.close()
    print(json.dumps([[str(h.document_id) for h in ranking.hits], leg.why,
                      document is not None]))
except KnowledgeBaseError as error:
    print(json.dumps(str(error)))
"""
INGEST = """
import json, sys
from pathlib import Path
from lastro.errors import LastroError
from lastro.index.ingest import ingest
try:
    report = ingest(Path(sys.argv[1]), sys.argv[3:], sync=sys.argv[2] == "sync")
    print(json.dumps([report.documents, report.removed, report.failed]))
except LastroError as error:
    print(json.dumps(type(error).__name__ + ": " + str(error)))
"""
DELETED = (
    """
import os, sys
os.rmdir(os.getcwd())
"""
    + INGEST
)


@pytest.fixture
def kb(tmp_path: Path) -> Iterator[Path]:
    library.take(tmp_path / "kb", [library.document("a", "Alpha.")])
    yield tmp_path / "kb"
    allow(tmp_path)


def allow(top: Path) -> None:
    """Make everything removable again, from the top down."""
    top.chmod(0o755)
    for path in top.iterdir():
        if path.is_dir() and not path.is_symlink():
            allow(path)


def ran(code: str, *arguments: object, cwd: Path | None = None) -> Any:  # noqa: ANN401 - JSON
    return json.loads(powerless.run(code, *arguments, cwd=cwd))


def read_only(kb: Path) -> None:
    for path in sorted(kb.rglob("*"), reverse=True):
        path.chmod(0o555 if path.is_dir() else 0o444)
    kb.chmod(0o555)


def test_a_read_only_knowledge_base_can_be_read(kb: Path) -> None:
    before = sorted(path.name for path in kb.rglob("*"))
    read_only(kb)

    assert ran(SEARCH, kb) == [["a"], "", True]
    assert sorted(path.name for path in kb.rglob("*")) == before


def test_files_that_are_read_only_in_a_folder_that_is_not_can_be_read(kb: Path) -> None:
    read_only(kb)
    kb.chmod(0o755)

    assert ran(SEARCH, kb) == [["a"], "", True]


def test_a_log_in_a_read_only_folder_is_read_or_refused(kb: Path) -> None:
    store = library.make(kb)
    with store.writing():
        store.end("a", 2)
        store.number(applied=2)
    store.db.execute("PRAGMA wal_autocheckpoint = 0")
    read_only(kb)
    assert ran(SEARCH, kb)[0] == ["a"]  # the index is behind; nothing has failed

    kb.chmod(0o755)
    (kb / "store.sqlite-shm").unlink()
    kb.chmod(0o555)
    assert "has not ended its work there, and the folder is read-only" in ran(
        SEARCH, kb
    )
    store.close()


def test_what_is_written_to_a_read_only_folder_is_refused(kb: Path) -> None:
    (kb.parent / "a.md").write_text("Text.", encoding="utf-8")
    read_only(kb)

    said = ran(INGEST, kb, "", kb.parent / "a.md")
    assert said.startswith("KnowledgeBaseError: ")
    assert "cannot be written to" in said


def test_an_index_that_may_not_be_read_is_a_failed_leg(kb: Path) -> None:
    (kb / "lexical").chmod(0)

    hits, why, document = ran(SEARCH, kb)
    assert (hits, document) == ([], True)
    assert why.endswith("cannot be read or written: permission denied")


@pytest.mark.parametrize("name", ["", "store.sqlite", "lastro.toml"])
def test_what_may_not_be_read_is_named(kb: Path, name: str) -> None:
    (kb / name).chmod(0)

    said = ran(SEARCH, kb)
    assert name in said
    assert said.endswith("cannot be used: permission denied")


def test_a_folder_that_cannot_be_made_is_refused_in_plain_words(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("Text.", encoding="utf-8")
    closed = tmp_path / "closed"
    closed.mkdir()
    closed.chmod(0o555)

    said = ran(INGEST, closed / "kb", "", tmp_path / "a.md")
    assert said == (
        f"KnowledgeBaseError: {closed / 'kb'} cannot be used: permission denied"
    )


@pytest.mark.parametrize(
    ("kb", "why"),
    [
        ("/dev/null/x", "not a directory"),
        ("x" * 300, "file name too long"),
        ("a\0b", "no file can have this name"),
        ("a\ud800", "no file can have this name"),
    ],
)
def test_a_name_that_no_folder_can_have_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kb: str, why: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.md").write_text("Text.", encoding="utf-8")

    with pytest.raises(KnowledgeBaseError, match=f"cannot be used: {why}$"):
        ingest(Path(kb), ["a.md"])
    with pytest.raises(KnowledgeBaseError):
        folder.read(Path(kb))


def test_a_working_folder_that_was_deleted_is_said(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("Text.", encoding="utf-8")
    for kb, source in (("kb", tmp_path / "a.md"), (tmp_path / "kb", ".")):
        gone = tmp_path / "gone"
        gone.mkdir()
        said = ran(DELETED, kb, "", source, cwd=gone)
        assert said.split(":")[0] in {"KnowledgeBaseError", "SourceError"}
        assert "Errno" not in said


def test_a_source_that_may_not_be_looked_at_has_failed(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir()
    (closed / "a.md").write_text("Text.", encoding="utf-8")
    (tmp_path / "b.md").write_text("Text.", encoding="utf-8")
    closed.chmod(0)

    sources = (closed / "a.md", closed, tmp_path / "b.md")
    documents, _, failed = ran(INGEST, tmp_path / "kb", "", *sources)
    closed.chmod(0o755)
    assert documents == 1
    assert [why for _, why in failed] == ["permission denied"] * 2


@pytest.mark.parametrize("mode", [0, 0o444, 0o311])
def test_sync_keeps_what_is_below_a_folder_that_cannot_be_read(
    tmp_path: Path, mode: int
) -> None:
    docs, kb = tmp_path / "docs", tmp_path / "kb"
    (docs / "sub" / "deep").mkdir(parents=True)
    for name in ("a.md", "sub/b.md", "sub/deep/c.md", "suburb.md"):
        (docs / name).write_text(f"Text of {name}.", encoding="utf-8")
    (docs / "sub" / "cards.jsonl").write_text('{"id": "x", "text": "Card."}\n')
    assert ingest(kb, [docs]).documents == 5

    (docs / "suburb.md").unlink()
    (docs / "sub").chmod(mode)
    documents, removed, failed = ran(INGEST, kb, "sync", docs)
    (docs / "sub").chmod(0o755)

    assert (documents, removed) == (4, 1)
    assert failed
    assert all("permission denied" in why for _, why in failed)


def test_a_source_that_is_empty_text_is_no_source(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="empty text"):
        ingest(tmp_path / "kb", [tmp_path, ""])
    assert not (tmp_path / "kb").exists()
