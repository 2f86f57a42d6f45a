"""What speaks for a retrieval, sentence by sentence: the inputs of a calibration.

The features of the gate look at a passage as a whole.  Whether it says what was
asked shows in its sentences, so those are read here; a base that is not calibrated
does not pay for it.  Neither the length of a question nor its kind is looked at:
they tell which collection it comes from, and not whether the base holds the answer.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import log

from lastro.gate.features import Features
from lastro.gate.holding import Holds, holding, holds, share
from lastro.model.ranking import Hit, Ranking, Stage, StageEntry
from lastro.text.analyse import words
from lastro.text.emit import Word
from lastro.text.sentences import sentences

LEXICAL = (
    "score",
    "coverage",
    "margin",
    "known",
    "in_a_sentence",
    "not_in_its_order",
    "not_in_its_pairs",
    "side_by_side",
    "rarest_word",
    "names",
)
DENSE = ("cosine", "cosine_lead", "cosine_of_best", "legs_agree")

# A top score of 1.5 a term, and a margin of 5, are each worth half.
_HALF_SCORE, _HALF_MARGIN = 1.5, 5.0
_NEAR = 2  # words from one to the next that still count as side by side
_WRITTEN = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_][\w'\u2019-]*")


@dataclass(frozen=True, slots=True)
class _Line:
    """A sentence: its words, how far it holds each term, and how much of all."""

    words: tuple[Word, ...]
    holds: Holds
    part: float


def signals(ranking: Ranking, seen: Features) -> Mapping[str, float]:
    """Return what speaks for a retrieval, each in [0, 1].

    Args:
        ranking: what was found; its terms carry their weight in this base.
        seen: the features of the same ranking.

    Returns:
        ``LEXICAL``, and ``DENSE`` where the dense leg looked.  The first are 0
        where the lexical leg did not look, or found nothing.

        ``score``, ``coverage``, ``margin`` and ``known`` are the parts of the
        uncalibrated confidence.  ``in_a_sentence`` is how much of the question,
        weighed by rarity, its best sentence holds; ``not_in_its_order`` and
        ``not_in_its_pairs`` are what of that goes beyond words repeated in their
        order, and in pairs: a question that is no copy of a sentence.
        ``side_by_side`` is how much of the question are neighbours that a passage
        has as neighbours; ``rarest_word`` is 1 less the weight of the heaviest
        word that the best sentence lacks; ``names`` the share of names and
        numbers that its passage holds as they are written.
        ``cosine`` is the dense leg's best, ``cosine_lead`` its lead on the next
        document, ``cosine_of_best`` that of the passage which is best by words,
        ``legs_agree`` whether both legs put one document first.
    """
    found = {**_by_words(ranking, seen), **_by_vectors(ranking)}
    return {name: min(1.0, max(0.0, value)) for name, value in found.items()}


def _by_words(ranking: Ranking, seen: Features) -> Mapping[str, float]:
    if seen.top_score is None or not ranking.selected or not ranking.terms:
        return dict.fromkeys(LEXICAL, 0.0)
    weights = _weights(ranking)
    read = [(hit, _lines(hit, ranking, weights)) for hit in ranking.selected]
    lines = [(line, hit) for hit, found in read for line in found]
    best = max(lines, key=lambda pair: pair[0].part, default=None)
    asked = [term.word for term in ranking.terms]
    margin = 1.0 if seen.margin is None else seen.margin / (seen.margin + _HALF_MARGIN)
    part = 0.0 if best is None else best[0].part
    repeated = 0.0 if best is None else _in_order(asked, best[0].words) / len(asked)
    paired = max((_paired(asked, line.words) for line, _ in lines), default=0.0)
    beside = (_beside(ranking, weights, found) for _, found in read)
    return {
        "score": seen.top_score / (seen.top_score + _HALF_SCORE),
        "coverage": seen.coverage_weighted or 0.0,
        "margin": margin,
        "known": 1.0 - seen.unknown / max(1, seen.informative),
        "in_a_sentence": part,
        "not_in_its_order": part - repeated,
        "not_in_its_pairs": part - paired,
        "side_by_side": max(beside, default=0.0),
        "rarest_word": 0.0 if best is None else _rarest(ranking, weights, best[0]),
        "names": 0.0 if best is None else _named(ranking.query, best[1]),
    }


def _weights(ranking: Ranking) -> tuple[float, ...]:
    """Return the weight of each term; what stands nowhere weighs the most."""
    most = _heaviest(ranking)
    return tuple(term.idf if term.df else most for term in ranking.terms)


def _heaviest(ranking: Ranking) -> float:
    return log(1 + (max(1, ranking.passages) + 0.5) / 0.5)


def _lines(hit: Hit, ranking: Ranking, weights: Sequence[float]) -> tuple[_Line, ...]:
    locale = hit.passage.locale or (ranking.locales[0] if ranking.locales else "")
    found = []
    for taken in _taken(hit.passage.text, locale):
        held = holds(taken, ranking.terms)
        found.append(_Line(taken, held, share(weights, held)))
    return tuple(found)


@lru_cache(maxsize=256)
def _taken(text: str, locale: str) -> tuple[tuple[Word, ...], ...]:
    """Return the words of each sentence; the last few passages are remembered."""
    spans = sentences(text, locale)
    return tuple(words(text[span.start : span.end], locale) for span in spans)


def _in_order(asked: Sequence[str], said: Sequence[Word]) -> int:
    """Return the length of the longest common subsequence of two lists of words."""
    lengths = [0] * (len(said) + 1)
    for word in asked:
        before = 0
        for at, other in enumerate(said, 1):
            above = lengths[at]
            here = before + 1 if other.surface == word else lengths[at - 1]
            lengths[at] = max(above, here)
            before = above
    return lengths[-1]


def _paired(asked: Sequence[str], said: Sequence[Word]) -> float:
    """Return the share of pairs of neighbours that stand in a sentence as they are."""
    pairs = list(pairwise(asked))
    known = set(pairwise(word.surface for word in said))
    return sum(pair in known for pair in pairs) / len(pairs) if pairs else 0.0


def _beside(
    ranking: Ranking, weights: Sequence[float], lines: Sequence[_Line]
) -> float:
    """Return how much of a question are neighbours that are near in a passage too."""
    said = [set(word.emissions) for line in lines for word in line.words]
    places = [
        [at for at, emitted in enumerate(said) if holding(term, emitted) >= 1.0]
        for term in ranking.terms
    ]
    whole = held = 0.0
    for (one, at_one), (two, at_two) in pairwise(zip(weights, places, strict=True)):
        whole += one + two
        behind = set(at_two)
        near = (at + step in behind for at in at_one for step in range(1, _NEAR + 1))
        held += one + two if any(near) else 0.0
    return held / whole if whole else 0.0


def _rarest(ranking: Ranking, weights: Sequence[float], best: _Line) -> float:
    lacking = (
        weight * (1.0 - held)
        for term, weight, held in zip(ranking.terms, weights, best.holds, strict=True)
        if term.informative
    )
    return 1.0 - max(lacking, default=0.0) / _heaviest(ranking)


def _named(question: str, hit: Hit) -> float:
    """Return the share of names and numbers that a passage holds; 1 of none."""
    written = _WRITTEN.finditer(question)
    # The first word is a capital in any question.
    names = [
        word[0]
        for at, word in enumerate(written)
        if word[0][0].isdigit() or (at and word[0][0].isupper())
    ]
    text = hit.passage.text
    return sum(name in text for name in names) / len(names) if names else 1.0


def _by_vectors(ranking: Ranking) -> Mapping[str, float]:
    found = ranking.stages.get(Stage.DENSE, ())
    if not found:
        return {}
    first = found[0]
    others = (each.score for each in found if each.document_id != first.document_id)
    by_words = ranking.stages.get(Stage.LEXICAL, ())
    agree = bool(by_words) and by_words[0].document_id == first.document_id
    return {
        "cosine": first.score,
        "cosine_lead": first.score - next(others, first.score),
        "cosine_of_best": _score_of(by_words[:1], found),
        "legs_agree": float(agree),
    }


def _score_of(wanted: Sequence[StageEntry], found: Sequence[StageEntry]) -> float:
    """Return the cosine of a passage; one not found is no nearer than the last."""
    ids = {each.passage_id for each in wanted}
    return next((e.score for e in found if e.passage_id in ids), found[-1].score)
