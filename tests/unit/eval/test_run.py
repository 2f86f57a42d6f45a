"""Cases put to a real knowledge base: each leaves a trace, whatever happens."""

import dataclasses
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from lastro import compose
from lastro.compose import KnowledgeBase
from lastro.errors import EvaluationError, KnowledgeBaseError, UsageError
from lastro.eval.inputs import score
from lastro.eval.run import evaluate
from lastro.eval.verdict import Bars, judge
from lastro.model.answer import Role, Turn
from lastro.model.case import Case
from lastro.model.events import Event
from lastro.model.ids import CaseId
from lastro.trace import read

TEXTS = {
    "library": "# The library\n\nThe library lends a book for fourteen days.\n",
    "parking": "# Parking\n\nA parking permit costs 120 reais a month.\n",
    "canteen": "# The canteen\n\nThe canteen serves lunch from noon until three.\n",
    "password": "# Password\n\nA forgotten password is reset at the help desk.\n",
    "printer": "# Printing\n\nThe printer on the second floor prints in colour.\n",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    base = tmp_path_factory.mktemp("campus")
    for name, text in TEXTS.items():
        (base / f"{name}.md").write_text(text, encoding="utf-8")
    with compose.open(base / "kb", environ={}) as kb:
        kb.ingest([base / f"{name}.md" for name in TEXTS], locale="en")
    return base / "kb"


@pytest.fixture
def kb(folder: Path) -> Iterator[KnowledgeBase]:
    with compose.open(folder, environ={}) as opened:
        yield opened


def gold(kb: KnowledgeBase, name: str) -> str:
    return next(str(line.id) for line in kb.documents() if name in line.id)


def cases_of(kb: KnowledgeBase) -> list[Case]:
    asked = {
        "library": ("How long does the library lend a book?", "fourteen days"),
        "parking": ("What does a parking permit cost a month?", "120 reais"),
        "canteen": ("When does the canteen serve lunch?", "noon"),
        "password": ("Where is a forgotten password reset?", "help desk"),
        "printer": ("Which printer prints in colour?", "second floor"),
    }
    return [
        Case(
            id=CaseId(name),
            query=query,
            locale="en",
            must_cite_one_of=(gold(kb, name),),
            expected_terms=(term,),
        )
        for name, (query, term) in asked.items()
    ]


def test_every_case_leaves_a_trace_and_scores(kb: KnowledgeBase) -> None:
    cases = cases_of(kb)

    run = evaluate(cases, kb)

    assert [str(result.id) for result in run.results] == sorted(TEXTS)
    assert run.aggregates["retrieval_hit_at_k"].mean == 1.0
    assert run.aggregates["retrieval_hit_at_k"].n == 5
    assert run.k == kb.settings.retrieval.top_k
    assert run.provenance["system"] == "naive"
    assert not run.broken


def test_the_folder_of_a_run_holds_what_can_be_scored_again(
    kb: KnowledgeBase, tmp_path: Path
) -> None:
    cases = cases_of(kb)

    run = evaluate(cases, kb, run_dir=tmp_path, bars=Bars(min_hit=0.5))
    again = score(cases, tmp_path / "traces.jsonl", k=run.k)

    assert again.aggregates == run.aggregates
    assert again.results == run.results
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        ".lock",
        "report.json",
        "report.md",
        "run.json",
        "scores.jsonl",
        "traces.jsonl",
    ]
    report = json.loads((tmp_path / "report.json").read_text("utf-8"))
    assert report["verdict"]["bars"][0]["state"] == "active"


def test_the_same_run_twice_gives_the_same_bytes(
    kb: KnowledgeBase, tmp_path: Path
) -> None:
    cases = cases_of(kb)

    evaluate(cases, kb, run_dir=tmp_path / "one")
    evaluate(cases[::-1], kb, run_dir=tmp_path / "two")

    for name in ("report.json", "report.md", "scores.jsonl"):
        one, two = (tmp_path / each / name for each in ("one", "two"))
        assert one.read_bytes() == two.read_bytes()


def test_both_floors_stand_beside_the_system(kb: KnowledgeBase) -> None:
    found = evaluate(cases_of(kb), kb).floors

    assert found is not None
    assert set(found) == {"random", "one_passage"}
    assert found["random"]["retrieval_hit_at_k"].n == 5
    assert found["one_passage"]["retrieval_hit_at_k"].mean == 1.0
    assert not found["one_passage"]["retrieval_hit_at_k"].told_apart
    assert evaluate(cases_of(kb), kb, floors=False).floors is None


def test_gold_that_is_not_indexed_stands_in_the_trace(
    kb: KnowledgeBase, tmp_path: Path
) -> None:
    case = dataclasses.replace(cases_of(kb)[0], relevant_ids=("gone", "away"))

    evaluate([case], kb, run_dir=tmp_path)

    ((_, left),) = read(tmp_path / "traces.jsonl")
    assert left.gold_not_indexed == ("gone", "away")
    assert left.case_id == case.id


def test_r03_r16_a_case_that_breaks_is_a_record_and_the_run_goes_on(
    kb: KnowledgeBase, tmp_path: Path
) -> None:
    long = dataclasses.replace(
        cases_of(kb)[0], id=CaseId("long"), query="why " * 20_000
    )
    told: list[str] = []

    run = evaluate([long, *cases_of(kb)], kb, run_dir=tmp_path, warn=told.append)

    hit = run.aggregates["retrieval_hit_at_k"]
    assert (hit.n, hit.failed, hit.eligible) == (5, 1, 6)
    assert [str(each.id) for each in run.broken] == ["long"]
    assert len(told) == 1
    assert len(list(read(tmp_path / "traces.jsonl"))) == 6
    assert judge(run, Bars()).exit_code == 0
    assert judge(run, Bars(min_hit=0.1)).exit_code == 3


class Crashing(KnowledgeBase):
    """A knowledge base whose search is broken for one question."""

    def stream(self, question: str, **choices: object) -> Iterator[Event]:
        if "library" in question:
            raise RuntimeError("the secret path /srv/keys")
        return super().stream(question, **choices)  # type: ignore[arg-type]


def test_a_crash_that_nobody_foresaw_is_a_record_without_its_text(
    kb: KnowledgeBase, tmp_path: Path
) -> None:
    crashing = Crashing(kb.path, kb.settings, lambda: 0.0, {})

    with crashing:
        run = evaluate(cases_of(kb), crashing, run_dir=tmp_path)

    assert [each.broke for each in run.broken] == [
        "the turn broke: crash: RuntimeError"
    ]
    for path in tmp_path.iterdir():
        assert "secret" not in path.read_text("utf-8")


def test_prior_turns_are_the_history_of_a_case(kb: KnowledgeBase) -> None:
    earlier = (
        Turn(Role.USER, "What does a parking permit cost?"),
        Turn(Role.ASSISTANT, "120 reais a month."),
    )
    case = dataclasses.replace(cases_of(kb)[0], prior_turns=earlier)

    assert not evaluate([case], kb).broken


def test_r12_what_was_asked_before_an_interruption_is_on_disk(
    kb: KnowledgeBase, tmp_path: Path
) -> None:
    def stop(done: int, _total: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        evaluate(cases_of(kb), kb, run_dir=tmp_path, progress=stop)

    assert len(list(read(tmp_path / "traces.jsonl"))) == 2


def test_progress_is_told_at_first_and_case_by_case(kb: KnowledgeBase) -> None:
    seen: list[tuple[int, int]] = []

    evaluate(cases_of(kb), kb, progress=lambda *each: seen.append(each))

    assert seen == [(n, 5) for n in range(6)]


def never(*_: object) -> None:
    pytest.fail("a question was asked")


def test_r19_a_folder_that_cannot_be_written_stops_before_the_first_question(
    kb: KnowledgeBase, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(EvaluationError, match="cannot be written"):
        evaluate(cases_of(kb), kb, run_dir=tmp_path / "file", progress=never)


def test_a_bar_on_no_metric_stops_before_the_first_question(kb: KnowledgeBase) -> None:
    with pytest.raises(UsageError, match="no metric 'hits'"):
        evaluate(cases_of(kb), kb, bars=Bars(minimums={"hits": 1}), progress=never)


def test_an_unknown_system_stops_before_the_first_question(kb: KnowledgeBase) -> None:
    with pytest.raises(UsageError, match="system 'magic'"):
        evaluate(cases_of(kb), kb, system="magic", progress=never)


def test_a_missing_knowledge_base_stops_before_the_first_question(
    kb: KnowledgeBase, tmp_path: Path
) -> None:
    with pytest.raises(KnowledgeBaseError):
        evaluate(cases_of(kb), tmp_path / "nowhere", progress=never)


def test_a_folder_can_be_named_instead_of_a_knowledge_base(
    kb: KnowledgeBase, folder: Path
) -> None:
    assert evaluate(cases_of(kb), folder, k=1).k == 1
