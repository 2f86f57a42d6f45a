"""The baseline on the bundled knowledge base, byte for byte.

Lexical leg only, no reranker, uncalibrated.  A change of the analyser, the
splitter or the quote provider re-pins these files in a commit of its own with a
decision record: ``pytest tests/functional/test_naive.py --update-golden``.
"""

from collections.abc import Iterator
from typing import Protocol

import pytest

import lastro
from lastro.compose import KnowledgeBase
from lastro.corpus import bundled
from lastro.eval import cases
from lastro.model.answer import Answer

pytestmark = pytest.mark.functional


class Golden(Protocol):
    """The comparer that ``conftest`` gives."""

    def check(self, name: str, text: str) -> None: ...


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    kb = tmp_path_factory.mktemp("kb") / "kb"
    flags = {"search_legs": "lexical"}
    with lastro.open(kb, environ={}, flags=flags) as opened:
        opened.ingest(bundled.sources())
        yield opened


@pytest.mark.parametrize("locale", bundled.LOCALES)
def test_the_demo_is_answered_as_pinned(
    base: KnowledgeBase, golden: Golden, locale: str
) -> None:
    pages = (
        _page(
            question.text,
            base.ask(question.text, locale=locale, filter_locale=locale),
        )
        for question in bundled.demo(locale)
    )

    golden.check(f"naive/{locale}.md", "\n".join(pages))


def test_every_bundled_case_ends_as_pinned(base: KnowledgeBase, golden: Golden) -> None:
    lines = [
        _line(
            case.id,
            base.ask(case.query, locale=case.locale, history=case.prior_turns),
        )
        for case in cases.read(*bundled.cases()).cases
    ]

    golden.check("naive/cases.txt", "".join(lines))


def _page(question: str, answer: Answer) -> str:
    why = f"{answer.decision.reason}, {answer.status}, {answer.status_reason.code}"
    return f"## {question}\n\n{why}\n\n{answer.answer_text}\n"


def _line(name: str, answer: Answer) -> str:
    cited = [
        f"{citation.passage_id}[{citation.start}:{citation.end}]"
        for claim in answer.claims
        for citation in claim.citations
    ]
    said = "refused" if answer.refused else "abstained" if answer.abstained else "said"
    head = f"{name} {answer.decision.reason} {answer.status} {said}"
    return " ".join([head, *cited]) + "\n"
