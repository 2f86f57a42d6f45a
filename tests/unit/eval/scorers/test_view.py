"""One look at a trace: each part is worked out once, and only if it is asked for."""

from collections.abc import Iterator, Mapping

import pytest

from lastro.eval.scorers.contract import MalformedAnswer
from lastro.eval.scorers.view import View, first
from lastro.model.ids import CaseId
from lastro.model.trace import Retrieved, Trace, TracePassage
from lastro.text.terms import folded


class Watched(Mapping[str, object]):
    """An answer that counts how often its claims are read."""

    def __init__(self, claims: object) -> None:
        self._claims = claims
        self.reads = 0

    def __getitem__(self, key: str) -> object:
        self.reads += key == "claims"
        return {"claims": self._claims}[key]

    def __iter__(self) -> Iterator[str]:
        return iter(("claims",))

    def __len__(self) -> int:
        return 1


def trace(**fields: object) -> Trace:
    return Trace(case_id=CaseId("c"), **fields)  # type: ignore[arg-type]


def test_a_view_is_its_own_view() -> None:
    view = View(trace())
    assert View.of(view) is view


def test_claims_are_read_once_however_often_they_are_asked_for() -> None:
    answer = Watched([{"claim": "x", "citations": [{"document_id": 7}]}])
    view = View(trace(answer=answer))
    for _ in range(3):
        assert view.cited == ["7"]
        assert [citation.document_id for citation in view.citations or ()] == ["7"]
        assert len(view.claims or ()) == 1
    assert answer.reads == 1


def test_nothing_is_read_that_is_not_asked_for() -> None:
    answer = Watched("not a list")
    view = View(trace(answer=answer, retrieved=(Retrieved(id="a"),)))
    assert view.window(4) == ["a"]
    assert view.documents == frozenset("a")
    assert answer.reads == 0
    with pytest.raises(MalformedAnswer, match="is not a list"):
        _ = view.claims


def test_the_pool_begins_with_the_answer_and_is_folded() -> None:
    passage = TracePassage(document_id="a", text="The  FEE")
    view = View(trace(evidence=(passage,), answer_text="Yes"))
    assert view.pool == [folded("yes"), folded("the fee")]


def test_without_evidence_all_of_retrieved_stands_in_and_texts_may_be_unknown() -> None:
    view = View(trace(retrieved=(Retrieved(id="p", parent_id="a"),)))
    assert view.texts is None
    assert view.pool is None
    assert view.documents == frozenset("a")
    assert View(trace(retrieved=())).texts == []


def test_a_ranking_is_read_no_further_than_the_window_needs() -> None:
    asked: list[int] = []

    def named(items: list[str]) -> list[str]:
        asked.append(len(items))
        return items

    ranked = [*"aabcdefgh", *map(str, range(991))]
    hits = [Retrieved(id=item) for item in ranked]
    found = first(2, hits, lambda some: named([hit.id for hit in some]))
    assert found == ["a", "b"]
    assert asked == [2, 8]


def test_items_retrieved_twice_are_told() -> None:
    hits = tuple(Retrieved(id=item) for item in "aab")
    assert View(trace(retrieved=hits)).repeats == (
        "1 of 3 retrieved items repeats an earlier one",
    )
    assert View(trace()).repeats == ()
