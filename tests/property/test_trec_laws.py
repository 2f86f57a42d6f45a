"""Runs full of ties: trec_eval's values, all of them, and the mean over all orders."""

import random
from collections.abc import Iterable, Mapping
from itertools import permutations
from math import fsum
from pathlib import Path

import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st

from lastro.errors import InputError
from lastro.eval.imports.beir import read_queries
from lastro.eval.imports.kinds import kind_of
from lastro.eval.imports.qrels import read_qrels
from lastro.eval.imports.trec import Listed, Ranker, read_run
from lastro.eval.inputs import read_case_set, score
from lastro.eval.scorers import SCORERS
from lastro.eval.scorers.ranking import hit, ndcg, recall
from lastro.eval.scorers.ties import Ties, expected_over_ties
from lastro.model.case import Case
from lastro.model.ids import CaseId
from lastro.model.score import Scored
from lastro.model.trace import Trace

pytestmark = pytest.mark.property

CUTS = range(1, 21)
NAMES = ("success", "recall", "ndcg_cut")
Scores = Mapping[str, Mapping[str, float]]


def drawn(queries: int, most: int, seed: int) -> tuple[Scores, dict[str, list[str]]]:
    """Draw runs of few distinct scores and their gold; names are of many kinds."""
    chance = random.Random(seed)  # noqa: S311 - seeded, no secret
    names = [f"{a}{n}" for a in ("d", "D-", "é", "문") for n in range(12)]
    # 32 bits do not tell these two apart, and 64 do.
    values = (0.0, -1.5, 2.0, 1e-3, 1.0, 1.00000001, 3.0)
    run = {
        f"q{n}": {
            name: chance.choice(values)
            for name in chance.sample(names, chance.randint(1, most))
        }
        for n in range(queries)
    }
    gold = {query: chance.sample(names, chance.randint(1, 8)) for query in run}
    return run, gold


def written(folder: Path, run: Scores, gold: Mapping[str, Iterable[str]]) -> None:
    """Write both as files of TREC; the rank column says nothing."""
    rows = (
        f"{query} Q0 {name} 7 {value!r} tag\n"
        for query, found in run.items()
        for name, value in found.items()
    )
    (folder / "run").write_text("".join(rows), encoding="utf-8")
    judged = (f"{query} 0 {name} 1\n" for query in gold for name in gold[query])
    (folder / "qrels").write_text("".join(judged), encoding="utf-8")


def values(ranked: Trace, case: Case, k: int) -> list[float]:
    """Hit, recall and nDCG of one trace."""
    gold = frozenset(case.relevant_ids)
    found = enumerate((each.id for each in (ranked.retrieved or ())[:k]), 1)
    ranks = [rank for rank, name in found if name in gold]
    return [hit(ranks), recall(ranks, len(gold)), ndcg(ranks, len(gold), k)]


def test_m20_m21_m23_ten_thousand_runs_full_of_ties_equal_trec_eval(
    tmp_path: Path,
) -> None:
    run, gold = drawn(10_000, most=24, seed=17)
    written(tmp_path, run, gold)
    evaluator = pytrec_eval.RelevanceEvaluator(
        {query: dict.fromkeys(names, 1) for query, names in gold.items()},
        {f"{name}.{k}" for name in NAMES for k in CUTS},
    )
    reference = evaluator.evaluate(run)
    cases = {case.id: case for case in read_case_set(tmp_path / "qrels")}
    ranker = Ranker(ties=Ties.DOCNO, cut=5)
    compared = 0
    for trace in ranker.traces(read_run(tmp_path / "run")):
        right = reference[trace.case_id]
        for k in CUTS:
            found = values(trace, cases[trace.case_id], k)
            expected = [right[f"{name}_{k}"] for name in NAMES]
            assert max(abs(a - b) for a, b in zip(found, expected, strict=True)) < 1e-9
            compared += 1

    assert compared == 200_000
    assert ranker.counts()["queries_with_ties"] > 5_000


@pytest.mark.parametrize("k", [1, 5, 20])
def test_m20_the_means_of_scored_files_equal_trec_evals(k: int, tmp_path: Path) -> None:
    run, gold = drawn(500, most=24, seed=k)
    written(tmp_path, run, gold)
    measures = {f"{name}.{k}" for name in NAMES}
    reference = pytrec_eval.RelevanceEvaluator(
        {query: dict.fromkeys(names, 1) for query, names in gold.items()}, measures
    ).evaluate(run)
    found = score(tmp_path / "qrels", tmp_path / "run", k=k, ties=Ties.DOCNO)

    for name, ours in zip(NAMES, ("hit", "recall", "ndcg"), strict=True):
        mean = found.aggregates[f"retrieval_{ours}_at_k"].mean
        right = fsum(each[f"{name}_{k}"] for each in reference.values()) / 500
        assert mean == pytest.approx(right, abs=1e-9)


def test_m24_the_expectation_is_the_mean_over_all_orders_of_a_file() -> None:
    """Each order of the lines, read as given: their mean, run by run."""
    table = {each.name: each for each in expected_over_ties(SCORERS)}
    three = [table[f"retrieval_{name}_at_k"] for name in ("hit", "recall", "ndcg")]
    run, gold = drawn(60, most=6, seed=3)
    for query, found in run.items():
        case = Case(id=CaseId(query), query=query, relevant_ids=tuple(gold[query]))
        lines = list(found.items())
        orders = [ranked(query, order, Ties.GIVEN) for order in permutations(lines)]
        for k in (1, 2, 4, 7):
            means = [
                fsum(column) / len(orders)
                for column in zip(*(values(o, case, k) for o in orders), strict=True)
            ]
            trace = ranked(query, lines, Ties.EXPECTED)
            scores = [each.score(case, trace, k) for each in three]
            closed = [each.value for each in scores if isinstance(each, Scored)]
            assert closed == pytest.approx(means, abs=1e-12)


def ranked(query: str, lines: Iterable[tuple[str, float]], ties: Ties) -> Trace:
    """Return the trace of some lines."""
    names, scores = zip(*lines, strict=True)
    hits = Ranker(ties=ties).ranked(Listed(query, list(names), list(scores)))
    return Trace(case_id=CaseId(query), retrieved=hits)


pieces = st.sampled_from(
    [
        *(b"q1", b"Q0", b"d1", b"d 2", b"1", b"0", b"-1", b"1.5", b"1e-3", b"nan"),
        *(
            b"1_0",
            b"x",
            b" ",
            b"  ",
            b"\t",
            b"\n",
            b"\r\n",
            b"\r",
            b"#",
            b'"',
            b"score",
        ),
        *("é".encode(), "e\u0301".encode(), b"\xff", b"\x00", b"\x1c", b"\xc2\xa0"),
        *(b"\xef\xbb\xbf", b"\xff\xfe", b"q1 0 d1 1\n", b"q1 Q0 d1 1 2.5 tag\n"),
        *(b"q1\td1\t1\n", b"query-id\tcorpus-id\tscore\n"),
    ]
)


@given(raw=st.lists(pieces, max_size=40).map(b"".join) | st.binary(max_size=80))
def test_l21_any_bytes_are_read_or_refused_with_a_line(
    raw: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.getbasetemp() / "anything"
    path.write_bytes(raw)
    for read in (read_qrels, read_run, kind_of, read_queries):
        try:
            found = read(path)
        except InputError as error:
            assert error.problems
            assert all(each.file == str(path) for each in error.problems)
        else:
            assert found is not None
