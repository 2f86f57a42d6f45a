"""What a path holds is told by its content, and judged the same way."""

import json
import os
from pathlib import Path
from threading import Thread
from time import process_time

import pytest

from lastro.errors import InputError, UsageError
from lastro.eval.imports.kinds import Kind, kind_of
from lastro.eval.inputs import read_case_set, read_traces, score
from lastro.eval.results import Run
from lastro.eval.scorers.ties import Ties
from lastro.model.trace import Retrieved

QRELS = "1 0 a 1\n1 0 b 1\n2 0 c 1\n3 0 d 0\n"
RUN = "1 Q0 x 1 3 tag\n1 Q0 a 2 2 tag\n2 Q0 y 1 1 tag\n9 Q0 z 1 1 tag\n"


def put(path: Path, text: str | bytes) -> Path:
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def means(run: Run) -> dict[str, float | None]:
    return {name.split("_")[1]: s.mean for name, s in run.aggregates.items()}


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("1 0 a 1\n", Kind.QRELS),
        ("# comment\n\n1\t0\ta\t1.0\r\n", Kind.QRELS),
        ("\ufeffquery-id\tcorpus-id\tscore\n", Kind.QRELS),
        ("q 1\td 1\t1\n", Kind.QRELS),
        ("1 Q0 a 1 2 tag\n", Kind.RUN),
        ("1 0 a 1 nan tag and more\n", Kind.RUN),
        ("1 Q0 a 1 wrong tag\n", Kind.RUN),
        ('{"id": 1}\n', Kind.JSON_LINES),
        ("q Q0 d 1 0.5\nq Q0 d 1 0.5 t\n", Kind.RUN),
        ("q Q0 d 1 0.5\n", Kind.RUN),
        ("q d 1 0.5 t\nq 0 d 1 0.5 t\n", Kind.RUN),
        ("q d\nq 0 d 1\n", Kind.QRELS),
        ('q d\n{"id": 1}\nq 0 d 1\n', Kind.JSON_LINES),
        ("prose\n" * 20 + "q 0 d 1\n", Kind.JSON_LINES),
        ("", Kind.JSON_LINES),
        ("four words of prose\n", Kind.JSON_LINES),
        ("six words and more of prose\n", Kind.JSON_LINES),
    ],
)
def test_a_file_is_told_by_its_first_line(
    text: str, kind: Kind, tmp_path: Path
) -> None:
    assert kind_of(put(tmp_path / "file", text)) is kind


def test_a_folder_is_told_by_what_is_in_it(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"neither queries.jsonl \(BEIR\) nor traces"):
        kind_of(tmp_path)
    put(tmp_path / "traces.jsonl", "")
    assert kind_of(tmp_path) is Kind.RUN_FOLDER
    put(tmp_path / "queries.jsonl", "")
    assert kind_of(tmp_path) is Kind.BEIR


def test_a_pipe_is_read_once_and_as_json_lines(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    line = '{"case_id": "1", "retrieved": [{"id": "a"}]}\n'
    writer = Thread(target=pipe.write_text, args=(line,))
    writer.start()
    run = score(put(tmp_path / "qrels", "1 0 a 1\n"), pipe)
    writer.join()

    assert means(run) == {"hit": 1.0, "recall": 1.0, "ndcg": 1.0}


def test_m16_m17_m30_judgements_and_a_run_are_judged_as_they_are(
    tmp_path: Path,
) -> None:
    """Query 2 found nothing that is gold, 3 has no gold, 4 no line, 9 no judgement."""
    qrels = put(tmp_path / "qrels", QRELS + "4 0 a 1\n")
    told: list[str] = []
    run = score(qrels, put(tmp_path / "run", RUN), k=2, warn=told.append)

    assert means(run)["hit"] == pytest.approx(1 / 3)
    assert means(run)["recall"] == pytest.approx(0.5 / 3)
    assert run.aggregates["retrieval_hit_at_k"].n == 3
    assert run.aggregates["retrieval_hit_at_k"].failed == 0
    assert run.stray == ("9",)
    assert run.broken == ()
    assert "queries without a line in the run: 2, nothing was found for them: 3, 4" in (
        told
    )
    assert run.provenance["trec_run"] == {
        "format": "trec-run",
        "ties": "given",
        "exclude_self": False,
        "queries": 2,
        "queries_with_ties": 0,
        "queries_without_lines": 2,
        "queries_without_case": 1,
        "repeated_documents": 0,
        "excluded_documents": 0,
    }


def test_m39_a_query_without_gold_is_in_no_mean(tmp_path: Path) -> None:
    run = score(put(tmp_path / "qrels", QRELS), put(tmp_path / "run", RUN), k=2)
    (third,) = (result for result in run.results if result.id == "3")

    assert "retrieval_hit_at_k" in run.unscored(third)
    assert run.aggregates["retrieval_hit_at_k"].eligible == 2


def test_the_same_traces_and_cases_as_json_give_the_same_values(
    tmp_path: Path,
) -> None:
    qrels, ranked = put(tmp_path / "qrels", QRELS), put(tmp_path / "run", RUN)
    rows = [{"id": q, "query": q, "relevant_ids": g} for q, g in GOLD.items()]
    cases = put(tmp_path / "cases.jsonl", "\n".join(map(json.dumps, rows)))
    found = [
        {"case_id": t.case_id, "retrieved": [{"id": hit.id} for hit in t.retrieved]}
        for t in read_traces(ranked)
        if t.retrieved
    ]
    put(tmp_path / "traces.jsonl", "\n".join(map(json.dumps, found)))

    whole = means(score(qrels, ranked))
    for left in (qrels, cases):
        for right in (ranked, tmp_path / "traces.jsonl", tmp_path):
            assert means(score(left, right)) == whole


GOLD = {"1": ["a", "b"], "2": ["c"], "3": []}


def test_m24_a_constant_scorer_is_worth_its_chance_where_that_is_asked(
    tmp_path: Path,
) -> None:
    qrels = put(tmp_path / "qrels", "1 0 d0 1\n")
    ranked = put(
        tmp_path / "run", "".join(f"1 Q0 d{n} {n} 0 constant\n" for n in range(10))
    )
    told: list[str] = []

    assert means(score(qrels, ranked, k=1))["ndcg"] == 1.0
    assert means(score(qrels, ranked, k=1, ties=Ties.DOCNO))["ndcg"] == 0.0
    expected = score(qrels, ranked, k=1, ties=Ties.EXPECTED, warn=told.append)
    assert means(expected) == {"hit": 0.1, "recall": 0.1, "ndcg": 0.1}
    assert told == [
        "judgements alone: the text of each query is its id",
        "ties across k=1: 1 of 1 queries; every order counts alike (`--ties`): 1",
    ]


def test_m19_two_queries_take_no_second(tmp_path: Path) -> None:
    qrels, ranked = put(tmp_path / "qrels", QRELS), put(tmp_path / "run", RUN)
    begun = process_time()
    score(qrels, ranked)

    assert process_time() - begun < 0.5


def test_ties_are_for_runs_alone(tmp_path: Path) -> None:
    qrels = put(tmp_path / "qrels", QRELS)
    traces = put(tmp_path / "traces.jsonl", '{"case_id": "1"}\n')

    with pytest.raises(UsageError, match="--ties is for a run of TREC, and"):
        score(qrels, traces, ties=Ties.GIVEN)
    with pytest.raises(UsageError, match="a file that holds a run"):
        score(qrels, [], ties=Ties.GIVEN)


def test_what_is_handed_over_in_the_wrong_place_is_named(tmp_path: Path) -> None:
    qrels, ranked = put(tmp_path / "qrels", QRELS), put(tmp_path / "run", RUN)

    with pytest.raises(InputError, match=r"run: a run of TREC holds no cases"):
        score(ranked, qrels)
    with pytest.raises(InputError, match=r"qrels: judgements .* holds no traces"):
        score(qrels, qrels)


def test_the_traces_of_a_run_can_be_read_again(tmp_path: Path) -> None:
    ranked = put(tmp_path / "run", RUN)
    cases = read_case_set(put(tmp_path / "qrels", QRELS))

    assert [len(t.retrieved or ()) for t in read_traces(ranked, cases)] == [2, 1, 1, 0]
    assert next(read_traces(ranked, cases)).retrieved == (
        Retrieved(id="x", score=3.0),
        Retrieved(id="a", score=2.0),
    )
