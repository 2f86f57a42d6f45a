"""The same metrics by what cases are labelled with, and by labels combined."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import product

import numpy as np

from lastro.errors import UsageError
from lastro.eval.aggregate.interval import RESAMPLES, SEED
from lastro.eval.aggregate.summary import Named, over
from lastro.eval.aggregate.table import Rows, Table
from lastro.eval.kept import Kept, kept
from lastro.eval.results import CaseResult, Slices
from lastro.model.score import Aggregates

UNSET = "unset"
DIMENSIONS = ("by_category", "by_locale", "by_query_type", "by_tag")


def slices(
    results: Iterable[CaseResult],
    metrics: Sequence[Named],
    *,
    combine: Iterable[str] = (),
    whole: Aggregates | None = None,
    seed: int = SEED,
    resamples: int = RESAMPLES,
) -> Slices:
    """Summarise the same by category, locale, query type and tag.

    Cases without a locale or a query type stand under ``unset``, unless no
    case has one: then there is nothing to slice by.

    Args:
        results: the judged cases.
        metrics: what to summarise, in this order.
        combine: dimensions to combine, such as ``locale+query_type``: they stand
            under ``by_locale+query_type``, with keys such as ``ko+comparison``.
        whole: what :func:`aggregate` returned for the same, if it is known: a
            slice may hold every case.
        seed: of the bootstrap.
        resamples: of the bootstrap.

    Raises:
        UsageError: ``combine`` names a dimension that there is none of.
    """
    asked = list(dict.fromkeys((*DIMENSIONS, *map(dimension_of, combine))))
    ordered = kept(results, len(metrics))
    scores = Table(ordered)
    found: dict[bytes, Aggregates] = {}  # by the cases: two slices may hold the same
    if whole is not None:
        found[np.arange(len(ordered)).tobytes()] = whole

    def summaries(rows: Rows) -> Aggregates:
        if (held := rows.tobytes()) not in found:
            found[held] = over(scores, metrics, rows, seed, resamples)
        return found[held]

    return {
        dimension: {key: summaries(group[key]) for key in sorted(group)}
        for dimension in asked
        for group in [_groups(ordered, dimension)]
    }


def _groups(results: Kept, dimension: str) -> dict[str, Rows]:
    """Return by key the places of its cases; nothing where no case has a label."""
    groups: dict[str, list[Rows]] = defaultdict(list)
    for form, rows in results.alike():
        for key in keys(form, dimension):
            groups[key].append(rows)
    unset = "+".join([UNSET] * len(_parts(dimension)))
    if set(groups) == {unset}:
        return {}
    return {key: np.sort(np.concatenate(rows)) for key, rows in groups.items()}


def dimension_of(combination: str) -> str:
    """Return the name that slices by combined dimensions stand under.

    >>> dimension_of("locale+query_type")
    'by_locale+query_type'

    Raises:
        UsageError: there is no such dimension, or one stands there twice.
    """
    parts = combination.split("+")
    if unknown := [part for part in parts if f"by_{part}" not in DIMENSIONS]:
        there = ", ".join(each.removeprefix("by_") for each in DIMENSIONS)
        raise UsageError(
            f"cases cannot be sliced by {unknown[0]!r}; there are: {there}",
            hint="Combine them with a plus: locale+query_type.",
        )
    if len(set(parts)) < len(parts):
        raise UsageError(f"a dimension stands twice in the slice {combination!r}")
    return f"by_{combination}"


def keys(result: CaseResult, dimension: str) -> Iterator[str]:
    """Yield the keys of a case in a dimension, or in several combined.

    With tags there is one for each; a case without any has none.
    """
    if "+" not in dimension:
        return iter(_keys(result, dimension))
    own = [_keys(result, f"by_{part}") for part in _parts(dimension)]
    return map("+".join, product(*own))


def _parts(dimension: str) -> list[str]:
    return dimension.removeprefix("by_").split("+")


def _keys(result: CaseResult, dimension: str) -> tuple[str, ...]:
    if dimension == "by_category":
        return (str(result.category),)
    if dimension == "by_locale":
        return (result.locale or UNSET,)
    if dimension == "by_query_type":
        return (str(result.query_type or UNSET),)
    return tuple(dict.fromkeys(result.tags))
