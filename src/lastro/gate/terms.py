"""Single query terms: does a passage hold one, is one a word of trouble, is it central.

Terms are compared as the index compares them.  A Hangul word scores by its
bigrams, and any two words share one sooner or later: it is held where its noun
is, whatever particle stands behind it.
"""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache

from lastro.model.ranking import Hit, QueryTerm
from lastro.text import hangul
from lastro.text.analyse import index_terms
from lastro.text.lists import language, lists

EMPTY: frozenset[int] = frozenset()
CENTRAL_SHARE = 0.05  # of the passages; a term in more of them is no name


def held(term: QueryTerm, at: int, hit: Hit) -> bool:
    """Say whether ``hit`` holds the query's term number ``at``."""
    if at >= len(hit.term_scores) or hit.term_scores[at] <= 0.0:
        return False
    if not _hangul(term.word):
        return True
    passage = hit.passage
    text = "\n".join((hit.title, *passage.heading_path, passage.text))
    return _noun(term.word) <= _terms(text, passage.locale)


def of_trouble(term: QueryTerm, locales: Sequence[str]) -> bool:
    """Say whether ``term`` is a word of quality or trouble in one of the languages.

    A Latin word in a Korean question is looked up as English.
    """
    spoken = dict.fromkeys(language(locale) for locale in locales)
    if "ko" in spoken:
        spoken["en"] = None
    noun = _bare(term.word) if _hangul(term.word) else term.word
    return any(not {term.word, noun}.isdisjoint(lists(code).trouble) for code in spoken)


def central(
    terms: Sequence[QueryTerm], passages: int, *, without: AbstractSet[int] = EMPTY
) -> frozenset[int]:
    """Return which of ``terms`` are central, as positions.

    An informative term that stands in some passage is central if it is a code or
    number, or if it is in the upper third by IDF (at least one term, ties
    included) and stands in at most 5 % of the passages.  Positions in ``without``
    are passed over, as if the query did not hold them.
    """
    known = [
        at
        for at, term in enumerate(terms)
        if term.informative and term.df > 0 and at not in without
    ]
    if not known:
        return frozenset()
    rarest = sorted((terms[at].idf for at in known), reverse=True)
    border = rarest[max(1, len(known) // 3) - 1]
    return frozenset(
        at
        for at in known
        if terms[at].exact
        or (terms[at].idf >= border and terms[at].df <= CENTRAL_SHARE * passages)
    )


def _hangul(word: str) -> bool:
    return any("\uac00" <= char <= "\ud7a3" for char in word)


@lru_cache(maxsize=4096)
def _bare(word: str) -> str:
    return hangul.noun(word)


def _noun(word: str) -> frozenset[str]:
    return frozenset(hangul.bigrams(_bare(word)))


@lru_cache(maxsize=256)
def _terms(text: str, locale: str) -> frozenset[str]:
    return frozenset(index_terms(text, locale))
