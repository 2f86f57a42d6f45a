"""One look at a trace: each part is worked out once, and only if it is asked for."""

from collections.abc import Iterator, Mapping

import pytest

from lastro.eval.scorers.contract import MalformedAnswer
from lastro.eval.scorers.view import View
from lastro.model.ids import CaseId
from lastro.model.trace import Retrieved, Trace, TracePassage, TraceStageEntry
from lastro.text.terms import folded

ROWS = list(enumerate("aabbac"))


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
    assert view.ranks() == {"a": 1}
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


@pytest.mark.parametrize("stage", ["", "fused"])
def test_a_repeat_takes_no_rank_from_a_document_behind_it(stage: str) -> None:
    hits = tuple(Retrieved(id=f"{item}::{n}", parent_id=item) for n, item in ROWS)
    entries = tuple(
        TraceStageEntry(passage_id=f"{item}::{n}", document_id=item) for n, item in ROWS
    )
    view = View(trace(retrieved=hits, stages={"fused": entries}))
    assert view.ranks(stage) == {"a": 1, "b": 2, "c": 3}
    assert view.ranks("dense") is None


def test_ids_that_are_written_in_two_ways_are_one_document_and_two_items() -> None:
    view = View(trace(retrieved=(Retrieved(id="a\u0303"), Retrieved(id="\xe3"))))
    assert view.ranks() == {"\xe3": 1}
    assert view.repeats == ()


def test_items_retrieved_twice_are_told() -> None:
    hits = tuple(Retrieved(id=item) for item in "aab")
    assert View(trace(retrieved=hits)).repeats == (
        "1 of 3 retrieved items repeats an earlier one",
    )
    assert View(trace()).repeats == ()
