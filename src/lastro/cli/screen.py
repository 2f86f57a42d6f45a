"""How the command line speaks: data on stdout, people on stderr, colour by choice."""

import json
import os
import re
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress

import click


def for_people(text: str, *, newline: bool = True) -> None:
    """Write a line for a person; with ``--json`` nothing of it reaches stdout.

    A stream that takes nothing more, such as a full disk, changes no exit code.
    """
    with suppress(OSError):
        click.echo(text, err=True, nl=newline)


def warn(text: str) -> None:
    """Tell a person what was read otherwise than it stands there."""
    for_people(f"warning: {text}")


def for_programs(value: Mapping[str, object]) -> None:
    """Write one JSON object on stdout, keys as given, no NaN."""
    click.echo(json.dumps(value, ensure_ascii=False, allow_nan=False))


def give_up_output() -> None:
    """Send what is still to be written nowhere: its reader has left."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)


@contextmanager
def reader_may_leave() -> Iterator[None]:
    """Let a command end with its own exit code although nobody reads on."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        give_up_output()


_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def plain(text: str) -> str:
    """Return text of a document as a terminal may show it: nothing in it steers.

    Control characters and marks that turn the direction of writing become a
    visible stand-in, one for one; line ends and tabs stay.

    >>> plain("a\x1b[2Jb")
    'a\ufffd[2Jb'
    """
    return _CONTROL.sub("\ufffd", text)


def counted(n: int, noun: str) -> str:
    """Return a number with its noun.

    >>> counted(1, "document"), counted(1054, "document")
    ('1 document', '1,054 documents')
    """
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def may_colour() -> bool:
    """Colour only on a terminal, and not where ``NO_COLOR`` asks for none."""
    return bool(sys.stdout and sys.stdout.isatty()) and not os.environ.get("NO_COLOR")


def strong(text: str) -> str:
    """Make ``text`` stand out where the screen can show it."""
    return click.style(text, bold=True) if may_colour() else text


def faint(text: str) -> str:
    """Make ``text`` recede where the screen can show it."""
    return click.style(text, dim=True) if may_colour() else text


def lasting(seconds: float) -> str:
    """Return how long something takes, to one unit.

    >>> lasting(8.4), lasting(200), lasting(9000)
    ('8 s', '3 min', '2.5 h')
    """
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"


class Ticker:
    """One line on stderr that counts; redrawn on a terminal, sparse in a log."""

    def __init__(self, what: str) -> None:
        """Count ``what``, starting now."""
        self._what = what
        self._before = 0
        self.seen: tuple[int, int] | None = None
        self._start = time.monotonic()
        self._live = bool(sys.stderr and sys.stderr.isatty())
        self._next = self._start + (0.2 if self._live else 5.0)

    def show(self, done: int, total: int | None = None) -> None:
        """Say how many are done, at most five times a second."""
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + (0.2 if self._live else 5.0)
        rate = max(done - self._before, 0) / max(now - self._start, 1e-9)
        of = f" of {total:,}" if total else ""
        line = f"{done:,}{of} {self._what}, {rate:,.{0 if rate >= 10 else 1}f} a second"
        if total and rate:
            line += f", {lasting((total - done) / rate)} left"
        for_people(f"\r{line}\x1b[K" if self._live else line, newline=not self._live)

    def follow(self, done: int, total: int) -> None:
        """Show how far a known number is; the first call says what was there before.

        ``seen`` keeps what was told last: done, and of how many.
        """
        if self.seen is None:
            self._before = done
        self.seen = (done, total)
        self.show(done, total)

    def close(self) -> None:
        """Leave the line clean for what is printed next."""
        if self._live:
            for_people("\r\x1b[K", newline=False)
