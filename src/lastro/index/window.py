"""What becomes of a text that is longer than its embedder reads.

Nothing is cut off in silence: a passage is embedded in parts and the parts are
averaged; a query keeps the sentences that ask, and the caller is told so.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from lastro.index.embedder import Embedder
from lastro.index.unit import unit
from lastro.text.sentences import sentences

if TYPE_CHECKING:
    from lastro.index.embedder import Vectors

# What stands before so many characters a token of the window is no question's part.
_CHARACTERS = 200
_ASKS = "?？؟"
_CLOSING = "\"'”’»」』)] "


def embedded(texts: Sequence[str], embedder: Embedder) -> "Vectors":
    """Return one row of length one a passage, ``(n, dimension)``, however long.

    A passage beyond the window is split where its sentences begin, else between
    words; its row is the mean of its parts', weighted by their tokens.

    Raises:
        EmbedderError: the embedder cannot be used now.
    """
    if not embedder.window:
        return embedder.passages(texts)
    fits = _fits(embedder, embedder.identity.passage_prefix)
    parts = [list(fitting(text, fits)) for text in texts]
    rows = embedder.passages([part for each in parts for part in each])
    if len(rows) == len(texts):
        return rows
    starts = np.cumsum([0, *map(len, parts)])
    means = np.empty((len(texts), rows.shape[1]), dtype=np.float64)
    for at, each in enumerate(parts):
        weights = [max(embedder.tokens(part), 1) for part in each]
        means[at] = np.average(
            rows[starts[at] : starts[at + 1]], axis=0, weights=weights
        )
    return unit(means)


def fitted_query(text: str, embedder: Embedder) -> tuple[str, str]:
    """Return what of a query the embedder reads, and a note; empty: all of it.

    Of a query beyond the window the sentences that ask are kept, and nothing that
    would drown them; if none asks, the last ones.  As many as fit, from the end.
    """
    fits = _fits(embedder, embedder.identity.query_prefix)
    short = len(text) <= _CHARACTERS * embedder.window
    if not embedder.window or (short and fits(text)):
        return text, ""
    note = (
        f"the question is longer than {embedder.identity.name} reads"
        f" ({embedder.window} tokens): only the part that asks was compared by meaning"
    )
    text = text[-_CHARACTERS * embedder.window :]
    found = [text[span.start : span.end] for span in sentences(text, "")]
    wanted = list(filter(_asks, found)) or found
    kept = ""
    for sentence in reversed(wanted):
        longer = f"{sentence} {kept}".strip()
        if not fits(longer):
            break
        kept = longer
    if not wanted:
        return "", ""  # nothing but blanks
    return kept or list(fitting(wanted[-1], fits))[-1], note


def _asks(sentence: str) -> bool:
    return sentence.rstrip(_CLOSING)[-1:] in set(_ASKS)


def _fits(embedder: Embedder, prefix: str) -> Callable[[str], bool]:
    """Return what says whether a text fits in the window, behind ``prefix``."""
    room = max(embedder.window - (embedder.tokens(prefix) if prefix else 0), 1)
    return lambda text: embedder.tokens(text) <= room


def halved(text: str) -> list[str]:
    """Return the two halves of a text, cut where a sentence or a word begins.

    One half, or none, where the other is blank; a character is never halved.
    """
    seam = _seam(text) if len(text) > 1 else 0
    return list(filter(None, (text[:seam].strip(), text[seam:].strip())))


def fitting(text: str, fits: Callable[[str], bool]) -> Iterator[str]:
    """Halve a text at its seams until each part fits; at least one part."""
    if len(text) < 2 or fits(text):
        yield text
        return
    for half in halved(text):
        yield from fitting(half, fits)


def _seam(text: str) -> int:
    """Return where to cut, in 1 .. len - 1: nearest to the middle, words kept."""
    middle = len(text) // 2
    starts = [span.start for span in sentences(text, "") if span.start]
    if starts:
        return min(starts, key=lambda at: abs(at - middle))
    blanks = [at for at in range(1, len(text)) if text[at].isspace()]
    return min(blanks, key=lambda at: abs(at - middle), default=middle)
