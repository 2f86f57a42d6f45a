"""Where words begin and end inside a piece of text without white space.

This file knows scripts, signs and digits; it knows no language.
"""

import re
import unicodedata
from typing import NamedTuple

HANGUL = "\u1100-\u11ff\u3131-\u318e\ua960-\ua97c\uac00-\ud7fb"
# Scripts written without blanks between words.
CJK = (
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3041-\u3096\u309d-\u309f\u30a1-\u30fa"
    "\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f"
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ecd\u1000-\u1049\u1780-\u17d3"
    "\U00020000-\U0003134f"
)


def _marks() -> str:
    """Return the marks that stand inside a word but are no letters to ``re``.

    Vowel signs, accents of decomposed text, invisible joiners; as a class of
    ranges.  No letter is among them: the two classes must stay apart, or matching
    could take exponential time.
    """
    ranges = ["\u00ad\u200b-\u200d\u2060"]
    first = 0
    for code in range(0x300, 0x1B00):
        if unicodedata.category(chr(code)) in ("Mn", "Mc"):
            first = first or code
        elif first:
            ranges.append(f"{chr(first)}-{chr(code - 1)}")
            first = 0
    return "".join(ranges)


_ASIAN = re.compile(f"(?P<hangul>[{HANGUL}]+)|(?P<cjk>[{CJK}]+)")
# A letter of any other script.  Hangul and CJK are cut out before this is asked: as
# part of each class here, their ranges would cost every start a twentieth of a second.
_F = r"[^\W\d_]"
_L = rf"(?:{_F}|[{_marks()}])"  # inside a word
_A = rf"(?:{_L}|\d)"
_HYPHEN = r"[-\u2010\u2011]"
_TOKEN = re.compile(
    rf"""
    (?P<name>
        (?<![\w.])\.[nN][eE][tT](?![a-zA-Z0-9])       # .NET
      | [a-zA-Z]{{1,10}}(?:\+\+|\#)(?![a-zA-Z0-9+\#])  # C++ C#
      | [a-zA-Z]{{1,3}}&[a-zA-Z]{{1,3}}(?![a-zA-Z])    # R&D
      | [a-zA-Z]\+[a-zA-Z](?![a-zA-Z0-9])             # I+D
    )
  | (?P<code>
        {_F}{_A}{{0,2}}{_HYPHEN}\d{_A}*+(?:[-/]\d++)*  # PP-12/2024
      | \d++(?:[.,:/]\d++)*{_A}*+                # 12,5  10:30  802.11n  12/2024  5G
      | {_F}{_L}*+(?!\d+[.,]\d)\d{_A}*+            # IPv6, but TLS|1.3
    )
  | (?P<word>{_F}{_L}*+(?:(?:{_HYPHEN}|[_'\u2019\u02bc]){_F}{_L}*+)*)
    """,
    re.VERBOSE,
)


class Token(NamedTuple):
    """A word as it stands: its kind is the name of the group that found it."""

    kind: str
    start: int
    end: int
    text: str


def tokens(piece: str) -> list[Token]:
    """Return the words of ``piece`` in order."""
    if piece.isascii():
        return _spaced(piece, 0, len(piece))
    found: list[Token] = []
    start = 0
    for run in _ASIAN.finditer(piece):
        found += _spaced(piece, start, run.start())
        start = run.end()
        found.append(Token(run.lastgroup or "cjk", run.start(), start, run.group()))
    return found + _spaced(piece, start, len(piece))


def _spaced(piece: str, start: int, end: int) -> list[Token]:
    """Return the words of a stretch in scripts with blanks between words."""
    return [
        Token(match.lastgroup or "word", match.start(), match.end(), match.group())
        for match in _TOKEN.finditer(piece, start, end)
    ]
