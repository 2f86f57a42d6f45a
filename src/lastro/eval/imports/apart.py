"""What of an answer is no prose: code, links, and a list of sources.  Pure.

Brackets in there are no citations.  Links and code are what a reader of Markdown
sees as such; a block that is only indented is prose, since models indent lists.
"""

import re
from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import TypeAlias, cast

import pyromark

from lastro.model.document import Span

_Told: TypeAlias = str | dict[str, object]

# What a list of sources is headed by, in four languages.
_HEADS = (
    "sources?|references?|bibliography|works cited|citations|footnotes?"
    "|fuentes?|referencias?|bibliograf[ií]a|fontes?|refer[êe]ncias?"
    "|cita[çc][õo]es|출처|참고 ?문헌|참고 ?자료"
)
_HEAD = re.compile(
    rf"[ \t]*(?:\#+[ \t]*)?[*_]*(?:{_HEADS})[*_]*[ \t]*(?P<colon>[:：][*_]*)?[ \t]*",
    re.IGNORECASE,
)
_HEADING = re.compile(r"[ \t]{0,3}\#{1,6}[ \t]")
_LISTED = re.compile(r"[ \t]*(?:[-*+•][ \t]|\d{1,3}[.)]|[\[［【])")
_DEFINITION = re.compile(r"[ \t]{0,3}\[[^\[\]\n]{1,160}\]:[ \t]*\S")
_ADDRESS = re.compile(r"\bhttps?://\S+")
_TRAILING = re.compile(r"(?:\[[^\[\]\s]{0,160}\])+[.,;:!?)]*\Z")
_TAG = re.compile(r"</?[a-zA-Z][^<>\n]{0,400}>")
_CODE_TAG = re.compile(r"<(/?)(?:code|pre|kbd|samp)\b[^<>\n]{0,400}>", re.IGNORECASE)
_LONE = re.compile("[\ud800-\udfff]")
_BY_REFERENCE = frozenset({"Collapsed", "Reference", "Shortcut"})


class Apart(StrEnum):
    """Why brackets are no citation."""

    CODE = "code"
    LINK = "link"
    SOURCES = "list of sources"
    ESCAPED = "escaped"
    YEAR = "year"


def apart(text: str) -> list[Apart | None]:
    """Return of every character of ``text`` why it is no prose; None where it is.

    Only ``CODE``, ``LINK`` and ``SOURCES`` occur.
    """
    found: list[Apart | None] = [None] * len(text)
    code, links = _of_markdown(text)
    for match in (*_TAG.finditer(text), *_ADDRESS.finditer(text)):
        end = match.end()
        if trailing := _TRAILING.search(match[0]):
            end = match.start() + trailing.start()
        links.append(Span(match.start(), end))
    for span in links:
        found[span.start : span.end] = [Apart.LINK] * (span.end - span.start)
    for span in (*code, *_code_tags(text)):
        found[span.start : span.end] = [Apart.CODE] * (span.end - span.start)
    for span in _sources(text, found):
        found[span.start : span.end] = [Apart.SOURCES] * (span.end - span.start)
    return found


def _of_markdown(text: str) -> tuple[list[Span], list[Span]]:
    """Return code and links as Markdown has them."""
    plain = _LONE.sub("?", text)
    places = None if plain.isascii() else _places(plain)
    code: list[Span] = []
    links: list[Span] = []
    for event, at in pyromark.events_with_range(plain):
        kind, held = _unpacked(cast("_Told", event))
        start, end = at["start"], at["end"]
        span = Span(start, end) if places is None else Span(places[start], places[end])
        if kind == "Code" or (kind == "CodeBlock" and held != "Indented"):
            code.append(span)
        elif kind == "Image" or (
            kind == "Link" and not _cites(text[span.start : span.end], held)
        ):
            links.append(span)
    return code, links


def _unpacked(event: _Told) -> tuple[str, object]:
    """Return what an event begins and how, or nothing of what is no beginning."""
    if isinstance(event, str):
        return "", None
    ((kind, held),) = event.items()
    if kind == "Start" and isinstance(held, dict):
        ((kind, held),) = held.items()
    return kind, held


def _cites(shown: str, held: object) -> bool:
    """Tell whether what Markdown takes for a link is one or more markers.

    ``[1]`` is a link where an answer lists its sources as ``[1]: address``, and
    ``[1:1][1:2]`` may be one too.
    """
    by = held.get("link_type") if isinstance(held, dict) else None
    return by in _BY_REFERENCE and _first(shown).isdecimal()


def _first(shown: str) -> str:
    return shown.lstrip("[^ ")[:1]


def _places(text: str) -> list[int]:
    """Return for every byte of ``text`` in UTF-8, and its end, the code point."""
    found: list[int] = []
    for at, character in enumerate(text):
        found += [at] * len(character.encode())
    return [*found, len(text)]


def _code_tags(text: str) -> Iterator[Span]:
    """Yield what stands between tags of code; what is never closed is none."""
    begun: list[int] = []
    for tag in _CODE_TAG.finditer(text):
        if not tag[1]:
            begun.append(tag.start())
        elif begun:
            start = begun.pop()
            if not begun:
                yield Span(start, tag.end())


def _sources(text: str, taken: Iterable[Apart | None]) -> Iterator[Span]:
    """Yield the lines of a list of sources, and what a marker is defined as."""
    kinds = list(taken)
    at, listing, blank = 0, False, False
    for line in text.splitlines(keepends=True):
        span = Span(at, at + len(line))
        at = span.end
        if kinds[span.start] is Apart.CODE:
            continue
        bare = line.strip()
        begins = _begins(line)
        if not bare:
            blank = True
            continue
        if listing:
            listing = not (_HEADING.match(line) or (blank and not _LISTED.match(line)))
        listing = listing or begins == "list"
        blank = False
        if listing or begins:
            yield span


def _begins(line: str) -> str:
    """Tell what a line begins: a ``list`` of sources, one in a ``line``, or nothing."""
    if _DEFINITION.match(line):
        return "line"
    head = _HEAD.match(line)
    if head is None:
        return ""
    rest = line[head.end() :].strip()
    if not rest:
        return "list"
    return "line" if head["colon"] and _LISTED.match(rest) else ""
