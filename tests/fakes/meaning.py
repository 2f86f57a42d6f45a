"""A knowledge base with vectors: a folder of notes and an embedder of words."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
from bag import Bag
from numpy.typing import NDArray

from lastro.errors import EmbedderError
from lastro.index.embedder import Embedder
from lastro.index.ingest import ingest
from lastro.index.reports import EmbedWith, IngestReport
from lastro.index.waiting import Progress

Row = NDArray[np.float64]

NOTES = {
    "wifi": "guest network password on the back of the card",
    "print": "printing a page costs sixteen pence",
    "keys": "lost keys are at the front desk",
}


class Synonyms(Bag):
    """Knows that words mean the same, so that meaning finds what words do not."""

    means: Mapping[str, str] = {"wireless": "network", "buero": "desk"}

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return super().passages([self._plain(text) for text in texts])

    def query(self, text: str) -> NDArray[np.float32]:
        return super().query(self._plain(text))

    def _plain(self, text: str) -> str:
        words = (word.strip(".,?#").casefold() for word in text.split())
        return " ".join(self.means.get(word, word) for word in words)


class Failing(Synonyms):
    """Gives vectors for so many passages, and then no more."""

    left = 0

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if len(texts) > self.left:
            raise EmbedderError("the endpoint does not answer")
        self.left -= len(texts)
        return super().passages(texts)


def write(folder: Path, notes: Mapping[str, str]) -> Path:
    """Write the notes as Markdown files, and nothing else."""
    folder.mkdir(exist_ok=True)
    for path in folder.glob("*.md"):
        path.unlink()
    for name, text in notes.items():
        (folder / f"{name}.md").write_text(f"# {name.title()}\n\n{text}.\n", "utf-8")
    return folder


def vectors(
    embedder: Embedder,
    name: str = "bag",
    progress: Callable[[Progress], None] | None = None,
) -> EmbedWith:
    """Return who makes vectors."""
    return EmbedWith(embedders=lambda _: embedder, name=name, progress=progress)


def take(
    kb: Path, notes: Mapping[str, str] = NOTES, embedder: Embedder | None = None
) -> IngestReport:
    """Take the notes in, and remove what is not among them."""
    source = write(kb.with_name("notes"), notes)
    made = vectors(embedder or Synonyms(costly=False))
    return ingest(kb, [source], sync=True, vectors=made)
