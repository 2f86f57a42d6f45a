"""Text of cases and traces made harmless for whatever shows it.  Pure.

Ids and answers come from anybody.  A terminal must not be steered by them, a
build's log must not take them for commands, an XML parser must not stop at them.
"""

import re
import unicodedata

STAND_IN = "\ufffd"

_HIDDEN = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))
_JOINERS = "\u200c\u200d"  # scripts and emoji are spelt with them; they steer nothing
_BREAKS = "\n\t\r"
# What XML 1.0 cannot hold, whatever the escaping (section 2.2, production 2).
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_COMMAND = re.compile(r"^(\s*:):|##(?=\[)")


def plain(text: str) -> str:
    r"""Return one line: what cannot be seen becomes visible, breaks become blanks.

    >>> plain("a\x1b[31m\n")
    'a�[31m '
    """
    if text.isprintable():  # as most are: none of what is looked for
        return text
    return "".join(
        " " if char in _BREAKS else STAND_IN if _unseen(char) else char for char in text
    )


def paragraphs(text: str) -> str:
    r"""Return text of several lines: its line ends and tabs stay, nothing steers.

    >>> paragraphs("a\r\nb\x1b")
    'a\nb�'
    """
    text = text.replace("\r\n", "\n")
    if text.replace("\n", "").isprintable():
        return text
    kept = f"\n\t{_JOINERS}"
    return "".join(
        char if char in kept or not _unseen(char) else STAND_IN for char in text
    )


def _unseen(char: str) -> bool:
    """Tell what cannot be seen: it steers, or Unicode never makes it a character."""
    never = ord(char) & 0xFFFE == 0xFFFE or "\ufdd0" <= char <= "\ufdef"
    return never or unicodedata.category(char) in _HIDDEN


def xml_text(text: str) -> str:
    r"""Return ``text`` without what no XML 1.0 document can hold.

    >>> xml_text("a\x00b\ufffe")
    'a�b�'
    """
    return _NOT_XML.sub(STAND_IN, text)


def no_command(line: str) -> str:
    """Return a line that a build's log does not take for a command to itself.

    Runners look for ``::name::`` behind any indentation and for ``##[name]``
    anywhere in a line.

    >>> no_command("  ::error::x"), no_command("a ##[set-env]")
    ('  : :error::x', 'a # #[set-env]')
    """
    return _COMMAND.sub(lambda found: f"{found[1]} :" if found[1] else "# #", line)


def shortened(text: str, most: int) -> str:
    """Return ``text``, or as much as ``most`` characters hold, saying what was cut.

    >>> shortened("abcdefgh", 5), shortened("abc", 5)
    ('abcde … (3 more characters)', 'abc')
    """
    cut = len(text) - most
    if cut <= 0:
        return text
    noun = "character" if cut == 1 else "characters"
    return f"{text[:most]} … ({cut:,} more {noun})"
