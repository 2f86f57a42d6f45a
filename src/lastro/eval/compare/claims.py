"""Claims about a difference: read, then judged by point, interval and n.

``METRIC >= +0.05`` holds if the difference is at least that, the lower end of its
interval lies above zero, and enough cases were measured in both runs.  Too few is
neither held nor missed.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from lastro.errors import UsageError
from lastro.eval.aggregate import DIMENSIONS, dimension_of, keys
from lastro.eval.compare.pairs import Metric, Pairs
from lastro.eval.compared import Claim
from lastro.eval.paired import Paired

MIN_N = 30

_EPSILON = 1e-9  # exactly at the figure holds, whatever the last bit says
_CLAIM = re.compile(r"\s*(\S+?)\s*(>=|>)\s*(\S+)\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A claim that was read; ``place`` is the slice it is about, if one."""

    text: str
    name: str
    metric: str
    place: tuple[str, str] | None
    strict: bool
    figure: float


def read(texts: Sequence[str], metrics: Sequence[str], min_n: int) -> tuple[Asked, ...]:
    """Read claims.

    Raises:
        UsageError: one cannot be read, names no metric, or asks for a figure that
            no difference of shares has; ``min_n`` is under 2.
    """
    if min_n < 2:
        raise UsageError(
            f"--min-n is {min_n}: a difference of fewer than 2 cases has no interval"
        )
    return tuple(_asked(text, metrics) for text in texts)


def _asked(text: str, metrics: Sequence[str]) -> Asked:
    found = _CLAIM.fullmatch(text)
    figure = _number(found[3]) if found else math.nan
    if found is None or math.isnan(figure):
        raise UsageError(
            f"the claim {text!r} is not METRIC >= FIGURE",
            hint='Write it like "comparison_groundedness >= +0.05", or "... > 0".',
        )
    if not -1 <= figure <= 1:
        raise UsageError(
            f"the claim {text!r} asks for no difference of shares",
            hint="Give a share: five points are 0.05.",
        )
    metric, place = _named(found[1], metrics)
    return Asked(
        text=text,
        name=found[1],
        metric=metric,
        place=place,
        strict=found[2] == ">",
        figure=figure,
    )


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan


def _named(name: str, metrics: Sequence[str]) -> tuple[str, tuple[str, str] | None]:
    """Take a name apart: keys of slices and metrics may hold dots themselves."""
    if name in metrics:
        return name, None
    dimension, _, rest = name.partition(".")
    ends = [metric for metric in metrics if rest.endswith("." + metric)]
    if not dimension.startswith("by_") or not ends:
        raise UsageError(
            f"a claim names {name!r}; there are: {', '.join(metrics)}",
            hint="Name a metric, or one of a slice: by_locale.ko.METRIC "
            f"({', '.join(DIMENSIONS)}).",
        )
    metric = max(ends, key=len)
    place = dimension_of(dimension.removeprefix("by_")), rest[: -len(metric) - 1]
    return metric, place


def judged(asked: Asked, joined: Pairs, min_n: int) -> Claim:
    """Judge one claim; under ``min_n`` cases it is not measured."""
    ids: Sequence[str] = joined.ids
    if asked.place is not None:
        dimension, key = asked.place
        ids = [i for i in ids if key in keys(joined.a.results[i], dimension)]
    seen = joined.metric(asked.metric, ids)
    found = seen.found
    measured = found.n >= min_n
    held = measured and _reached(asked, found) and found.above_zero
    return Claim(
        text=asked.text,
        metric=asked.name,
        required=asked.figure,
        held=held,
        measured=measured,
        why=_why(asked, found) if measured else _unmeasured(len(ids), seen, min_n),
        n=found.n,
        difference=found.difference,
        ci_lo=found.ci_lo,
        ci_hi=found.ci_hi,
    )


def _reached(asked: Asked, found: Paired) -> bool:
    slack = -_EPSILON if asked.strict else _EPSILON
    return found.difference is not None and found.difference + slack >= asked.figure


def _why(asked: Asked, found: Paired) -> str:
    if not _reached(asked, found):
        return "the difference does not reach the figure"
    if found.ci_lo is None:
        return "every case differs by the same, too few of them for an interval"
    if found.above_zero:
        return "the difference reaches the figure, its interval lies above zero"
    return "the lower end of the interval is not above zero"


def _unmeasured(cases: int, seen: Metric, min_n: int) -> str:
    if not cases:
        return "no case of both runs is in that slice"
    return (
        f"n is {seen.found.n}, --min-n asks for {min_n}: of {cases} cases of both runs "
        f"{seen.before} were measured in A, {seen.after} in B"
    )
