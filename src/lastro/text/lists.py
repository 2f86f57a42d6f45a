"""The word lists of each language, read once from the text files in ``data/``."""

import pkgutil
from dataclasses import dataclass
from functools import cache

from lastro.text.normalise import fold, unaccented

LANGUAGES = ("en", "es", "ko", "pt")


@dataclass(frozen=True, slots=True, kw_only=True)
class WordLists:
    """What the analyser knows of one language; all words folded.

    ``stop`` are function words; ``generic`` are words of asking and doing;
    ``short_names`` are technical names of at most three letters; ``trouble``
    are words of quality or trouble; ``smalltalk`` are greetings, thanks and
    what stands beside them; after an ``abbreviation`` a sentence goes on, and
    after one of ``before_numbers`` if a digit follows.
    """

    stop: frozenset[str]
    generic: frozenset[str]
    short_names: frozenset[str]
    trouble: frozenset[str]
    smalltalk: frozenset[str]
    abbreviations: frozenset[str]
    before_numbers: frozenset[str]


EMPTY: frozenset[str] = frozenset()


def language(locale: str) -> str:
    """Return the language of a locale, or the empty string if it has no lists.

    >>> language("pt-BR"), language("es_419"), language("fr"), language("")
    ('pt', 'es', '', '')
    """
    bare = locale.replace("_", "-").partition("-")[0].lower()
    return bare if bare in LANGUAGES else ""


@cache
def lists(language: str) -> WordLists:
    """Return the lists of ``language``; empty ones for a language not listed."""
    return WordLists(
        stop=_with_bare(_read(language, "stop")),
        generic=_with_bare(_read(language, "generic")),
        short_names=_read("any", "short_names") | _read(language, "short_names"),
        trouble=_with_bare(_read(language, "trouble")),
        smalltalk=_with_bare(_read(language, "smalltalk")),
        abbreviations=_read(language, "abbreviations"),
        before_numbers=_read(language, "before_numbers"),
    )


@cache
def foreign() -> frozenset[str]:
    """Return function words of other languages, which are in none of the lists."""
    return _read("any", "foreign")


@cache
def international() -> frozenset[str]:
    """Return technical words that all languages use."""
    return _read("any", "international")


def _with_bare(words: frozenset[str]) -> frozenset[str]:
    """Add the unaccented forms: people leave accents out of function words first."""
    return words | {unaccented(word) for word in words}


def _read(language: str, name: str) -> frozenset[str]:
    if language not in (*LANGUAGES, "any"):
        return EMPTY
    data = pkgutil.get_data("lastro.text", f"data/{language}/{name}.txt")
    lines = (data or b"").decode("utf-8").splitlines()
    words = (line.split() for line in lines if not line.startswith("#"))
    return frozenset(fold(word) for line in words for word in line)
