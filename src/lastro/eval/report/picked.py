"""The results that a part of a report is about, without making all the others.

Results are made when they are looked at, and a report asks for few of them, again
and again: those that failed, those of several runs.
"""

from collections.abc import Callable

from lastro.eval.kept import kept
from lastro.eval.results import CaseResult, Run


def picked(run: Run, wanted: Callable[[CaseResult], bool]) -> tuple[CaseResult, ...]:
    """Return the results that are ``wanted``, by id.

    Args:
        run: what was judged.
        wanted: looks at what results share: neither at id, scores nor confidence.
    """
    results = kept(run.results, len(run.metrics))
    rows = [
        row for form, alike in results.alike() if wanted(form) for row in alike.tolist()
    ]
    return tuple(results[row] for row in sorted(rows))


def failing(run: Run) -> tuple[CaseResult, ...]:
    """Return the results that carry a label, by id."""
    return picked(run, lambda result: result.failure is not None)
