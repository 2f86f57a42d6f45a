"""Populations of scores, and of differences between two systems on the same cases."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Population:
    """Scores and how often each comes; ``shares`` add up to 1."""

    name: str
    values: tuple[float, ...]
    shares: tuple[float, ...]

    @property
    def mean(self) -> float:
        """The mean that an interval has to cover."""
        return math.fsum(v * p for v, p in zip(self.values, self.shares, strict=True))

    @property
    def deviation(self) -> float:
        """The standard deviation of one score."""
        pairs = zip(self.values, self.shares, strict=True)
        return math.sqrt(math.fsum(p * (v - self.mean) ** 2 for v, p in pairs))

    def draw(self, rng: np.random.Generator, n: int) -> NDArray[np.float64]:
        """Return the scores of n cases."""
        return rng.choice(np.array(self.values), size=n, p=np.array(self.shares))


def counted(name: str, scores: Iterable[float]) -> Population:
    """Return the population that some scores are."""
    counts = sorted(Counter(scores).items())
    n = sum(count for _, count in counts)
    return Population(
        name,
        tuple(score for score, _ in counts),
        tuple(count / n for _, count in counts),
    )


def _of(name: str, shares: Mapping[float, float]) -> Population:
    return Population(name, tuple(shares), tuple(shares.values()))


def _ndcg(first: float, missed: float) -> Population:
    """One gold document: at rank 1, missed, or halving from rank 2 to rank 10."""
    ranks = [0.5**at for at in range(9)]
    rest = (1 - first - missed) / sum(ranks)
    shares = {1.0: first, 0.0: missed}
    for rank, share in enumerate(ranks, 2):
        shares[1 / math.log2(rank + 1)] = share * rest
    return _of(f"nDCG, first {first}, missed {missed}", shares)


_RECALL = (0.0, 1 / 3, 1 / 2, 2 / 3, 1.0)
MADE = (
    Population("recall, even", _RECALL, (0.2, 0.2, 0.2, 0.2, 0.2)),
    Population("recall, middle", _RECALL, (0.1, 0.1, 0.2, 0.2, 0.4)),
    Population("recall, low", _RECALL, (0.7, 0.1, 0.1, 0.05, 0.05)),
    Population("recall, high", _RECALL, (0.05, 0.05, 0.1, 0.1, 0.7)),
    Population("recall, higher", _RECALL, (0.02, 0.02, 0.03, 0.03, 0.9)),
    Population("two sides, middle", (0.0, 0.5, 1.0), (0.2, 0.4, 0.4)),
    Population("two sides, high", (0.0, 0.5, 1.0), (0.03, 0.14, 0.83)),
    _ndcg(0.5, 0.2),
    _ndcg(0.75, 0.05),
    _ndcg(0.85, 0.03),
    _ndcg(0.93, 0.03),
    Population("graded, all 0 or 1, .9", (0.0, 1.0), (0.1, 0.9)),
    Population("graded, all 0 or 1, .98", (0.0, 1.0), (0.02, 0.98)),
)


def redrawn(scores: Population, anew: float) -> Population:
    """Return the differences of two systems that are one: some cases drawn anew.

    A share ``anew`` of the cases gets another score of the same population, as a
    system does that answers differently and no better.
    """
    shares: dict[float, float] = defaultdict(float)
    for one, p in zip(scores.values, scores.shares, strict=True):
        for other, q in zip(scores.values, scores.shares, strict=True):
            # Rounded, so that equal differences are one value; none lies so near.
            shares[round(other - one, 9)] += p * (
                anew * q + (1 - anew) * (one == other)
            )
    total = math.fsum(shares.values())
    return _of(
        f"{scores.name}; {anew:.0%} drawn anew",
        {value: share / total for value, share in sorted(shares.items())},
    )


def differing(changed: float, effect: float) -> Population:
    """Return differences of a binary metric: ``changed`` cases, ``effect`` in mean."""
    up, down = (changed + effect) / 2, (changed - effect) / 2
    shares = {-1.0: down, 0.0: 1 - changed, 1.0: up}
    return _of(f"binary; {changed:.0%} of cases change", shares)
