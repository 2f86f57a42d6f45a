"""What others take for the same judging; each imports its package when called."""

import random
import time
from pathlib import Path

from scored import made

Found = dict[str, object]
Values = dict[str, float]


def two_systems(n: int) -> tuple[Values, Values]:
    """Return graded scores of two systems on the same cases."""
    rng = random.Random(3)
    a = {f"c{number}": round(rng.random(), 6) for number in range(n)}
    b = {name: min(1.0, value + rng.uniform(-0.2, 0.25)) for name, value in a.items()}
    return a, b


def ranx_warm(size: int) -> Found:
    """Judge dictionaries by ranx, compiled before."""
    import ranx

    measures = ["hit_rate@10", "recall@10", "ndcg@10"]
    judged, run = made.ranked(size)
    # It is compiled for the lengths of ids, so once over with the very same ones.
    ranx.evaluate(ranx.Qrels(judged), ranx.Run(run), measures, return_mean=False)
    before = time.process_time()
    ranks = ranx.Qrels(judged), ranx.Run(run)
    between = time.process_time()
    ranx.evaluate(*ranks, measures, return_mean=False)
    now = time.process_time()
    return {"cpu_s": round(now - before, 3), "without_reading": round(now - between, 3)}


def scipy_paired(size: int) -> Found:
    """Draw a bootstrap and a sign-flip test by scipy, in batches for its memory."""
    import numpy as np
    from scipy import stats

    a, b = two_systems(size)
    d = np.array([b[name] - a[name] for name in sorted(a)])
    rng = np.random.default_rng(17)
    before = time.process_time()
    stats.bootstrap(
        (d,), np.mean, n_resamples=10_000, method="percentile", batch=500, rng=rng
    )
    stats.permutation_test(
        (d,),
        np.mean,
        permutation_type="samples",
        n_resamples=10_000,
        batch=500,
        rng=rng,
    )
    return {"cpu_s": round(time.process_time() - before, 3)}


def trulens_paired(size: int) -> Found:
    """Draw both by TruLens."""
    import numpy as np
    from trulens.core.utils.stats import bootstrap_ci, paired_permutation_pvalue

    a, b = two_systems(size)
    differences = np.array([b[name] - a[name] for name in a])
    before = time.process_time()
    bootstrap_ci(differences, n_bootstrap=10_000)
    paired_permutation_pvalue(differences, permutations=10_000)
    return {"cpu_s": round(time.process_time() - before, 3)}


def _files(size: int, folder: Path) -> tuple[str, str]:
    return str(folder / f"{size}.qrels"), str(folder / f"{size}.run")


def ir_measures_cold(size: int, folder: Path) -> Found:
    """Read TREC files and take five means by ir_measures."""
    import ir_measures
    from ir_measures import R, Success, nDCG

    qrels, run = _files(size, folder)
    measures = [Success @ 10, R @ 10, nDCG @ 10, R @ 100, nDCG @ 100]
    found = ir_measures.calc_aggregate(
        measures, ir_measures.read_trec_qrels(qrels), ir_measures.read_trec_run(run)
    )
    return {"means": {str(name): value for name, value in found.items()}}


def ranx_cold(size: int, folder: Path) -> Found:
    """Read TREC files and take five means by ranx."""
    import ranx

    qrels, run = _files(size, folder)
    measures = ["hit_rate@10", "recall@10", "ndcg@10", "recall@100", "ndcg@100"]
    found = ranx.evaluate(
        ranx.Qrels.from_file(qrels, kind="trec"),
        ranx.Run.from_file(run, kind="trec"),
        measures,
    )
    return {"means": {name: float(value) for name, value in found.items()}}


def pytrec_cold(size: int, folder: Path) -> Found:
    """Read TREC files by pytrec_eval's own readers and take five means."""
    import pytrec_eval

    qrels, run = (Path(path) for path in _files(size, folder))
    with qrels.open(encoding="utf-8") as file:
        judged = pytrec_eval.parse_qrel(file)
    with run.open(encoding="utf-8") as file:
        ranked = pytrec_eval.parse_run(file)
    measures = {"success.10", "recall.10,100", "ndcg_cut.10,100"}
    found = pytrec_eval.RelevanceEvaluator(judged, measures).evaluate(ranked)
    rows = list(found.values())
    return {"means": {name: sum(r[name] for r in rows) / len(rows) for name in rows[0]}}
