"""Which language a turn is answered in; pure."""

from collections.abc import Mapping

from lastro.model.answer import Question
from lastro.model.ranking import Ranking
from lastro.text.detect import detect

FALLBACK = "en"
MOST = 0.6  # of the scores of what was found, for its language to decide


def answer_locale(question: Question, ranking: Ranking | None) -> str:
    """Return the locale of the answer: the question's own, as far as it is known.

    Given, else detected for sure, else that of the documents asked for or found:
    a few words of no clear language are in that of what they find.
    """
    if question.locale:
        return question.locale
    seen = detect(question.text)
    if seen.sure:
        return seen.locale
    if question.filter_locale:
        return question.filter_locale
    found = _found(ranking)
    if not found:
        return seen.locale or FALLBACK
    return _shared(found) or FALLBACK


def _found(ranking: Ranking | None) -> Mapping[str, float]:
    """Return how much of what was found is in each language, by its scores."""
    found: dict[str, float] = {}
    for hit in ranking.selected if ranking else ():
        locale = hit.passage.locale
        if locale:
            found[locale] = found.get(locale, 0.0) + max(hit.score, 0.0)
    return found


def _shared(found: Mapping[str, float]) -> str:
    """Return the locale of most of what was found, by score; empty if it is mixed."""
    first = max(found, key=lambda locale: (found[locale], locale))
    return first if found[first] >= MOST * sum(found.values()) else ""
