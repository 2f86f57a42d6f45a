"""From files to a knowledge base and out of it again, through the real readers."""

import json
import random
import shutil
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import desk
import pytest

from lastro.errors import KnowledgeBaseBusy, KnowledgeBaseError, SourceError
from lastro.index.folder import read
from lastro.index.ingest import ingest, remove
from lastro.index.lock import writing
from lastro.index.reports import IngestReport, Progress
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


def page(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_i53_a_second_folder_with_the_same_names_replaces_nothing(
    tmp_path: Path, kb: Path
) -> None:
    page(tmp_path / "s1" / "index.md", "Alpha.")
    page(tmp_path / "s2" / "index.md", "Beta.")
    page(tmp_path / "s2" / "other.md", "Gamma.")
    ingest(kb, [tmp_path / "s1"])
    for sync in (False, True):
        report = ingest(kb, [tmp_path / "s2"], sync=sync)
        ((source, why),) = report.failed
        assert source == f"{tmp_path}/s2/index.md"
        assert why.startswith(
            f"its id index.md is already that of {tmp_path}/s1/index.md: give it an"
        )
        assert ids(kb) == ["index.md", "other.md"]
        assert hits(kb, "alpha beta") == ["index.md"]

    assert changed(ingest(kb, [tmp_path], sync=True)) == (1, 2, 0, 0)
    assert ids(kb) == ["index.md", "other.md", "s2/index.md"]
    assert changed(ingest(kb, [tmp_path / "s2"])) == (0, 2, 0, 0)


def test_a_copy_of_a_document_elsewhere_is_skipped(tmp_path: Path, kb: Path) -> None:
    page(tmp_path / "s1" / "a.md", "Alpha.")
    page(tmp_path / "s2" / "a.md", "Alpha.")
    ingest(kb, [tmp_path / "s1"])
    report = ingest(kb, [tmp_path / "s2"])

    same = f"the same document as {tmp_path}/s1/a.md"
    assert report.skipped == ((f"{tmp_path}/s2/a.md", same),)


def test_both_places_are_named_where_the_sources_read_alike(
    tmp_path: Path, kb: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("s1", "s2"):
        page(tmp_path / name / "a.md", f"Of {name}.")
        monkeypatch.chdir(tmp_path / name)
        report = ingest(kb, ["a.md"])

    ((source, why),) = report.failed
    assert (source, f"{tmp_path}/s1/a.md" in why) == ("a.md", True)


def test_a_renamed_folder_is_the_same_documents(docs: Path, kb: Path) -> None:
    ingest(kb, [docs])
    moved = docs.rename(docs.with_name("manual"))
    page(moved / "en" / "printing.md", "Posters only.")

    assert changed(ingest(kb, [moved], sync=True)) == (0, 2, 1, 0)
    assert hits(kb, "posters") == ["en/printing.md"]


def test_a_corpus_written_out_elsewhere_updates_its_cards(
    tmp_path: Path, kb: Path
) -> None:
    ingest(kb, [cards(tmp_path / "old.jsonl", 3)])
    new = tmp_path / "new.jsonl"
    new.write_text('{"id": "c1", "text": "Another text."}\n', encoding="utf-8")

    assert changed(ingest(kb, [new])) == (0, 0, 1, 0)


def test_i33_one_file_is_one_document_however_its_path_is_written(
    docs: Path, kb: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (docs.parent / "link").symlink_to(docs, target_is_directory=True)
    monkeypatch.chdir(docs)
    ingest(kb, ["."])
    monkeypatch.chdir(docs.parent)
    for written in ("docs", docs, "docs/en", "./docs/../docs/en/", "link", "link/en"):
        report = ingest(kb, [written], sync=True)
        assert (report.updated, report.indexed, report.removed) == (0, 0, 0)

    assert ids(kb) == ["en/guest-code.md", "en/printing.md", "pt/senha.md"]


def test_a_file_keeps_its_id_when_the_folder_above_comes_later(
    docs: Path, kb: Path
) -> None:
    ingest(kb, [docs / "en" / "printing.md"])
    assert changed(ingest(kb, [docs / "en"])) == (1, 1, 0, 0)
    assert changed(ingest(kb, [docs])) == (1, 2, 0, 0)
    assert ids(kb) == ["guest-code.md", "printing.md", "pt/senha.md"]

    page(docs / "en" / "new.md", "New.")
    assert changed(ingest(kb, [docs / "en"], sync=True)) == (1, 2, 0, 0)
    assert "en/new.md" in ids(kb)


def test_the_owner_of_an_id_is_not_pushed_out_by_a_new_file_of_that_name(
    tmp_path: Path, kb: Path
) -> None:
    old = page(tmp_path / "zz" / "plans.md", "Alpha.")
    ingest(kb, [old])
    page(tmp_path / "plans.md", "Beta.")
    page(old, "Gamma.")
    report = ingest(kb, [tmp_path])

    assert [source for source, _ in report.failed] == [f"{tmp_path}/plans.md"]
    assert hits(kb, "alpha beta gamma") == ["plans.md"]
    assert hits(kb, "gamma") == ["plans.md"]


def test_sync_of_a_folder_below_leaves_the_rest_alone(docs: Path, kb: Path) -> None:
    ingest(kb, [docs])
    ingest(kb, [docs / "pt"])
    (docs / "en" / "printing.md").unlink()
    (docs / "pt" / "senha.md").unlink()

    assert changed(ingest(kb, [docs / "pt"], sync=True)) == (0, 0, 0, 1)
    assert ids(kb) == ["en/guest-code.md", "en/printing.md"]
    assert changed(ingest(kb, [docs], sync=True)) == (0, 1, 0, 1)


def test_a_file_that_gets_an_id_of_its_own_stays_one_document(
    tmp_path: Path, kb: Path
) -> None:
    file = page(tmp_path / "a.md", "Alpha.")
    ingest(kb, [file])
    page(file, "---\nid: first\n---\nAlpha.")
    report = ingest(kb, [file])
    assert (changed(report), ids(kb)) == ((0, 0, 1, 0), ["first"])
    assert report.notes == ("1 file has another id now: a.md is first",)

    page(file, "Alpha.")
    ingest(kb, [file])
    assert ids(kb) == ["a.md"]


def test_nothing_absolute_stands_in_ids_and_titles(docs: Path, kb: Path) -> None:
    ingest(kb, [docs / "en" / "printing.md", docs])
    searcher = Searcher.open(kb)
    shown = [(line.id, line.title) for line in searcher.documents()]
    searcher.close()

    assert str(docs.parent) not in repr(shown)


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


def test_a_region_takes_documents_of_a_detected_language(
    tmp_path: Path, kb: Path
) -> None:
    page(
        tmp_path / "d" / "a.md", "Para trocar a senha, abra as configurações da conta."
    )
    page(tmp_path / "d" / "b.md", "---\nlocale: pt-PT\n---\nA senha do utilizador.")
    ingest(kb, [tmp_path / "d"])
    searcher = Searcher.open(kb)
    found = {
        wanted: [hit.document_id for hit in ranking.hits]
        for wanted in ("pt-BR", "pt-PT", "es-419")
        for ranking in [searcher.search("senha", filter_locale=wanted)]
    }
    searcher.close()

    assert found["pt-BR"] == ["a.md"]
    assert sorted(found["pt-PT"]) == ["a.md", "b.md"]
    assert found["es-419"] == []


def test_removing_names_what_it_does_not_know(docs: Path, kb: Path) -> None:
    ingest(kb, [docs])
    report = remove(kb, ["pt/senha.md", "nobody", "pt/senha.md", "\ud800", "\0"])

    unknown = ("nobody", "\ud800", "\0")
    assert (report.removed, report.unknown) == (("pt/senha.md",), unknown)
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


def test_no_key_of_a_removed_document_stays_in_a_split_page(tmp_path: Path) -> None:
    order = random.Random(3)  # noqa: S311 - ids come in no order, as in real ones
    rows = [
        {
            "id": f"{lang}:{'x' * order.randrange(12)}-{n}!",
            "title": "T",
            "text": "Yes. " * n,
        }
        for n in range(1, 500)
        for lang in order.sample(["en", "ko", "pt-BR"], 2)
    ]
    kb, old, new = tmp_path / "kb", tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    old.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    gone = order.sample(rows, 100)
    kept = [row for row in rows if row not in gone]
    new.write_text("".join(json.dumps(row) + "\n" for row in kept), "utf-8")
    ingest(kb, [old])

    ingest(kb, [new], sync=True)

    left = b"".join(p.read_bytes() for p in kb.rglob("*") if p.is_file())
    held = "\n".join(row["id"] for row in kept)
    assert [
        row["id"]
        for row in gone
        if row["id"].encode() in left and row["id"] not in held
    ] == []
