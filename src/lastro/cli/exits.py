"""The exit codes of every command, public and never renumbered."""

from enum import IntEnum


class Exit(IntEnum):
    """What a finished command tells the shell."""

    DONE = 0
    BAR_MISSED = 1
    WRONG_USAGE = 2
    COULD_NOT_RUN = 3
    INTERRUPTED = 130
