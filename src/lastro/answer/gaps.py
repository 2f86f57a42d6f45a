"""What of a question no passage of the prompt holds; pure.

Only words that carry the question are named: names, codes, numbers, a word that
stands nowhere in the base and makes up a good part of the question, and where
little of the question is held at all, its other weighty words.  An everyday
word that is said differently is no gap.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum

from lastro.answer.catalogue import catalogue, fold
from lastro.answer.holding import held, most
from lastro.gate.messages import spoken
from lastro.model.answer import Prompt
from lastro.model.ranking import QueryTerm
from lastro.text import hangul, words

CARRIES = 0.25  # of the informative weight of a question, for a word to carry it
MOSTLY_HELD = 0.4  # of that weight; beyond, a word of the base is no gap


@dataclass(frozen=True, slots=True, kw_only=True)
class Gaps:
    """Words of the question as they were written, in its order.

    ``unknown`` stand nowhere in the base, ``missing`` in no passage found.
    ``names`` are those of either that are names, codes or numbers, as the index
    knows them.
    """

    unknown: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    names: frozenset[str] = frozenset()

    @property
    def topics(self) -> tuple[str, ...]:
        """All of them."""
        return self.unknown + self.missing


def gaps(prompt: Prompt, targets: Sequence[str] = ()) -> Gaps:
    """Return the weighty words of the question that no passage holds.

    Of a comparison of ``targets`` the words of comparing cannot be missing.
    """
    terms = prompt.query_terms
    has = _held_anywhere(prompt)
    own = catalogue(spoken(prompt.locale)).comparing if targets else frozenset()
    written = _written(prompt)
    informative = [
        (term, value)
        for term, value in zip(terms, has, strict=True)
        if term.informative and fold(term.word) not in own
    ]
    whole = fsum(term.idf for term, _ in informative) or 1.0
    mostly = fsum(term.idf * value for term, value in informative) >= (
        MOSTLY_HELD * whole
    )
    absent = [term for term, value in informative if not value]
    names = [term for term in absent if _is_name(term, written)]
    heavy = [
        term
        for term in absent
        if term in names
        or (term.idf >= CARRIES * whole and (not term.df or not mostly))
    ]
    return Gaps(
        unknown=tuple(_shown(t, written) for t in heavy if not t.df),
        missing=tuple(_shown(t, written) for t in heavy if t.df),
        names=frozenset(term.word for term in names),
    )


def _shown(term: QueryTerm, written: dict[str, str]) -> str:
    """Return a word as a person would name it: a Korean noun without its particle."""
    return hangul.noun(written.get(term.word, term.word))


def _held_anywhere(prompt: Prompt) -> tuple[float, ...]:
    rows = (
        held(text, prompt.query_terms, shown.hit.passage.locale or prompt.locale)
        for shown in prompt.passages
        for text in (shown.text, shown.hit.title, *shown.hit.passage.heading_path)
    )
    return most(rows, len(prompt.query_terms))


def _is_name(term: QueryTerm, written: dict[str, str]) -> bool:
    return term.exact or written.get(term.word, "")[:1].isupper()


def _written(prompt: Prompt) -> dict[str, str]:
    """Return each word as it was written; the first only if it is no plain capital."""
    text = prompt.question.text
    found = words(text, prompt.locale)
    out = {word.surface: text[word.start : word.end] for word in reversed(found)}
    if found and not found[0].exact:
        first = text[found[0].start : found[0].end]
        out[found[0].surface] = first[:1].lower() + first[1:]
    return out
