"""Which pieces and words have a row, and how a text is read by them."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from lastro.index.embedders.static import START, segmented, words

# How far a whole word is likelier than the best way to put it together.
BONUS = 1.0
MOST = 256  # pieces of a text that are fitted on
HANGUL = map(chr, range(0xAC00, 0xD7A4))


class Reader:
    """Reads texts as the embedder does that will hold ``scores``."""

    def __init__(self, scores: Mapping[str, float]) -> None:
        self.scores = scores
        self._place = {piece: at for at, piece in enumerate(scores) if piece != START}
        self._longest = max(map(len, scores))
        self._of_word = lru_cache(1_000_000)(self._cut)

    def read(self, text: str) -> NDArray[np.int64]:
        """Return the rows of a text."""
        found = [at for word in words(text) for at in self._of_word(word)]
        return np.array(found[:MOST], dtype=np.int64)

    def _cut(self, word: str) -> tuple[int, ...]:
        cut = segmented(START + word, self.scores, self._longest)
        return tuple(self._place[piece] for piece in cut if piece in self._place)


def needed(texts: Iterable[str], scores: Mapping[str, float]) -> dict[str, float]:
    """Return the pieces that ``texts`` are made of, every letter, and their scores."""
    longest = max(map(len, scores))
    found = {word for text in texts for word in words(text)}
    kept = {
        piece
        for word in found
        for piece in segmented(START + word, scores, longest)
        if piece in scores
    }
    letters = {START, *HANGUL, *(char for word in found for char in word)}
    kept |= letters & scores.keys()
    return {piece: scores[piece] for piece in sorted(kept)}


def with_words(
    scores: Mapping[str, float], frequent: Sequence[Sequence[str]], most: int
) -> dict[str, float]:
    """Return ``scores`` with frequent words that would take several pieces.

    Args:
        scores: the pieces.
        frequent: a list of words for each language, the most frequent first.
        most: words that are added of each language.
    """
    longest = max(map(len, scores))
    found = dict(scores)
    for listed in frequent:
        added = 0
        for word in listed:
            whole = START + word
            if added == most or not fit(word) or whole in found:
                continue
            cut = segmented(whole, scores, longest)
            if all(piece in scores for piece in cut):
                found[whole] = sum(scores[piece] for piece in cut) + BONUS
                added += 1
    return found


def fit(word: str) -> bool:
    """Say whether a word may have a row of its own."""
    return words(word) == [word] and not word.isdigit() and len(word) <= 20


def said(piece: str) -> str:
    """Return a piece as the model is asked about it."""
    return piece.replace(START, " ").strip() or "."
