"""Every error that a caller can catch, on one page.

LastroError
├── UsageError            the call itself makes no sense (exit 2)
├── SettingsError         settings unknown, malformed or out of range
├── KnowledgeBaseError    the knowledge base is missing, newer, or not one
│   ├── KnowledgeBaseBusy another process is writing to it
│   └── EmbedderMismatch  its vectors were made by another embedder
├── EmbedderError         the embedder cannot be used: not installed, no answer
├── SourceError           a source of documents cannot be read at all
├── InputError            a file of cases or traces has problems: all of them
├── EvaluationError       nothing could be measured
└── ProviderError         whoever writes the answer failed

A result is not an error: abstained, withheld and breached are values.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class LastroError(Exception):
    """Base class; ``hint`` tells a person what to do next."""

    hint = "Please report this with the command that led to it."

    def __init__(self, message: str, *, hint: str = "") -> None:
        """Keep ``message`` for people and, if given, a hint of its own."""
        super().__init__(message)
        if hint:
            self.hint = hint


class UsageError(LastroError):
    """The call itself makes no sense, whatever the data."""

    hint = "`lastro COMMAND --help` shows what this command takes."


class SettingsError(LastroError):
    """One or more settings are unknown, malformed or out of range."""

    hint = "Correct or unset the names above; docs/settings.md lists every setting."

    def __init__(self, problems: dict[str, str]) -> None:
        """Keep all ``problems`` so that a person fixes them in one go."""
        self.problems = dict(sorted(problems.items()))
        lines = (f"{name}: {why}" for name, why in self.problems.items())
        super().__init__("invalid settings:\n  " + "\n  ".join(lines))


class KnowledgeBaseError(LastroError):
    """The knowledge base is missing, was made by a newer version, or is not one."""

    hint = "`lastro ingest SOURCES --kb KB` makes one."


class KnowledgeBaseBusy(KnowledgeBaseError):
    """Another process is writing to the knowledge base."""

    hint = "Wait until the other `lastro ingest` or `lastro rm` has ended."


class EmbedderMismatch(KnowledgeBaseError):
    """The vectors of the knowledge base were made by another embedder."""

    hint = "`lastro embed --kb KB` makes them anew with the embedder asked for."


class EmbedderError(LastroError):
    """What turns text into vectors cannot be used now."""

    hint = "See that it is installed and answers; `--legs lexical` needs no vectors."


class SourceError(LastroError):
    """A source of documents cannot be read at all."""

    hint = "Give a file, a folder, or a *.jsonl file of cards that can be read."


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing wrong with an input file; ``line`` counts from 1, 0 is the file."""

    file: str
    line: int
    field: str
    what: str

    def __str__(self) -> str:
        """Render as ``file:line: field: what``."""
        where = f"{self.file}:{self.line}" if self.line else self.file
        return ": ".join(part for part in (where, self.field, self.what) if part)


class InputError(LastroError):
    """A file of cases, traces or bars has problems; all of them are kept."""

    hint = "Correct the lines named above; nothing was written."

    def __init__(self, problems: Iterable[Problem]) -> None:
        """Keep every problem, in the order of the file."""
        self.problems = tuple(problems)
        if self.problems and not any(problem.line for problem in self.problems):
            self.hint = "Give a file that can be read and holds what is asked for."
        shown = [str(problem) for problem in self.problems[:20]]
        if len(self.problems) > len(shown):
            shown.append(f"… and {len(self.problems) - len(shown)} more")
        super().__init__("\n  ".join(shown))


class EvaluationError(LastroError):
    """Nothing could be measured: no cases, no traces, nothing collected."""

    hint = "`lastro check CASES --kb KB` says what is wrong with a set of cases."


class ProviderErrorKind(StrEnum):
    """The closed set of ways in which a provider fails."""

    TIMEOUT = "timeout"
    RATE_LIMITED = "rate_limited"
    AUTH = "auth"
    BAD_REQUEST = "bad_request"
    MALFORMED = "malformed"
    EMPTY = "empty"
    FILTERED = "filtered"
    CANCELLED = "cancelled"
    UNAVAILABLE = "unavailable"


class ProviderError(LastroError):
    """Whoever writes the answer failed: ``kind``, ``provider``, ``retryable``."""

    hint = "`--provider quote` answers from the documents alone, without a model."

    def __init__(
        self,
        kind: ProviderErrorKind,
        provider: str,
        *,
        retryable: bool = False,
        retry_after: float | None = None,
    ) -> None:
        """Keep what failed as data; the text never holds a raw exception."""
        self.kind = kind
        self.provider = provider
        self.retryable = retryable
        self.retry_after = retry_after
        super().__init__(f"the provider {provider} failed: {kind.replace('_', ' ')}")
