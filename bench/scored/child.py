"""One measurement in a process of its own: ``python child.py NAME SIZE FOLDER``.

Prints one JSON object: CPU seconds of what is measured alone, without imports and
without making up the input, and the most memory of the process in MB.
"""

import gc
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

Found = dict[str, object]
T = TypeVar("T")


def timed(what: Callable[[], T]) -> tuple[Found, T]:
    """Return the CPU seconds of all threads and those on the clock, and the result.

    What was made before is no longer looked through for garbage: it is input.
    """
    gc.collect()
    gc.freeze()
    wall, cpu = time.perf_counter(), time.process_time()
    found = what()
    took: Found = {
        "cpu_s": round(time.process_time() - cpu, 3),
        "wall_s": round(time.perf_counter() - wall, 3),
    }
    return took, found


def judged_by_lastro(size: int, _folder: Path, *, k: int) -> Found:
    """Judge cases and traces in memory: from both to three numbers a query."""
    from lastro.eval.scorers import SCORERS, Panel, View
    from lastro.model.score import Scored

    judged, run = made.ranked(size)
    cases, traces = made.values(judged, run)
    three = Panel((s for s in SCORERS if s.name.startswith("retrieval_")), k)

    def all_three() -> dict[str, list[float]]:
        values: dict[str, list[float]] = {}
        for case, trace in zip(cases, traces, strict=True):
            scores = three.scores(case, View(trace))
            values[case.id] = [s.value for s in scores if isinstance(s, Scored)]
        return values

    took, values = timed(all_three)
    return {**took, "values": values}


def judged_as_lists(size: int, _folder: Path, *, k: int) -> Found:
    """Judge lists of ids by the metrics alone, without cases and traces."""
    from lastro.eval.scorers.ranking import hit, ndcg, recall
    from lastro.eval.scorers.view import ranked

    judged, run = made.ranked(size)
    wanted = {name: frozenset(gold) for name, gold in judged.items()}
    listed = {name: list(found) for name, found in run.items()}

    def all_three() -> dict[str, list[float]]:
        values: dict[str, list[float]] = {}
        for name, found in listed.items():
            gold, places = wanted[name], ranked(found)
            ranks = [places[item] for item in gold if item in places]
            seen, n = [rank for rank in ranks if rank <= k], len(gold)
            values[name] = [hit(seen), recall(seen, n), ndcg(seen, n, k)]
        return values

    took, values = timed(all_three)
    return {**took, "values": values}


def judged_by_pytrec(size: int, _folder: Path, *, k: int) -> Found:
    """Judge dictionaries by pytrec_eval: from both to three numbers a query."""
    import pytrec_eval

    judged, run = made.ranked(size)

    def evaluate() -> dict[str, dict[str, float]]:
        measures = {f"success.{k}", f"recall.{k}", f"ndcg_cut.{k}"}
        evaluator = pytrec_eval.RelevanceEvaluator(judged, measures)
        found: dict[str, dict[str, float]] = evaluator.evaluate(run)
        return found

    took, found = timed(evaluate)
    names = (f"success_{k}", f"recall_{k}", f"ndcg_cut_{k}")
    values = {query: [row[name] for name in names] for query, row in found.items()}
    return {**took, "values": values}


def paired_by_lastro(size: int, _folder: Path) -> Found:
    """Compare two systems on ``size`` cases with 10,000 resamples."""
    from lastro.eval.paired import paired

    a, b = rivals.two_systems(size)
    took, found = timed(partial(paired, a, b, resamples=10_000))
    return {**took, "found": str(found)}


MEASURED: dict[str, Callable[[int, Path], Found]] = {
    "warm-lastro": partial(judged_by_lastro, k=10),
    "warm-lastro-100": partial(judged_by_lastro, k=100),
    "warm-lists": partial(judged_as_lists, k=10),
    "warm-lists-100": partial(judged_as_lists, k=100),
    "warm-pytrec_eval": partial(judged_by_pytrec, k=10),
    "warm-pytrec_eval-100": partial(judged_by_pytrec, k=100),
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
