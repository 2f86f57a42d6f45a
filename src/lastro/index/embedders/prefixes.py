"""What a model wants before a text, and how it pools, by the model's name.

Models are trained with these words, and without them find less; their files do
not say which.  A name that no row fits gets none, and the mean.
"""

import re
from typing import NamedTuple

_INSTRUCT = (
    "Instruct: Given a web search query, retrieve relevant passages that answer the"
    " query\nQuery: "
)
_REPRESENT = "Represent this sentence for searching relevant passages: "


class Habits(NamedTuple):
    """Prefixes of a model, and its pooling: ``MEAN``, ``CLS`` or ``LAST_TOKEN``."""

    query: str = ""
    passage: str = ""
    pooling: str = "MEAN"


# The first row that is found in the name counts.
_TABLE = (
    (r"\be5\b.*instruct", Habits(_INSTRUCT)),
    (r"\be5\b", Habits("query: ", "passage: ")),
    (r"\bbge-(small|base|large)-en\b", Habits(_REPRESENT, pooling="CLS")),
    (r"\bbge-|\bgte-multilingual", Habits(pooling="CLS")),
    (r"\barctic-embed-.*v2", Habits("query: ", pooling="CLS")),
    (r"\b(arctic|mxbai)-embed", Habits(_REPRESENT, pooling="CLS")),
    (r"\bnomic-embed-text", Habits("search_query: ", "search_document: ")),
)


def habits(name: str) -> Habits:
    """Return what is known of a model by its name, a hub's or a folder's.

    >>> habits("intfloat/multilingual-e5-small").passage, habits("thenlper/gte-base")
    ('passage: ', Habits(query='', passage='', pooling='MEAN'))
    """
    plain = name.lower().replace("_", "-")
    for pattern, found in _TABLE:
        if re.search(pattern, plain):
            return found
    return Habits()
