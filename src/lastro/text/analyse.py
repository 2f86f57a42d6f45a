"""The one analyser: the words of a text and the index terms they emit.

Index, query, gates and checks all call this file, so that a word means the
same on both sides.  A word's *emissions* are the terms it is looked up by; the
index holds them, the nouns of Hangul words and the parts of codes.
"""

import re
from collections.abc import Sequence
from functools import cache

from lastro.text.emit import Emitted, Word, emitter
from lastro.text.hangul import Morphology
from lastro.text.lists import language
from lastro.text.memo import Memo

__all__ = ["Word", "index_terms", "index_text", "query_words", "words"]

# A piece is what stands between white space; a text repeats most of its own.
_PIECE = re.compile(r"\S+")
_PIECES, _LINES = 20_000, 100_000
# Signs around a piece that belong to no word: one memory for "net" and "(net),".
_BEFORE, _AFTER = "([{\"'“‘«¿¡", ")]}\"'”’»,.:;!?…%"


def words(text: str, locale: str, korean: Morphology | None = None) -> tuple[Word, ...]:
    """Return every word of ``text`` in order, with repeats.

    With ``korean`` a Hangul word is looked up by its stems as well.

    >>> [word.surface for word in words("Wi-Fi em C++ e 5G", "pt")]
    ['wi-fi', 'em', 'c++', 'e', '5g']
    """
    seen = _pieces(language(locale), korean)
    found: list[Word] = []
    for match in _PIECE.finditer(text):
        base = match.start()
        for emitted in seen[match.group()]:
            for word in emitted.words:
                surface, start, end, emissions, stop, informative, exact, script = word
                moved = (surface, base + start, base + end, emissions, stop)
                found.append(Word(*moved, informative, exact, script))
    return tuple(found)


def query_words(
    text: str, locales: Sequence[str], korean: Morphology | None = None
) -> tuple[Word, ...]:
    """Return the words of a query in order, repeats dropped.

    With several locales a word emits the terms of each; it is a stop word or a
    generic one if it is so in any of them.
    """
    merged: dict[tuple[str, ...], Word] = {}
    by_place: dict[tuple[int, int], list[Word]] = {}
    for locale in locales or ("",):
        for word in words(text, locale, korean):
            by_place.setdefault((word.start, word.end), []).append(word)
    for _, same in sorted(by_place.items()):
        emissions = tuple(dict.fromkeys(term for w in same for term in w.emissions))
        word = same[0]._replace(
            emissions=emissions,
            stop=any(w.stop for w in same),
            informative=all(w.informative for w in same),
        )
        merged.setdefault(emissions, word)
    return tuple(merged.values())


def index_text(text: str, locale: str, korean: Morphology | None = None) -> str:
    """Return the index terms of ``text``, separated by blanks."""
    return " ".join(map(_lines(language(locale), korean).__getitem__, text.split()))


def index_terms(text: str, locale: str, korean: Morphology | None = None) -> list[str]:
    """Return every term that the index takes of ``text``, in order, with repeats.

    All emissions of :func:`words`, and the parts of codes.  No term holds
    white space.

    >>> index_terms("licitação PP-12/2024", "pt")
    ['licit', 'licitaca', 'pp12/2024', 'pp', '12/2024', '12', '2024']
    """
    return index_text(text, locale, korean).split()


@cache
def _pieces(lang: str, korean: Morphology | None) -> Memo[tuple[Emitted, ...]]:
    return Memo(emitter(lang, korean).emit, _PIECES)


@cache
def _lines(lang: str, korean: Morphology | None) -> Memo[str]:
    analyse = emitter(lang, korean).line

    def line(piece: str) -> str:
        core = piece.lstrip(_BEFORE).rstrip(_AFTER)
        if core != piece:
            return memo[core] if core else ""
        return analyse(piece)

    memo = Memo(line, _LINES)
    return memo
