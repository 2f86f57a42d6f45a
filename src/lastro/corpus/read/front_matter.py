"""The YAML block at the start of a Markdown file, read as plain texts.

Every scalar stays as it was written (``no`` is no boolean, ``007`` no number).
Anchors, aliases and deep nesting are refused: a few lines of them can stand for
gigabytes.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

import yaml

from lastro.corpus.read.draft import Refusal
from lastro.corpus.read.fields import Value

LIMIT = 64 * 1024
_DEEPEST = 20
_BLOCK = re.compile(
    r"---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE
)
_LOOKS_LIKE_IT = re.compile(r"(?:[ \t]*(?:#.*)?\n)*[\w\"'][^:\n]*:(?:\s|\Z)")
# A key and a value in which no sign has a meaning of its own in YAML.
_PLAIN = re.compile(
    r"([A-Za-z_][A-Za-z0-9_-]*):[ ]+([A-Za-z0-9](?:[ \w.,;/()+-]*\w)?)[ ]*"
)
_NOTHING = ("", "~", "null", "Null", "NULL")


class Parts(NamedTuple):
    """A file's fields and the text that follows them."""

    fields: dict[str, Value]
    body: str


class _Unusable(Exception):
    """The block is no front matter that is read; the text says why."""


def parts(text: str) -> Parts | Refusal:
    r"""Return the front matter of ``text`` and what follows it.

    A text that does not begin with a block of ``key: value`` lines has none.

    >>> parts("---\nlocale: no\ntopics: [a, b]\n---\nText").fields
    {'locale': 'no', 'topics': ['a', 'b']}
    """
    block = _BLOCK.match(text, 0, LIMIT)
    if block is None or not _LOOKS_LIKE_IT.match(block[1]):
        return Parts({}, text)
    try:
        value = _read(block[1])
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 2 if error.problem_mark else 1
        return Refusal(f"front matter, line {line}: this is not valid YAML")
    except yaml.YAMLError:
        return Refusal("front matter: this is not valid YAML")
    except _Unusable as error:
        return Refusal(f"front matter, {error}")
    if not isinstance(value, dict):
        return Parts({}, text)
    return Parts(value, text[block.end() :])


def _read(block: str) -> Value:
    simple = _simple(block)
    if simple is not None:
        return simple
    events = yaml.parse(block, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    for event in events:
        if isinstance(event, yaml.DocumentStartEvent):
            return _node(next(events), events, 0)
    return None


def _simple(block: str) -> dict[str, Value] | None:
    """Read lines of plain words, as most blocks are; None: it takes a parser."""
    found: dict[str, Value] = {}
    for line in block.removesuffix("\n").split("\n"):
        match = _PLAIN.fullmatch(line)
        if match is None or match[1] in found or match[1] in _NOTHING:
            return None
        found[match[1]] = None if match[2] in _NOTHING else match[2]
    return found


def _node(event: yaml.Event, events: Iterator[yaml.Event], depth: int) -> Value:
    line = _line(event)
    if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
        raise _Unusable(f"line {line}: anchors and aliases are not read")
    if depth > _DEEPEST:
        raise _Unusable(f"line {line}: nested more than {_DEEPEST} deep")
    if isinstance(event, yaml.ScalarEvent):
        plain = event.style in (None, "")
        return None if plain and event.value in _NOTHING else str(event.value)
    if isinstance(event, yaml.SequenceStartEvent):
        return list(_items(events, yaml.SequenceEndEvent, depth))
    return _mapping(events, depth)


def _line(event: yaml.Event) -> int:
    """Return the line in the file: the block begins on its second one."""
    return event.start_mark.line + 2 if event.start_mark else 2


def _items(
    events: Iterator[yaml.Event], end: type[yaml.Event], depth: int
) -> Iterator[Value]:
    for event in events:
        if isinstance(event, end):
            return
        yield _node(event, events, depth + 1)


def _mapping(events: Iterator[yaml.Event], depth: int) -> dict[str, Value]:
    found: dict[str, Value] = {}
    for event in events:
        if isinstance(event, yaml.MappingEndEvent):
            break
        line = _line(event)
        key = _node(event, events, depth + 1)
        if not isinstance(key, str):
            raise _Unusable(f"line {line}: a key is not a text")
        if key in found:
            raise _Unusable(f"line {line}: {key} is there twice")
        found[key] = _node(next(events), events, depth + 1)
    return found
