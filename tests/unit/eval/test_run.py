"""Cases put to a real knowledge base: each leaves a trace, whatever happens."""

import dataclasses
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from counter import Counter, Slow

from lastro import compose
from lastro.compose import KnowledgeBase
from lastro.errors import (
    EvaluationError,
    KnowledgeBaseError,
    ProviderError,
    ProviderErrorKind,
    UsageError,
)
from lastro.eval import folder as folders
from lastro.eval.inputs import score
from lastro.eval.run import evaluate
from lastro.eval.turns import Turns
from lastro.eval.verdict import Bars, judge
from lastro.model.answer import Prompt, Role, Turn
from lastro.model.case import Case
from lastro.model.events import Decided, Event, Finished
from lastro.model.ids import CaseId
from lastro.model.ranking import Leg, LegStatus
from lastro.model.trace import TraceDecision, TraceLeg
from lastro.trace import read

REPORTS = folders.REPORTS
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
        "junit.xml",
        "report.html",
        "report.json",
        "report.md",
        "run.json",
        "scores.jsonl",
        "traces.jsonl",
    ]
    report = json.loads((tmp_path / "report.json").read_text("utf-8"))
    assert report["verdict"]["bars"][0]["state"] == "active"


def test_with_aggregates_only_no_case_is_named_and_no_trace_kept(
    kb: KnowledgeBase, tmp_path: Path
) -> None:
    cases = cases_of(kb)

    run = evaluate(cases, kb, run_dir=tmp_path, aggregates_only=True)

    assert run.private
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["junit.xml", "report.html", "report.json", "report.md"]
    for path in tmp_path.iterdir():
        written = path.read_text("utf-8")
        assert not [each for each in cases if each.id in written]
        assert not [each for each in cases if each.query in written]


def test_with_aggregates_only_there_is_nothing_to_go_on_from(
    kb: KnowledgeBase, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match="--resume needs the traces"):
        evaluate(cases_of(kb), kb, run_dir=tmp_path, aggregates_only=True, resume=True)


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


@pytest.mark.parametrize("workers", [2, 7])
def test_r07_any_number_of_workers_gives_the_same_run(
    kb: KnowledgeBase, tmp_path: Path, workers: int
) -> None:
    long = dataclasses.replace(
        cases_of(kb)[0], id=CaseId("long"), query="why " * 20_000
    )
    cases = [*cases_of(kb), long]
    one = evaluate(cases, kb, run_dir=tmp_path / "one")

    several = evaluate(cases, kb, run_dir=tmp_path / "several", workers=workers)

    assert several == one
    for name in REPORTS:
        written = [tmp_path / each / name for each in ("one", "several")]
        assert written[0].read_bytes() == written[1].read_bytes()


def test_an_engine_without_a_folder_can_be_measured() -> None:
    case = Case(
        id=CaseId("guest"),
        query="How long is a guest code valid?",
        locale="en",
        must_cite_one_of=("en:guest",),
    )

    run = evaluate([case], Counter(), provider=Slow, workers=2)

    assert run.aggregates["retrieval_hit_at_k"].mean == 1.0
    assert run.provenance["models"] == {
        "embedder": "",
        "provider": "slow",
        "reranker": "none",
    }
    assert run.provenance["kb"] == {
        "documents": 7,
        "listing": Turns(Counter(), "naive", Slow).setup.listing,
    }


def test_the_provenance_changes_with_a_text_that_keeps_its_title(
    tmp_path: Path,
) -> None:
    text = tmp_path / "page.md"
    listings = []
    for days in ("fourteen", "fifteen"):
        text.write_text(f"# The library\n\nA book for {days} days.\n", "utf-8")
        with compose.open(tmp_path / "kb", environ={}) as kb:
            kb.ingest([text], locale="en")
            run = evaluate([Case(id=CaseId("a"), query="books?")], kb)
        listings.append(run.provenance["kb"])

    assert listings[0] != listings[1]


def test_a_setting_and_a_contract_of_its_own_change_the_configuration(
    folder: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "kb"
    shutil.copytree(folder, copy)
    hashes = set()
    for k, own in ((4, ""), (3, ""), (4, "Answer in verse.")):
        if own:
            (copy / "contracts").mkdir()
            (copy / "contracts" / "anchored.en.txt").write_text(own, "utf-8")
        with compose.open(copy, environ={}, flags={"retrieval_top_k": k}) as kb:
            hashes.add(Turns(kb, "naive", Slow).setup.config_hash)

    assert len(hashes) == 3


def test_the_embedder_of_the_base_stands_in_the_provenance(kb: KnowledgeBase) -> None:
    models = evaluate(cases_of(kb)[:1], kb).provenance["models"]

    assert isinstance(models, dict)
    assert models["embedder"].startswith("static ")
    assert models["korean"] == "bigrams"
    assert models["provider"] == "quote"


def test_the_legs_are_counted_and_one_that_failed_is_told(
    folder: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "kb"
    shutil.copytree(folder, copy)
    for path in (copy / "dense").iterdir():
        path.write_bytes(b"x")
    (copy / "lock").unlink()
    (copy / "lock").mkdir()  # nobody can mend it
    told: list[str] = []

    with compose.open(copy, environ={}) as kb:
        run = evaluate(cases_of(kb), kb, warn=told.append)

    assert run.legs == {"dense": {"failed": 5}, "lexical": {"ok": 5}}
    (said,) = told
    assert said.startswith("the dense leg failed in 5 of 5 cases: ")
    assert evaluate(cases_of(kb), folder).legs["dense"] == {"ok": 5}


class Hasty(Counter):
    """Leaves its reranker out where an event is asked about."""

    def stream(self, question: str, **choices: Any) -> Iterator[Event]:  # noqa: ANN401
        status = LegStatus.OFF if "event" in question else LegStatus.OK
        for event in super().stream(question, **choices):
            if isinstance(event, Decided) and event.ranking:
                legs = {"reranker": Leg(status=status, why="it takes too long")}
                ranking = dataclasses.replace(event.ranking, legs=legs)
                yield dataclasses.replace(event, ranking=ranking)
            elif isinstance(event, Finished):
                left = {"reranker": TraceLeg(status=status)}
                trace = dataclasses.replace(event.trace, legs=left)
                yield dataclasses.replace(event, trace=trace)
            else:
                yield event


def test_a_leg_that_ran_in_some_cases_alone_is_told() -> None:
    cases = [
        Case(id=CaseId(name), query=f"How long is a {name} code valid?", locale="en")
        for name in ("guest", "event", "room")
    ]
    told: list[str] = []

    run = evaluate(cases, Hasty(), provider=Slow, warn=told.append)
    evaluate(cases[1:2], Hasty(), provider=Slow, warn=told.append)

    assert run.legs == {"reranker": {"off": 1, "ok": 2}}
    assert told == ["the reranker leg was left out in 1 of 3 cases: it takes too long"]


def test_a_base_that_changes_while_it_is_measured_is_told(
    folder: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "kb"
    shutil.copytree(folder, copy)
    page = tmp_path / "new.md"
    page.write_text("# The pool\n\nThe pool opens at six.\n", "utf-8")
    told: list[str] = []

    with compose.open(copy, environ={}) as kb, compose.open(copy, environ={}) as other:
        run = evaluate(
            cases_of(kb),
            kb,
            progress=lambda done, _: done == 2 and other.ingest([page], locale="en"),
            warn=told.append,
        )

    assert [line for line in told if "changed while it was measured" in line] == told
    assert len(told) == 1
    assert isinstance(run.provenance["kb"], dict)
    assert run.provenance["kb"]["changed_meanwhile"] is True
    assert "changed_meanwhile" not in str(evaluate(cases_of(kb), copy).provenance)


def test_r12_r17_a_run_that_was_ended_goes_on_and_asks_nobody_twice(
    kb: KnowledgeBase, tmp_path: Path
) -> None:
    cases = cases_of(kb)
    whole = evaluate(cases, kb, run_dir=tmp_path / "whole")

    def stop(done: int, _total: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        evaluate(cases, kb, run_dir=tmp_path / "cut", progress=stop)
    counted = Counting(kb.path, kb.settings, lambda: 0.0, {})
    seen: list[tuple[int, int]] = []
    told: list[str] = []
    with counted:
        resumed = evaluate(
            cases[::-1],
            counted,
            run_dir=tmp_path / "cut",
            resume=True,
            progress=lambda *each: seen.append(each),
            warn=told.append,
        )

    assert len(counted.asked) == 3
    assert resumed == whole
    assert seen[0] == (2, 5)
    assert told == ["going on after 2 cases"]
    for name in REPORTS:
        written = [tmp_path / each / name for each in ("whole", "cut")]
        assert written[0].read_bytes() == written[1].read_bytes()


class Counting(KnowledgeBase):
    """A knowledge base that notes what it was asked."""

    def __init__(self, *parts: Any) -> None:  # noqa: ANN401 - as they come
        super().__init__(*parts)
        self.asked: list[str] = []

    def stream(self, question: str, **choices: Any) -> Iterator[Event]:  # noqa: ANN401
        if question != "?":
            self.asked.append(question)
        return super().stream(question, **choices)


def test_r10_a_finished_run_that_is_resumed_asks_nothing_and_says_the_same(
    kb: KnowledgeBase, tmp_path: Path
) -> None:
    cases = cases_of(kb)
    first = evaluate(cases, kb, run_dir=tmp_path)
    pages = {name: (tmp_path / name).read_bytes() for name in REPORTS}
    counted = Counting(kb.path, kb.settings, lambda: 0.0, {})

    with counted:
        again = evaluate(cases, counted, run_dir=tmp_path, resume=True)

    assert counted.asked == []
    assert again == first
    assert {name: (tmp_path / name).read_bytes() for name in REPORTS} == pages


def test_r04_a_case_over_the_time_limit_is_told_and_asked_again_on_resuming(
    tmp_path: Path,
) -> None:
    cases = [
        Case(id=CaseId(name), query=f"How long is a {name} code valid?", locale="en")
        for name in ("guest", "event")
    ]
    first = evaluate(
        cases,
        Counter(),
        provider=lambda: Slow(hangs="event"),
        run_dir=tmp_path,
        case_timeout=0.15,
    )
    engine = Counter()
    second = evaluate(cases, engine, provider=Slow, run_dir=tmp_path, resume=True)

    assert [(each.id, each.broke) for each in first.broken] == [
        ("event", "the turn broke: timeout")
    ]
    assert engine.asked == ["How long is a event code valid?"]
    assert second.broken == ()
    assert len(list(read(tmp_path / "traces.jsonl"))) == 2


class Refused(Slow):
    """Nobody lets it in."""

    def write(self, prompt: Prompt) -> Iterator[str]:  # noqa: ARG002
        raise ProviderError(ProviderErrorKind.AUTH, self.name)


def test_a13_a31_a_run_that_nobody_answered_could_not_be_measured() -> None:
    cases = [
        Case(id=CaseId(name), query=f"How long is a {name} code valid?", locale="en")
        for name in ("guest", "event")
    ]

    run = evaluate(cases, Counter(), provider=Refused, workers=2)

    assert [each.broke for each in run.broken] == ["the turn broke: auth"] * 2
    verdict = judge(run, Bars())
    assert verdict.exit_code == 3
    assert not verdict.passed


class Dividing(Counter):
    """Leaves a confidence behind that is no number."""

    def stream(self, question: str, **choices: Any) -> Iterator[Event]:  # noqa: ANN401
        for event in super().stream(question, **choices):
            if isinstance(event, Finished) and "event" in question:
                decision = TraceDecision(reason="ok", confidence=float("nan"))
                trace = dataclasses.replace(event.trace, decision=decision)
                yield dataclasses.replace(event, trace=trace)
            else:
                yield event


def test_a_trace_that_no_file_can_hold_is_a_broken_case(tmp_path: Path) -> None:
    cases = [
        Case(id=CaseId(name), query=f"How long is a {name} code valid?", locale="en")
        for name in ("guest", "event")
    ]

    run = evaluate(cases, Dividing(), provider=Slow, run_dir=tmp_path)

    assert [(each.id, each.broke) for each in run.broken] == [
        ("event", "the turn broke: a number is not finite")
    ]
    assert len(list(read(tmp_path / "traces.jsonl"))) == 2


@pytest.mark.parametrize(
    ("choice", "said"),
    [
        ({"workers": 0}, "workers must be at least 1, not 0"),
        ({"case_timeout": 0.0}, "a case cannot take 0.0 seconds at most"),
        ({"case_timeout": float("nan")}, "a case cannot take nan seconds"),
        ({"resume": True}, "--resume needs the traces in --run-dir"),
        ({"provider": "nobody"}, "provider 'nobody': it is one of quote"),
    ],
)
def test_what_makes_no_sense_stops_before_the_first_question(
    kb: KnowledgeBase, choice: dict[str, Any], said: str
) -> None:
    with pytest.raises(UsageError, match=said):
        evaluate(cases_of(kb), kb, progress=never, **choice)


def test_wrong_usage_leaves_a_finished_run_alone(
    kb: KnowledgeBase, tmp_path: Path
) -> None:
    evaluate(cases_of(kb), kb, run_dir=tmp_path)

    with pytest.raises(UsageError):
        evaluate(cases_of(kb), kb, run_dir=tmp_path, k=0)

    assert len(list(read(tmp_path / "traces.jsonl"))) == 5


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
