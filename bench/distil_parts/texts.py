"""Texts in four languages out of Debian packages, and which of them mean the same."""

import re
import struct
import unicodedata
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

# The name that each package gives a language.
LANGUAGES = {"en": "en-US", "es": "es", "pt": "pt-BR", "ko": "ko"}
HELP = "usr/share/libreoffice/help"
INTERFACE = "usr/lib/libreoffice/program/resource"
CLDR = "usr/share/unicode/cldr/common"
WORDNET = "usr/share/wordnet"
LONGEST = 900  # code points of a text

Said = Mapping[str, str]  # the same in several languages


@dataclass(slots=True)
class Collection:
    """Texts, each once, and pairs of them by kind."""

    texts: dict[tuple[str, str], int] = field(default_factory=dict)
    pairs: dict[str, list[tuple[int, int]]] = field(default_factory=dict)

    def add(self, language: str, text: str) -> int:
        """Return the number of a text."""
        return self.texts.setdefault((language, text[:LONGEST]), len(self.texts))

    def pair(self, kind: str, one: tuple[str, str], other: tuple[str, str]) -> None:
        """Keep that two texts, each with its language, belong together."""
        found = (self.add(*one), self.add(*other))
        self.pairs.setdefault(kind, []).append(found)

    def translations(self, kind: str, said: Said) -> None:
        """Keep every two languages' texts; what was left in English is none."""
        kept = [
            (language, said[language])
            for language in LANGUAGES
            if len(said.get(language, "")) > 1
            and (language == "en" or said[language] != said.get("en"))
        ]
        for one, other in combinations(kept, 2):
            if one[1].casefold() != other[1].casefold():
                self.pair(kind, one, other)


class Block(NamedTuple):
    """A heading or a paragraph; ``key`` is the same in every language."""

    heading: bool
    key: str
    text: str


class Page(HTMLParser):
    """A page of the help as its title and its blocks."""

    _BLOCKS = ("h1", "h2", "h3", "h4", "h5", "p", "td", "th", "li")

    def __init__(self) -> None:
        super().__init__()
        self.title = ""
        self.blocks: list[Block] = []
        self._in_title = self._in_text = False
        self._tag = self._key = self._text = ""
        self._seen: dict[str, int] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a block."""
        name = dict(attrs).get("id") or ""
        self._in_title |= tag == "title"
        if name == "DisplayArea":
            self._in_text = True
        elif name == "SearchFrame" or tag == "footer":
            self._end()
            self._in_text = False
        if self._in_text and tag in self._BLOCKS:
            self._end()
            self._tag, self._key = tag, name

    def handle_endtag(self, tag: str) -> None:
        """End a block."""
        self._in_title &= tag != "title"
        if tag in self._BLOCKS:
            self._end()

    def handle_data(self, data: str) -> None:
        """Keep text."""
        if self._in_title:
            self.title += data
        elif self._tag:
            self._text += data

    def _end(self) -> None:
        text, key = clean(self._text), self._key
        if self._tag and text:
            times = self._seen[key] = self._seen.get(key, 0) + 1
            found = f"{key} {times}" if key else ""
            self.blocks.append(Block(self._tag.startswith("h"), found, text))
        self._tag = self._key = self._text = ""


def clean(text: str) -> str:
    """Return a text on one line."""
    return unicodedata.normalize("NFC", " ".join(text.split()))


def collected(root: Path) -> Collection:
    """Return everything in the unpacked packages under ``root``."""
    found = Collection()
    for pages in help_pages(root):
        of_page(found, pages)
    for said in interface(root):
        found.translations("interface", said)
    of_cldr(found, root)
    for lemmas, gloss in wordnet(root):
        found.pair("gloss", ("en", lemmas), ("en", gloss))
    return found


def help_pages(root: Path) -> Iterator[dict[str, Page]]:
    """Yield every page of the help in all languages; untranslated blocks are out."""
    english = root / HELP / LANGUAGES["en"]
    for file in sorted((english / "text").rglob("*.html")):
        pages: dict[str, Page] = {}
        for language, name in LANGUAGES.items():
            page = pages[language] = Page()
            where = root / HELP / name / file.relative_to(english)
            page.feed(where.read_text("utf-8"))
        same = {block.text for block in pages["en"].blocks if " " in block.text}
        for language, page in pages.items():
            page.title = clean(page.title)
            if language != "en":
                page.blocks = [one for one in page.blocks if one.text not in same]
        yield pages


def of_page(found: Collection, pages: Mapping[str, Page]) -> None:
    """Keep what belongs together on a page."""
    found.translations("title", {of: page.title for of, page in pages.items()})
    keyed = {
        of: {block.key: block.text for block in page.blocks if block.key}
        for of, page in pages.items()
    }
    for key in keyed["en"]:
        said = {of: blocks[key] for of, blocks in keyed.items() if key in blocks}
        found.translations("paragraph", said)
    under = {of: sections(page.blocks) for of, page in pages.items()}
    for asked, page in pages.items():
        for told, other in pages.items():
            body = " ".join(one.text for one in other.blocks if not one.heading)
            if page.title and len(body) > 60:
                found.pair("page", (asked, page.title), (told, body))
            for key, (heading, text) in under[asked].items():
                answer = under[told].get(key, ("", "")) if key else ("", "")
                body = text if asked == told else answer[1]
                if body:
                    found.pair("heading", (asked, heading), (told, body))


def sections(blocks: Sequence[Block]) -> dict[str, tuple[str, str]]:
    """Return heading and text of each section that has some text, by its key."""
    found: dict[str, tuple[str, str]] = {}
    key = heading = ""
    body: list[str] = []
    for block in (*blocks, Block(heading=True, key="", text="")):
        if not block.heading:
            body.append(block.text)
            continue
        text = " ".join(body)
        if heading and len(text) > 40:
            found[key or heading] = (heading, text)
        key, heading, body = block.key, block.text, []
    return found


def interface(root: Path) -> list[dict[str, str]]:
    """Return the texts of the interface, by language."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    for language in ("es", "pt_BR", "ko"):
        for file in sorted((root / INTERFACE / language / "LC_MESSAGES").glob("*.mo")):
            for key, text in messages(file.read_bytes()):
                said = found.setdefault((file.name, key), {"en": label(key)})
                said[language[:2]] = label(text)
    return [*found.values()]


def messages(data: bytes) -> Iterator[tuple[str, str]]:
    """Yield key and text of a catalogue of gettext."""
    count, keys, texts = struct.unpack_from("<3I", data, 8)
    for at in range(0, 8 * count, 8):
        found = []
        for table in (keys, texts):
            length, start = struct.unpack_from("<2I", data, table + at)
            found.append(data[start : start + length].decode())
        if found[0]:
            yield found[0], found[1]


def label(text: str) -> str:
    """Return a label without its context, its access key and its dots."""
    singular = text.rpartition("\4")[2].partition("\0")[0]
    return clean(re.sub(r"[~_](?=\w)", "", singular.replace("...", "")))


def of_cldr(found: Collection, root: Path) -> None:
    """Keep names and keywords of signs, and names of places and the like."""
    names: dict[str, dict[str, str]] = {}
    keywords: dict[str, dict[str, str]] = {}
    listed: dict[str, dict[str, str]] = {}
    for language in LANGUAGES:
        for folder in ("annotations", "annotationsDerived"):
            tree = ET.parse(root / CLDR / folder / f"{language}.xml")  # noqa: S314
            for one in tree.iter("annotation"):
                kept = names if one.get("type") else keywords
                text = clean(one.text or "").replace(" | ", " ")
                kept.setdefault(one.get("cp", ""), {})[language] = text
        tree = ET.parse(root / CLDR / "main" / f"{language}.xml")  # noqa: S314
        for path, text in leaves(tree.getroot(), ""):
            listed.setdefault(path, {})[language] = clean(text)
    for said in (*names.values(), *keywords.values(), *listed.values()):
        found.translations("name", said)
    of_signs(found, names, keywords)


def of_signs(
    found: Collection, names: Mapping[str, Said], keywords: Mapping[str, Said]
) -> None:
    """Keep the name of a sign with its keywords."""
    for sign, said in names.items():
        for language, name in said.items():
            if words := keywords.get(sign, {}).get(language):
                found.pair("keyword", (language, name), (language, words))


_NAMED = re.compile("localeDisplayNames|displayName|exemplarCity|/months|/days")


def leaves(element: ET.Element, above: str) -> Iterator[tuple[str, str]]:
    """Yield path and text of the names in a tree."""
    kept = {key: value for key, value in element.attrib.items() if key != "draft"}
    path = f"{above}/{element.tag}{sorted(kept.items())}"
    text = element.text or ""
    if not len(element) and text.strip() and "↑" not in text and _NAMED.search(path):
        yield path, text
    for child in element:
        yield from leaves(child, path)


def wordnet(root: Path) -> Iterator[tuple[str, str]]:
    """Yield the lemmas of a sense and its gloss."""
    for part in ("noun", "verb", "adj", "adv"):
        for line in (root / WORDNET / f"data.{part}").read_text("utf-8").splitlines():
            if not line.startswith("  "):
                fields, gloss = line.split(" | ", 1)
                words = fields.split()
                lemmas = words[4 : 4 + 2 * int(words[3], 16) : 2]
                bare = [re.sub(r"\(\w+\)$", "", lemma) for lemma in lemmas]
                yield ", ".join(bare).replace("_", " "), clean(gloss)
