"""Passages as data: headed, fenced, and unable to forge anything around them.

Escaping replaces one code point by one look-alike, so offsets into the text
stay what they were and a quotation stays readable.
"""

import re

from lastro.gate.messages import spoken

OPEN = "<<<passage"
CLOSE = "passage>>>"

_SOURCE = {"en": "Source", "pt": "Fonte", "es": "Fuente", "ko": "출처"}
_LOOK_ALIKE = {"[": "［", "]": "］", "<": "＜", ">": "＞", "|": "｜"}  # fullwidth twins

# Every alternative matches the one code point whose loss breaks the token.
_TOKENS = re.compile(
    r"""
    < (?= <<[ \t]*passage )                 # our own fence opens
  | (?<= passage ) > (?= >> )               # our own fence closes
  | \[ (?= \s* cite \s* : )                 # a citation marker
  | \[ (?= \s* /? (?: DONE | ACL_META | INST | SYS ) \s* \] )  # a frame
  | \[ (?= \s* (?: Source | Fonte | Fuente | 출처 ) \s* \d* \s* : )  # a heading
  | < (?= \| [^|<>\n]{1,40} \| > )          # a chat template: <|im_start|>
  | < (?= /? (?: s | start_of_turn | end_of_turn ) > | < /? SYS >> )
    """,
    re.VERBOSE | re.IGNORECASE,
)
_OF_A_HEADING = re.compile(r"[\[\]|]|\s+")


def escape(text: str) -> str:
    """Return ``text`` with every marker, fence, heading and frame token broken.

    As long as the text given, code point by code point; a second time changes
    nothing.

    >>> escape("see [cite:a1] and [DONE], not [1]")
    'see ［cite:a1] and ［DONE], not [1]'
    """
    return _TOKENS.sub(lambda found: _LOOK_ALIKE[found.group()], text)


def heading(path: str, score: float, locale: str, *, ordinal: int | None = None) -> str:
    """Return the line above a passage, in the language of ``locale``.

    With ``ordinal`` the sources are numbered from 1, as the disambiguation
    contract has them; without it the score stands beside the path.

    >>> heading("guide/wifi.md", 1.0, "pt-BR")
    '[Fonte: guide/wifi.md | Score: 1.00]'
    >>> heading("guide/wifi.md", 1.0, "en", ordinal=2)
    '[Source 2: guide/wifi.md]'
    """
    source = _SOURCE[spoken(locale)]
    name = _OF_A_HEADING.sub(
        lambda found: _LOOK_ALIKE.get(found.group(), " "), path
    ).strip()
    if ordinal is not None:
        return f"[{source} {ordinal}: {name}]"
    return f"[{source}: {name} | Score: {score:.2f}]"


def fenced(cite_id: str, head: str, text: str) -> str:
    """Return one passage as a provider sees it: id, heading and escaped text.

    ``head`` is a line made by :func:`heading`; it is not escaped again.
    """
    return f"{OPEN} ID={cite_id}\n{head}\n{escape(text)}\n{CLOSE}"
