"""Documents come in the order of their best passage; a prompt takes few of each."""

from lastro.index.fuse import Candidate
from lastro.index.select import parents, selected
from lastro.model.ids import DocumentId, PassageId


def ranking(*names: str) -> list[Candidate]:
    return [
        Candidate(10.0 - at, PassageId(f"{name}{at}"), DocumentId(name), at)
        for at, name in enumerate(names)
    ]


def names(found: tuple[Candidate, ...]) -> list[str]:
    return [one.passage for one in found]


def test_a_document_stands_where_its_best_passage_stands() -> None:
    found = ranking("a", "a", "b", "a", "c")

    assert names(parents(found, 2)) == ["a0", "b2"]
    assert names(parents(found, 9)) == ["a0", "b2", "c4"]
    assert parents([], 3) == ()


def test_passages_are_taken_in_order_and_only_so_many_of_a_document() -> None:
    found = ranking("a", "a", "a", "b", "a", "c", "b")

    assert names(selected(found, 4, 2)) == ["a0", "a1", "b3", "c5"]
    assert names(selected(found, 2, 9)) == ["a0", "a1"]
    assert names(selected(found, 9, 1)) == ["a0", "b3", "c5"]
    assert selected([], 4, 2) == ()
