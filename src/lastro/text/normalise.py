"""The one normal form of a text, and of a word that is compared.

Offsets exist only into normalised text, so :func:`normalise` comes before them.
"""

import re
import unicodedata

_BROKEN = re.compile("[\0\ud800-\udfff]")
_MARKS = re.compile("[\u0300-\u036f]")
# NFKC would also turn "10²" into "102": it is asked only where ligatures or
# full-width forms, which PDF files and East Asian keyboards leave, stand.
_COMPATIBLE = re.compile("[\ufb00-\ufb06\uff01-\uff5e]")
_INVISIBLE = {0x00AD: None, 0x200B: None, 0x2060: None, 0xFEFF: None}
_LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe", "ð": "d", "þ": "th", "ı": "i"}
)


def normalise(text: str) -> str:
    r"""Return ``text`` in NFC with safe characters and plain line ends.

    NUL and lone surrogates become U+FFFD; CR LF and CR become LF.  Idempotent.

    >>> normalise("e\u0301\r\nb\0")
    'é\nb�'
    """
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if text.isascii() and "\0" not in text:
        return text
    if "\0" in text or _has_surrogates(text):
        text = _BROKEN.sub("\ufffd", text)
    return unicodedata.normalize("NFC", text)


def _has_surrogates(text: str) -> bool:
    """Say whether UTF-8 cannot hold ``text``; sooner said than looked for."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def fold(word: str) -> str:
    """Return ``word`` as words are compared: casefolded NFC, nothing invisible.

    >>> fold("ﬁle"), fold("STRASSE") == fold("Straße")
    ('file', True)
    """
    if word.isascii():
        return word.lower()
    word = word.translate(_INVISIBLE)
    if _COMPATIBLE.search(word):
        word = unicodedata.normalize("NFKC", word)
    folded = unicodedata.normalize("NFC", word).casefold()
    return unicodedata.normalize("NFC", folded)


def unaccented(folded: str) -> str:
    """Return a folded word without its accents.

    >>> unaccented("licitação"), unaccented("smørbrød")
    ('licitacao', 'smorbrod')
    """
    if folded.isascii():
        return folded
    bare = _MARKS.sub("", unicodedata.normalize("NFD", folded))
    return unicodedata.normalize("NFC", bare).translate(_LETTERS)
