"""Korean words: bigrams, and the noun in front of a particle or an ending."""

from collections.abc import Hashable
from functools import lru_cache
from typing import Protocol

# The particle stands after a consonant / after a vowel only; the others anywhere.
_AFTER_CONSONANT = (
    "으로부터",
    "으로서",
    "으로써",
    "으로는",
    "으로도",
    "이라고",
    "이라는",
    "이라도",
    "이나",
    "이란",
    "으로",
    "은",
    "을",
    "이",
    "과",
)
_AFTER_VOWEL = ("라고", "라는", "라도", "나", "란", "는", "를", "가", "와")
_ANYWHERE = (
    "에서부터",
    "로부터",
    "에게서",
    "에서는",
    "에서도",
    "에서의",
    "으로의",
    "까지의",
    "에서",
    "에게",
    "한테",
    "에는",
    "에도",
    "에만",
    "부터",
    "까지",
    "보다",
    "처럼",
    "마다",
    "마저",
    "조차",
    "밖에",
    "들을",
    "들은",
    "들이",
    "들의",
    "들에",
    "로서",
    "로써",
    "로는",
    "로도",
    "로의",
    "와의",
    "과의",
    "와는",
    "과는",
    "에",
    "의",
    "로",
    "도",
    "만",
    "들",
)
# Endings of 하다 and 되다 behind a noun of two syllables or more.
_ENDINGS = (
    "하려면",
    "하려고",
    "하는데",
    "하는지",
    "하나요",
    "하세요",
    "하십시오",
    "할까요",
    "합니까",
    "합니다",
    "하도록",
    "하면서",
    "하거나",
    "하지만",
    "했습니다",
    "했는데",
    "했어요",
    "했나요",
    "하였습니다",
    "하였다",
    "해주세요",
    "해줘",
    "해야",
    "해서",
    "해도",
    "해요",
    "하여",
    "하고",
    "하며",
    "하면",
    "하는",
    "하기",
    "하지",
    "하다",
    "하던",
    "하게",
    "한다",
    "했다",
    "했던",
    "하자",
    "해",
    "한",
    "할",
    "함",
    "됩니다",
    "됩니까",
    "되나요",
    "되는",
    "되면",
    "되어",
    "되지",
    "되고",
    "되며",
    "되었습니다",
    "되었다",
    "됐습니다",
    "되지",
    "되다",
    "된다",
    "돼요",
    "된",
    "될",
    "됨",
    "시키는",
    "시키려면",
    "시킵니다",
    "시킬",
    "시켜",
)
# By suffix: what it stands behind (1 a consonant, 0 a vowel, -1 anything), and how
# many syllables that has at least.
_SUFFIXES: dict[str, tuple[int, int]] = {
    **dict.fromkeys(_ENDINGS, (-1, 2)),
    **dict.fromkeys(_ANYWHERE, (-1, 1)),
    **dict.fromkeys(_AFTER_VOWEL, (0, 1)),
    **dict.fromkeys(_AFTER_CONSONANT, (1, 1)),
}
_LONGEST = max(map(len, _SUFFIXES))
# Question words, whatever ending they take.
_ASKING = ("무엇", "어떻", "어떠", "어떤", "어디", "언제", "누구")
_FIRST, _LAST, _FINALS = 0xAC00, 0xD7A3, 28


class Morphology(Hashable, Protocol):
    """Takes a Korean word apart; the same word always gives the same stems."""

    @property
    def identity(self) -> str:
        """Return what tells its stems from those of others; without blanks."""

    def stems(self, word: str) -> tuple[str, ...]:
        """Return the nouns and the stems of verbs and adjectives in a Hangul word.

        Without particles and endings, in order; empty: it finds none.
        """


def bigrams(run: str) -> tuple[str, ...]:
    """Return the overlapping pairs of a run; a run of one is its own pair.

    >>> bigrams("네트워크")
    ('네트', '트워', '워크')
    """
    if len(run) < 2:
        return (run,)
    return tuple(run[at : at + 2] for at in range(len(run) - 1))


@lru_cache(maxsize=8192)
def noun(word: str) -> str:
    """Return ``word`` without its particle or ending, or the word itself.

    A guess by form: 을 only after a consonant, 를 only after a vowel.

    >>> noun("네트워크를"), noun("연결하려면"), noun("앱을"), noun("기을")
    ('네트워크', '연결', '앱', '기을')
    """
    for size in range(min(_LONGEST, len(word) - 1), 0, -1):
        behind, least = _SUFFIXES.get(word[-size:], (-1, len(word)))
        rest = word[:-size]
        if len(rest) >= least and behind in (-1, _closed(rest[-1])):
            return rest
    return word


def asks(word: str) -> bool:
    """Say whether ``word`` is a question word.

    >>> asks("무엇이며"), asks("네트워크")
    (True, False)
    """
    return word.startswith(_ASKING)


def _closed(syllable: str) -> int:
    """Say 1 if ``syllable`` ends in a consonant, 0 if in a vowel, -2 if neither."""
    code = ord(syllable)
    if not _FIRST <= code <= _LAST:
        return -2
    return int((code - _FIRST) % _FINALS != 0)
