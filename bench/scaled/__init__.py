"""Made-up cards for measurements of size: no person wrote them, and that is said.

Words follow Zipf's law over vocabularies made by a seed, in four languages; a card
has about five passages.  The same seed gives the same cards, on any machine.
"""

import itertools
import json
import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np

LOCALES = ("en", "pt", "es", "ko")
WORDS = 60_000  # of each language
PASSAGES = 5  # of a card, about
_SENTENCES = (30, 40)  # of a card, of nine to nineteen words: about five passages
_WORDS = (9, 20)
_SHARD = 10_000
# A code that only this card has: what looks a card up, and sees its version.
_CODE = "only{number} version{version}"
_BEGIN = ("b", "c", "d", "f", "g", "l", "m", "n", "p", "r", "s", "t", "v", "br", "tr")
_VOWELS = {"en": "aeiou", "pt": "aeiouãé", "es": "aeiouáó"}
_ENDS = {
    "en": ("", "s", "ing", "ed", "tion", "ly"),
    "pt": ("", "s", "ção", "mente", "ar", "ando"),
    "es": ("", "s", "ción", "mente", "ar", "ando"),
}
_PARTICLES = ("", "을", "를", "이", "가", "에서", "으로", "의")


class Vocabulary:
    """The words of one language, the most frequent first."""

    def __init__(self, locale: str, words: int = WORDS) -> None:
        rng = random.Random(f"words {locale}")
        make = _hangul if locale == "ko" else _latin
        found: dict[str, None] = {}
        while len(found) < words:
            found[make(rng, locale)] = None
        self.words = list(found)
        self._sums = np.cumsum(1 / (np.arange(words) + 3))

    def draw(self, rng: np.random.Generator, count: int) -> list[str]:
        """Return so many words of a text."""
        drawn = rng.random(count) * self._sums[-1]
        ranks = np.searchsorted(self._sums, drawn).tolist()
        return [self.words[rank] for rank in ranks]


def _latin(rng: random.Random, locale: str) -> str:
    stem = "".join(
        rng.choice(_BEGIN) + rng.choice(_VOWELS[locale])
        for _ in range(rng.choice((1, 2, 2, 3)))
    )
    return stem + rng.choice(_BEGIN) + rng.choice(_ENDS[locale])


def _hangul(rng: random.Random, _: str) -> str:
    noun = "".join(chr(0xAC00 + 28 * rng.randrange(399)) for _ in range(2))
    return noun + rng.choice(_PARTICLES)


class Cards:
    """Makes cards by their number; each is the same whenever it is made."""

    def __init__(self) -> None:
        self._spoken = {locale: Vocabulary(locale) for locale in LOCALES}

    def card(self, number: int, version: int = 1) -> dict[str, str]:
        """Return the card of a number in one of its versions."""
        rng = np.random.default_rng([number, version])
        locale = LOCALES[number % len(LOCALES)]
        spoken = self._spoken[locale]
        lengths = rng.integers(*_WORDS, size=rng.integers(*_SENTENCES)).tolist()
        words = iter(spoken.draw(rng, sum(lengths)))
        sentences = [
            f"{' '.join(itertools.islice(words, length)).capitalize()}."
            for length in lengths
        ]
        code = _CODE.format(number=number, version=version)
        picked = rng.integers(WORDS, size=3).tolist()
        title = " ".join(spoken.words[rank] for rank in picked).capitalize()
        text = f"{code} {' '.join(sentences)}"
        return {"id": f"d{number}", "title": title, "text": text, "locale": locale}

    def questions(self, count: int, seed: int = 1) -> Iterator[tuple[str, str]]:
        """Yield locale and ten words each; no two alike, as a text has them."""
        rng = np.random.default_rng([seed])
        for number in range(count):
            locale = LOCALES[number % len(LOCALES)]
            yield locale, " ".join(self._spoken[locale].draw(rng, 10))


def write(folder: Path, passages: int) -> int:
    """Write shards of cards with about so many passages; return how many cards."""
    made = Cards()
    cards = max(1, passages // PASSAGES)
    folder.mkdir(parents=True, exist_ok=True)
    for first in range(0, cards, _SHARD):
        numbers = range(first, min(first + _SHARD, cards))
        write_file(folder / f"{first // _SHARD:04d}.jsonl", made, numbers)
    return cards


def write_file(path: Path, made: Cards, numbers: range, version: int = 1) -> None:
    """Write the cards of ``numbers``, one a line."""
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for number in numbers:
            card = made.card(number, version)
            file.write(json.dumps(card, ensure_ascii=False) + "\n")
