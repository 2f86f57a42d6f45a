"""Every document of every source is found, named and counted, and stops nothing."""

import json
import unicodedata
from pathlib import Path

import pytest

from lastro.corpus.found import Found, Readable, Skipped, Unreadable
from lastro.corpus.sources import LIMIT, scan
from lastro.errors import SourceError, UsageError
from lastro.model.document import Document


def documents(
    *sources: Path, locale: str = "", collection: str = ""
) -> dict[str, Document]:
    found = scan(sources, locale=locale, collection=collection)
    return {f.document.id: f.document for f in found if isinstance(f, Readable)}


def whys(*sources: Path) -> dict[str, str]:
    return {
        f.source.rpartition("/")[2]: f.why
        for f in scan(sources)
        if not isinstance(f, Readable)
    }


def write(path: Path, text: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def card(identifier: str, text: str = "text") -> str:
    return json.dumps({"id": identifier, "text": text}) + "\n"


def test_a_folder_of_all_formats_is_read(tmp_path: Path) -> None:
    write(tmp_path / "a.md", "# Guide\n\nText.")
    write(tmp_path / "b.txt", "Plain.")
    write(tmp_path / "c.html", "<title>Page</title><p>Seen.")
    write(tmp_path / "d/cards.jsonl", card("one") + card("two"))

    found = documents(tmp_path)

    assert {i: (d.title, d.text) for i, d in found.items()} == {
        "a.md": ("Guide", "Guide\n\nText."),
        "b.txt": ("b", "Plain."),
        "c.html": ("Page", "Seen."),
        "one": ("one", "text"),
        "two": ("two", "text"),
    }
    assert found["two"].source == f"{tmp_path.as_posix()}/d/cards.jsonl:2"
    assert found["a.md"].metadata == {"encoding": "utf-8"}


def test_every_source_that_is_not_there_is_named_before_anything_is_read(
    tmp_path: Path,
) -> None:
    there = write(tmp_path / "a.md", "x")

    with pytest.raises(SourceError, match=r"'.*no1', '.*no2'"):
        scan([there, tmp_path / "no1", tmp_path / "no2"])
    with pytest.raises(SourceError):
        scan(["a\0b"])
    with pytest.raises(UsageError, match="no source"):
        scan([])


def test_a_default_locale_has_to_be_one(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="'English' is not a language tag"):
        scan([tmp_path], locale="English")


def test_defaults_stand_in_where_the_document_says_nothing(tmp_path: Path) -> None:
    write(tmp_path / "a.md", "---\nlocale: ko\ncollection: own\n---\nx")
    write(tmp_path / "b.md", "x")

    found = documents(tmp_path, locale="pt_BR", collection="help")

    assert [(d.locale, d.collection) for d in found.values()] == [
        ("ko", "own"), ("pt-BR", "help"),
    ]  # fmt: skip


def test_reading_is_lazy(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", card("one") + card("two"))
    write(tmp_path / "b.md", "gone soon")

    found = scan([tmp_path])
    first = next(found)
    (tmp_path / "b.md").unlink()

    assert isinstance(first, Readable)
    assert [type(f) for f in found] == [Readable, Unreadable]
    assert path.exists()


def test_what_is_gone_before_it_is_read_is_said(tmp_path: Path) -> None:
    write(tmp_path / "a.md", "x")
    path = write(tmp_path / "b.md", "x")
    found = scan([tmp_path])
    next(found)
    path.unlink()

    (failed,) = found

    assert isinstance(failed, Unreadable)
    assert (failed.id, failed.why) == ("b.md", "it is gone")


def test_no_document_stops_another(tmp_path: Path) -> None:
    """I05, I18, I54: one bad document ended the batch, or was passed over."""
    write(tmp_path / "a.pdf", b"%PDF-1.7")
    write(tmp_path / "b.bin", bytes(100))
    write(tmp_path / "c.png", b"\x89PNG\r\n\x1a\n")
    write(tmp_path / "d.md", "---\na: b: c\n---\n")
    write(tmp_path / "e.md", "  \n")
    write(tmp_path / "f.jsonl", "{]\n" + card("card") + '{"id": "x"}\n')
    write(tmp_path / "g.jsonl", "\n")
    write(tmp_path / "h.txt", "a\0b")

    assert [*documents(tmp_path)] == ["card", "h.txt"]
    assert whys(tmp_path) == {
        "a.pdf": "PDF is not read by this version",
        "b.bin": "binary data, not text",
        "c.png": "a PNG image is not read by this version",
        "d.md": "front matter, line 2: this is not valid YAML",
        "e.md": "no text",
        "f.jsonl:1": "this is not valid JSON (column 2)",
        "f.jsonl:3": "no text",
        "g.jsonl": "no text",
    }


def test_an_older_encoding_is_read_and_recorded(tmp_path: Path) -> None:
    """I01, I02: text with umlauts was called binary, CSV died on Windows."""
    write(tmp_path / "a.txt", "Instalação de opções".encode("cp1252"))
    write(tmp_path / "b.jsonl", card("one", "설정").encode("utf-16"))

    found = documents(tmp_path)

    assert found["a.txt"].text == "Instalação de opções"
    assert found["a.txt"].metadata["encoding"] == "windows-1252"
    assert found["one"].text == "설정"
    assert found["one"].metadata["encoding"] == "utf-16-le"


def test_a_name_from_macos_is_found_under_its_usual_form(tmp_path: Path) -> None:
    """I44: names from macOS are decomposed and were not found."""
    write(tmp_path / unicodedata.normalize("NFD", "설치.md"), "e\u0301")

    (document,) = documents(tmp_path).values()

    assert (document.id, document.text) == ("설치.md", "é")


ADVICE = (
    "give it an `id:` of its own in the front matter, or ingest the folder above both"
)


def test_two_documents_with_one_id_are_a_failure_that_names_both(
    tmp_path: Path,
) -> None:
    """I53: of two different files with one name the second was refused unnamed."""
    write(tmp_path / "one/a.md", "first")
    write(tmp_path / "two/a.md", "second")
    cards = write(tmp_path / "c.jsonl", card("x", "1") + card("y") + card("x", "2"))

    found = list(scan([tmp_path / "one", tmp_path / "two", cards]))

    failed = [f for f in found if isinstance(f, Unreadable)]
    root = tmp_path.as_posix()
    assert [(f.source, f.why, f.id) for f in failed] == [
        (
            f"{root}/two/a.md",
            f"its id a.md is already that of {root}/one/a.md: {ADVICE}",
            "a.md",
        ),
        (f"{root}/c.jsonl:3", f"its id x is already that of {root}/c.jsonl:1", "x"),
    ]


def test_the_same_document_twice_is_one(tmp_path: Path) -> None:
    """I33: the same file three times, and three times as many passages."""
    write(tmp_path / "c.jsonl", card("x") * 2)
    write(tmp_path / "a.md", "a")

    found = list(scan([tmp_path, tmp_path / "c.jsonl", tmp_path, tmp_path / "a.md"]))

    assert [type(f) for f in found] == [Readable, Readable, Skipped]
    assert whys(tmp_path)["c.jsonl:2"].startswith("the same document as ")


def test_a_second_run_finds_the_same_versions(tmp_path: Path) -> None:
    """I34: an edited file was a new document beside the old one."""
    path = write(tmp_path / "a.md", "# A\n\nold text")
    before = documents(tmp_path)["a.md"]
    same = documents(tmp_path)["a.md"]
    write(path, "# A\n\nnew text")
    after = documents(path)["a.md"]

    assert before == same
    assert (after.id, after.version == before.version) == (before.id, False)


def test_a_file_over_the_limit_is_refused_without_being_read(tmp_path: Path) -> None:
    with (tmp_path / "a.txt").open("wb") as file:
        file.write(b"text ")
        file.truncate(LIMIT + 1)

    assert whys(tmp_path) == {"a.txt": "larger than 32 MiB"}


def test_a_corpus_has_no_limit_of_size(tmp_path: Path) -> None:
    text = "word " * 200_000
    lines = "".join(card(f"c{number}", text) for number in range(40))
    path = write(tmp_path / "c.jsonl", lines)
    assert path.stat().st_size > LIMIT

    found: list[Found] = list(scan([path]))

    assert all(isinstance(f, Readable) for f in found)
    assert len(found) == 40


def test_questions_are_refused_once_and_not_line_by_line(tmp_path: Path) -> None:
    write(tmp_path / "cases.jsonl", '{"id": "a", "query": "b"}\n' * 100)

    assert whys(tmp_path) == {
        "cases.jsonl": "JSON lines without a text: these are no cards"
    }


def test_the_public_corpora_are_read_whole(shared: Path) -> None:
    corpus = shared / "data" / "gnome_help" / "corpus.jsonl"

    found = documents(corpus)

    assert len(found) == 1054
    assert {d.locale for d in found.values()} == {"en", "es", "pt-BR", "ko"}
    for line in corpus.read_text(encoding="utf-8").splitlines():
        raw = json.loads(line)
        assert found[raw["_id"]].text == unicodedata.normalize("NFC", raw["text"])
