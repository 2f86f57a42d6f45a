"""The embedder of the base install: a table of word pieces, no model, no network.

A text's vector is the sum of its pieces' rows, brought to length one.
``data/NOTICE.md`` says what the table was made from; ``bench/distil.py`` makes it.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lastro.index.embedder import Identity
from lastro.index.embedders.table import opened

FILE = Path(__file__).parent / "data" / "static.bin"
# Stands before the first piece of a word, as in the tokenizer that it comes from.
START = "\u2581"
# Words whose pieces are kept; one takes about 200 bytes.
_KEPT = 65_536
# What is longer is no word: it is read in stretches, so that none costs much.
_WORD = re.compile(r"\w{1,64}")
# Worse than any piece: a character that no piece holds is skipped only if it must be.
_UNKNOWN = -40.0


class Static:
    """Vectors by looking pieces up; any number of threads may share one.

    Case and punctuation do not count.  Rows are whole numbers, so that their sum
    does not depend on the order or on the batch: the same text, the same bits.
    """

    def __init__(self, file: Path = FILE) -> None:
        """Open the table in ``file``.

        Raises:
            EmbedderError: it is missing, cannot be read, or is not whole.
        """
        table = opened(file)
        self._rows = table.rows
        self._at = {piece: at for at, piece in enumerate(table.pieces)}
        self._at.pop(START, None)  # alone it says nothing
        self._scores = dict(zip(table.pieces, table.scores, strict=True))
        self._longest = max(map(len, table.pieces))
        self._pieces = lru_cache(_KEPT)(self._looked_up)
        self._identity = Identity(
            name="static", revision=table.revision, dimension=table.rows.shape[1]
        )

    @property
    def identity(self) -> Identity:
        """Return what tells its vectors from those of others."""
        return self._identity

    @property
    def window(self) -> int:
        """Return 0: all of a text is read."""
        return 0

    @property
    def costly(self) -> bool:
        """Return False: a vector is made faster than it is found on disk."""
        return False

    def tokens(self, text: str) -> int:
        """Return how many pieces of ``text`` the table holds."""
        return len(self._found(text))

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row of length one for each text; zeros: nothing is known."""
        vectors = np.zeros((len(texts), self._identity.dimension), dtype=np.float32)
        for number, text in enumerate(texts):
            found = self._found(text)
            if found:
                summed = self._rows[found].sum(axis=0, dtype=np.int64)
                length = float(summed @ summed) ** 0.5  # whole numbers: exact
                vectors[number] = summed / (length or 1.0)
        return vectors

    def query(self, text: str) -> NDArray[np.float32]:
        """Return the vector of a query: that of a passage with the same text."""
        vector: NDArray[np.float32] = self.passages([text])[0]
        return vector

    def directions(self, text: str) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return what a text is made of: its pieces, each once, in a fixed order.

        A row of length one for each, ``(n, dimension)``, and how long it was,
        ``(n,)``: the more a piece says, the longer its row.
        """
        rows = self._rows[sorted({*self._found(text)})].astype(np.float32)
        lengths = np.linalg.norm(rows, axis=1)
        return rows / np.maximum(lengths, 1.0)[:, None], lengths

    def _found(self, text: str) -> list[int]:
        words = _WORD.findall(unicodedata.normalize("NFC", text))
        return [at for word in words for at in self._pieces(word)]

    def _looked_up(self, word: str) -> tuple[int, ...]:
        cut = segmented(START + plain(word), self._scores, self._longest)
        return tuple(self._at[piece] for piece in cut if piece in self._at)


def plain(word: str) -> str:
    """Return a word as the table holds it: compatible forms, case folded."""
    return unicodedata.normalize("NFKC", word).casefold()


def words(text: str) -> list[str]:
    """Return the words of a text, as the table holds them."""
    return [*map(plain, _WORD.findall(unicodedata.normalize("NFC", text)))]


def segmented(chars: str, scores: Mapping[str, float], longest: int) -> list[str]:
    """Return ``chars`` cut into the pieces whose scores have the largest sum.

    A character that no piece holds is a piece of its own, at a high price.

    >>> segmented("abx", {"a": -1.0, "ab": -1.5, "b": -1.0}, 2)
    ['ab', 'x']
    """
    best = [0.0] + [-1e9] * len(chars)
    begins = [0] * (len(chars) + 1)
    for start in range(len(chars)):
        so_far = best[start]
        for end in range(start + 1, min(start + longest, len(chars)) + 1):
            score = scores.get(chars[start:end])
            if score is None and end > start + 1:
                continue
            total = so_far + (_UNKNOWN if score is None else score)
            if total > best[end]:
                best[end], begins[end] = total, start
    cut: list[str] = []
    end = len(chars)
    while end:
        cut.append(chars[begins[end] : end])
        end = begins[end]
    return cut[::-1]
