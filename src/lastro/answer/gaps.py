"""What of a question no passage of the prompt holds; pure.

Only words that carry the question are named: names, codes, numbers, and any word
that is a third of it.  An everyday word said differently is no gap.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum

from lastro.answer.pool import held, most
from lastro.model.answer import Prompt
from lastro.model.ranking import QueryTerm
from lastro.text import words

CARRIES = 1 / 3  # of the informative weight of a question


@dataclass(frozen=True, slots=True, kw_only=True)
class Gaps:
    """Words of the question as they were written, in its order.

    ``unknown`` stand nowhere in the base, ``missing`` in no passage found.
    """

    unknown: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()

    @property
    def topics(self) -> tuple[str, ...]:
        """All of them."""
        return self.unknown + self.missing


def gaps(prompt: Prompt) -> Gaps:
    """Return the weighty words of the question that no passage holds."""
    terms = prompt.query_terms
    found = most(
        (
            held(text, terms, shown.hit.passage.locale or prompt.locale)[0]
            for shown in prompt.passages
            for text in (
                shown.text,
                shown.hit.title,
                *shown.hit.passage.heading_path,
            )
        ),
        len(terms),
    )
    written = _written(prompt)
    heavy = _heavy(terms, written)
    absent = [t for t, has in zip(terms, found, strict=True) if not has and t in heavy]
    return Gaps(
        unknown=tuple(written.get(t.word, t.word) for t in absent if not t.df),
        missing=tuple(written.get(t.word, t.word) for t in absent if t.df),
    )


def _heavy(
    terms: Sequence[QueryTerm], written: dict[str, str]
) -> tuple[QueryTerm, ...]:
    """Return the words that carry the question: names, codes, or a third of it."""
    informative = [term for term in terms if term.informative]
    whole = fsum(term.idf for term in informative)
    return tuple(
        term
        for at, term in enumerate(informative)
        if term.exact
        or (at and written.get(term.word, "")[:1].isupper())
        or term.idf >= CARRIES * whole
    )


def _written(prompt: Prompt) -> dict[str, str]:
    text = prompt.question.text
    return {
        word.surface: text[word.start : word.end]
        for word in reversed(words(text, prompt.locale))
    }
