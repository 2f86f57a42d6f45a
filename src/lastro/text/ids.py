"""How identifiers compare: in NFC, so that one name typed on two systems is one.

The original stays what is stored and shown; only comparisons go through here.
"""

import unicodedata

# To Unicode they are letters, signs and marks, and they show nothing.
_FILLERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0") | {
    chr(point) for point in range(0xFE00, 0xFE10)
}


def canonical(identifier: str) -> str:
    r"""Return the form in which ``identifier`` compares.

    >>> canonical("ac\u0327a\u0303o") == "ação"
    True
    """
    if identifier.isascii():
        return identifier
    return unicodedata.normalize("NFC", identifier)


def unseen(identifier: str) -> bool:
    r"""Tell whether nothing of an identifier can be seen: no two could be told apart.

    White space, joiners, marks of direction and fillers alone; so is an empty one.

    >>> unseen("\u200b "), unseen("\u3164"), unseen("d1"), unseen("-")
    (True, True, False, False)
    """
    if identifier.isascii():
        return not identifier.strip()
    return all(
        char.isspace() or char in _FILLERS or unicodedata.category(char) == "Cf"
        for char in identifier
    )
