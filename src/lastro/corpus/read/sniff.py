"""What kind of file this is: by its content, else by its name.

Formats that this version does not read are known by name, so that a person is
told "PDF is not read by this version" and not shown the bytes as words.  One rule
for all of them: a document has failed; what is none - a picture, an archive, a
program - is skipped.
"""

import json
import re
from enum import StrEnum
from typing import NamedTuple

from lastro.corpus.read.draft import Refusal


class Kind(StrEnum):
    """The kinds of files that are read."""

    MARKDOWN = "markdown"
    TEXT = "text"
    HTML = "html"
    CARDS = "cards"


class _Format(NamedTuple):
    name: str
    document: bool


_PDF = re.compile(rb"%PDF-\d")
_SIGNS: tuple[tuple[int, bytes, _Format], ...] = tuple(
    (at, sign, _Format(name, document))
    for at, sign, name, document in (
        (0, b"{\\rtf", "RTF", True),
        (0, b"%!PS", "PostScript", True),
        (0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "the old Office format", True),
        (0, b"\x89PNG\r\n", "a PNG image", False),
        (0, b"\xff\xd8\xff", "a JPEG image", False),
        (0, b"GIF8", "a GIF image", False),
        (8, b"WEBPVP8", "a WebP image", False),
        (0, b"II*\0", "a TIFF image", False),
        (0, b"MM\0*", "a TIFF image", False),
        (0, b"\0\0\x01\0", "an icon", False),
        (4, b"ftyp", "video or an HEIF image", False),
        (0, b"\x1a\x45\xdf\xa3", "video", False),
        (8, b"AVI LIST", "video", False),
        (8, b"WAVEfmt ", "audio", False),
        (0, b"ID3", "audio", False),
        (0, b"OggS\0", "audio", False),
        (0, b"fLaC\0", "audio", False),
        (0, b"\x1f\x8b\x08", "a gzip archive", False),
        (0, b"BZh", "a bzip2 archive", False),
        (0, b"\xfd7zXZ\0", "an xz archive", False),
        (0, b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive", False),
        (0, b"Rar!\x1a\x07", "a RAR archive", False),
        (0, b"\x28\xb5\x2f\xfd", "a Zstandard archive", False),
        (257, b"ustar", "a tar archive", False),
        (0, b"SQLite format 3\0", "a SQLite database", False),
        (0, b"PAR1\x15", "a Parquet file", False),
        (0, b"\x7fELF", "a program", False),
        (0, b"MZ\x90\0", "a program", False),
        (0, b"\0asm", "a program", False),
        (0, b"wOF", "a font", False),
        (0, b"OTTO\0", "a font", False),
        (0, b"\0\x01\0\0\0", "a font", False),
    )
)
# All of them in one look: group 1 is the first sign, and so on.
_SIGNED = re.compile(
    b"|".join(b".{%d}(%b)" % (at, re.escape(sign)) for at, sign, _ in _SIGNS),
    re.DOTALL,
)
_ZIPPED = (
    (b"word/", "DOCX"), (b"ppt/", "PPTX"), (b"xl/", "XLSX"),
    (b"application/epub+zip", "EPUB"),
    (b"opendocument.spreadsheet", "ODS"), (b"opendocument.presentation", "ODP"),
    (b"opendocument.text", "ODT"),
)  # fmt: skip
_DOCUMENTS = {
    "csv": "CSV", "tsv": "TSV", "eml": "EML", "msg": "MSG", "mbox": "mbox",
    "pdf": "PDF", "rtf": "RTF", "ps": "PostScript", "epub": "EPUB", "mobi": "MOBI",
    "doc": "the old Office format", "xls": "the old Office format",
    "ppt": "the old Office format", "docx": "DOCX", "xlsx": "XLSX", "pptx": "PPTX",
    "docm": "DOCX", "xlsm": "XLSX", "pptm": "PPTX",
    "odt": "ODT", "ods": "ODS", "odp": "ODP", "djvu": "DjVu",
    "pages": "Pages", "numbers": "Numbers",
}  # fmt: skip
_OTHERS = {
    "png": "a PNG image", "jpg": "a JPEG image", "jpeg": "a JPEG image",
    "gif": "a GIF image", "webp": "a WebP image", "bmp": "a bitmap image",
    "tif": "a TIFF image", "tiff": "a TIFF image", "heic": "an HEIF image",
    "svg": "an SVG image", "ico": "an icon",
    "zip": "a ZIP archive", "gz": "a gzip archive", "tgz": "a gzip archive",
    "bz2": "a bzip2 archive", "xz": "an xz archive", "7z": "a 7-Zip archive",
    "rar": "a RAR archive", "tar": "a tar archive", "jar": "a ZIP archive",
    "exe": "a program", "dll": "a program", "so": "a program", "pyc": "a program",
    "mp3": "audio", "wav": "audio", "mp4": "video", "mov": "video", "avi": "video",
}  # fmt: skip
_NAMED = {
    f".{suffix}": _Format(name, document)
    for names, document in ((_DOCUMENTS, True), (_OTHERS, False))
    for suffix, name in names.items()
}
_LINES = (".jsonl", ".ndjson")
_MARKDOWN = (".md", ".markdown", ".mdown", ".mkd")
_HTML = (".html", ".htm", ".xhtml")
_BEFORE = re.compile(r"(?:\s|<!--.*?-->|<\?xml[^>]*>)*", re.DOTALL)
_IS_HTML = re.compile(r"<(?:!doctype\s+html|html|head|body)[\s>]", re.IGNORECASE)
_IS_SVG = re.compile(
    r"(?:<\?xml[^>]*>\s*)?(?:<!doctype\s+svg|<svg[\s>])", re.IGNORECASE
)
_IS_XML = re.compile(r"<\?xml\s|<!doctype\s|<svg[\s>]", re.IGNORECASE)
_IS_MAIL = re.compile(r"(?:[\w-]+: .*\n(?:[ \t].*\n)*)*mime-version: ", re.IGNORECASE)
_FRONT = re.compile(r"---[ \t]*\n[\w-]+[ \t]*:")


def refuse_bytes(head: bytes, tail: bytes = b"", suffix: str = "") -> Refusal | None:
    """Name the format of ``head`` if it is one that is not read as text.

    A file named like a format that is not read is one, whatever it holds.
    """
    named = _NAMED.get(suffix)
    if _PDF.search(head[:1024]):
        return _not_read(_Format("PDF", document=True))
    if head.startswith(b"PK\x03\x04"):
        inside = head + tail
        name = next((name for sign, name in _ZIPPED if sign in inside), "")
        if named and not name:
            return _not_read(named)
        return _not_read(_Format(name or "a ZIP archive", document=bool(name)))
    signed = _SIGNED.match(head)
    if signed:
        return _not_read(_SIGNS[(signed.lastindex or 1) - 1][2])
    return _not_read(named) if named else None


def is_cards(head: str, suffix: str) -> bool:
    """Say whether a text that begins with ``head`` holds one JSON object a line."""
    if suffix in _LINES:
        return True
    first, end, rest = head.lstrip("\ufeff \t\r\n").partition("\n")
    if not first.startswith("{") or not (end or first.rstrip().endswith("}")):
        return False
    card = _json(first)
    return isinstance(card, dict) and "text" in card and rest.lstrip()[:1] in ("", "{")


def no_cards(head: str) -> Refusal | None:
    """Refuse JSON lines that hold something else, such as questions or a log.

    One answer for the file, instead of one for each of its lines.
    """
    found = [_json(line) for line in head.splitlines()]
    objects = [value for value in found if isinstance(value, dict)]
    if not objects or any("text" in value for value in objects):
        return None
    return Refusal("JSON lines without a text: these are no cards")


def kind(text: str, suffix: str) -> Kind | Refusal:
    """Return the kind of a text, or why it is not read."""
    head = text[:8192]
    start = _BEFORE.match(head)
    begin = start.end() if start else 0
    if _IS_HTML.match(head, begin) or suffix in _HTML:
        return Kind.HTML
    if suffix in _MARKDOWN or (not suffix and _FRONT.match(head)):
        return Kind.MARKDOWN
    named = _NAMED.get(suffix) or _text_format(text, head)
    return _not_read(named) if named else Kind.TEXT


def _text_format(text: str, head: str) -> _Format | None:
    if _IS_SVG.match(head.lstrip()):
        return _NAMED[".svg"]
    if _IS_XML.match(head.lstrip()):
        return _Format("XML", document=True)
    if _IS_MAIL.match(head):
        return _NAMED[".eml"]
    bare = text.strip()
    if bare[:1] + bare[-1:] in ("{}", "[]") and _json(bare) is not None:
        return _Format("JSON that is not one object a line", document=True)
    return None


def _json(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _not_read(found: _Format) -> Refusal:
    return Refusal(f"{found.name} is not read by this version", broken=found.document)
