"""What one piece of text without white space says: its words and their index terms.

One :class:`Emitter` a language; Hangul is Korean and Latin letters are words
whatever the language of the document, so a text may mix them.
"""

import re
from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from typing import NamedTuple

import Stemmer

from lastro.text import hangul
from lastro.text.lists import lists
from lastro.text.normalise import fold, unaccented
from lastro.text.tokens import Token, tokens

_LONGEST_TERM = 64
_ASIAN = frozenset({"hangul", "cjk"})
_STEMMERS = {"en": "english", "es": "spanish", "pt": "portuguese"}
# Latin words inside a Korean text are English far more often than anything else.
_LATIN_OF = {"ko": "en"}
_JOINERS = re.compile(r"[-\u2010\u2011_'\u2019\u02bc/]")
_BEFORE_DIGIT = re.compile(r"(?<=[^\W\d_])[-\u2010\u2011](?=\d)")
# One token whatever stands around it: a number needs no cutting.
_NUMBER = re.compile(r"[0-9]+(?:[.,:][0-9]+)*")
# Behind the stem of a Hangul word: no bigram is its term.
_STEM = "/"
# One word and nothing else, with or without accents.
_LATIN = re.compile("[a-zA-Z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f]+")
_LETTERS_OR_DIGITS = re.compile(r"\d+(?:[.,:]\d+)*|[^\W\d_]+")


class Word(NamedTuple):
    """A word of a text: ``text[start:end]`` folded is its ``surface``.

    ``emissions`` are the index terms it is looked up by.  ``exact`` marks
    numbers and codes, which are compared as they stand; ``script`` is
    ``latin`` (any script with letters and blanks), ``hangul`` or ``cjk``.
    """

    # A tuple and no dataclass: the analyser makes hundreds of thousands a second.
    surface: str
    start: int
    end: int
    emissions: tuple[str, ...]
    stop: bool
    informative: bool
    exact: bool
    script: str


# Surface, start, end and emissions of a word.
_Reading = tuple[str, int, int, tuple[str, ...]]


class Emitted(NamedTuple):
    """The words of one token, and what only the index takes of it."""

    words: tuple[Word, ...]
    extra: tuple[str, ...] = ()

    def terms(self) -> Iterable[str]:
        """Return each index term of the token once."""
        emitted = (term for word in self.words for term in word.emissions)
        return dict.fromkeys((*emitted, *self.extra))


def lookups(word: Word) -> tuple[tuple[str, ...], ...]:
    """Return the ways in which ``word`` is looked up: the best of them counts.

    The terms of one way count by their mean.  A Hangul word is looked up by its
    bigrams, and its stems where something tells them; one with a noun of one
    syllable also by that; any other word by each of its emissions.
    """
    if word.script == "hangul" and len(word.surface) > 1:
        stems = tuple(term for term in word.emissions if term.endswith(_STEM))
        return _hangul_ways(word.surface, stems)
    return tuple((term,) for term in word.emissions)


@lru_cache(maxsize=2048)
def _hangul_ways(surface: str, stems: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    noun = hangul.noun(surface)
    parts = (*hangul.bigrams(surface), *stems)
    return (parts, (noun,)) if len(noun) == 1 else (parts,)


class Emitter:
    """The analysis of pieces in one language; not for two threads at once."""

    def __init__(self, lang: str, morphology: hangul.Morphology | None) -> None:
        self._stems_of = morphology.stems if morphology else _no_stems
        latin = _LATIN_OF.get(lang, lang)
        self._lists = lists(latin)
        self._korean = lists("ko")
        self._stem: Callable[[str], str] = str
        if latin in _STEMMERS:
            stemmer = Stemmer.Stemmer(_STEMMERS[latin])
            stemmer.maxCacheSize = 0  # there is a memo in front of it
            self._stem = stemmer.stemWord

    def emit(self, piece: str) -> tuple[Emitted, ...]:
        """Return what the tokens of ``piece`` emit, in order."""
        if piece.isascii() and piece.isalpha():
            return (self._letters(Token("word", 0, len(piece), piece)),)
        return tuple(map(self._token, tokens(piece)))

    def line(self, piece: str) -> str:
        """Return the index terms of ``piece``, separated by blanks."""
        if piece.isascii() and piece.isalpha():  # most pieces: no need of a Word
            return self._stem(piece.lower())[:_LONGEST_TERM]
        if _NUMBER.fullmatch(piece):
            return piece[:_LONGEST_TERM]
        if _LATIN.fullmatch(piece):
            surface = fold(piece)
            if surface.isalpha():
                return " ".join(_cut(self._stems(surface)))
        return " ".join(term for token in tokens(piece) for term in self._terms(token))

    def _terms(self, token: Token) -> Iterable[str]:
        """Return each index term of a token once: what its words say, and no Word."""
        if token.kind in _ASIAN:
            return self._token(token).terms()
        if token.kind == "word":
            read = self._read(token)
            return _cut(term for one in read for term in one[-1])
        surface, joined = _joined(token)
        return _cut((joined, *_parts(surface)))

    def _token(self, token: Token) -> Emitted:
        if token.kind == "word":
            return self._letters(token)
        if token.kind == "hangul":
            return self._hangul(token)
        return _cjk(token) if token.kind == "cjk" else self._code(token)

    def _letters(self, token: Token) -> Emitted:
        return Emitted(
            tuple(self._word(*one, exact=False) for one in self._read(token))
        )

    def _read(self, token: Token) -> list[_Reading]:
        """Return what a token of letters is read as: a word, or those of a compound."""
        surface = fold(token.text).replace("\u2019", "'")
        if surface.isalpha() or surface in self._lists.stop:
            return [(surface, token.start, token.end, self._stems(surface))]
        parts = _JOINERS.split(surface.removesuffix("'s"))
        joined = self._stems("".join(parts))
        saying = [p for p in parts if len(p) > 1 and p not in self._lists.stop]
        if len(saying) < 2 or surface in self._lists.short_names:
            own = (term for part in saying for term in self._stems(part))
            return [(surface, token.start, token.end, (*joined, *own))]
        return self._apart(token, saying, joined)

    def _apart(
        self, token: Token, saying: list[str], joined: tuple[str, ...]
    ) -> list[_Reading]:
        """Return the words of a compound: each is also found by the whole, in one."""
        start = token.start
        found: list[_Reading] = []
        for raw in _JOINERS.split(token.text):
            part = fold(raw)
            if part in saying:
                emissions = (*self._stems(part), *joined)
                found.append((part, start, start + len(raw), emissions))
            start += len(raw) + 1
        return found

    def _stems(self, form: str) -> tuple[str, ...]:
        stem = self._stem
        return (stem(form),) if form.isascii() else (stem(form), stem(unaccented(form)))

    def _word(
        self,
        surface: str,
        start: int,
        end: int,
        emissions: Iterable[str],
        *,
        exact: bool,
    ) -> Word:
        stop = surface in self._lists.stop
        return Word(
            surface,
            start,
            end,
            _cut(emissions),
            stop=stop,
            informative=not stop and self._says_something(surface),
            exact=exact,
            script="latin",
        )

    def _says_something(self, surface: str) -> bool:
        if surface in self._lists.generic:
            return False
        if len(surface) > 3 or surface in self._lists.short_names:
            return True
        return any(map(str.isdigit, surface))

    def _code(self, token: Token) -> Emitted:
        surface, joined = _joined(token)
        word = self._word(surface, token.start, token.end, (joined,), exact=True)
        return Emitted((word,), _cut(_parts(surface)))

    def _hangul(self, token: Token) -> Emitted:
        surface = fold(token.text)
        noun = hangul.noun(surface)
        korean = self._korean
        listed = surface in korean.stop or noun in korean.stop
        stop = listed or hangul.asks(surface)
        generic = surface in korean.generic or noun in korean.generic
        alone = (noun,) if len(noun) == 1 else ()
        stems = (stem + _STEM for stem in self._stems_of(surface))
        word = Word(
            surface,
            token.start,
            token.end,
            _cut((surface, *hangul.bigrams(surface), *alone, *stems)),
            stop=stop,
            informative=not stop and not generic,
            exact=False,
            script="hangul",
        )
        return Emitted((word,), _cut((noun,)))


def _no_stems(_: str) -> tuple[str, ...]:
    return ()


def _cjk(token: Token) -> Emitted:
    """Take a run apart into its overlapping pairs: nothing says where words end."""
    surface = fold(token.text)
    pairs = hangul.bigrams(surface)
    found = (
        Word(
            pair,
            token.start + at,
            min(token.start + at + 2, token.end),
            (pair,),
            stop=False,
            informative=True,
            exact=False,
            script="cjk",
        )
        for at, pair in enumerate(pairs)
    )
    return Emitted(tuple(found), _cut((surface,)))


def _joined(token: Token) -> tuple[str, str]:
    """Return a code folded, and the term it is looked up by."""
    surface = fold(token.text)
    return surface, _BEFORE_DIGIT.sub("", surface)


def _parts(surface: str) -> list[str]:
    """Return what finds a code as well: "pp", "12/2024", "12" in "pp-12/2024".

    "covid19" and "16gb" are found by "covid", "19" and "16", but "ipv6" by no
    "ipv".
    """
    parts = _LETTERS_OR_DIGITS.findall(surface)
    if _JOINERS.search(surface):
        return [*re.split(r"[-\u2010\u2011]", surface), *parts]
    unit = surface[0].isdigit() and len(parts[-1]) > 1
    return parts if len(parts) == 2 and (unit or len(parts[0]) > 3) else []


def _cut(terms: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(term[:_LONGEST_TERM] for term in terms))


@cache
def emitter(lang: str, morphology: hangul.Morphology | None = None) -> Emitter:
    """Return the one emitter of a language, and of what takes Hangul words apart."""
    return Emitter(lang, morphology)
