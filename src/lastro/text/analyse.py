"""The one analyser: the words of a text and the index terms they emit.

Index, query, gates and checks all call this file, so that a word means the
same on both sides.  A word's *emissions* are the terms it is looked up by; the
index holds them and, for codes, their parts as well.
"""

import re
import threading
from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple, TypeVar

import Stemmer

from lastro.text import hangul
from lastro.text.lists import WordLists, language, lists
from lastro.text.normalise import fold, unaccented
from lastro.text.tokens import Token, tokens

# A piece is what stands between white space; most texts repeat theirs.
_PIECE = re.compile(r"\S+")
_MEMO_PIECES = 100_000
_MEMO_LONGEST = 40
_LONGEST_TERM = 64
_STEMMERS = {"en": "english", "es": "spanish", "pt": "portuguese"}
# Latin words inside a Korean text are English far more often than anything else.
_LATIN_OF = {"ko": "en"}
_PARTS = re.compile(r"[-\u2010\u2011_'\u2019\u02bc/]")
_LETTERS_OR_DIGITS = re.compile(r"\d+(?:[.,:]\d+)*|[^\W\d_]+")

T = TypeVar("T")


class Word(NamedTuple):
    """A word of a text: ``text[start:end]`` folded is its ``surface``.

    A tuple and no dataclass: the analyser makes hundreds of thousands a second.
    ``exact`` marks numbers and codes, which are compared as they stand;
    ``script`` is ``latin`` (any script with letters and blanks), ``hangul``
    or ``cjk``.
    """

    surface: str
    start: int
    end: int
    emissions: tuple[str, ...]
    stop: bool
    informative: bool
    exact: bool
    script: str


class _Seen(NamedTuple):
    """An analysed word of a piece, with what only the index takes of it."""

    word: Word
    extra: tuple[str, ...]


class _Memo(dict[str, T]):
    """Results by piece of text, forgotten all at once when there are too many."""

    def __init__(self, compute: Callable[[str], T], limit: int) -> None:
        super().__init__()
        self._compute = compute
        self._limit = limit
        self._lock = threading.Lock()

    def __missing__(self, piece: str) -> T:
        with self._lock:  # a stemmer serves one thread at a time
            value = self._compute(piece)
            if len(piece) <= _MEMO_LONGEST:
                if len(self) >= self._limit:
                    self.clear()
                self[piece] = value
        return value


def words(text: str, locale: str) -> tuple[Word, ...]:
    """Return every word of ``text`` in order, with repeats.

    >>> [word.surface for word in words("Wi-Fi em C++ e 5G", "pt")]
    ['wi-fi', 'em', 'c++', 'e', '5g']
    """
    seen = _analyser(language(locale)).pieces
    found: list[Word] = []
    for match in _PIECE.finditer(text):
        base = match.start()
        for word, _ in seen[match.group()]:
            surface, start, end, emissions, stop, informative, exact, script = word
            moved = (surface, base + start, base + end, emissions, stop)
            found.append(Word(*moved, informative, exact, script))
    return tuple(found)


def query_words(text: str, locales: Sequence[str]) -> tuple[Word, ...]:
    """Return the words of a query in order, repeats dropped.

    With several locales a word emits the terms of each; it is a stop word or a
    generic one if it is so in any of them.
    """
    merged: dict[tuple[str, ...], Word] = {}
    for same in zip(*(words(text, locale) for locale in locales or ("",)), strict=True):
        emissions = tuple(dict.fromkeys(term for w in same for term in w.emissions))
        word = same[0]._replace(
            emissions=emissions,
            stop=any(w.stop for w in same),
            informative=all(w.informative for w in same),
        )
        merged.setdefault(emissions, word)
    return tuple(merged.values())


def index_text(text: str, locale: str) -> str:
    """Return the index terms of ``text``, separated by blanks."""
    memo = _analyser(language(locale)).lines
    return " ".join(map(memo.__getitem__, text.split()))


def index_terms(text: str, locale: str) -> list[str]:
    """Return every term that the index takes of ``text``, in order, with repeats.

    All emissions of :func:`words`, and the parts of codes.  No term holds
    white space.

    >>> index_terms("licitação PP-12/2024", "pt")
    ['licit', 'licitaca', 'pp12/2024', 'pp', '12', '2024']
    """
    return index_text(text, locale).split()


class _Analyser:
    """The analysis of one language, with its memory."""

    def __init__(self, lang: str) -> None:
        latin = _LATIN_OF.get(lang, lang)
        self._latin: WordLists = lists(latin)
        self._korean: WordLists = lists("ko")
        self._stem: Callable[[str], str] = _identity
        if latin in _STEMMERS:
            stemmer = Stemmer.Stemmer(_STEMMERS[latin])
            stemmer.maxCacheSize = 0  # the memo is in front of it
            self._stem = stemmer.stemWord
        self.pieces = _Memo(self._piece, _MEMO_PIECES // 4)
        self.lines = _Memo(self._line, _MEMO_PIECES)

    def _piece(self, piece: str) -> tuple[_Seen, ...]:
        return tuple(map(self._seen, tokens(piece)))

    def _line(self, piece: str) -> str:
        seen = self._piece(piece)
        return " ".join(t for one in seen for t in (*one.word.emissions, *one.extra))

    def _seen(self, token: Token) -> _Seen:
        kind, start, end, text = token
        surface = fold(text)
        if kind == "hangul":
            return self._hangul(surface, start, end)
        if kind == "cjk":
            emissions = _cut((surface, *hangul.bigrams(surface)))
            word = Word(
                surface,
                start,
                end,
                emissions,
                stop=False,
                informative=True,
                exact=False,
                script=kind,
            )
            return _Seen(word, ())
        stop = surface in self._latin.stop
        extra: tuple[str, ...] = ()
        if kind == "word":
            emissions = self._letters(surface)
        else:
            emissions, extra = _code(surface)
        informative = not stop and self._says_something(surface)
        exact = kind != "word"
        word = Word(
            surface, start, end, _cut(emissions), stop, informative, exact, "latin"
        )
        return _Seen(word, _cut(extra))

    def _says_something(self, surface: str) -> bool:
        if surface in self._latin.generic:
            return False
        if len(surface) > 3 or surface in self._latin.short_names:
            return True
        return any(char.isdigit() for char in surface)

    def _letters(self, surface: str) -> tuple[str, ...]:
        """Stem a word; one with hyphens or apostrophes also without, and its parts."""
        surface = surface.replace("\u2019", "'").removesuffix("'s")
        parts = _PARTS.split(surface)
        if len(parts) == 1:
            return self._stems(surface)
        said = [p for p in parts if len(p) > 1 and p not in self._latin.stop]
        return tuple(t for form in ("".join(parts), *said) for t in self._stems(form))

    def _stems(self, form: str) -> tuple[str, ...]:
        stem = self._stem
        return stem(form), stem(unaccented(form))

    def _hangul(self, surface: str, start: int, end: int) -> _Seen:
        noun = hangul.noun(surface)
        korean = self._korean
        stop = surface in korean.stop or noun in korean.stop
        generic = surface in korean.generic or noun in korean.generic
        emissions = _cut((surface, *hangul.bigrams(surface)))
        word = Word(
            surface,
            start,
            end,
            emissions,
            stop=stop,
            informative=not stop and not generic,
            exact=False,
            script="hangul",
        )
        return _Seen(word, () if noun in emissions else _cut((noun,)))


def _code(surface: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return what a number or code emits, and the parts that find it as well."""
    joined = re.sub(r"(?<=[^\W\d_])[-\u2010\u2011](?=\d)", "", surface)
    parts = _LETTERS_OR_DIGITS.findall(surface)
    if _PARTS.search(surface):
        return (joined,), tuple(p for p in parts if p != joined)
    # "covid19" and "16gb" are found by "covid", "19", "16", but "ipv6" by no "ipv".
    unit = surface[0].isdigit() and len(parts[-1]) > 1
    apart = len(parts) == 2 and (unit or len(parts[0]) > 3)
    return (joined,), tuple(parts) if apart else ()


def _cut(terms: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(term[:_LONGEST_TERM] for term in terms))


def _identity(form: str) -> str:
    return form


@cache
def _analyser(lang: str) -> _Analyser:
    return _Analyser(lang)
