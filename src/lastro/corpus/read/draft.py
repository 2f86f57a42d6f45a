"""A document as a reader leaves it, and the page that readers write it on.

A reader knows the content of a document and nothing of where it lies; identity,
language and version are added in ``corpus.identity``.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from lastro.model.document import Heading, Span
from lastro.text.normalise import normalise

# Lists can be nested as deep as a file is long; their margins cannot.
_DEEPEST = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """The content of one document; ``text`` is normalised.

    ``id``, ``title``, ``locale`` and ``collection`` are what the document says
    of itself, as it says it, and empty where it says nothing.
    """

    text: str
    title: str = ""
    id: str = ""
    locale: str = ""
    collection: str = ""
    headings: tuple[Heading, ...] = ()
    whole: tuple[Span, ...] = ()
    metadata: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why there is no draft; ``broken`` where a person would expect one."""

    why: str
    broken: bool = True


def indent(depth: int) -> str:
    """Return the margin of an item in a list of this ``depth``; bounded.

    >>> indent(1), indent(3)
    ('', '    ')
    """
    return "  " * min(depth - 1, _DEEPEST)


class Page:
    """The normalised text of a document while it is being written.

    Blocks are a blank line apart, the items of a list are not.  Each block is
    normalised by itself and joined by line ends, which compose with nothing, so
    that the page is normalised too and every offset holds.
    """

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self._tight = False
        self._headings: list[Heading] = []
        self._whole: list[Span] = []

    def paragraph(self, text: str, *, prefix: str = "", tight: bool = False) -> None:
        """Write a block of prose; two ``tight`` ones stand on adjacent lines."""
        bare = normalise(text).strip()
        if bare:
            self._write(prefix + bare, tight=tight)

    def heading(self, level: int, text: str) -> None:
        """Write a heading as a line of its own."""
        bare = " ".join(normalise(text).split())
        if bare:
            start = self._write(bare)
            found = Heading(start=start, end=self._length, level=level, text=bare)
            self._headings.append(found)

    def whole(self, text: str) -> None:
        """Write a table or code: a block that should not be cut."""
        bare = normalise(text).strip("\n").rstrip()
        if bare.strip():
            start = self._write(bare)
            self._whole.append(Span(start, self._length))

    def table(self, rows: list[list[str]]) -> None:
        """Write a table, one row a line."""
        lines = (" | ".join(" ".join(cell.split()) for cell in row) for row in rows)
        self.whole("\n".join(f"| {line} |" for line in lines if line.strip(" |")))

    def _write(self, block: str, *, tight: bool = False) -> int:
        if self._parts:
            gap = "\n" if tight and self._tight else "\n\n"
            self._parts.append(gap)
            self._length += len(gap)
        start = self._length
        self._parts.append(block)
        self._length += len(block)
        self._tight = tight
        return start

    @property
    def title(self) -> str:
        """The first heading of the highest level."""
        best = min(self._headings, key=lambda h: (h.level, h.start), default=None)
        return best.text if best and best.level == 1 else ""

    def draft(self, *, title: str = "", locale: str = "") -> Draft:
        """Return what was written; ``title`` and ``locale`` as the source has them."""
        return Draft(
            text="".join(self._parts),
            title=title or self.title,
            locale=locale,
            headings=tuple(self._headings),
            whole=tuple(self._whole),
        )
