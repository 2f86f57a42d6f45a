"""What a build requires, the names that a bar may have, and which make no sense."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lastro.errors import UsageError
from lastro.eval.aggregate import DIMENSIONS
from lastro.eval.scorers import SCORERS, lines
from lastro.model.score import BarKind

if TYPE_CHECKING:
    from lastro.eval.baseline import Baseline

HIT = "retrieval_hit_at_k"
RECALL = "retrieval_recall_at_k"
ANSWERED, DECLINED = "abstention.answered", "abstention.declined"
TOLERANCE = 0.05
LOCALE_SLACK = 0.03  # a locale has fewer cases: so much more may it drop
EPSILON = 1e-9  # exactly at the bar holds, whatever the last bit of a mean says


@dataclass(frozen=True, slots=True, kw_only=True)
class Required:
    """One floor: on the mean or on the lower end; None is shipped and not set."""

    name: str
    kind: BarKind
    least: float | None
    min_n: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Bars:
    """What a build requires; None is a bar that is shipped but not set.

    A name of ``minimums`` and ``min_lower`` is a metric, one of a slice such as
    ``by_locale.pt-BR.retrieval_hit_at_k``, or ``abstention.answered`` and
    ``abstention.declined``, the two directions of declining.  ``min_lower`` is
    held against the lower end of the interval.  ``min_scored`` is the share of
    the eligible cases that must have been scored for a bar to be judged at all,
    ``min_n`` how many cases, ``min_n_of`` the same for single names.
    ``fail_on_case`` allows no case a failure label.  Against ``baseline`` no
    metric may drop by more than ``tolerance``, in a locale by 0.03 more.
    """

    min_recall: float | None = None
    min_hit: float | None = None
    minimums: Mapping[str, float | None] = field(default_factory=dict)
    min_lower: Mapping[str, float | None] = field(default_factory=dict)
    min_scored: float = 1.0
    min_n: int = 1
    min_n_of: Mapping[str, int] = field(default_factory=dict)
    fail_on_case: bool = False
    baseline: "Baseline | None" = None
    tolerance: float = TOLERANCE

    def required(self) -> Iterator[Required]:
        """Yield every floor, the two that are always listed first."""
        shipped = {HIT: self.min_hit, RECALL: self.min_recall}
        for name, least in shipped.items():
            if least is not None or name not in self.minimums:
                yield self._required(name, BarKind.MEAN, least)
        for name, least in self.minimums.items():
            yield self._required(name, BarKind.MEAN, least)
        for name, least in self.min_lower.items():
            yield self._required(name, BarKind.LOWER, least)

    def _required(self, name: str, kind: BarKind, least: float | None) -> Required:
        min_n = self.min_n_of.get(name, self.min_n)
        return Required(name=name, kind=kind, least=least, min_n=min_n)


def refuse_unusable(bars: Bars, metrics: Iterable[str] = ()) -> None:
    """Refuse bars that no run could be judged by, before anything is run.

    Args:
        bars: what is required.
        metrics: names beyond those of the scorers that a bar may have.

    Raises:
        UsageError: a bar names no metric, is set twice, asks for no share
            between 0 and 1, or for fewer than 1 case.
    """
    _refuse_figures(bars)
    # A cut-off of one's own is in the table once a name asks for it.
    ends = [each.name.rpartition(".")[2] for each in bars.required()]
    known = names((*metrics, *(scorer.name for scorer in lines(ends))))
    for each in bars.required():
        if each.name not in known and path(each.name, known) is None:
            raise UsageError(
                f"there is no metric {each.name!r}; there are: {listed(known)}",
                hint="Name a metric, or one of a slice: by_locale.ko.METRIC "
                f"({', '.join(DIMENSIONS)}).",
            )
    for name, least in ((HIT, bars.min_hit), (RECALL, bars.min_recall)):
        if least is not None and bars.minimums.get(name) is not None:
            raise UsageError(f"{name}: its least mean is given twice")


def _refuse_figures(bars: Bars) -> None:
    shares = [(each.name, each.least) for each in bars.required()]
    shares += [("--min-scored", bars.min_scored), ("--tolerance", bars.tolerance)]
    for name, least in shares:
        if least is not None and not 0 <= least <= 1:
            raise UsageError(
                f"{name}: {least} is no share between 0 and 1",
                hint="Give a share: 0.8, not 80.",
            )
    for name, n in (("--min-n", bars.min_n), *bars.min_n_of.items()):
        if n < 1:
            raise UsageError(f"{name}: a bar needs at least 1 case, not {n}")


def path(name: str, metrics: Iterable[str]) -> tuple[str, str, str] | None:
    """Split ``by_locale.pt-BR.metric``: keys and metrics may hold dots themselves.

    Dimensions may be combined: ``by_locale+query_type.ko+comparison.metric``.
    None if the name is not that of a metric of a slice; declining in both
    directions is not measured by slice.
    """
    dimension, _, rest = name.partition(".")
    parts = dimension.removeprefix("by_").split("+")
    sliced = all(f"by_{part}" in DIMENSIONS for part in parts)
    if not dimension.startswith("by_") or not sliced:
        return None
    ends = [
        metric
        for metric in metrics
        if rest.endswith("." + metric) and metric not in {ANSWERED, DECLINED}
    ]
    if not ends:
        return None
    metric = max(ends, key=len)
    return dimension, rest[: -len(metric) - 1], metric


def too_few(n: int, eligible: int, min_scored: float) -> str:
    """Say that too few of the eligible cases were scored for a bar, or nothing."""
    if n >= min_scored * eligible - EPSILON:
        return ""
    return (
        f"{n} of {eligible} eligible cases were scored, and --min-scored asks for "
        f"{min_scored:.0%}"
    )


def names(metrics: Iterable[str] = ()) -> tuple[str, ...]:
    """Return what a bar may name: scorers, both directions of declining, more."""
    table = (scorer.name for scorer in SCORERS)
    return tuple(dict.fromkeys((*table, ANSWERED, DECLINED, *metrics)))


def listed(found: Iterable[str]) -> str:
    """Name what there is."""
    return ", ".join(found) or "none"
