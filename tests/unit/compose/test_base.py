"""A knowledge base in use, over a real index: search, ask, stream, ingest, read."""

import threading
from pathlib import Path

import pytest
from help_desk import CARDS
from scripted import Scripted

import lastro
from lastro.compose import KnowledgeBase
from lastro.errors import KnowledgeBaseError, UsageError
from lastro.model.answer import AnswerStatus, Role, Turn
from lastro.model.decision import ReasonCode
from lastro.model.events import Decided, Finished

NO_GATE = {"retrieval_min_score": 0}


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("desk")
    for name, title, text, locale in CARDS:
        page = root / "pages" / f"{name.replace(':', '-')}.md"
        page.parent.mkdir(exist_ok=True)
        lines = text.replace("\n", "\n\n")
        page.write_text(
            f"---\nid: {name}\ntitle: {title}\nlocale: {locale}\n---\n\n{lines}\n",
            encoding="utf-8",
        )
    with lastro.open(root / "kb", environ={}) as base:
        base.ingest([root / "pages"])
    return root / "kb"


@pytest.fixture
def base(desk: Path) -> KnowledgeBase:
    return lastro.open(desk, environ={}, flags=NO_GATE)


def test_an_answers_citation_stands_in_the_stored_document(
    base: KnowledgeBase,
) -> None:
    answer = base.ask(
        "Como faço para conectar um teclado Bluetooth?",
        locale="pt-BR",
        filter_locale="pt-BR",
    )

    assert answer.status is AnswerStatus.SUPPORTED
    assert answer.claims
    for claim in answer.claims:
        for citation in claim.citations:
            document = base.document(citation.document_id)
            assert document is not None
            assert document.text[citation.start : citation.end] == citation.quote


def test_a_search_gives_documents_and_the_gate_judges_them(
    base: KnowledgeBase,
) -> None:
    ranking = base.search("guest code", k=2, locale="en")

    assert ranking.hits[0].document_id == "en:guest"
    assert len(ranking.hits) <= 2
    assert base.decide(ranking).reason in ReasonCode


def test_ask_is_stream_read_to_the_end(base: KnowledgeBase) -> None:
    first, *_, last = base.stream("How long is a guest code valid?", locale="en")

    assert isinstance(first, Decided)
    assert isinstance(last, Finished)
    again = base.ask("How long is a guest code valid?", locale="en")
    assert again.answer_text == last.answer.answer_text
    assert last.trace.case_id == last.answer.trace_id


def test_a_provider_may_be_handed_in(base: KnowledgeBase) -> None:
    provider = Scripted(["A guest code is valid for 24 hours. [cite:{0}]"])
    before = (Turn(Role.USER, "Hi"),)
    answer = base.ask("guest code hours", provider=provider, history=before)

    assert answer.provider == "scripted"
    assert provider.prompts[0].question.history == before


@pytest.mark.parametrize(
    "choice", [{"system": "agentic"}, {"policy": "loose"}, {"provider": "oracle"}]
)
def test_a_wrong_choice_is_refused_before_the_first_event(
    base: KnowledgeBase, choice: dict[str, str]
) -> None:
    with pytest.raises(UsageError):
        base.stream("guest code", **choice)  # type: ignore[arg-type]


def test_a_knowledge_base_that_is_not_there_says_so_when_it_is_needed(
    tmp_path: Path,
) -> None:
    with lastro.open(tmp_path / "none", environ={}) as base:
        with pytest.raises(KnowledgeBaseError):
            base.search("x")
        with pytest.raises(KnowledgeBaseError):
            base.document("x")


def test_what_is_ingested_is_found_by_a_base_that_was_open(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# Lamps\n\nA lamp burns for 9 hours.\n", encoding="utf-8")
    with lastro.open(tmp_path / "kb", environ={}) as base:
        base.ingest([page])
        assert len(base.search("lamp").hits) == 1
        page.write_text("# Lamps\n\nA candle burns.\n", encoding="utf-8")
        base.ingest([page])
        assert "candle" in base.search("lamps candle").hits[0].passage.text


def test_a_closed_base_opens_again_when_it_is_asked(base: KnowledgeBase) -> None:
    base.close()
    base.close()

    assert base.search("guest").hits


def test_its_own_contracts_replace_the_built_in_ones(desk: Path) -> None:
    own = desk / "contracts"
    own.mkdir()
    (own / "anchored.en.txt").write_text("Only the desk's words.", encoding="utf-8")
    provider = Scripted(["Yes."])
    try:
        base = lastro.open(desk, environ={}, flags=NO_GATE)
        base.ask("guest code hours", locale="en", provider=provider)
    finally:
        (own / "anchored.en.txt").unlink()
        own.rmdir()

    assert provider.prompts[0].contract.text == "Only the desk's words."


def test_several_threads_may_ask_at_once(base: KnowledgeBase) -> None:
    texts: list[str] = []

    def ask() -> None:
        for _ in range(5):
            answer = base.ask("How long is a guest code valid?", locale="en")
            texts.append(answer.answer_text)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(texts) == 20
    assert len(set(texts)) == 1


def test_the_documents_are_listed(base: KnowledgeBase) -> None:
    assert sorted(row.id for row in base.documents()) == sorted(c[0] for c in CARDS)
