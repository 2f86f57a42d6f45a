"""The engine's own words and the shapes of questions, read from ``texts/*.toml``.

Nothing here decides: it loads, folds and compiles.  Every language is one file
with the same keys.
"""

import re
import tomllib
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from lastro.gate.messages import LANGUAGES, spoken

Patterns = tuple[re.Pattern[str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalogue:
    """One language: what is said, and the patterns tried on folded text.

    ``copula`` keeps its accents: "é" is not "e".  ``ellipsis`` are what is cut of
    the two sides of "the term of A with that of B".
    """

    said: Mapping[str, str]
    greeting: frozenset[str]
    thanks: frozenset[str]
    dangling: frozenset[str]
    copula: frozenset[str]
    comparing: frozenset[str]
    costing: frozenset[str]
    ask: Mapping[str, Patterns]
    tag: Patterns
    join: re.Pattern[str]
    compare: Patterns
    ellipsis: tuple[re.Pattern[str], re.Pattern[str]]
    follow: Patterns
    attempt: Patterns
    gap: Patterns


def said(name: str, locale: str, *, terms: str = "") -> str:
    """Return the text ``name`` in the language of ``locale``, else in English."""
    return catalogue(spoken(locale)).said[name].replace("{terms}", terms)


def fold(text: str) -> str:
    """Lower ``text`` and take its accents off, code point by code point.

    The result is as long as ``text``, so that offsets stay what they are.

    >>> fold("Não é, CAFÉ 연결")
    'nao e, cafe 연결'
    """
    return "".join(map(_fold, text))


@cache
def _fold(char: str) -> str:
    lowered = char.lower()
    bare = unicodedata.normalize("NFD", lowered)[:1]
    if not bare.isascii():
        bare = lowered
    return bare if len(bare) == 1 else char


@cache
def catalogue(code: str) -> Catalogue:
    """Return the catalogue of one of the four languages."""
    source = files("lastro.answer").joinpath("texts", f"{code}.toml")
    read = tomllib.loads(source.read_text(encoding="utf-8"))
    return Catalogue(
        said=read["said"],
        greeting=_folded(read["words"]["greeting"]),
        thanks=_folded(read["words"]["thanks"]),
        dangling=_folded(read["words"]["dangling"]),
        copula=frozenset(read["words"]["copula"]),
        comparing=_folded(read["words"]["comparing"]),
        costing=_folded(read["words"]["costing"]),
        ask={name: _compiled(lines) for name, lines in read["ask"].items()},
        join=re.compile(read["join"]["pattern"]),
        tag=_compiled(read["tag"]["patterns"]),
        compare=_compiled(read["compare"]["patterns"]),
        ellipsis=(
            re.compile(read["ellipsis"]["first"]),
            re.compile(read["ellipsis"]["second"]),
        ),
        follow=_compiled(read["follow"]["patterns"]),
        attempt=_compiled(read["attempt"]["patterns"]),
        gap=_compiled(read["gap"]["patterns"]),
    )


def every() -> tuple[Catalogue, ...]:
    """Return the catalogues of all languages."""
    return tuple(map(catalogue, LANGUAGES))


def _compiled(lines: list[str]) -> Patterns:
    return tuple(re.compile(line) for line in lines)


def _folded(listed: list[str]) -> frozenset[str]:
    return frozenset(map(fold, listed))
