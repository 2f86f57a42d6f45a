"""The two requests of one question ("reset my password and export my files"); pure.

Only a question for ways of doing things, or one whose second half asks again, is
taken apart, and only where both halves have something to look for.
"""

from collections.abc import Sequence
from dataclasses import replace

from lastro.answer.analyse import Analysis, Ask
from lastro.answer.catalogue import catalogue, fold
from lastro.answer.gaps import as_written
from lastro.answer.pool import Pool, told
from lastro.gate.messages import spoken
from lastro.model.answer import Prompt
from lastro.text.analyse import words

LEAST = 2  # informative words of a half

Half = frozenset[int]  # places of its informative words among the question's terms


def halves(prompt: Prompt, shape: Analysis) -> tuple[Half, ...]:
    """Return the informative words of each of two requests; nothing of one."""
    if shape.targets:
        return ()
    text, own = prompt.question.text, catalogue(spoken(prompt.locale))
    places = _places(prompt, shape)
    for found in own.join.finditer(text.lower()):
        second = fold(text[found.end() :])
        again = any(p.match(second) for kind in own.ask.values() for p in kind)
        if Ask.HOW not in shape.asks and not again:
            continue
        before = frozenset(at for at, start in places if start < found.start())
        after = frozenset(at for at, start in places if start >= found.end())
        if min(len(before), len(after)) >= LEAST:
            return before, after
    return ()


def half_of(pool: Pool, half: Half) -> Pool:
    """Return ``pool`` as one request alone sees it."""
    terms = enumerate(pool.terms)
    return replace(
        pool,
        terms=tuple(
            t if at in half else replace(t, informative=False) for at, t in terms
        ),
        weights=tuple(w if at in half else 0.0 for at, w in enumerate(pool.weights)),
    )


def unanswered(
    prompt: Prompt, parts: Sequence[Half], holds: Sequence[float]
) -> tuple[str, ...]:
    """Return the words of a request of which an answer that ``holds`` has none."""
    written = as_written(prompt)
    left = [part for part in parts if not any(holds[at] for at in part)]
    if len(left) == len(parts):
        return ()
    terms = (prompt.query_terms[at].word for part in left for at in sorted(part))
    return tuple(dict.fromkeys(written.get(term, term) for term in terms))


def _places(prompt: Prompt, shape: Analysis) -> list[tuple[int, int]]:
    """Return the informative terms by their place, and where each first stands."""
    starts: dict[str, int] = {}
    for word in words(prompt.question.text, prompt.locale):
        starts.setdefault(word.surface, word.start)
    return [
        (at, starts[term.word])
        for at, term in enumerate(told(prompt, shape))
        if term.informative and term.word in starts
    ]
