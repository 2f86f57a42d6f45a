"""A provider that writes what it was told to, and remembers what it was asked."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from lastro.errors import ProviderError
from lastro.model.answer import Prompt


@dataclass
class Scripted:
    """Writes ``pieces``, then raises ``error`` if there is one.

    ``{0}``, ``{1}`` … in a piece stand for the citation ids of the prompt's
    passages, in their order.
    """

    pieces: Sequence[str]
    error: ProviderError | None = None
    name: str = "scripted"
    prompts: list[Prompt] = field(default_factory=list)
    cancelled: bool = False
    closed: bool = False

    def write(self, prompt: Prompt) -> Iterator[str]:
        """Yield the pieces; note when the stream is closed, read out or not."""
        self.prompts.append(prompt)
        ids = [passage.cite_id for passage in prompt.passages]
        try:
            for piece in self.pieces:
                yield piece.format(*ids) if "{" in piece else piece
            if self.error is not None:
                raise self.error
        finally:
            self.closed = True

    def cancel(self) -> None:
        """Note that somebody wanted this to stop."""
        self.cancelled = True
