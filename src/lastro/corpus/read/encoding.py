"""Bytes become text: the same text on every platform, and which way is recorded.

A byte order mark decides, then strict UTF-8.  Text in an older encoding is
decided by what it would say: Hangul, or Western words; only then is the
detector asked, and the last resort always decodes.  Nothing here fails and
nothing waits for a time limit.
"""

import codecs
import re
from typing import NamedTuple

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CONTROLS = bytes(set(range(32)) - set(b"\t\n\v\f\r\x1b")) + b"\x7f"
# More than one control character in twenty, and not just a handful: no text.
_MOST_CONTROLS = 0.05
_HANDFUL = 8
# A damaged UTF-8 text has this many whole characters for each broken one.
_WHOLE_FOR_ONE_BROKEN = 4
_MOSTLY = 0.8
# A syllable before a Latin letter is two accented letters of a word.
_HANGUL = re.compile("[\uac00-\ud7a3](?![a-zA-Z])")
_NOT_ASCII = re.compile("[^\0-\x7f]")
# What cp1252 text of Western Europe does not hold: a sign inside a word, four
# accented letters in a row, or a letter that only Icelandic has.
_NOT_WESTERN = re.compile(
    "[a-zA-Z\u00c0-\u00ff][\u00a1-\u00bf\u00d7\u00f7\u0192\u02c6\u02dc]"
    "[a-z\u00df-\u00ff]|[\u00c0-\u00ff\u0152\u0153\u0160\u0161\u017d\u017e\u0178]{4}"
    "|[\u00d0\u00dd\u00de\u00f0\u00fd\u00fe]"
)

# The detector's guesses for what nobody writes: mainframe code pages, and wide text
# without a mark, which was looked for already.
_UNLIKELY = (
    "cp037", "cp273", "cp424", "cp500", "cp875", "cp1026", "cp1140", "utf_7",
    "utf_16", "utf_16_le", "utf_16_be", "utf_32", "utf_32_le", "utf_32_be",
)  # fmt: skip


class Decoded(NamedTuple):
    """A text, and the name of the encoding it was read in."""

    text: str
    encoding: str


def mark(data: bytes) -> str:
    """Return the encoding that a byte order mark at the start names, or nothing."""
    if data[:1].isascii() and data[:1] != b"\0":  # as nearly every file begins
        return ""
    return next((name for sign, name in _MARKS if data.startswith(sign)), "")


def is_binary(data: bytes) -> bool:
    """Say whether ``data`` is no text in any encoding read here."""
    if mark(data) or _utf16_without_mark(data):
        return False
    controls = len(data) - len(data.translate(None, _CONTROLS))
    return controls > _HANDFUL and controls > _MOST_CONTROLS * len(data)


def decode(data: bytes) -> Decoded:
    r"""Return the text of ``data``; lone surrogates and NUL may still be in it.

    >>> decode("Instalação".encode("cp1252"))
    Decoded(text='Instalação', encoding='windows-1252')
    >>> decode(b"\xef\xbb\xbfok").encoding, decode("설정".encode("cp949")).encoding
    ('utf-8', 'cp949')
    """
    marked = mark(data) or _utf16_without_mark(data)
    if marked:
        text = data.decode(marked, errors="replace").removeprefix("\ufeff")
        return Decoded(text, marked)
    try:
        return Decoded(data.decode("utf-8"), "utf-8")
    except UnicodeDecodeError:
        return _damaged(data) or _korean(data) or _western(data) or _detected(data)


def _utf16_without_mark(data: bytes) -> str:
    head = data[:4096]
    if b"\0" not in head:
        return ""
    even, odd = head[0::2].count(0), head[1::2].count(0)
    half = len(head) // 2
    if half > 1 and odd > 0.7 * half and even <= 0.02 * half:
        return "utf-16-le"
    if half > 1 and even > 0.7 * half and odd <= 0.02 * half:
        return "utf-16-be"
    return ""


def _damaged(data: bytes) -> Decoded | None:
    """Read UTF-8 with a few broken bytes as that, and say how many there were."""
    text = data.decode("utf-8", errors="replace")
    broken = text.count("\ufffd") - data.count(b"\xef\xbf\xbd")
    whole = len(_NOT_ASCII.findall(text)) - broken
    if whole < _WHOLE_FOR_ONE_BROKEN * broken:
        return None
    return Decoded(text, f"utf-8, {broken} broken")


def _korean(data: bytes) -> Decoded | None:
    try:
        text = data.decode("cp949")
    except UnicodeDecodeError:
        return None
    # The older and smaller set holds nearly every syllable that is written, and
    # hardly a pair of bytes that Western text leaves side by side.
    common = data.decode("euc_kr", errors="ignore")
    sure = len(_HANGUL.findall(common)) >= _MOSTLY * len(_NOT_ASCII.findall(text))
    return Decoded(text, "cp949") if sure else None


def _western(data: bytes) -> Decoded | None:
    try:
        text = data.decode("cp1252")
    except UnicodeDecodeError:
        return None
    return None if _NOT_WESTERN.search(text) else Decoded(text, "windows-1252")


def _detected(data: bytes) -> Decoded:
    # Only the few files that come this far pay for the import.
    from charset_normalizer import from_bytes  # noqa: PLC0415

    best = from_bytes(data, cp_exclusion=list(_UNLIKELY)).best()
    if best is None:
        return Decoded(data.decode("cp1252", errors="replace"), "windows-1252, guessed")
    return Decoded(data.decode(best.encoding, errors="replace"), best.encoding)
