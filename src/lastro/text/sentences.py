"""Where sentences begin and end, by rules and short lists of abbreviations."""

import re

from lastro.model.document import Span
from lastro.text.lists import WordLists, language, lists
from lastro.text.normalise import fold

_CLOSING = "\"'\u2019\u201d\u00bb)\\]}\u300d\u300f\u3011"
_END = re.compile(
    rf"""
    (?P<line>\n\s*)
  | (?P<wide>[。！？｡]+[{_CLOSING}]*)
  | (?P<mark>[.!?…؟।]+[{_CLOSING}]*)(?=\s)
  | (?P<korean>(?<=[\uac00-\ud7a3])
      (?:니다|니까|세요|까요|나요|어요|아요|해요|에요|예요|네요|군요|지요|죠)(?=[ ]))
    """,
    re.VERBOSE,
)
_LAST_WORD = re.compile(r"[\w.]*\w$")
_LIST_ITEM = re.compile(r"(?:[-*+•·‣▪–—]|\(?\w{1,3}[.)])\s")
_NUMBER_AT_START = re.compile(r"\(?(?:\d{1,3}|[a-z])[.)]$", re.IGNORECASE)
# A line at least this long that ends in no mark, before a line that begins in lower
# case, was wrapped and not ended.
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
    for match in _END.finditer(text):
        if match.start() < start or not _ends(text, start, match, known):
            continue
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
        return not _wrapped(text, start, match)
    if kind != "mark":
        return True
    after = text[match.end() : match.end() + 80].lstrip(" \t\u00a0\u00bf\u00a1\"'“‘«([")
    return not after or after[0] == "\n" or _closes(text, start, match, after[0], known)


def _wrapped(text: str, start: int, match: re.Match[str]) -> bool:
    """Say whether the line before this line end goes on in the next line."""
    if match.group().count("\n") > 1:
        return False
    line = text.rfind("\n", start, match.start()) + 1
    before = text[max(line, start) : match.start()].rstrip()
    if len(before) < _WRAPPED_FROM or before[-1] in ".!?:;…。":
        return False
    after = text[match.end() : match.end() + 8]
    return after[:1].islower() and not _LIST_ITEM.match(after)


def _closes(
    text: str, start: int, match: re.Match[str], following: str, known: WordLists
) -> bool:
    """Say whether a mark before a blank ends the sentence."""
    if match.group()[0] != "." or match.group().startswith(".."):
        return not following.islower() or match.group()[0] in "?!"
    before = text[max(start, match.start() - 40) : match.start()]
    if (
        _NUMBER_AT_START.match(before.strip() + ".")
        and not text[start : match.start()].strip()[4:]
    ):
        return False
    last = _LAST_WORD.search(before)
    word = fold(last.group()) if last else ""
    if word in known.abbreviations or _initial(before):
        return False
    if following.isdigit():
        return word not in known.before_numbers
    if following.islower():
        return len(word) > _SHORT_WORD and "." not in word
    return True


def _initial(before: str) -> bool:
    """Say whether the text ends in the initial of a name ("George W.")."""
    if len(before) < 1 or not before[-1].isupper():
        return False
    if len(before) > 1 and not before[-2].isspace():
        return before[-2] == "." and before[-3:-2].isupper()
    previous = before[:-1].split()
    return not previous or previous[-1][0].isupper()
