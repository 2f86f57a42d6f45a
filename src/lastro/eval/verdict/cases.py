"""The bar of the cases: not one may fail."""

from lastro.eval.attribution import undecided
from lastro.eval.baseline import SHOWN
from lastro.eval.results import CaseResult, Run
from lastro.eval.verdict.bars import too_few
from lastro.model.score import Bar, BarKind, BarState

CASES = "cases"
_COUNTED = 0.5  # of all cases: the bar of fewer says little of a run


def every_case(run: Run, min_n: int = 1, min_scored: float = 1.0) -> Bar:
    """Require every case to be without a failure.

    A case that was run several times fails if one of its runs failed: what always
    fails cannot hide behind what never does.  Cases of a private run are counted
    and not named.

    Of some cases nothing was measured that could have failed them: they did not
    pass, and are not counted.

    Args:
        run: what was judged.
        min_n: under so many cases it is not measured.
        min_scored: nor if a smaller share of them did not break: what left no
            trace, or an error instead of a turn, is no fault that was found.

    Returns:
        The share of cases without a failure, of which 1 is required; not measured
        where more than half of the cases are not counted.
    """
    whole, silent = len(run.results), undecided(run)
    n = whole - silent
    failing = [result for result in run.results if _failed(result)]
    thin = f"n is {n}, and --min-n asks for {min_n}" if n < min_n else ""
    thin = too_few(whole - len(run.broken), whole, min_scored) or thin
    uncounted = f"nothing that could fail a case was measured on {silent} of {whole}"
    if n < _COUNTED * whole:
        thin = thin or uncounted
    passed = uncounted if silent else ""
    return Bar(
        metric=CASES,
        required=1.0,
        observed=(n - len(failing)) / n if n else None,
        state=BarState.NOT_MEASURED if thin else BarState.ACTIVE,
        held=not failing and not thin,
        why=thin or (_told(failing, n, named=not run.private) if failing else passed),
        kind=BarKind.CASES,
        n=n,
    )


def _failed(result: CaseResult) -> bool:
    return bool(result.failure or result.failures or result.broke)


def _told(failing: list[CaseResult], n: int, *, named: bool) -> str:
    counted = f"{len(failing)} of {n} cases failed"
    if not named:
        return counted
    # What fails every time first: it is the surest fault.
    ordered = sorted(failing, key=lambda result: (-_share(result), result.id))
    shown = ", ".join(map(_one, ordered[:SHOWN]))
    more = len(ordered) - SHOWN
    return f"{counted}: {shown}" + (f" and {more} more" if more > 0 else "")


def _share(result: CaseResult) -> float:
    return result.failures / result.repeats


def _one(result: CaseResult) -> str:
    said = str(result.failure or result.broke or "")
    if result.repeats > 1:
        times = f"failed {result.failures} of {result.repeats}"
        said = f"{said}, {times}" if said else times
    return f"{result.id} ({said})"
