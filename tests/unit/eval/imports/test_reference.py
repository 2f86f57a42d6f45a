"""trec_eval's own files give trec_eval's own values."""

from math import fsum
from pathlib import Path

import pytest
import pytrec_eval

from lastro.eval.imports.qrels import read_qrels
from lastro.eval.inputs import score
from lastro.eval.results import Run
from lastro.eval.scorers.ties import Ties

OURS = {"success": "hit", "recall": "recall", "ndcg_cut": "ndcg"}
CUTS = {
    "success": (1, 5, 10),
    "recall": (5, 10, 15, 20, 30, 100, 200, 500, 1000),
    "ndcg_cut": (5, 10, 15, 20, 30, 100, 200, 500, 1000),
}


@pytest.fixture
def reference(shared: Path) -> Path:
    """Return the folder of trec_eval's test files."""
    found = shared / "data/trec_eval_reference"
    if not found.is_dir():
        pytest.skip("trec_eval's reference files are not here")
    return found


def printed(path: Path) -> dict[tuple[str, str], str]:
    """Return what trec_eval printed, by measure and topic."""
    rows = (line.split() for line in path.read_text(encoding="utf-8").splitlines())
    return {(measure, topic): value for measure, topic, value in rows}


def ranked(folder: Path, qrels: str, run: str, k: int) -> Run:
    return score(folder / qrels, folder / run, k=k, ties=Ties.DOCNO)


def by_topic(run: Run, name: str) -> dict[str, float]:
    metric = f"retrieval_{name}_at_k"
    scores = {str(result.id): run.scores(result) for result in run.results}
    return {topic: each[metric] for topic, each in scores.items() if metric in each}


@pytest.mark.parametrize(
    ("run", "told"),
    [("results.test", "out.test.aq"), ("results.trunc", "out.test.aqc")],
)
def test_m30_m36_every_topic_has_the_value_that_trec_eval_prints(
    run: str, told: str, reference: Path
) -> None:
    """The second run lacks a topic: it is 0 there, as under trec_eval -c."""
    right = printed(reference / told)
    compared = 0
    for k in sorted({cut for cuts in CUTS.values() for cut in cuts}):
        found = ranked(reference, "qrels.test", run, k)
        for measure, ours in OURS.items():
            if k not in CUTS[measure]:
                continue
            values = by_topic(found, ours)
            mean = found.aggregates[f"retrieval_{ours}_at_k"].mean
            for topic, value in {**values, "all": mean}.items():
                assert f"{value:.4f}" == right[f"{measure}_{k}", topic]
                compared += 1

    assert compared == 4 * (3 + 9 + 9)


def test_comments_in_judgements_change_no_value(reference: Path) -> None:
    plain = ranked(reference, "qrels.test", "results.test", 10)
    commented = ranked(reference, "qrels.test.with-comments", "results.test", 10)

    assert commented.aggregates == plain.aggregates


@pytest.mark.parametrize(
    ("qrels", "run"),
    [
        ("qrels.test", "results.test"),
        ("qrels.test", "results.trunc"),
        ("qrels.rel_level", "results.test"),
        ("qrels-302.test", "results-302.test"),
        ("ir_measures.compat.qrels", "ir_measures.compat.run"),
    ],
)
def test_graded_judgements_equal_trec_eval_on_gold_and_the_rest(
    qrels: str, run: str, reference: Path
) -> None:
    """Our gain is binary, so trec_eval is asked with judgements of 0 and 1."""
    judged = read_qrels(reference / qrels).judged.values()
    gold = {
        each.query: {name: int(value > 0) for name, value in each.documents.items()}
        for each in judged
        if each.gold
    }
    lines = [line.split() for line in (reference / run).read_text().splitlines()]
    scores: dict[str, dict[str, float]] = {}
    for row in lines:
        scores.setdefault(row[0], {})[row[2]] = float(row[4])
    for k in (1, 5, 10, 100):
        right = pytrec_eval.RelevanceEvaluator(
            gold, {f"{measure}.{k}" for measure in OURS}
        ).evaluate(scores)
        found = ranked(reference, qrels, run, k)
        for measure, ours in OURS.items():
            expected = {
                topic: right[topic][f"{measure}_{k}"] if topic in right else 0.0
                for topic in gold
            }
            assert by_topic(found, ours) == pytest.approx(expected, abs=1e-9)
            mean = found.aggregates[f"retrieval_{ours}_at_k"].mean
            assert mean == pytest.approx(fsum(expected.values()) / len(expected))
