"""One measurement in a process of its own: ``python child.py NAME SIZE FOLDER``.

Prints one JSON object: CPU seconds of what is measured alone, without imports and
without making up the input, and the most memory of the process in MB.
"""

import json
import resource
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from scored import made, rivals, runners  # noqa: E402 - the folder is known only now

METRICS = ("success_10", "recall_10", "ndcg_cut_10")
Found = dict[str, object]
T = TypeVar("T")


def timed(what: Callable[[], T]) -> tuple[float, T]:
    """Return the CPU seconds of all threads that ``what`` takes, and its result."""
    before = time.process_time()
    found = what()
    return round(time.process_time() - before, 3), found


def judged_by_lastro(size: int, _folder: Path) -> Found:
    """Judge cases and traces in memory by the three retrieval metrics."""
    from lastro.eval.scorers import SCORERS, View
    from lastro.model.case import Case
    from lastro.model.ids import CaseId
    from lastro.model.score import Scored
    from lastro.model.trace import Retrieved, Trace

    judged, run = made.ranked(size)
    cases = [
        Case(id=CaseId(name), query=name, relevant_ids=tuple(found))
        for name, found in judged.items()
    ]
    traces = [
        Trace(
            case_id=CaseId(name),
            retrieved=tuple([Retrieved(id=i, score=s) for i, s in found.items()]),
        )
        for name, found in run.items()
    ]
    three = [each for each in SCORERS if each.name.startswith("retrieval_")]

    def all_three() -> dict[str, list[float]]:
        values: dict[str, list[float]] = {}
        for case, trace in zip(cases, traces, strict=True):
            view = View(trace)
            scores = [scorer.score(case, view, 10) for scorer in three]
            values[case.id] = [s.value for s in scores if isinstance(s, Scored)]
        return values

    took, values = timed(all_three)
    return {"cpu_s": took, "values": values}


def judged_by_pytrec(size: int, _folder: Path) -> Found:
    """Judge the same dictionaries by pytrec_eval."""
    import pytrec_eval

    judged, run = made.ranked(size)

    def evaluate() -> dict[str, dict[str, float]]:
        measures = {"success.10", "recall.10", "ndcg_cut.10"}
        evaluator = pytrec_eval.RelevanceEvaluator(judged, measures)
        found: dict[str, dict[str, float]] = evaluator.evaluate(run)
        return found

    took, found = timed(evaluate)
    values = {name: [row[each] for each in METRICS] for name, row in found.items()}
    return {"cpu_s": took, "values": values}


def paired_by_lastro(size: int, _folder: Path) -> Found:
    """Compare two systems on ``size`` cases with 10,000 resamples."""
    from lastro.eval.paired import paired

    a, b = rivals.two_systems(size)
    took, found = timed(partial(paired, a, b, resamples=10_000))
    return {"cpu_s": took, "found": str(found)}


MEASURED: dict[str, Callable[[int, Path], Found]] = {
    "warm-lastro": judged_by_lastro,
    "warm-pytrec_eval": judged_by_pytrec,
    "warm-ranx": lambda size, _: rivals.ranx_warm(size),
    "paired-lastro": paired_by_lastro,
    "paired-scipy": lambda size, _: rivals.scipy_paired(size),
    "paired-trulens": lambda size, _: rivals.trulens_paired(size),
    "cold-ir_measures": rivals.ir_measures_cold,
    "cold-ranx": rivals.ranx_cold,
    "cold-pytrec_eval": rivals.pytrec_cold,
    "runner-pydantic-evals": runners.pydantic_evals,
    "runner-inspect-ai": runners.inspect_ai,
    "runner-deepeval": runners.deepeval,
}


def main(arguments: Sequence[str]) -> None:
    """Measure and print."""
    name, size, folder = arguments
    found = MEASURED[name](int(size), Path(folder))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({**found, "peak_mb": round(peak, 1)}))


if __name__ == "__main__":
    main(sys.argv[1:])
