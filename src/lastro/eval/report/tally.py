"""Counts that a report shows beside its means: why not, and what broke."""

from collections import Counter
from collections.abc import Iterator, Mapping

import numpy as np

from lastro.eval.kept import kept
from lastro.eval.results import Run
from lastro.model.score import Failed, Score, Unscored


def unscored(run: Run) -> dict[str, dict[str, int]]:
    """Count, for each metric, why cases were not measured; the commonest first."""
    found: dict[str, dict[str, int]] = {}
    for name, column in _columns(run):
        whys: Counter[str] = Counter()
        for score, n in column:
            if isinstance(score, Unscored):
                whys[score.why] += n
        if whys:
            found[name] = _by_count(whys)
    return found


def counts(run: Run) -> dict[str, int]:
    """Count the cases of a run by what became of them, and the traces of none."""
    alike = kept(run.results, len(run.metrics)).alike()
    return {
        "cases": len(run.results),
        "failed": sum(run.attribution.values()),
        "broken": len(run.broken),
        "repeated": sum(rows.size for form, rows in alike if form.repeats > 1),
        "stray": len(run.stray),
    }


def eligible(run: Run) -> dict[str, int]:
    """Count, for each metric, the cases that broke: all that is known of it."""
    return dict.fromkeys(run.metrics, 0) | {
        name: sum(n for score, n in column if isinstance(score, Failed))
        for name, column in _columns(run)
    }


def broken(run: Run) -> dict[str, str]:
    """Return what broke each case that broke as a whole, by id; none if private."""
    if run.private:
        return {}
    return {str(result.id): result.broke for result in run.broken}


def scorer_failures(run: Run) -> Iterator[tuple[str, str]]:
    """Yield case and failure of every scorer that broke on a case that did not."""
    if run.private or len(run.broken) == len(run.results):
        return
    names = [name for name, n in eligible(run).items() if n]
    places = [(name, run.metrics.index(name)) for name in names]
    for result in run.results:
        if not result.broke:
            for name, at in places:
                score = result.scores[at]
                if isinstance(score, Failed):
                    yield str(result.id), f"{name}: {score.what}"


def _columns(run: Run) -> Iterator[tuple[str, list[tuple[Score, int]]]]:
    """Yield each metric with its distinct scores, and how often each stands there."""
    results = kept(run.results, len(run.metrics))
    for at, name in enumerate(run.metrics):
        codes, counts = np.unique(results.codes[:, at], return_counts=True)
        pairs = zip(codes.tolist(), counts.tolist(), strict=True)
        yield name, [(results.scores[code], n) for code, n in pairs]


def _by_count(whys: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(whys.items(), key=lambda item: (-item[1], item[0])))
