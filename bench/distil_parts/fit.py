"""Rows that bring texts where the model has them, and what belongs together near.

Rows begin as the model's vectors of the pieces alone, weighed by how rare they are.
Three losses share a step: a text should find its partner among those of the batch
(cross entropy both ways), a few words should find the text that they were cut out
of, and a text should lie where the model puts it (one minus the cosine).
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

# How often a kind of pair is drawn.
SHARES = {
    "paragraph": 0.35,
    "heading": 0.2,
    "gloss": 0.18,
    "interface": 0.1,
    "page": 0.06,
    "name": 0.05,
    "title": 0.03,
    "keyword": 0.03,
}
RARE = 1e-4  # the a of the weight a / (a + p) that a row begins with
TEMPERATURE = 0.05
# A text that the model has as near as the partner, less this, is no wrong answer.
MARGIN = 0.02
NEAR = 0.3
CUT_SHARE, CUT_WEIGHT = 0.1, 0.3
CUT_FROM = 25  # pieces of a text that words are cut out of
RATE = 3e-3


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """What is fitted on; ``targets`` are zero where the model was not asked."""

    texts: Sequence[Ints]
    groups: NDArray[np.str_]  # language of a text; words alone are groups of their own
    targets: Floats
    pairs: Mapping[str, Sequence[tuple[int, int]]]


class Fit:
    """The rows while they are fitted."""

    def __init__(self, given: Given, rows: Floats, *, batch: int, seed: int) -> None:
        torch.manual_seed(seed)
        self._draw = np.random.default_rng(seed)
        self._batch = batch
        self._given = given
        self._rows = torch.nn.Parameter(torch.from_numpy(rows))
        self._targets = torch.from_numpy(given.targets)
        self._asked = torch.from_numpy(given.targets.any(axis=1))
        sizes = np.array([len(text) for text in given.texts])
        words = np.char.startswith(given.groups, "word")
        self._long = np.flatnonzero((sizes >= CUT_FROM) & ~words)
        self._known = np.flatnonzero((sizes > 0) & self._asked.numpy())
        chance = np.where(words[self._known], 0.6, 1.0)
        for group in np.unique(given.groups):
            member = given.groups[self._known] == group
            chance[member] /= max(1, member.sum())
        self._chance = chance / chance.sum()
        self._pairs = {
            kind: np.array([pair for pair in pairs if sizes[[*pair]].all()])
            for kind, pairs in given.pairs.items()
        }

    def run(self, steps: int) -> Floats:
        """Return the rows after so many steps."""
        optimiser = torch.optim.Adam([self._rows], lr=RATE)
        began = time.monotonic()
        for step in range(steps):
            rate = RATE * min(1, (step + 1) / 100) * max(0.02, 1 - step / steps)
            optimiser.param_groups[0]["lr"] = rate
            losses = self._partners(), self._cuts(), self._places()
            optimiser.zero_grad(set_to_none=True)
            sum(losses, torch.zeros(())).backward()
            optimiser.step()
            if not (step + 1) % 100:
                told = " ".join(f"{loss.item():.3f}" for loss in losses)
                print(f"{step + 1}: {told}, {time.monotonic() - began:.0f} s")
        rows: Floats = self._rows.detach().numpy()
        return rows

    def _partners(self) -> Tensor:
        one, other = self._drawn_pairs()
        near = self._of(one) @ self._of(other).T / TEMPERATURE
        with torch.no_grad():
            known = self._targets[one] @ self._targets[other].T
            also = known >= (known.diagonal() - MARGIN)[:, None]
            asked = (self._asked[one] & self._asked[other])[:, None]
            also &= (known > NEAR) & asked & self._asked[other][None, :]
            also |= torch.from_numpy(other[None, :] == other[:, None])
            also.fill_diagonal_(fill_value=False)
        right = torch.arange(len(one))
        there = functional.cross_entropy(near.masked_fill(also, -1e4), right)
        back = functional.cross_entropy(near.T.masked_fill(also.T, -1e4), right)
        return (there + back) / 2

    def _drawn_pairs(self) -> tuple[Ints, Ints]:
        kinds = [kind for kind in SHARES if len(self._pairs.get(kind, ()))]
        share = np.array([SHARES[kind] for kind in kinds])
        counts = self._draw.multinomial(self._batch, share / share.sum())
        drawn = [
            self._pairs[kind][self._draw.integers(0, len(self._pairs[kind]), count)]
            for kind, count in zip(kinds, counts, strict=True)
        ]
        one, other = np.concatenate(drawn).T
        swapped = self._draw.random(len(one)) < 0.5  # the loss is the same both ways
        return np.where(swapped, other, one), np.where(swapped, one, other)

    def _cuts(self) -> Tensor:
        asked, told = [], []
        for at in self._draw.choice(self._long, int(self._batch * CUT_SHARE)):
            text = self._given.texts[at]
            size = int(self._draw.integers(3, 10))
            start = int(self._draw.integers(0, len(text) - size))
            asked.append(text[start : start + size])
            rest = np.concatenate([text[:start], text[start + size :]])
            told.append(rest if self._draw.random() < 0.8 else text)
        near = self._summed(asked) @ self._summed(told).T / TEMPERATURE
        return CUT_WEIGHT * functional.cross_entropy(near, torch.arange(len(asked)))

    def _places(self) -> Tensor:
        drawn = self._draw.choice(self._known, self._batch, p=self._chance)
        return 1 - (self._of(drawn) * self._targets[drawn]).sum(1).mean()

    def _of(self, numbers: Ints) -> Tensor:
        return self._summed([self._given.texts[at] for at in numbers])

    def _summed(self, texts: Sequence[Ints]) -> Tensor:
        begins = np.cumsum([0, *map(len, texts[:-1])])
        summed = functional.embedding_bag(
            torch.from_numpy(np.concatenate(texts)),
            self._rows,
            torch.from_numpy(begins),
            mode="sum",
        )
        return functional.normalize(summed, dim=1)


def projection(vectors: Floats, wide: int) -> tuple[Floats, Floats]:
    """Return the mean of ``vectors`` and their first ``wide`` directions."""
    mean = vectors.mean(axis=0)
    _, _, directions = np.linalg.svd(vectors - mean, full_matrices=False)
    return mean, directions[:wide].T.copy()


def unit(vectors: NDArray[np.floating]) -> Floats:
    """Return rows of length one; zeros stay zeros."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    found: Floats = (vectors / np.maximum(lengths, 1e-9)).astype(np.float32)
    return found


def rounded(rows: Floats) -> NDArray[np.int8]:
    """Return rows as whole numbers with one scale for all."""
    scale = np.quantile(np.abs(rows).max(axis=1), 0.999) / 127
    found: NDArray[np.int8] = np.clip(np.rint(rows / scale), -127, 127).astype(np.int8)
    return found
