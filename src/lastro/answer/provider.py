"""What writes an answer's text: a name, a stream of text, a way to stop it."""

from collections.abc import Iterator
from typing import Protocol

from lastro.model.answer import Prompt


class Provider(Protocol):
    """Writes the text of an answer; knows nothing of gates, claims or traces.

    ``write`` yields pieces of any size and raises
    :class:`~lastro.errors.ProviderError` for everything that goes wrong, also
    in the middle: a half-finished stream is an error, not an answer.
    ``cancel`` may be called from another thread; the stream then ends soon.
    """

    @property
    def name(self) -> str:
        """The name that a person chooses it by."""

    def write(self, prompt: Prompt) -> Iterator[str]:
        """Yield the answer to ``prompt`` as it is written."""

    def cancel(self) -> None:
        """End every running ``write`` and let go of what it holds."""
