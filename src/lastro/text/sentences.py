"""Where sentences begin and end, by rules and short lists of abbreviations."""

import re

from lastro.model.document import Span
from lastro.text.lists import WordLists, language, lists
from lastro.text.normalise import fold

_QUOTES = "\"'\u2019\u201d\u00bb\u300d\u300f"
_CLOSING = _QUOTES + ")\\]}\u3011"
_OPENING = "\u00bf\u00a1\"'\u201c\u2018\u00ab([{"
# One class of signs in front: ``re`` skips to them, and only there tries the rest.
_SIGNS = re.compile("[\n.!?…؟।。！？｡]")
_SIGNS_KOREAN = re.compile("[\n.!?…؟।。！？｡다까요죠]")
_END = re.compile(
    rf"""
    (?P<line>\n\s*)
  | (?P<wide>[。！？｡]++[{_CLOSING}]*+)
  | (?P<plain>(?<=[^\W\d_]{{2}})\.)(?=[ ][A-Z][a-z])
  | (?P<mark>(?<![.!?…؟।])[.!?…؟।]++[{_CLOSING}]*+)(?=\s)
  | (?P<korean>[다까요죠])(?=[ ])(?:(?<=[\uac00-\ud7a3]죠)|(?<=[\uac00-\ud7a3]
      (?:니다|니까|세요|까요|나요|어요|아요|해요|에요|예요|네요|군요|지요)))
    """,
    re.VERBOSE,
)
_LIST_ITEM = re.compile(r"(?:[-*+•·‣▪–—]|\(?\w{1,3}[.)])\s")
_ITEM_NUMBER = re.compile(r"\(?(?:\d{1,3}|[a-zA-Z])\)?")
_INITIAL = re.compile(r"(?:^|[\s.])[^\W\d_]$")
_NEXT_WORD = re.compile(r"\s+\W*(\w+)")
_ROMAN = re.compile(r"\s+[IVXLCDM]{2,}\b")
# As far as an abbreviation, or the number of a list item, can reach.
_LOOK_BACK = 40
_HANGUL = re.compile("[\uac00-\ud7a3]")
# A line at least this long that ends in no mark may have been wrapped and not ended.
_WRAPPED_FROM = 40
# A lower-case letter follows: the mark closed a word this short, not a sentence.
_SHORT_WORD = 5


def sentences(text: str, locale: str) -> tuple[Span, ...]:
    """Return the spans of the sentences of ``text``, without surrounding blanks.

    A heading, a list item and any other line of its own is a sentence; a
    wrapped line goes on in the next one.

    >>> [text[s.start : s.end] for text in ["Ver o Sr. Silva. Custa 1.5."]
    ...     for s in sentences(text, "pt")]
    ['Ver o Sr. Silva.', 'Custa 1.5.']
    """
    known = lists(language(locale))
    found: list[Span] = []
    start = 0
    korean = not text.isascii() and _HANGUL.search(text)
    signs = _SIGNS_KOREAN if korean else _SIGNS
    for sign in signs.finditer(text):
        match = _END.match(text, sign.start()) if sign.start() >= start else None
        if match and _ends(text, start, match, known):
            start = _add(found, text, start, match.end())
    _add(found, text, start, len(text))
    return tuple(found)


def _add(found: list[Span], text: str, start: int, end: int) -> int:
    piece = text[start:end]
    bare = piece.strip()
    if bare:
        first = start + len(piece) - len(piece.lstrip())
        found.append(Span(first, first + len(bare)))
    return end


def _ends(text: str, start: int, match: re.Match[str], known: WordLists) -> bool:
    kind = match.lastgroup
    if kind == "line":
        return not _wrapped(text, start, match, known)
    if kind not in {"plain", "mark"}:
        return True
    if kind == "plain" and match.start() > start + 1:
        # Most marks: after a word, before a capital. Only a known word goes on.
        return _last_word(_before(text, start, match)) not in known.abbreviations
    after = text[match.end() : match.end() + 80].lstrip(_OPENING + " \t\u00a0")
    return not after or after[0] == "\n" or _closes(text, start, match, after[0], known)


def _wrapped(text: str, start: int, match: re.Match[str], known: WordLists) -> bool:
    """Say whether the line before this line end goes on in the next line."""
    if match.group().count("\n") > 1:
        return False
    line = text.rfind("\n", start, match.start()) + 1
    before = text[max(line, start) : match.start()].rstrip()
    if len(before) < _WRAPPED_FROM or before[-1] in ".!?:;…。":
        return False
    after = text[match.end() : match.end() + 8]
    if _LIST_ITEM.match(after):
        return False
    if after[:1].islower() or before[-1] == ",":
        return True
    if _HANGUL.match(after):
        return _HANGUL.match(before[-1]) is not None
    return fold(before.split()[-1]) in known.stop


def _closes(
    text: str, start: int, match: re.Match[str], following: str, known: WordLists
) -> bool:
    """Say whether a mark before a blank ends the sentence."""
    mark = match.group()
    quoted = mark[-1] in _QUOTES
    if mark[0] in "?!" and not quoted:
        return True
    if mark[0] != "." or mark.startswith("..") or quoted:
        return not following.islower()
    before = _before(text, start, match)
    if match.start() - start < _LOOK_BACK and _ITEM_NUMBER.fullmatch(before.strip()):
        return False
    return _stops(before, text, match.end(), known)


def _stops(before: str, text: str, at: int, known: WordLists) -> bool:
    """Say whether the full stop after ``before`` ends a sentence and no word."""
    word = _last_word(before)
    if word in known.abbreviations:
        return False
    following = text[at : at + _LOOK_BACK].lstrip().lstrip(_OPENING)[:1]
    if following.isdigit() or _ROMAN.match(text, at):
        return word not in known.before_numbers
    if _INITIAL.search(before):
        return _opens(text, at, known)
    return not following.islower() or (len(word) > _SHORT_WORD and "." not in word)


def _before(text: str, start: int, match: re.Match[str]) -> str:
    return text[max(start, match.start() - _LOOK_BACK) : match.start()]


def _last_word(before: str) -> str:
    last = before.rsplit(None, 1)[-1:]
    return fold(last[0].lstrip(_OPENING)) if last else ""


def _opens(text: str, at: int, known: WordLists) -> bool:
    """Say whether a function word follows, as after "plan B." and not after "J."."""
    following = _NEXT_WORD.match(text, at)
    return following is not None and fold(following.group(1)) in known.stop
