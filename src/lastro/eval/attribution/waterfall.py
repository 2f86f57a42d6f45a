"""How many cases survive each layer of a turn."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from lastro.eval.attribution.rules import DECIDING
from lastro.eval.kept import kept
from lastro.eval.results import Run
from lastro.eval.scorers.scorer import NO_TRACE
from lastro.model.failure import Failure
from lastro.model.score import Scored

_LAYERS: tuple[tuple[str, tuple[Failure, ...]], ...] = (
    ("the turn ended", (Failure.PROVIDER_ERROR,)),
    (
        "answered or declined where it should",
        (Failure.ANSWERED_UNANSWERABLE, Failure.REFUSED_ANSWERABLE),
    ),
    ("the documents hold it", (Failure.CORPUS_GAP,)),
    ("found by a leg", (Failure.CANDIDATE_MISS,)),
    ("kept by fusion", (Failure.FUSION_MISS,)),
    ("kept by the reranker", (Failure.RERANK_MISS,)),
    ("put into the prompt", (Failure.SELECTION_MISS,)),
    ("retrieved, stages unknown", (Failure.RETRIEVAL_MISS,)),
    ("called right by the gate", (Failure.GATE_MISS,)),
    ("every side asked for", (Failure.UNDER_DECOMPOSITION,)),
    ("cited", (Failure.CITATION_MISS,)),
    ("grounded", (Failure.ONE_SIDED_COMPARISON, Failure.UNGROUNDED)),
    ("claims supported", (Failure.UNSUPPORTED_CLAIM,)),
    ("nothing unexplained", (Failure.UNKNOWN,)),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """One layer: what its survivors passed, the labels lost at it, how many.

    ``left`` is how many cases survive it, and all layers above it.
    """

    name: str
    labels: tuple[Failure, ...]
    lost: int
    left: int


def waterfall(
    counts: Mapping[Failure, int],
    total: int,
    *,
    unmeasured: int = 0,
    untraced: int = 0,
) -> tuple[Layer, ...]:
    """Return the layers of a turn in order, with what is left below each.

    Args:
        counts: how many cases carry each label, as ``Run.attribution``.
        total: how many cases were asked, those that did not fail too.
        unmeasured: how many of them nothing was measured of that could have
            failed them (:func:`undecided`): they survived nothing.
        untraced: how many of those ``unknown`` left no trace
            (:func:`untraced`): nothing says that they survived a layer.

    Returns:
        "asked", from which all others are lost; "left a trace" and "measured",
        if some did not or were not; then every layer, also those that lost
        nobody.  What the last leaves are the cases that were measured and did not fail.
    """
    layers = [Layer(name="asked", labels=(), lost=0, left=total)]
    left = total
    for name, gone in (("left a trace", untraced), ("measured", unmeasured)):
        if gone:
            left -= gone
            layers.append(Layer(name=name, labels=(), lost=gone, left=left))
    for name, labels in _LAYERS:
        gone = sum(counts.get(label, 0) for label in labels)
        gone -= untraced if Failure.UNKNOWN in labels else 0
        left -= gone
        layers.append(Layer(name=name, labels=labels, lost=gone, left=left))
    return tuple(layers)


def undecided(run: Run) -> int:
    """Count the cases of which no metric was measured that decides on a failure.

    They have not failed, and they have not passed either.
    """
    results = kept(run.results, len(run.metrics))
    deciding = [at for at, name in enumerate(run.metrics) if name in DECIDING]
    scored = np.array([isinstance(score, Scored) for score in results.scores], bool)
    measured = np.any(scored[results.codes[:, deciding]], axis=1, keepdims=True)
    return sum(
        rows.size - int(np.count_nonzero(measured[rows]))
        for form, rows in results.alike()
        if form.failure is None
    )


def untraced(run: Run) -> int:
    """Count the cases that left no trace."""
    return sum(result.broke == NO_TRACE for result in run.broken)
