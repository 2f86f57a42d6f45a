"""What judging a set of cases leaves behind.  Values only, nothing is decided here."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from lastro.model.case import Category, QueryType
from lastro.model.failure import Failure
from lastro.model.ids import CaseId
from lastro.model.score import Aggregates, Failed, Score, Scored, Summary, Unscored

Slices = Mapping[str, Mapping[str, Aggregates]]


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseResult:
    """One judged case: what it is sliced by, and its scores in scorer order.

    ``broke`` says what broke the whole case: no trace, or a turn that ended in
    an error.  Its scores then say which metrics that failed.  ``failure`` is the
    layer where a failed case broke first.  Of a case that was run ``repeats``
    times each score is the mean, and ``failures`` counts the runs that failed.
    ``answerable``, ``abstained`` (the share of its runs that did) and
    ``confidence`` stand here for declining in both directions and for
    calibration; None is not measured.
    """

    id: CaseId
    category: Category = Category.GOLDEN
    locale: str | None = None
    query_type: QueryType | None = None
    tags: tuple[str, ...] = ()
    scores: tuple[Score, ...] = ()
    broke: str = ""
    failure: Failure | None = None
    repeats: int = 1
    failures: int = 0
    answerable: bool = True
    abstained: float | None = None
    confidence: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusals:
    """How the unanswerable cases ended: the three counts beside ``abstention``."""

    correct_refusal: int = 0
    incorrect_answer: int = 0
    boundary_partial: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class BothWays:
    """Declining measured in both directions: neither may be had by doing the other.

    ``declined`` is the share of unanswerable cases that were abstained,
    ``answered`` that of answerable cases that were not; None where no case says.
    """

    declined: Summary | None = None
    answered: Summary | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfidenceBin:
    """Cases whose confidence lies in [low, high); the last bin takes 1.0 too."""

    low: float
    high: float
    n: int
    confidence: float | None
    correct: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RiskPoint:
    """What answering only from this confidence on would do.

    ``coverage`` is the share of cases answered, ``risk`` the share of those
    that are wrong.
    """

    confidence: float
    coverage: float
    risk: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """Whether a confidence means what it says; n cases carry one and an outcome.

    ``outcome`` says in words what counted as correct.  ``area`` is that under
    the risk-coverage curve: lower is better, as are ECE and Brier; None where n
    is 0.  Left out are cases with a confidence but ``no_outcome``, those whose
    confidence is ``unusable`` (no number from 0 to 1), and those ``without`` one.
    """

    n: int
    outcome: str
    ece: float | None
    brier: float | None
    area: float | None
    bins: tuple[ConfidenceBin, ...]
    curve: tuple[RiskPoint, ...]
    no_outcome: int = 0
    unusable: int = 0
    without: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldUsed:
    """Which labels the retrieval metrics took as gold, in numbers of cases."""

    relevant_ids: int = 0
    must_cite_one_of: int = 0
    none: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class FloorScore:
    """One metric beside one floor, over the cases that both were scored on.

    ``headroom`` is (score - floor) / (1 - floor), None where the floor is 1;
    ``told_apart`` is False if the paired interval of the difference does not
    lie above zero: the metric cannot tell the system from this floor.
    """

    mean: float
    n: int
    headroom: float | None
    told_apart: bool


Floors = Mapping[str, Mapping[str, FloorScore]]


@dataclass(frozen=True, kw_only=True)
class Run:
    """A judged set of cases.

    ``metrics`` names the scores of each result, in order.  ``floors`` is None
    where no system was run, only its traces were read.  ``legs`` counts the
    cases by leg and by what that leg reports.  ``stray`` are traces without a
    case.  Of a ``private`` run only aggregates may leave the process.
    ``recorded`` is what ``run.json`` says of the system that left the traces, as
    far as it is known; it is no part of the result and stands in no report.
    """

    metrics: tuple[str, ...]
    results: Sequence[CaseResult]
    aggregates: Aggregates
    slices: Slices
    k: int
    gold: GoldUsed = GoldUsed()
    refusals: Refusals = Refusals()
    reasons: Mapping[str, int] = field(default_factory=dict)
    stray: tuple[CaseId, ...] = ()
    floors: Floors | None = None
    legs: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    both_ways: BothWays = BothWays()
    calibration: Calibration | None = None
    provenance: Mapping[str, object] = field(default_factory=dict)
    private: bool = False
    recorded: Mapping[str, object] | None = field(default=None, compare=False)

    @property
    def broken(self) -> tuple[CaseResult, ...]:
        """The cases that broke as a whole."""
        return self._counted[0]

    @property
    def attribution(self) -> dict[Failure, int]:
        """How many failed cases carry each label: every label, also at zero."""
        return {label: self._counted[1][label] for label in Failure}

    @cached_property
    def _counted(self) -> tuple[tuple[CaseResult, ...], Mapping[Failure, int]]:
        broken, labels = [], Counter[Failure]()
        for result in self.results:  # once: of many cases a look takes its time
            if result.broke:
                broken.append(result)
            if result.failure is not None:
                labels[result.failure] += 1
        return tuple(broken), labels

    def scores(self, result: CaseResult) -> dict[str, float]:
        """What was measured of one case; a metric not measured has no key."""
        pairs = zip(self.metrics, result.scores, strict=True)
        return {name: s.value for name, s in pairs if isinstance(s, Scored)}

    def unscored(self, result: CaseResult) -> dict[str, str]:
        """What was not measured of one case, and why."""
        pairs = zip(self.metrics, result.scores, strict=True)
        return {name: s.why for name, s in pairs if isinstance(s, Unscored)}

    def failed(self, result: CaseResult) -> dict[str, str]:
        """Which scorers broke on one case, and on what."""
        pairs = zip(self.metrics, result.scores, strict=True)
        return {name: s.what for name, s in pairs if isinstance(s, Failed)}
