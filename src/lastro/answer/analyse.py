"""What kind of question this is: deterministic, by the patterns of its language.

It reads the question alone: no ranking, no model.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from lastro.answer.catalogue import catalogue, every, fold
from lastro.gate.messages import LANGUAGES, spoken
from lastro.model.answer import Question
from lastro.model.case import QueryType
from lastro.text.analyse import words
from lastro.text.lists import lists

SHORT = 3  # informative words; a follow-up by form has fewer
LONGEST_COURTESY = 8  # words


class Ask(StrEnum):
    """What the question wants to hear: the keys of ``[ask]`` in the texts."""

    HOW = "how"
    NUMBER = "number"
    PRICE = "price"
    TIME = "time"
    PERSON = "person"
    PLACE = "place"
    REASON = "reason"
    MEANING = "meaning"


# How the others ask holds words that a document has to say: "how to print".
ASKING = (Ask.NUMBER, Ask.TIME, Ask.PERSON, Ask.PLACE, Ask.REASON)


class Courtesy(StrEnum):
    """The two kinds of small talk that are answered without a search."""

    GREETING = "greeting"
    THANKS = "thanks"


@dataclass(frozen=True, slots=True, kw_only=True)
class Analysis:
    """A question's shape: its type, what it asks for, the sides it compares.

    ``aside`` are the words of asking and comparing ("how long", "difference",
    "cost" of "how much does it cost"): they say what is wanted, and no document
    has to say them.
    """

    query_type: QueryType
    asks: frozenset[Ask]
    targets: tuple[str, ...]
    aside: frozenset[str]
    override_attempt: bool
    courtesy: Courtesy | None


def analyse(question: Question, locale: str) -> Analysis:
    """Return the shape of ``question``, asked in the language of ``locale``."""
    text = " ".join(question.text.split())
    folded = fold(text)
    own = catalogue(spoken(locale))
    targets = compared(text, locale)
    asks = (ask for ask in Ask if any(p.search(folded) for p in own.ask[ask]))
    return Analysis(
        query_type=_type(question, folded, targets, locale),
        asks=frozenset(asks),
        targets=targets,
        aside=_aside(text, locale, comparing=bool(targets)),
        override_attempt=tries_to_override(question.text),
        courtesy=courtesy(text, locale),
    )


def _aside(text: str, locale: str, *, comparing: bool) -> frozenset[str]:
    own = catalogue(spoken(locale))
    folded = fold(text)
    costing = any(pattern.search(folded) for pattern in own.ask[Ask.PRICE])
    spans = [
        found.span()
        for pattern in (*(p for ask in ASKING for p in own.ask[ask]), *own.tag)
        for found in pattern.finditer(folded)
    ]
    return frozenset(
        word.surface
        for word in words(text, locale)
        if any(start <= word.start and word.end <= end for start, end in spans)
        or (comparing and fold(word.surface) in own.comparing)
        or (costing and fold(word.surface) in own.costing)
    )


def compared(text: str, locale: str) -> tuple[str, ...]:
    """Return the two sides that ``text`` compares, as they are written, or nothing.

    >>> compared("What is the difference between WPA2 and WPA3?", "en")
    ('WPA2', 'WPA3')
    """
    folded = fold(text)
    for pattern in catalogue(spoken(locale)).compare:
        found = pattern.search(folded)
        if found:
            a, b = (_trimmed(text[slice(*found.span(side))]) for side in "ab")
            trimmed = _without_ellipsis(a, b, locale)
            if all(trimmed) and fold(trimmed[0]) != fold(trimmed[1]):
                return trimmed
    return ()


def tries_to_override(text: str) -> bool:
    """Whether the question orders the writer out of its contract, in any language.

    Conservative: orders at the head of a sentence, not talk about such orders,
    and nothing that stands in quotation marks.
    """
    bare = re.sub(r"[\"“”«»][^\"“”«»\n]{0,400}[\"“”«»]", " ", text)
    folded = fold(bare).strip()
    return any(p.search(folded) for own in every() for p in own.attempt)


def courtesy(text: str, locale: str) -> Courtesy | None:
    """Return which small talk ``text`` is, if it is nothing else.

    Every word is one of small talk and at least one is a greeting or thanks by
    itself, so that "good morning routine" is a question.
    """
    bare = fold(re.sub(r"[^\w\s]|_", " ", text)).split()
    if not bare or len(bare) > LONGEST_COURTESY:
        return None
    for code in dict.fromkeys((spoken(locale), *LANGUAGES)):
        own = catalogue(code)
        known = {fold(word) for word in lists(code).smalltalk}
        if not all(w in known or w in own.thanks or w in own.greeting for w in bare):
            continue
        if not own.thanks.isdisjoint(bare):
            return Courtesy.THANKS
        if not own.greeting.isdisjoint(bare):
            return Courtesy.GREETING
    return None


def _type(
    question: Question, folded: str, targets: Sequence[str], locale: str
) -> QueryType:
    if targets:
        return QueryType.COMPARISON
    if question.history and _follows(folded, question.text, locale):
        return QueryType.FOLLOW_UP
    return QueryType.SINGLE_DOC


def _follows(folded: str, text: str, locale: str) -> bool:
    if any(p.search(folded) for p in catalogue(spoken(locale)).follow):
        return True
    return sum(word.informative for word in words(text, locale)) < SHORT


def _without_ellipsis(first: str, second: str, locale: str) -> tuple[str, str]:
    """Return both sides without what they share: "the term of A", "that of B"."""
    before, after = catalogue(spoken(locale)).ellipsis
    cut, left = after.match(fold(second)), before.match(fold(first))
    if not cut or not left:
        return first, second
    return first[left.end() :], second[cut.end() :]


def _trimmed(side: str) -> str:
    return side.strip(" \t?!.,;:¿¡\"“”«»'’").strip()
