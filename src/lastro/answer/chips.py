"""Citations as a person reads them: ``[1]`` for ``[cite:ab12]``, by first use.

One number a document, however many of its passages are cited, counted from 1
in the order of first use; the sources list below the answer uses the same.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from lastro.answer.markers import Cite, Reader, Text, Token
from lastro.model.ids import DocumentId

# A document's own "[1]" must not pass for one of ours: it is shown as ［1］.
_OWN = re.compile(r"\[(\d[\d ,;\u2013-]{0,40})\]")
_UNFINISHED = re.compile(r"\[(?:\d[\d ,;\u2013-]{0,40})?\Z")


@dataclass(slots=True)
class Chips:
    """Turns a stream of answer text into text with numbered sources.

    ``documents`` maps every citation id of the prompt to its document.
    """

    documents: Mapping[str, DocumentId]
    numbers: dict[DocumentId, int] = field(default_factory=dict)
    _reader: Reader = field(init=False)
    _last: int = field(default=0, init=False)
    _held: str = field(default="", init=False)

    def __post_init__(self) -> None:
        self._reader = Reader(known=self.documents)

    def feed(self, piece: str) -> Iterator[str]:
        """Yield what can be shown after ``piece``."""
        yield from self._shown(self._reader.feed(piece))

    def close(self) -> Iterator[str]:
        """Yield what was held back."""
        yield from self._shown(self._reader.close())
        yield from self._released()

    def _shown(self, tokens: Iterable[Token]) -> Iterator[str]:
        for token in tokens:
            if isinstance(token, Text):
                yield from self._text(token.text)
            elif isinstance(token, Cite):
                yield from self._released()
                yield self._chip(self.documents[token.id])

    def _text(self, text: str) -> Iterator[str]:
        # Two markers of one document in a row are one chip.
        self._last = self._last if not text.strip() else 0
        whole = self._held + text
        open_mark = _UNFINISHED.search(whole)
        ready = whole[: open_mark.start()] if open_mark else whole
        self._held = whole[len(ready) :]
        if ready:
            yield _OWN.sub("\uff3b\\1\uff3d", ready)

    def _released(self) -> Iterator[str]:
        if self._held:
            yield self._held
        self._held = ""

    def _chip(self, document: DocumentId) -> str:
        number = self.numbers.setdefault(document, len(self.numbers) + 1)
        if number == self._last:
            return ""
        self._last = number
        return f"[{number}]"
