"""Two runs to a comparison: cases are paired by id, B minus A.

A case of one run alone stands in no difference, nor does one that a metric was
measured on in one run alone: both are named.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from lastro.errors import EvaluationError
from lastro.eval.compare.claims import MIN_N, judged, read
from lastro.eval.compare.pairs import Pairs, pairs
from lastro.eval.compared import Comparison, Difference, Moved
from lastro.eval.paired import ALPHA, RESAMPLES, SEED, holm
from lastro.eval.results import Run
from lastro.model.failure import Failure

_STAGE = "stage."


def compare(  # noqa: PLR0913 - the choices of a comparison
    a: Run,
    b: Run,
    *,
    names: tuple[str, str] = ("A", "B"),
    claims: Sequence[str] = (),
    min_n: int = MIN_N,
    seed: int = SEED,
    resamples: int = RESAMPLES,
) -> Comparison:
    """Compare two runs case by case, B minus A.

    Args:
        a: the run that it starts from.
        b: the run that is set beside it.
        names: what they are called.
        claims: each ``METRIC >= FIGURE`` or ``METRIC > FIGURE``; a metric may be
            that of a slice, ``by_locale.ko.METRIC``.
        min_n: how many paired cases a claim needs to be judged.
        seed: of the intervals and of p.
        resamples: of the intervals and of p.

    Returns:
        The differences of all metrics that a run measured on some case of both,
        in the order of the report.  Holm's correction is over those but the stages
        of retrieval: these say where a difference comes from.  Runs without a case
        in common give no difference and exit code 3.

    Raises:
        UsageError: a claim cannot be read, or names no metric; min_n is under 2.
        EvaluationError: the runs were judged by different rules.
    """
    joined = pairs(a, b, seed=seed, resamples=resamples)
    asked = read(claims, joined.metrics, min_n)
    _refuse_other_rules(a, b)
    both = [(joined.a.results[i], joined.b.results[i]) for i in joined.ids]
    one, other = joined.a.results.keys(), joined.b.results.keys()
    return Comparison(
        name_a=names[0],
        name_b=names[1],
        paired=len(joined.ids),
        only_a=joined.a.named(sorted(one - other)),
        only_b=joined.b.named(sorted(other - one)),
        differences=_differences(joined),
        attribution={
            label: (
                sum(before.failure == label for before, _ in both),
                sum(after.failure == label for _, after in both),
            )
            for label in Failure
        },
        moved=tuple(
            Moved(id=after.id, before=before.failure, after=after.failure)
            for before, after in both
            if before.failure != after.failure
        ),
        claims=tuple(judged(each, joined, min_n) for each in asked),
        differs=_differs(a.provenance, b.provenance),
        resamples=resamples,
        seed=seed,
        private=a.private or b.private,
    )


def _refuse_other_rules(a: Run, b: Run) -> None:
    """Refuse runs whose numbers mean different things, whatever their cases."""
    rules = {
        "k": (a.k, b.k),
        "match": (a.provenance.get("match"), b.provenance.get("match")),
        "judge": (a.provenance.get("judge"), b.provenance.get("judge")),
    }
    other = [
        f"{name} {x} and {y}"
        for name, (x, y) in rules.items()
        if x != y and None not in {x, y}
    ]
    if other:
        raise EvaluationError(
            f"the runs were judged by different rules: {', '.join(other)}",
            hint="`lastro score CASES RUN/traces.jsonl --run-dir DIR` judges what one "
            "of them left behind again, by the rules of the other.",
        )


def _differences(joined: Pairs) -> tuple[Difference, ...]:
    found = [_difference(joined, metric) for metric in joined.metrics]
    shown = [each for each in found if each.n or each.lost or each.gained]
    family = [None if each.metric.startswith(_STAGE) else each.p for each in shown]
    return tuple(
        replace(each, p_holm=corrected, apart=_apart(each, corrected))
        for each, corrected in zip(shown, holm(family), strict=True)
    )


def _apart(each: Difference, corrected: float | None) -> int:
    """Tell apart only what both looks do: of a few cases an interval says little."""
    p = each.p if corrected is None else corrected
    return each.apart if p is not None and p <= ALPHA else 0


def _difference(joined: Pairs, metric: str) -> Difference:
    seen = joined.metric(metric)
    found = seen.found
    return Difference(
        metric=metric,
        n=found.n,
        mean_a=found.mean_a,
        mean_b=found.mean_b,
        difference=found.difference,
        ci_lo=found.ci_lo,
        ci_hi=found.ci_hi,
        p=found.p,
        p_holm=None,
        detectable=found.detectable,
        apart=found.above_zero - found.below_zero,
        lost=joined.a.named(seen.lost),
        gained=joined.b.named(seen.gained),
    )


def _differs(
    a: Mapping[str, object], b: Mapping[str, object]
) -> dict[str, tuple[object, object]]:
    one, other = _flat(a), _flat(b)
    return {
        name: (one.get(name), other.get(name))
        for name in sorted(one.keys() | other.keys())
        if one.get(name) != other.get(name)
    }


def _flat(value: Mapping[str, object], under: str = "") -> dict[str, object]:
    """Return a provenance with dots for depth, lists as tuples: as it compares."""
    found: dict[str, object] = {}
    for key, each in value.items():
        if isinstance(each, Mapping):
            found |= _flat(each, f"{under}{key}.")
        else:
            found[under + key] = tuple(each) if isinstance(each, list) else each
    return found
