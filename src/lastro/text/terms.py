"""Does a text hold a term: the one rule that evaluation and the gates share.

Both sides are folded (NFKC, casefold, runs of white space to one blank,
stripped), then compared.  A term never matches inside a longer number.
"""

import unicodedata
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, NewType

if TYPE_CHECKING:
    from lastro.text.emit import Word


class Match(StrEnum):
    """How strictly a term has to stand in a text."""

    SUBSTRING = "substring"
    WORD = "word"
    STEM = "stem"


Folded = NewType("Folded", str)


@lru_cache(maxsize=4096)
def folded(text: str) -> Folded:
    r"""Return ``text`` as terms are compared: NFKC, casefold, single blanks.

    Remembered for the last few thousand texts, since one text is asked for
    many terms.

    >>> folded("  Plazo:\t１４  STRASSE ") == folded("plazo: 14 straße")
    True
    """
    if text.isascii():
        return Folded(" ".join(text.lower().split()))
    return Folded(" ".join(unicodedata.normalize("NFKC", text).casefold().split()))


def contains_term(
    text: str, term: str, match: str = Match.SUBSTRING, locale: str = ""
) -> bool:
    """Say whether ``text`` holds ``term``.

    Args:
        text: any text, folded here (see :func:`folded`).
        term: what to look for; not blank.
        match: ``substring`` (default); ``word``: no letter or digit may stand
            right before or after the occurrence; ``stem``: the words of the
            term stand in the text one after another in any inflection.
        locale: the language whose stems ``stem`` compares.

    Returns:
        True if one occurrence counts.  Overlapping occurrences are all tried:
        ``"1.5"`` is in ``"11.5 or 1.5"``, and neither in ``"11.5"`` nor in
        ``"1.50"``.

    Raises:
        ValueError: the term is blank, or ``match`` is unknown.

    >>> contains_term("within 14 months", "4 months")
    False
    >>> contains_term("R$ 3.000, por ano", "3.000")
    True
    >>> contains_term("os prazos fixos", "prazo fixo", "stem", "pt")
    True
    """
    return holds(folded(text), term, Match(match), locale)


def holds(text: Folded, term: str, match: Match, locale: str = "") -> bool:
    """Say the same as :func:`contains_term` of a text that is folded already.

    Raises:
        ValueError: the term is blank.
    """
    wanted = folded(term)
    if not wanted:
        raise ValueError("a blank term is in every text: it cannot be looked for")
    if match is Match.STEM:
        from lastro.text.analyse import words  # noqa: PLC0415  (costs 25 ms)

        if sought := words(wanted, locale):
            return _in_a_row(words(text, locale), sought)
    return _stands(text, wanted, match)


def _stands(text: Folded, term: Folded, match: Match) -> bool:
    at = text.find(term)
    while at >= 0:
        end = at + len(term)
        if not _inside_a_number(text, term, at, end) and (
            match is Match.SUBSTRING or _stands_alone(text, term, at, end)
        ):
            return True
        at = text.find(term, at + 1)
    return False


def _inside_a_number(text: str, term: str, at: int, end: int) -> bool:
    """Say whether the occurrence is cut out of a longer number."""
    if term[0].isdigit() and at and _digit_before(text, at):
        return True
    return term[-1].isdigit() and end < len(text) and _digit_after(text, end)


def _digit_before(text: str, at: int) -> bool:
    before = text[at - 1]
    if before in ".,":
        return at > 1 and text[at - 2].isdigit()
    return before.isdigit()


def _digit_after(text: str, end: int) -> bool:
    after = text[end]
    if after in ".,":
        return end + 1 < len(text) and text[end + 1].isdigit()
    return after.isdigit()


def _stands_alone(text: str, term: str, at: int, end: int) -> bool:
    """Say whether no letter or digit touches the occurrence."""
    if term[0].isalnum() and at and text[at - 1].isalnum():
        return False
    return not (term[-1].isalnum() and end < len(text) and text[end].isalnum())


def _in_a_row(seen: "tuple[Word, ...]", sought: "tuple[Word, ...]") -> bool:
    """Say whether the words of the term stand one after another in the text."""
    last = len(seen) - len(sought)
    return any(
        all(_same_word(word, seen[at + offset]) for offset, word in enumerate(sought))
        for at in range(last + 1)
    )


def _same_word(sought: "Word", seen: "Word") -> bool:
    """Compare stems; a Hangul or CJK word may carry a particle or stand inside."""
    if sought.exact or seen.exact:
        return sought.surface == seen.surface
    if sought.script == "latin":
        return not set(sought.emissions).isdisjoint(seen.emissions)
    return sought.surface in seen.surface
