"""Which words of a question are names, by how they were written; pure.

A capital tells a name inside a sentence only: not at its head, and not where
most words have one.
"""

from collections.abc import Sequence

from lastro.text.analyse import words
from lastro.text.emit import Word

TITLED = 0.75  # of the words but the first; more capitals are a title, not names
SHORT = 4  # words; fewer may well be names alone


def names(text: str, locale: str) -> tuple[str, ...]:
    """Return the names in ``text`` as they were written, adjacent capitals as one.

    >>> names("Is there an office of Bob Smith in São Paulo?", "en")
    ('Bob Smith', 'São Paulo')
    """
    found = words(text, locale)
    runs: list[list[Word]] = []
    for word, named in zip(found, _named(text, found), strict=True):
        joined = named and runs and text[runs[-1][-1].end : word.start] == " "
        if joined:
            runs[-1].append(word)
        elif named:
            runs.append([word])
    return tuple(text[run[0].start : run[-1].end] for run in runs)


def name_words(text: str, locale: str) -> frozenset[str]:
    """Return the surfaces of the words that are names, or parts of one."""
    found = words(text, locale)
    marked = zip(found, _named(text, found), strict=True)
    return frozenset(word.surface for word, named in marked if named)


def _named(text: str, found: Sequence[Word]) -> list[bool]:
    capital = [text[w.start].isupper() and w.end - w.start > 1 for w in found]
    if not any(map(str.islower, text)):
        return [False] * len(found)
    if all(capital):
        return [len(found) > 1] * len(found)
    inner = [
        named and not _opens(text, word)
        for named, word in zip(capital, found, strict=True)
    ]
    titled = len(found) > SHORT and sum(inner) >= TITLED * (len(found) - 1)
    return [False] * len(found) if titled else inner


def _opens(text: str, word: Word) -> bool:
    """Whether a sentence, or a quotation, starts with ``word``."""
    before = text[: word.start].rstrip(" \t\n¿¡\"“«('")
    return not before or before[-1] in ".!?:"
