"""Brackets that look like citations, and which sources they name.  Pure.

Accepted are numbers, lists and ranges of them, ``[^1]``, ``[1:2]`` (a part of
source 1), ``[cite:id]`` and an id as it stands; in square, full-width or
lenticular brackets, with digits of any script.  What looks like a marker and is
none of these is a finding, such as ``①`` or ``¹`` behind a sentence.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from lastro.model.document import Span
from lastro.text.ids import canonical

_YEARS = range(1000, 2200)
MOST = 100  # sources that one range may name

_PAIRS = {"[": "]", "［": "］", "【": "】"}
_OPENED, _CLOSED = "〔〖⟦⟨〈《「『{<", "〕〗⟧⟩〉》」』}>"
_BRACKET = re.compile(
    r"(?P<open>[\[［【])(?P<inner>[^\[\]［］【】\n]{0,160})(?P<close>[\]］】])"
)
_UNCLOSED = re.compile(
    r"[\[［【](?:\^?\d{1,9}(?!\w)|cite:[^\[\]［］【】\s]{0,160})"
    r"(?![^\[\]［］【】\n]{0,160}[\]］】])"
)
_NUMBERS = r"[ \t]*\d{1,3}(?:[ \t]*[,、，-][ \t]*\d{1,3}){0,20}[ \t]*"
# In braces behind a letter or a hat stand the arguments of a formula.
_STYLES = re.compile(
    "|".join(
        (r"(?<![\w^\\}$])" if a == "{" else "") + re.escape(a) + _NUMBERS + re.escape(b)
        for a, b in zip(_OPENED, _CLOSED, strict=True)
    )
)
_RINGED = "\u2460-\u2487\u24ea-\u24ff\u2776-\u2793\u3251-\u325f\u32b1-\u32bf"  # ① ⑴ ❶
_RAISED = "⁰¹²³⁴-⁹"
_ENDS = r".!?。…\"'”’"
# Before words a ringed number begins an item of a list; behind a digit, a letter or
# a unit a raised one is a power.  Behind a word or a sentence both are markers.
_DIGITS = re.compile(
    rf"(?<=[\w{_ENDS}])(?<![{_RINGED}])[{_RINGED}]+(?!\w)"
    rf"|(?<=[\w{_ENDS}][ \t])[{_RINGED}]+(?=[ \t]*(?:[.,;:!?。]|$))"
    rf"|(?:(?<=[{_ENDS}가-힣一-鿿])|(?<=[^\W\d_][^\W\d_][^\W\d_]))"
    rf"⁽?[{_RAISED}]{{1,3}}(?:[,⁻][{_RAISED}]{{1,3}}){{0,20}}⁾?(?!\w)",
    re.MULTILINE,
)
_INSIDE = re.compile(rf"\s*[{_RINGED}{_RAISED}][{_RINGED}{_RAISED}\s,⁻]*")
_CITE = re.compile(r"\s*cite\s*:", re.IGNORECASE)
_DASHES = r"\-‐‑‒–—−－~〜～"
_SEPARATORS = ",;，、；"
_PART = re.compile(
    rf"\s*\^?\s*(?P<first>\d+)(?:\s*:\s*\d+)?"
    rf"(?:\s*[{_DASHES}]\s*\^?\s*(?P<last>\d+)(?:\s*:\s*\d+)?)?\s*"
)
_LIKE = re.compile(rf"[\d\s.:#*?!†‡/+^{_DASHES}{_SEPARATORS}]*\d[^\w]*")
_SPLIT = re.compile(rf"[{_SEPARATORS}]")
_NAME = re.compile(r"[!-Z^-z|~\\]+", re.ASCII)
_WORDED = re.compile(
    r"\s*(?:sources?|docs?|documents?|documentos?|passages?|refs?|references?|fuentes?"
    r"|fontes?|출처|문서)\s*[:#]?\s*\d{1,3}\s*",
    re.IGNORECASE,
)


class FindingCode(StrEnum):
    """What can be wrong with a marker: it names no source that there is."""

    OUT_OF_RANGE = "out_of_range"
    ZERO = "zero"
    MALFORMED = "malformed"
    REVERSED_RANGE = "reversed_range"
    HUGE_RANGE = "huge_range"
    UNKNOWN_SOURCE = "unknown_source"
    UNKNOWN_STYLE = "unknown_style"
    NO_SENTENCE = "no_sentence"


@dataclass(frozen=True, slots=True)
class Read:
    """A marker: the places of its sources from 0, and what is wrong with it."""

    span: Span
    places: tuple[int, ...] = ()
    codes: tuple[FindingCode, ...] = ()
    year: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Numbering:
    """How many sources there are, and the places of ids, by comparable id."""

    n: int
    ids: Mapping[str, int]


def markers(text: str, known: Numbering) -> tuple[Read, ...]:
    """Return everything in ``text`` that looks like a marker, in its order.

    Spans are code points into ``text`` and never overlap.
    """
    found = [read for match in _BRACKET.finditer(text) if (read := _read(match, known))]
    taken = {at for read in found for at in range(read.span.start, read.span.end)}
    for pattern, code in (
        (_UNCLOSED, FindingCode.MALFORMED),
        (_STYLES, FindingCode.UNKNOWN_STYLE),
        (_DIGITS, FindingCode.UNKNOWN_STYLE),
    ):
        for match in pattern.finditer(text):
            if taken.isdisjoint(range(*match.span())):
                taken |= set(range(*match.span()))
                found.append(Read(Span(*match.span()), codes=(code,)))
    return tuple(sorted(found, key=lambda read: read.span.start))


def _read(match: re.Match[str], known: Numbering) -> Read | None:
    """Return what a pair of brackets says; nothing where it holds words."""
    span, inner = Span(*match.span()), match["inner"].removesuffix("\\")
    whole = canonical(inner.strip())
    if match["close"] != _PAIRS[match["open"]]:
        wrong = _LIKE.fullmatch(inner) is not None
        return Read(span, codes=(FindingCode.MALFORMED,)) if wrong else None
    if (cite := _CITE.match(inner)) is not None:
        return _by_id(span, inner[cite.end() :], known)
    if parts := _parts(inner):
        return _numbered(span, parts, known)
    if whole in known.ids:
        return Read(span, (known.ids[whole],))
    return _strange(span, match["open"], inner)


def _parts(inner: str) -> list[re.Match[str]]:
    """Return the numbers and ranges of a list; none if something else is in it."""
    found = [_PART.fullmatch(part) for part in _SPLIT.split(inner)]
    return [part for part in found if part] if all(found) else []


def _numbered(span: Span, parts: list[re.Match[str]], known: Numbering) -> Read:
    ranges = [(int(p["first"]), int(p["last"] or p["first"])) for p in parts]
    if min(min(ranges)) > known.n and all(
        a in _YEARS and b in _YEARS for a, b in ranges
    ):
        return Read(span, year=True)
    places: list[int] = []
    codes: list[FindingCode] = []
    for first, last in ranges:
        if code := _wrong(first, last, known.n):
            codes.append(code)
        if code in {None, FindingCode.OUT_OF_RANGE}:
            places += range(first - 1, min(last, known.n))
    if FindingCode.ZERO in codes:
        places = []  # [0, 1] is no list of sources, and may well be an interval
    return Read(span, tuple(dict.fromkeys(places)), tuple(dict.fromkeys(codes)))


def _wrong(first: int, last: int, n: int) -> FindingCode | None:
    if not first or not last:
        return FindingCode.ZERO
    if first > last:
        return FindingCode.REVERSED_RANGE
    if last - first >= MOST:
        return FindingCode.HUGE_RANGE
    return FindingCode.OUT_OF_RANGE if last > n else None


def _by_id(span: Span, given: str, known: Numbering) -> Read:
    """Read ``[cite:a, b]``; an id may hold blanks if it stands alone."""
    whole = canonical(given.strip())
    if not whole:
        return Read(span, codes=(FindingCode.MALFORMED,))
    if whole in known.ids:
        return Read(span, (known.ids[whole],))
    names = [_CITE.sub("", part) for part in re.split(r"[,;\s]+", whole)]
    places = [known.ids[name] for name in names if name in known.ids]
    lost = any(name and name not in known.ids for name in names)
    codes = (FindingCode.UNKNOWN_SOURCE,) if lost or not places else ()
    return Read(span, tuple(dict.fromkeys(places)), codes)


def _strange(span: Span, opened: str, inner: str) -> Read | None:
    """Say what a marker of another kind is; nothing where brackets hold words."""
    name = inner.strip()
    code: FindingCode | None = None
    if _LIKE.fullmatch(inner):
        code = FindingCode.MALFORMED
    elif any(each.fullmatch(inner) for each in (_WORDED, _INSIDE)) or (
        "†" in inner and opened == "【"
    ):
        code = FindingCode.UNKNOWN_STYLE
    elif _NAME.fullmatch(name) and (opened == "【" or name.startswith("^")):
        code = FindingCode.UNKNOWN_SOURCE
    return Read(span, codes=(code,)) if code else None
