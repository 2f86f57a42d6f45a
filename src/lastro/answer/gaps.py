"""What of a question no passage of the prompt holds; pure.

Only words that carry the question are named: names, codes, numbers, a word that
stands nowhere in the base and makes up a good part of the question, and where
little of the question is held at all, its other weighty words.  An everyday
word that is said differently is no gap, nor is a Korean verb.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from math import fsum

from lastro.answer.analyse import Analysis
from lastro.answer.catalogue import fold
from lastro.answer.names import names as names_in
from lastro.answer.pool import told
from lastro.gate.holding import held, most, share
from lastro.model.answer import Prompt
from lastro.model.ranking import QueryTerm
from lastro.text import hangul
from lastro.text.analyse import words

CARRIES = 0.25  # of the informative weight of a question, for a word to carry it
MOSTLY_HELD = 0.4  # of that weight; beyond, a word of the base is no gap
STEM = 5  # letters, and half a word: a shown word that opens so says it otherwise
CLOSE = 0.85  # of two words, for one to be a slip of the other
SLIP = 5  # letters; a shorter word is like too many others

# Endings of Korean verbs; a noun that ends so is missed, which is the lesser fault.
_VERBAL = re.compile(
    r".+(?:[가-힣]요|니다|니까|[었았했된한는]다|으면|[꾸되하추우이려리]면|려고|는데|지만"
    r"|거나|어서|아서|면서|도록)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Gaps:
    """Words of the question as they were written, in its order.

    ``unknown`` stand nowhere in the base, ``missing`` in no passage found.
    ``names`` are those of either that are names, codes or numbers, as the index knows
    them; ``nearest`` are words shown of which an unknown one may be a slip.
    """

    unknown: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    names: frozenset[str] = frozenset()
    nearest: tuple[str, ...] = ()

    @property
    def topics(self) -> tuple[str, ...]:
        """All of them."""
        return self.unknown + self.missing

    def with_missing(self, more: Sequence[str]) -> "Gaps":
        """Return these and ``more``, what is named already not again."""
        new = (one for one in more if one not in self.topics)
        return replace(self, missing=(*self.missing, *new))


def gaps(prompt: Prompt, shape: Analysis) -> Gaps:
    """Return the weighty words of the question that no passage holds."""
    if prompt.empty:
        return Gaps()
    absent, heavy = _absent(prompt, shape)
    written, vocabulary = as_written(prompt), shown_words(prompt)
    names = [term for term in absent if _is_name(term, written)]
    slips = {t.word: _nearest(t, vocabulary) for t in heavy}
    lacking = [
        term
        for term in absent
        if term in names
        or (term in heavy and (slips[term.word] or not _otherwise(term, vocabulary)))
    ]
    terms = {term.word for term in absent}
    parts = [name for name in names_in(prompt.question.text, prompt.locale)
             if all(w.surface in terms or not w.informative
                    for w in words(name, prompt.locale))]  # fmt: skip
    unknown = [_named(t, written, parts) for t in lacking if not t.df]
    missing = [_named(t, written, parts) for t in lacking if t.df]
    return Gaps(
        unknown=tuple(dict.fromkeys(unknown)),
        missing=tuple(x for x in dict.fromkeys(missing) if x not in unknown),
        names=frozenset(term.word for term in names),
        nearest=tuple(dict.fromkeys(filter(None, slips.values()))),
    )


def shown_words(prompt: Prompt) -> frozenset[str]:
    """Return the words of the passages shown, of their titles and headings."""
    return frozenset(
        word.surface
        for shown in prompt.passages
        for text in (shown.text, shown.hit.title, *shown.hit.passage.heading_path)
        for word in words(text, shown.hit.passage.locale or prompt.locale)
        if not word.stop
    )


def _absent(prompt: Prompt, shape: Analysis) -> tuple[list[QueryTerm], list[QueryTerm]]:
    """Return the informative words that nothing holds, and the weighty of them."""
    has = _held_anywhere(prompt)
    informative = [
        (term, value)
        for term, value in zip(told(prompt, shape), has, strict=True)
        if term.informative
    ]
    rarest = max((term.idf for term, _ in informative if term.df), default=1.0)
    rows = [(term, min(term.idf, rarest), value) for term, value in informative]
    spoken = (term.idf for term in prompt.query_terms if term.informative)
    whole = fsum(min(weight, rarest) for weight in spoken) or 1.0
    part = share([row[1] for row in rows], [row[2] for row in rows])
    absent = [(term, weight) for term, weight, value in rows if not value]
    heavy = [
        term
        for term, weight in absent
        if weight >= CARRIES * whole and (not term.df or part < MOSTLY_HELD)
    ]
    return [term for term, _ in absent], heavy


def _named(term: QueryTerm, written: dict[str, str], parts: list[str]) -> str:
    """Return a word as a person would name it: the whole name, the bare noun."""
    word = written.get(term.word, term.word)
    whole = next((name for name in parts if word in name.split()), word)
    return hangul.noun(whole)


def _otherwise(term: QueryTerm, vocabulary: frozenset[str]) -> bool:
    """Whether a word is no gap: a Korean verb, or another form of one shown."""
    if _VERBAL.fullmatch(term.word) and hangul.noun(term.word) == term.word:
        return True
    word = fold(term.word)
    opening = word[: max(STEM, (len(word) + 1) // 2)]
    if len(word) <= STEM or not opening.isascii():
        return False
    return any(fold(known).startswith(opening) for known in vocabulary)


def _nearest(term: QueryTerm, vocabulary: frozenset[str]) -> str:
    """Return the shown word of which an unknown one may be a slip, or nothing."""
    if term.df or term.exact or len(term.word) < SLIP:
        return ""
    near = get_close_matches(term.word, sorted(vocabulary), 1, CLOSE)
    return near[0] if near else ""


def _held_anywhere(prompt: Prompt) -> tuple[float, ...]:
    rows = (
        held(text, prompt.query_terms, shown.hit.passage.locale or prompt.locale)
        for shown in prompt.passages
        for text in (shown.text, shown.hit.title, *shown.hit.passage.heading_path)
    )
    return most(rows, len(prompt.query_terms))


def _is_name(term: QueryTerm, written: dict[str, str]) -> bool:
    return term.exact or written.get(term.word, "")[:1].isupper()


def as_written(prompt: Prompt) -> dict[str, str]:
    """Return each word as it was written; the first only if it is no plain capital."""
    text = prompt.question.text
    found = words(text, prompt.locale)
    out = {word.surface: text[word.start : word.end] for word in reversed(found)}
    first = text[found[0].start : found[0].end] if found else ""
    named = " ".join(names_in(text, prompt.locale)).split()
    if found and not found[0].exact and first not in named:
        out[found[0].surface] = first[:1].lower() + first[1:]
    return out
