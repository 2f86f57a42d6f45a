"""The content says what a file is; the name only decides between texts."""

import io
import zipfile

import pytest

from lastro.corpus.read import sniff
from lastro.corpus.read.draft import Refusal
from lastro.corpus.read.sniff import Kind


def zipped(*names: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in names:
            archive.writestr(name, "x")
    return buffer.getvalue()


def opendocument(kind: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("mimetype", f"application/vnd.oasis.opendocument.{kind}")
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b"%PDF-1.7\n", "PDF"),
        (b"junk\n%PDF-1.4", "PDF"),
        (zipped("[Content_Types].xml", "word/document.xml"), "DOCX"),
        (zipped("ppt/presentation.xml"), "PPTX"),
        (zipped("xl/workbook.xml"), "XLSX"),
        (opendocument("spreadsheet"), "ODS"),
        (opendocument("text"), "ODT"),
        (b"{\\rtf1 x}", "RTF"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "the old Office format"),
    ],
)
def test_a_document_of_another_format_is_named(data: bytes, name: str) -> None:
    """I05: .ods was sent to the text reader."""
    refusal = sniff.refuse_bytes(data)

    assert refusal == Refusal(f"{name} is not read by this version", broken=True)


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b"\x89PNG\r\n\x1a\n", "a PNG image"),
        (b"\xff\xd8\xff\xe0", "a JPEG image"),
        (b"RIFF0000WEBPVP8 ", "a WebP image"),
        (b"\x1f\x8b\x08", "a gzip archive"),
        (b"SQLite format 3\0", "a SQLite database"),
        (zipped("a.txt"), "a ZIP archive"),
        (b"x" * 257 + b"ustar", "a tar archive"),
    ],
)
def test_what_is_no_document_is_skipped_by_name(data: bytes, name: str) -> None:
    refusal = sniff.refuse_bytes(data)

    assert refusal == Refusal(f"{name} is not read by this version", broken=False)


@pytest.mark.parametrize(
    ("name", "broken"),
    [
        *((name, True) for name in ("pdf", "docx", "ods", "csv", "eml", "doc", "epub")),
        *((name, False) for name in ("png", "svg", "zip", "tgz", "exe", "mp3")),
    ],
)
@pytest.mark.parametrize(
    "data", [zipped("a"), b"words", bytes(range(256)), b"PK\x03\x04", b""]
)
def test_formats_count_alike_by_name_whatever_is_in_the_file(
    data: bytes, name: str, broken: bool
) -> None:
    refusal = sniff.refuse_bytes(data, b"", f".{name}")

    assert refusal is not None
    assert refusal.broken is broken


def test_the_end_of_a_zip_file_counts_too() -> None:
    data = zipped("a" * 90, "word/document.xml")

    assert sniff.refuse_bytes(data[:60], data[-60:]) == Refusal(
        "DOCX is not read by this version"
    )


@pytest.mark.parametrize("data", [b"", b"BM is a bank", b"MZ", b"ID", "é".encode()])
def test_text_is_no_other_format(data: bytes) -> None:
    assert sniff.refuse_bytes(data) is None


@pytest.mark.parametrize(
    ("text", "suffix", "expected"),
    [
        ("# a", ".md", Kind.MARKDOWN),
        ("# a", ".txt", Kind.TEXT),
        ("# a", "", Kind.TEXT),
        ("---\nid: a\n---\n# a", "", Kind.MARKDOWN),
        ("<!DOCTYPE html><p>a", ".md", Kind.HTML),
        ("\n<!-- c -->\n<html lang=ko>", ".txt", Kind.HTML),
        ('<?xml version="1.0"?><html xmlns="x">', ".xml", Kind.HTML),
        ("<p align=center>a</p>", ".md", Kind.MARKDOWN),
        ("just words", ".html", Kind.HTML),
        ("{not json}", ".txt", Kind.TEXT),
        ("def f():\n    return {}", ".py", Kind.TEXT),
    ],
)
def test_the_kind_of_a_text(text: str, suffix: str, expected: Kind) -> None:
    assert sniff.kind(text, suffix) is expected


@pytest.mark.parametrize(
    ("text", "suffix", "name"),
    [
        ("a,b\n1,2\n", ".csv", "CSV"),
        ("Subject: a\nMIME-Version: 1.0\n\nb", ".txt", "EML"),
        ('<?xml version="1.0"?><rss/>', ".md.bak", "XML"),
        ('[{"id": "a"}]', ".json", "JSON that is not one object a line"),
        ("a,b", ".tsv", "TSV"),
        ('{"name": "a"}', ".txt", "JSON that is not one object a line"),
    ],
)
def test_a_text_of_another_format_is_named(text: str, suffix: str, name: str) -> None:
    assert sniff.kind(text, suffix) == Refusal(f"{name} is not read by this version")


@pytest.mark.parametrize(
    ("head", "suffix", "expected"),
    [
        ("", ".jsonl", True),
        ("nonsense", ".ndjson", True),
        ('{"id": "a", "text": "b"}\n{"id": "c", "te', "", True),
        ('\n{"text": "b"}', ".txt", True),
        ('{"text": "b"}\nprose', "", False),
        ('{"name": "b"}\n', "", False),
        ('{\n"text": "b"}', "", False),
        ("{" * 9000, "", False),
    ],
)
def test_cards_are_known_by_name_or_by_their_first_line(
    head: str, suffix: str, expected: bool
) -> None:
    assert sniff.is_cards(head, suffix) is expected


def test_json_lines_without_a_text_are_refused_once() -> None:
    assert sniff.no_cards('{"query": "a"}\n{"query": "b"}\n') is not None
    assert sniff.no_cards('{]\n{"id": 1, "text": "b"}\n{"query": "b"}') is None
    assert sniff.no_cards("{]\n[1]\n") is None


def test_a_picture_that_is_text_is_no_document() -> None:
    for text in ("<svg xmlns='x'/>", '<?xml version="1.0"?>\n<svg>', "<!DOCTYPE svg>"):
        refusal = Refusal("an SVG image is not read by this version", broken=False)
        assert sniff.kind(text, ".xml") == refusal
