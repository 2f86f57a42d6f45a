"""What of a question no passage of the prompt holds; pure.

Only words that carry the question are named: names, codes, numbers, a word that
stands nowhere in the base and makes up a good part of the question, and where
little of the question is held at all, its other weighty words.  An everyday
word that is said differently is no gap.
"""

from dataclasses import dataclass
from math import fsum

from lastro.answer.analyse import Analysis
from lastro.answer.holding import held, most
from lastro.answer.pool import told
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


def gaps(prompt: Prompt, shape: Analysis) -> Gaps:
    """Return the weighty words of the question that no passage holds."""
    terms = told(prompt, shape)
    written = _written(prompt)
    has = _held_anywhere(prompt)
    informative = [
        (term, value)
        for term, value in zip(terms, has, strict=True)
        if term.informative
    ]
    rarest = max((term.idf for term, _ in informative if term.df), default=1.0)
    rows = [(term, min(term.idf, rarest), value) for term, value in informative]
    whole = fsum(weight for _, weight, _ in rows) or 1.0
    part = fsum(weight * value for _, weight, value in rows) / whole
    absent = [(term, weight) for term, weight, value in rows if not value]
    names = [term for term, _ in absent if _is_name(term, written)]
    heavy = [
        term
        for term, weight in absent
        if term in names
        or (weight >= CARRIES * whole and (not term.df or part < MOSTLY_HELD))
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
