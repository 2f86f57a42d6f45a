"""The bundled base, built: its cases fit it and the demo shows its reasons."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from lastro.compose import KnowledgeBase, open  # noqa: A004  (lastro.open)
from lastro.corpus import bundled
from lastro.eval.cases.read import read
from lastro.eval.check import check


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    folder: Path = tmp_path_factory.mktemp("bundled") / "kb"
    with open(folder, environ={}) as base:
        base.ingest(bundled.sources())
        yield base


def test_every_card_is_indexed_under_its_own_id(kb: KnowledgeBase) -> None:
    files = [path for root in bundled.sources() for path in root.rglob("*.md")]
    named = {".".join(path.with_suffix("").parts[-3:]) for path in files}

    assert {line.id for line in kb.documents()} == named


def test_the_cases_fit_the_knowledge_base(kb: KnowledgeBase) -> None:
    assert not list(check(read(*bundled.cases()).cases, kb))


@pytest.mark.parametrize("locale", bundled.LOCALES)
def test_the_demo_shows_every_reason(kb: KnowledgeBase, locale: str) -> None:
    for question in bundled.demo(locale):
        decision = kb.decide(kb.search(question.text, k=4, locale=locale))
        if question.shows != "comparison":
            assert decision.reason == question.shows, question.text


@pytest.mark.parametrize("locale", bundled.LOCALES)
def test_what_the_demo_asks_is_a_case(locale: str) -> None:
    cases = read(*bundled.cases()).cases
    known = {case.query for case in cases if case.locale == locale}

    assert {question.text for question in bundled.demo(locale)} <= known
