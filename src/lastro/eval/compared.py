"""What comparing two runs leaves behind.  Values only, nothing is decided here."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from lastro.model.failure import Failure
from lastro.model.ids import CaseId


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One metric, B minus A, over the cases that both runs measured.

    ``p`` is that of the sign-flip permutation test, ``p_holm`` the same after
    Holm's correction over the metrics shown; a stage's metric is none of those.
    ``detectable`` is the smallest difference found with 80 % power at this n.
    None where n is too small.  ``apart`` is 1 where B lies above A by its interval
    and by its p (corrected, if it is), -1 where it lies below, else 0.  ``lost``
    were measured in A alone, ``gained`` in B alone.
    """

    metric: str
    n: int
    mean_a: float | None
    mean_b: float | None
    difference: float | None
    ci_lo: float | None
    ci_hi: float | None
    p: float | None
    p_holm: float | None
    detectable: float | None
    apart: int = 0
    lost: tuple[CaseId, ...] = ()
    gained: tuple[CaseId, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """A case whose failure label changed; None is a case that did not fail."""

    id: CaseId
    before: Failure | None
    after: Failure | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A claim about a difference, and what became of it.

    Not ``measured`` is neither held nor missed; ``why`` says why either way.
    The rest is what it was judged by, None where there is none.
    """

    text: str
    metric: str
    required: float
    held: bool
    measured: bool
    why: str
    n: int = 0
    difference: float | None = None
    ci_lo: float | None = None
    ci_hi: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Two runs side by side, paired by case id.

    ``only_a`` and ``only_b`` are cases of one run alone: they stand in no
    difference.  ``attribution`` gives each label's count in A and in B over the
    paired cases.  ``differs`` names what the provenance of both tells apart.
    """

    name_a: str
    name_b: str
    paired: int
    only_a: tuple[CaseId, ...]
    only_b: tuple[CaseId, ...]
    differences: tuple[Difference, ...]
    attribution: Mapping[Failure, tuple[int, int]]
    moved: tuple[Moved, ...] = ()
    claims: tuple[Claim, ...] = ()
    differs: Mapping[str, tuple[object, object]] = field(default_factory=dict)
    resamples: int = 0
    seed: int = 0
    private: bool = False

    @property
    def measured(self) -> bool:
        """Whether there is a case that both runs measured anything of."""
        return any(each.n for each in self.differences)

    @property
    def exit_code(self) -> int:
        """0 every claim holds (or none was made), 1 one does not, 3 unmeasured."""
        if not self.measured or not all(claim.measured for claim in self.claims):
            return 3
        return 0 if all(claim.held for claim in self.claims) else 1
