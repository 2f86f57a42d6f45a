"""Which language a turn is answered in; pure."""

from collections import Counter

from lastro.model.answer import Question
from lastro.model.ranking import Ranking
from lastro.text import detect

FALLBACK = "en"


def answer_locale(question: Question, ranking: Ranking | None) -> str:
    """Return the locale of the answer: the question's own, as far as it is known.

    Given, else detected, else that of the documents asked for or found.
    """
    if question.locale:
        return question.locale
    seen = detect(question.text)
    if seen.sure:
        return seen.locale
    if question.filter_locale:
        return question.filter_locale
    found = _found(ranking)
    if seen.locale and (not found or seen.locale in map(_bare, found)):
        return seen.locale
    if found:
        return min(found, key=lambda locale: (-found[locale], locale))
    return FALLBACK


def _found(ranking: Ranking | None) -> Counter[str]:
    hits = ranking.selected if ranking else ()
    return Counter(hit.passage.locale for hit in hits if hit.passage.locale)


def _bare(locale: str) -> str:
    return locale.partition("-")[0]
