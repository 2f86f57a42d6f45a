"""A judge for tests: it reads letter by letter, and can be told to rule on nothing."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from lastro.eval.scorers.judge import Judgement, Ruling, best


@dataclass
class Reading:
    """Supports what stands in one text; ``not X`` in a text contradicts X."""

    name: str = "reading:1"
    open: frozenset[str] = frozenset()
    breaks: frozenset[str] = frozenset()
    asked: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)

    def judge(self, claim: str, evidence: Sequence[str]) -> Judgement:
        """Rule on one claim."""
        self.asked.append((claim, tuple(evidence)))
        if claim in self.breaks:
            raise RuntimeError(claim)
        if claim in self.open:
            return Judgement(Ruling.UNAVAILABLE, "its answer is not JSON")
        return best(Judgement(self._read(claim, text)) for text in evidence)

    def _read(self, claim: str, text: str) -> Ruling:
        if f"not {claim}" in text:
            return Ruling.CONTRADICTED
        return Ruling.SUPPORTED if claim in text else Ruling.UNSUPPORTED
