"""Counts that a report shows beside its means: why not, and what broke."""

from collections import Counter
from collections.abc import Iterator, Mapping

from lastro.eval.results import Run


def unscored(run: Run) -> dict[str, dict[str, int]]:
    """Count, for each metric, why cases were not measured; the commonest first."""
    found: dict[str, Counter[str]] = {name: Counter() for name in run.metrics}
    for result in run.results:
        for name, why in run.unscored(result).items():
            found[name][why] += 1
    return {name: _by_count(whys) for name, whys in found.items() if whys}


def counts(run: Run) -> dict[str, int]:
    """Count the cases of a run by what became of them, and the traces of none."""
    return {
        "cases": len(run.results),
        "failed": sum(run.attribution.values()),
        "broken": len(run.broken),
        "repeated": sum(result.repeats > 1 for result in run.results),
        "stray": len(run.stray),
    }


def eligible(run: Run) -> dict[str, int]:
    """Count, for each metric, the cases that broke: all that is known of it."""
    found = dict.fromkeys(run.metrics, 0)
    for result in run.results:
        for name in run.failed(result):
            found[name] += 1
    return found


def broken(run: Run) -> dict[str, str]:
    """Return what broke each case that broke as a whole, by id; none if private."""
    if run.private:
        return {}
    return {str(result.id): result.broke for result in run.broken}


def scorer_failures(run: Run) -> Iterator[tuple[str, str]]:
    """Yield case and failure of every scorer that broke on a case that did not."""
    for result in () if run.private else run.results:
        if not result.broke:
            for name, what in run.failed(result).items():
                yield str(result.id), f"{name}: {what}"


def _by_count(whys: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(whys.items(), key=lambda item: (-item[1], item[0])))
