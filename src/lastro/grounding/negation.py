"""How often a sentence denies: words of negation, one list a language."""

import re
from functools import cache
from importlib.resources import files

from lastro.gate.messages import LANGUAGES
from lastro.text.lists import language
from lastro.text.normalise import fold


def denials(sentence: str, locale: str) -> int:
    """Count the words of negation of the sentence's language.

    An unknown language is read as English.

    >>> denials("Do not unplug it.", "en"), denials("연결하지 마십시오.", "ko")
    (1, 1)
    >>> denials("Notice the note.", "en")
    0
    """
    return len(_pattern(language(locale) or LANGUAGES[0]).findall(fold(sentence)))


@cache
def _pattern(code: str) -> re.Pattern[str]:
    source = files("lastro.grounding").joinpath("negation", f"{code}.txt")
    lines = source.read_text(encoding="utf-8").splitlines()
    listed = [w for line in lines if not line.startswith("#") for w in line.split()]
    inside = [re.escape(fold(w)) for w in listed if code == "ko" and w[0] != "="]
    whole = [fold(w.removeprefix("=")) for w in listed if code != "ko" or w[0] == "="]
    # An apostrophe comes straight or curled.
    words = [re.escape(word).replace("'", "['\u2019]") for word in whole]
    apart = rf"(?<!\w)(?:{'|'.join(words)})(?!\w)"
    return re.compile("|".join([*inside, apart]))
