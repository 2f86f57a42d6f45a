"""Which of the four languages a text is in, by script, letters and function words."""

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from lastro.text.lists import foreign, international, lists
from lastro.text.normalise import fold

_WORD = re.compile(r"[a-zA-Z\u00c0-\u024f]+(?:[-'\u2019][a-zA-Z\u00c0-\u024f]+)*")
_HANGUL = re.compile("[\uac00-\ud7a3]")
_LATIN_LETTER = re.compile("[^\\W\\d_\uac00-\ud7a3]")
# One Hangul syllable says about as much as two and a half Latin letters.
_SYLLABLE = 2.5
# What a syllable among many Latin letters says against their words.
_KOREAN = 0.5
# Enough to be sure; a document of any length costs the same.
_MOST_LETTERS = 1200
_MARGIN = 0.6
# A capital inside a sentence: a name, whose language says little of the text's.
_NAME = 0.25

_LATIN = ("en", "es", "pt")
_OTHER = ""

# Function words that two languages write alike but use unlike often.
_SHARED: dict[str, dict[str, float]] = {
    **{word: {"pt": 0.8, "es": 0.2} for word in ("o", "e", "os", "se")},
    **{word: {"es": 0.95, "pt": 0.05} for word in ("la", "las", "lo", "los")},
    **{word: {"es": 0.5, _OTHER: 0.5} for word in ("le", "les")},
    "dos": {"pt": 0.6, "es": 0.4},
    "a": {"pt": 0.4, "es": 0.3, "en": 0.3},
    "no": {"pt": 0.4, "es": 0.35, "en": 0.25},
    "as": {"pt": 0.6, "en": 0.4},
    "do": {"pt": 0.6, "en": 0.4},
    "me": {"pt": 0.35, "es": 0.35, "en": 0.3},
    "es": {"es": 1.0},
    "y": {"es": 1.0},
    "en": {"es": 1.0},
}

# Letters and endings, and how much each says for a language.
_SIGNS: tuple[tuple[str, dict[str, float]], ...] = (
    (r"[ãõçâêô]", {"pt": 1.2}),
    (r"ñ", {"es": 1.2}),
    (r"[áéíóú]", {"es": 0.35, "pt": 0.35}),
    (r"lh|nh", {"pt": 0.6}),
    (r"ll", {"es": 0.3, "en": 0.3}),
    (r"[bcdfglmnprstv](?:ue|ie)[lmnrstcdgv]", {"es": 0.6, "en": 0.1}),
    (r"ón$|ciones$|dad$|dades$", {"es": 0.8}),
    (r"-(?:se|me|lhe|l?[oa]s?)$", {"pt": 0.8}),
    (r"[^i]m$|agem$|agens$|dade$|dades$", {"pt": 0.5}),
    (
        r"[^aeiou]ou$|eu$|iu$|eir[oa]s?$|ei[tx]|óri[oa]s?$|ss[aeiouáéíóú]",
        {"pt": 0.5},
    ),
    (r"[aeiou]n$", {"es": 0.3, "en": 0.15}),
    (r"[aeo]r$", {"es": 0.25, "pt": 0.25, "en": 0.1}),
    (r"[aeiou][^aeiou]{1,2}[oa]s?$", {"es": 0.2, "pt": 0.2}),
    (
        r"^(?:[cdjlmnst]|qu|dell|nell|all|un)['\u2019][^\W\d_]{3}|zz|cch|zion[ei]$",
        {_OTHER: 0.8},
    ),
    (r"[wk]|th|sh|gh|ck|oo|ee", {"en": 0.6}),
    (
        r"ing$|tion|ed$|[^aeiou]y$|ly$|ness$|ment$|[^aeiou]s?[^aeiouslrnzmd]$",
        {"en": 0.5},
    ),
)


@dataclass(frozen=True, slots=True)
class Detection:
    """A language, and whether the evidence for it is clearly the strongest."""

    locale: str
    sure: bool


def detect(text: str) -> Detection:
    """Return the language of ``text``: en, pt, es, ko, or empty without evidence.

    >>> detect("Como faço para conectar um teclado?")
    Detection(locale='pt', sure=True)
    >>> detect("5G?")
    Detection(locale='', sure=False)
    """
    text = text[:_MOST_LETTERS]
    hangul = len(_HANGUL.findall(text))
    if hangul and hangul * _SYLLABLE >= len(_LATIN_LETTER.findall(text)):
        return Detection("ko", sure=True)
    scores = _latin(text) | {"ko": hangul * _KOREAN}
    (best, first), (_, second), *_ = sorted(scores.items(), key=lambda row: -row[1])
    if first <= second:
        return Detection("", sure=False)
    return Detection(best, sure=best != _OTHER and first - second >= _MARGIN)


def _latin(text: str) -> dict[str, float]:
    scores = dict.fromkeys((*_LATIN, _OTHER), 0.0)
    if "¿" in text or "¡" in text:
        scores["es"] += 1.0
    for match in _WORD.finditer(text):
        word = match.group()
        share = _NAME if word[0].isupper() and match.start() else 1.0
        for lang, weight in _evidence(word):
            scores[lang] += share * weight
    return scores


@lru_cache(maxsize=4096)
def _evidence(raw: str) -> tuple[tuple[str, float], ...]:
    word = fold(raw)
    listed = _function_words().get(word)
    if listed is not None:
        return listed
    found = (says.items() for sign, says in _SIGNS if re.search(sign, word))
    return tuple(row for rows in found for row in rows)


@cache
def _function_words() -> dict[str, tuple[tuple[str, float], ...]]:
    known = {lang: lists(lang).stop | lists(lang).generic for lang in _LATIN}
    table: dict[str, tuple[tuple[str, float], ...]] = {}
    for word in international():
        table[word] = ()
    for word in foreign():
        table[word] = ((_OTHER, 1.0),)
    for word in frozenset().union(*known.values()):
        having = [lang for lang in _LATIN if word in known[lang]]
        says = _SHARED.get(word, dict.fromkeys(having, 1.0 / len(having)))
        table[word] = tuple(says.items())
    return table
