"""Plain text is its own page: what stands in the file, normalised."""

from lastro.corpus.read.draft import Draft
from lastro.text.normalise import normalise


def read(text: str) -> Draft:
    r"""Return the draft of a plain text; it has no headings and no title.

    >>> read("a\r\nb").text
    'a\nb'
    """
    return Draft(text=normalise(text))
