"""How identifiers compare: in NFC, so that one name typed on two systems is one.

The original stays what is stored and shown; only comparisons go through here.
"""

import unicodedata


def canonical(identifier: str) -> str:
    r"""Return the form in which ``identifier`` compares.

    >>> canonical("ac\u0327a\u0303o") == "ação"
    True
    """
    if identifier.isascii():
        return identifier
    return unicodedata.normalize("NFC", identifier)
