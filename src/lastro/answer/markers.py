"""Reads the one reserved form of a citation, ``[cite:<id>]``, from a stream.

Text comes in pieces of any size; tokens go out as soon as they are certain.
Nothing but the reserved form is a citation: ``[1]``, ``[Section]``, links,
years and whatever stands in code stay text.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field

LONGEST = 160  # code points a marker may take; longer is text
LONGEST_CODE = 2000  # code points of one line that wait for a closing backtick

_MARKER = re.compile(rf"\[cite:([^\[\]\n`]{{0,{LONGEST - 7}}})\]")
_UNFINISHED = re.compile(r"\[(?:c(?:i(?:t(?:e(?::[^\[\]\n`]*)?)?)?)?)?\Z")
_SPECIAL = re.compile(r"[ \t]*\[|`+")
_CLOSING_FENCE = re.compile(r"\n {0,3}(`{3,})[ \t]*(?=\n)")
_LINE_OF_FENCE = re.compile(r"\n {0,3}`*[ \t]*\Z")


@dataclass(frozen=True, slots=True)
class Text:
    """Plain text, code included."""

    text: str


@dataclass(frozen=True, slots=True)
class Cite:
    """A marker whose id was in the prompt."""

    id: str


@dataclass(frozen=True, slots=True)
class Lost:
    """A marker whose id was not in the prompt: gone from the text, kept as this."""

    id: str


Token = Text | Cite | Lost


def render(tokens: Iterable[Token]) -> str:
    """Return the text that a person is sent.

    >>> render([Text("Yes."), Cite("ab2"), Lost("x")])
    'Yes.[cite:ab2]'
    """
    return "".join(
        token.text
        if isinstance(token, Text)
        else f"[cite:{token.id}]"
        if isinstance(token, Cite)
        else ""
        for token in tokens
    )


def scan(text: str, known: Collection[str]) -> tuple[Token, ...]:
    """Return the tokens of a whole text."""
    reader = Reader(known=known)
    return merged([*reader.feed(text), *reader.close()])


def merged(tokens: Iterable[Token]) -> tuple[Token, ...]:
    """Join neighbouring texts, so that the cuts of a stream leave no trace."""
    out: list[Token] = []
    for token in tokens:
        if isinstance(token, Text) and out and isinstance(out[-1], Text):
            out[-1] = Text(out[-1].text + token.text)
        elif token != Text(""):
            out.append(token)
    return tuple(out)


@dataclass(slots=True)
class Reader:
    """Turns a stream of pieces into tokens; holds back only what is uncertain."""

    known: Collection[str]
    _held: str = ""
    _fence: int = 0
    _line: str = field(default="", init=False)

    def feed(self, piece: str) -> Iterator[Token]:
        """Yield what is certain after ``piece``."""
        self._held += piece
        yield from self._read(last=False)

    def close(self) -> Iterator[Token]:
        """Yield the rest: what was uncertain is text."""
        yield from self._read(last=True)

    def _read(self, *, last: bool) -> Iterator[Token]:
        while self._held:
            tokens, used = self._step(last=last)
            if not used:
                return
            self._line = (self._line + self._held[:used]).rpartition("\n")[2][-8:]
            self._held = self._held[used:]
            yield from tokens

    def _step(self, *, last: bool) -> tuple[list[Token], int]:
        if self._fence:
            return self._in_fence(last=last)
        special = _SPECIAL.search(self._held)
        if special is None:
            text = self._held if last else self._held.rstrip(" \t")
            return [Text(text)], len(text)
        if special.start():
            return [Text(self._held[: special.start()])], special.start()
        if special.group()[0] == "`":
            return self._at_code(special.group(), last=last)
        return self._at_bracket(special.end() - 1, last=last)

    def _in_fence(self, *, last: bool) -> tuple[list[Token], int]:
        for close in _CLOSING_FENCE.finditer(self._held):
            if len(close.group(1)) >= self._fence:
                self._fence = 0
                return [Text(self._held[: close.end()])], close.end()
        open_line = None if last else _LINE_OF_FENCE.search(self._held)
        used = open_line.start() if open_line else len(self._held)
        return [Text(self._held[:used])], used

    def _at_code(self, run: str, *, last: bool) -> tuple[list[Token], int]:
        size = len(run)
        if size == len(self._held) and not last:
            return [], 0
        if size >= 3 and len(self._line) < 4 and not self._line.strip():
            self._fence = size
            return [Text(run)], size
        line, newline, _ = self._held.partition("\n")
        for close in re.finditer("`+", line[size:]):
            end = size + close.end()
            certain = end < len(self._held) or last
            if len(close.group()) == size and end <= LONGEST_CODE and certain:
                return [Text(self._held[:end])], end
        if newline or last or len(line) > LONGEST_CODE:
            return [Text(run)], size
        return [], 0

    def _at_bracket(self, bracket: int, *, last: bool) -> tuple[list[Token], int]:
        found = _MARKER.match(self._held, bracket)
        if found:
            return self._resolved(self._held[:bracket], found), found.end()
        rest = self._held[bracket:]
        if not last and len(rest) < LONGEST and _UNFINISHED.match(rest):
            return [], 0
        return [Text(self._held[: bracket + 1])], bracket + 1

    def _resolved(self, blanks: str, found: re.Match[str]) -> list[Token]:
        parts = re.split(r"[,;\s]+", found.group(1).strip())
        ids = [part.removeprefix("cite:") for part in parts]
        tokens: list[Token] = [Cite(x) if x in self.known else Lost(x) for x in ids]
        if any(isinstance(token, Cite) for token in tokens):
            return [Text(blanks), *tokens]
        return tokens
