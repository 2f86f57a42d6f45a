"""Which of the four languages a text is in, by script, letters and function words."""

import re
from dataclasses import dataclass
from functools import cache

from lastro.text.lists import lists
from lastro.text.normalise import fold

_WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)?")
_HANGUL = re.compile("[\uac00-\ud7a3]")
_LATIN_LETTER = re.compile("[^\\W\\d_\uac00-\ud7a3]")
# One Hangul syllable says about as much as two and a half Latin letters.
_SYLLABLE = 2.5
_ROMANCE = ("pt", "es", "en")
_MOST_WORDS = 400
_MARGIN = 0.5


@dataclass(frozen=True, slots=True)
class Detection:
    """A language, and whether the evidence for it is more than for another."""

    locale: str
    sure: bool


def detect(text: str) -> Detection:
    """Return the language of ``text``: en, pt, es, ko, or empty without evidence.

    >>> detect("Como faço para conectar um teclado?")
    Detection(locale='pt', sure=True)
    """
    hangul = len(_HANGUL.findall(text)) * _SYLLABLE
    if hangul and hangul >= len(_LATIN_LETTER.findall(text)):
        return Detection("ko", sure=True)
    scores = dict.fromkeys(_ROMANCE, 0.0)
    for number, match in enumerate(_WORD.finditer(text)):
        if number >= _MOST_WORDS:
            break
        for lang, weight in _evidence(fold(match.group())):
            scores[lang] += weight
    (best, first), (_, second), *_ = sorted(scores.items(), key=lambda row: -row[1])
    if first <= 0:
        return Detection("ko" if hangul else "", sure=False)
    return Detection(best, sure=first - second >= _MARGIN)


@cache
def _function_words() -> dict[str, tuple[tuple[str, float], ...]]:
    known = {lang: lists(lang).stop | lists(lang).generic for lang in _ROMANCE}
    table: dict[str, tuple[tuple[str, float], ...]] = {}
    for word in frozenset().union(*known.values()):
        having = [lang for lang in _ROMANCE if word in known[lang]]
        table[word] = tuple((lang, 1.0 / len(having)) for lang in having)
    return table


_SIGNS: tuple[tuple[re.Pattern[str], str, float], ...] = tuple(
    (re.compile(pattern), lang, weight)
    for pattern, lang, weight in (
        (r"[ãõ]|ç|[âêô]|nh|lh", "pt", 1.0),
        (r"ñ|ción$|ciones$|ll|ue[^s]", "es", 0.7),
        (r"[wk]|th|sh|ing$|tion|ght|ed$|ee|oo|y$|ck", "en", 0.7),
        (r"ções$|agem$|ões$|[aei]m$|dade$|eir[oa]s?$", "pt", 0.7),
        (r"dad$|[aei]r$", "es", 0.2),
        (r"[áéíóú]", "es", 0.2),
        (r"[áéíóú]|[aei]r$", "pt", 0.2),
    )
)


def _evidence(word: str) -> tuple[tuple[str, float], ...]:
    listed = _function_words().get(word, ())
    if listed:
        return listed
    return tuple((lang, weight) for sign, lang, weight in _SIGNS if sign.search(word))
