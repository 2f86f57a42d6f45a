"""Citations as a person reads them: ``[1]`` for ``[cite:ab12]``, by first use.

One number a document, however many of its passages are cited, counted from 1
in the order of first use; the sources list below the answer uses the same.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from lastro.answer.markers import Cite, Reader, Text
from lastro.model.ids import DocumentId


@dataclass(slots=True)
class Chips:
    """Turns a stream of answer text into text with numbered sources.

    ``documents`` maps every citation id of the prompt to its document.
    """

    documents: Mapping[str, DocumentId]
    numbers: dict[DocumentId, int] = field(default_factory=dict)
    _reader: Reader = field(init=False)
    _last: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        self._reader = Reader(known=self.documents)

    def feed(self, piece: str) -> Iterator[str]:
        """Yield what can be shown after ``piece``."""
        for token in self._reader.feed(piece):
            yield self._shown(token)

    def close(self) -> Iterator[str]:
        """Yield what was held back."""
        for token in self._reader.close():
            yield self._shown(token)

    def _shown(self, token: object) -> str:
        if isinstance(token, Text):
            # Two markers of one document in a row are one chip.
            self._last = self._last if not token.text.strip() else 0
            return token.text
        if not isinstance(token, Cite):
            return ""
        document = self.documents[token.id]
        number = self.numbers.setdefault(document, len(self.numbers) + 1)
        if number == self._last:
            return ""
        self._last = number
        return f"[{number}]"
