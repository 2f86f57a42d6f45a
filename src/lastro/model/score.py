"""What judging gives: scores, summaries, bars and the verdict."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class Scored:
    """A finite number: the scorer's value for one case."""

    value: float
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Unscored:
    """Nothing to measure here, and why; never a zero, never a one."""

    why: str


@dataclass(frozen=True, slots=True)
class Failed:
    """The case broke: it stays in the denominator of what was eligible."""

    what: str


Score = Scored | Unscored | Failed


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """One metric over many cases.

    ``eligible`` is ``n`` plus ``failed``; ``mean`` is None where n is 0; the
    interval is None where it cannot be had (n of 0 or 1).
    """

    mean: float | None
    n: int
    eligible: int
    failed: int
    ci_lo: float | None
    ci_hi: float | None
    method: str
    resamples: int
    seed: int


class BarState(StrEnum):
    """Whether a bar was applied, and if not, why it could not be."""

    ACTIVE = "active"
    INACTIVE = "inactive"
    NOT_MEASURED = "not measured"


class BarKind(StrEnum):
    """What a bar looks at."""

    MEAN = "mean"  # the mean of a metric is at least ``required``
    LOWER = "lower end"  # the lower end of its interval is
    DROP = "drop"  # the paired difference to the baseline; ``required`` is -tolerance
    CASES = "cases"  # the share of cases without a failure is at least ``required``


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """A requirement: ``metric`` may be a slice path (by_locale.ko.retrieval_...).

    ``n`` is how many cases ``observed`` stands on; the interval is that of
    ``observed`` where it has one.
    """

    metric: str
    required: float | None
    observed: float | None
    state: BarState
    held: bool
    why: str = ""
    kind: BarKind = BarKind.MEAN
    n: int | None = None
    ci_lo: float | None = None
    ci_hi: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The one object that drives text, JSON, JUnit, annotations and the exit code.

    ``notes`` are sentences for people that change nothing: what a baseline bar
    saw beside what it judged.
    """

    bars: tuple[Bar, ...]
    unmeasured: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def breaches(self) -> tuple[Bar, ...]:
        """The active bars that were missed."""
        return tuple(
            bar for bar in self.bars if bar.state is BarState.ACTIVE and not bar.held
        )

    @property
    def passed(self) -> bool:
        """True when nothing was missed and nothing required went unmeasured."""
        return not self.breaches and not self.unmeasured

    @property
    def exit_code(self) -> int:
        """0 holds, 1 a bar was missed, 3 could not be measured, which outranks 1."""
        if self.unmeasured:
            return 3
        return 1 if self.breaches else 0


Aggregates = Mapping[str, Summary]
