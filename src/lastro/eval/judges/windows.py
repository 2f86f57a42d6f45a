"""A text in parts that a judge can read, none of it left out; pure."""

from collections.abc import Callable, Iterator

from lastro.index.window import fitting
from lastro.text.sentences import sentences


def windows(text: str, fits: Callable[[str], bool]) -> Iterator[str]:
    """Yield the whole text where it fits, else runs of its sentences that do.

    Each run takes up the second half of the one before it, so that what stands
    side by side is read together by one of them.  A sentence that does not fit
    is halved between words.

    >>> list(windows("One. Two. Three. Four.", lambda part: len(part) < 16))
    ['One. Two.', 'Two. Three.', 'Three. Four.']
    """
    if fits(text):
        yield text
        return
    pieces = [
        piece
        for span in sentences(text, "")
        for piece in fitting(text[span.start : span.end], fits)
    ]
    first = reached = 0
    while reached < len(pieces):
        last = first + 1
        while last < len(pieces) and fits(" ".join(pieces[first : last + 1])):
            last += 1
        if last > reached:
            yield " ".join(pieces[first:last])
        reached = max(reached, last)
        first += (last - first + 1) // 2
