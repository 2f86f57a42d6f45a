"""From files to a knowledge base and out of it again, through the real readers."""

import json
import shutil
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import desk
import pytest

from lastro.errors import KnowledgeBaseBusy, KnowledgeBaseError, SourceError
from lastro.index.folder import read
from lastro.index.ingest import IngestReport, Progress, ingest, remove
from lastro.index.lock import writing
from lastro.index.search import Searcher
from lastro.index.store import Store


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    return desk.write(tmp_path / "docs")


@pytest.fixture
def kb(tmp_path: Path) -> Path:
    return tmp_path / "kb"


def ids(kb: Path) -> list[str]:
    searcher = Searcher.open(kb)
    try:
        return [line.id for line in searcher.documents()]
    finally:
        searcher.close()


def hits(kb: Path, query: str) -> list[str]:
    searcher = Searcher.open(kb)
    try:
        return [hit.document_id for hit in searcher.search(query).hits]
    finally:
        searcher.close()


def changed(report: IngestReport) -> tuple[int, int, int, int]:
    return report.indexed, report.unchanged, report.updated, report.removed


def cards(path: Path, count: int) -> Path:
    lines = (
        json.dumps({"_id": f"c{n}", "title": f"Card {n}", "text": f"Text of n{n}."})
        for n in range(count)
    )
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_a_folder_is_indexed_then_unchanged_then_updated(docs: Path, kb: Path) -> None:
    assert changed(ingest(kb, [docs])) == (3, 0, 0, 0)
    again = ingest(kb, [docs])
    assert changed(again) == (0, 3, 0, 0)
    assert (again.documents, again.passages) == (3, 3)

    (docs / "en" / "printing.md").write_text("Posters only.", encoding="utf-8")
    assert changed(ingest(kb, [docs])) == (0, 2, 1, 0)
    assert hits(kb, "posters") == ["en/printing.md"]
    assert hits(kb, "semester pence") == []


def test_the_folder_says_what_it_is(docs: Path, kb: Path) -> None:
    ingest(kb, [docs])

    assert read(kb).created_by.startswith("lastro ")
    assert sorted(path.name for path in kb.iterdir()) == [
        "lastro.toml",
        "lexical",
        "lock",
        "store.sqlite",
    ]


def test_a_hundred_lines_deleted_are_gone_after_sync(tmp_path: Path, kb: Path) -> None:
    source = tmp_path / "cards.jsonl"
    ingest(kb, [cards(source, 300)])
    report = ingest(kb, [cards(source, 200)], sync=True)

    assert changed(report) == (0, 200, 0, 100)
    assert hits(kb, "n250") == []
    assert b"n250" not in b"".join(p.read_bytes() for p in kb.rglob("*") if p.is_file())


def test_sync_through_a_copy_of_the_source_knows_it_again(
    tmp_path: Path, kb: Path
) -> None:
    ingest(kb, [cards(tmp_path / "cards.jsonl", 30)])
    report = ingest(kb, [cards(tmp_path / "copy.jsonl", 20)], sync=True)

    assert changed(report) == (0, 20, 0, 10)
    assert "taken as moved" in report.notes[0]


def test_a_file_of_a_known_folder_is_the_same_document(docs: Path, kb: Path) -> None:
    ingest(kb, [docs])
    assert changed(ingest(kb, [docs / "en" / "printing.md"])) == (0, 1, 0, 0)


def test_i34_i53_an_edited_file_is_a_new_version_of_the_same_document(
    docs: Path, kb: Path
) -> None:
    ingest(kb, [docs])
    shutil.copy(docs / "en" / "printing.md", docs / "en" / "copy.md")
    report = ingest(kb, [docs])

    assert changed(report) == (1, 3, 0, 0)
    assert ids(kb) == [
        "en/copy.md",
        "en/guest-code.md",
        "en/printing.md",
        "pt/senha.md",
    ]


def test_i18_one_bad_document_stops_nothing(docs: Path, kb: Path) -> None:
    (docs / "a.bin").write_bytes(bytes(range(256)) * 40)
    (docs / "nul.txt").write_text("before\x00after the nul\n", encoding="utf-8")
    (docs / "cards.jsonl").write_text(
        '{"id": "x1", "text": "Xylophone \\ud800 lesson."}\n{]\n'
        '{"id": "x2", "text": "Zither lesson."}\n',
        encoding="utf-8",
    )
    report = ingest(kb, [docs])

    assert report.indexed == 6
    named = [source.rpartition("/")[2] for source, _ in report.failed + report.skipped]
    assert named == ["a.bin", "cards.jsonl:2"]
    assert hits(kb, "zither") == ["x2"]
    assert hits(kb, "nul") == ["nul.txt"]


def test_i44_a_name_or_text_in_decomposed_hangul_is_found_composed(
    docs: Path, kb: Path
) -> None:
    name = unicodedata.normalize("NFD", "도움말.txt")
    text = unicodedata.normalize("NFD", "블루투스 키보드를 연결합니다.")
    (docs / name).write_text(text, encoding="utf-8")
    ingest(kb, [docs])

    assert hits(kb, "블루투스 키보드") == ["도움말.txt"]
    assert hits(kb, unicodedata.normalize("NFD", "블루투스")) == ["도움말.txt"]


def test_a_source_that_does_not_exist_makes_no_knowledge_base(
    tmp_path: Path, kb: Path
) -> None:
    with pytest.raises(SourceError):
        ingest(kb, [tmp_path / "none"])
    assert not kb.exists()


def test_a_foreign_folder_is_left_alone(docs: Path) -> None:
    with pytest.raises(KnowledgeBaseError, match="not empty"):
        ingest(docs, [docs])
    assert sorted(path.name for path in docs.iterdir()) == ["en", "pt"]


def test_a_second_writer_is_told_that_it_is_busy(docs: Path, kb: Path) -> None:
    ingest(kb, [docs])
    with writing(kb):
        with pytest.raises(KnowledgeBaseBusy):
            ingest(kb, [docs], wait=0)
        with pytest.raises(KnowledgeBaseBusy):
            remove(kb, ["pt/senha.md"], wait=0)
        assert hits(kb, "senha") == ["pt/senha.md"]


def test_an_interrupt_leaves_a_usable_base_and_the_next_run_goes_on(
    tmp_path: Path, kb: Path
) -> None:
    source = cards(tmp_path / "cards.jsonl", 1000)

    def stop(progress: Progress) -> None:
        if progress.done > 500:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ingest(kb, [source], progress=stop)
    assert len(ids(kb)) == 512
    assert hits(kb, "n300") == ["c300"]
    report = ingest(kb, [source])
    assert (report.indexed, report.unchanged) == (488, 512)


def test_progress_counts_and_has_a_rate(tmp_path: Path, kb: Path) -> None:
    seen: list[Progress] = []
    ticks: Iterator[float] = iter(range(100))
    source = cards(tmp_path / "cards.jsonl", 600)
    ingest(kb, [source], progress=seen.append, clock=lambda: next(ticks))

    assert [one.done for one in seen] == [256, 512, 600]
    assert [one.rate for one in seen] == [256.0, 256.0, 200.0]
    assert seen[-1].indexed == 600
    assert seen[-1].passages == 600


def test_locale_and_collection_are_filed_and_a_change_of_them_is_an_update(
    docs: Path, kb: Path
) -> None:
    (docs / "note.txt").write_text("Kontakt", encoding="utf-8")
    ingest(kb, [docs / "note.txt"], locale="es-419", collection="notes")
    searcher = Searcher.open(kb)
    (hit,) = searcher.search("kontakt", collection="notes", filter_locale="es").hits
    assert (hit.collection, hit.passage.locale) == ("notes", "es-419")
    searcher.close()

    assert changed(ingest(kb, [docs / "note.txt"], collection="n2")) == (0, 0, 1, 0)


def test_removing_names_what_it_does_not_know(docs: Path, kb: Path) -> None:
    ingest(kb, [docs])
    report = remove(kb, ["pt/senha.md", "nobody", "pt/senha.md"])

    assert (report.removed, report.unknown) == (("pt/senha.md",), ("nobody",))
    assert ids(kb) == ["en/guest-code.md", "en/printing.md"]
    assert hits(kb, "senha") == []
    left = b"".join(p.read_bytes() for p in kb.rglob("*") if p.is_file())
    assert b"senha" not in left
    assert remove(kb, []).removed == ()


def test_removing_from_what_is_no_knowledge_base_is_refused(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeBaseError):
        remove(tmp_path / "none", ["a"])
    assert not (tmp_path / "none").exists()


def test_a_removed_document_comes_back_with_the_next_ingest(
    docs: Path, kb: Path
) -> None:
    ingest(kb, [docs])
    remove(kb, ["pt/senha.md"])
    assert changed(ingest(kb, [docs])) == (1, 2, 0, 0)


def test_a_half_made_knowledge_base_is_finished(docs: Path, kb: Path) -> None:
    kb.mkdir()
    with Store(kb, create=True) as store:
        store.prepare("half")
    assert changed(ingest(kb, [docs])) == (3, 0, 0, 0)


def test_a_lost_store_is_not_quietly_replaced_by_an_empty_one(
    docs: Path, kb: Path
) -> None:
    ingest(kb, [docs])
    (kb / "store.sqlite").unlink()

    with pytest.raises(KnowledgeBaseError, match="missing"):
        ingest(kb, [docs])
    with pytest.raises(KnowledgeBaseError, match="missing"):
        Searcher.open(kb)
