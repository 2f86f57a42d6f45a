"""What becomes of every source: counted, listed, recorded; removal knows its scope."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import library
import pytest

from lastro.corpus.found import Found, Readable, Skipped, Unreadable
from lastro.index.ledger import Ledger, Line, Outcome
from lastro.index.run import Run
from lastro.index.store import Store
from lastro.model.document import Document

ONE = ["/shelf"]
TWO = ["/shelf", "/attic"]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with library.make(tmp_path) as store:
        yield store


def documents(*names: str, text: str = "Text.", shelf: str = "shelf") -> list[Found]:
    made = (library.document(name, text) for name in names)
    return [
        Readable(moved(one, f"{shelf}/{one.id}"), f"/{shelf}/{one.id}") for one in made
    ]


def moved(one: Document, source: str) -> Document:
    return replace(one, source=source)


def run(
    store: Store,
    found: Sequence[Found],
    *,
    sync: bool = False,
    under: Sequence[str] = ONE,
) -> Run:
    made = Run(store, under, sync=sync)
    made.take(found)
    if sync:
        made.reconcile()
    return made


def ids(store: Store) -> list[str]:
    return [line.id for line in store.documents(store.state().applied)]


def ledger(store: Store) -> dict[str, Line]:
    return {line.document or line.source: line for line in Ledger(store.db).lines()}


def test_new_same_and_changed_documents_are_told_apart(store: Store) -> None:
    first = run(store, documents("a", "b"))
    second = run(
        store, [*documents("a"), *documents("b", text="Other."), *documents("c")]
    )

    assert first.tally.counts == {Outcome.INDEXED: 2}
    assert second.tally.counts == {
        Outcome.UNCHANGED: 1,
        Outcome.UPDATED: 1,
        Outcome.INDEXED: 1,
    }
    assert {name: line.outcome for name, line in ledger(store).items()} == {
        "a": Outcome.UNCHANGED,
        "b": Outcome.UPDATED,
        "c": Outcome.INDEXED,
    }


def test_a_batch_without_a_change_moves_no_number(store: Store) -> None:
    run(store, documents("a"))
    run(store, documents("a"))

    assert store.state().applied == 1
    assert store.state().stale == 0


def test_q19_a_document_without_text_is_skipped_not_indexed(store: Store) -> None:
    tally = run(store, documents("a", text=" \n ")).tally

    assert tally.skipped == [("shelf/a", "no text to index")]
    assert ids(store) == []


def test_skipped_and_failed_are_listed_with_why_and_recorded(store: Store) -> None:
    found = [
        Skipped(
            source="shelf/x.bin", place="/shelf/x.bin", why="binary data, not text"
        ),
        *documents("a"),
        Unreadable(
            source="shelf/y.md", place="/shelf/y.md", why="permission denied", id="y.md"
        ),
    ]
    tally = run(store, found).tally

    assert tally.skipped == [("shelf/x.bin", "binary data, not text")]
    assert tally.failed == [("shelf/y.md", "permission denied")]
    assert ids(store) == ["a"]
    assert ledger(store)["shelf/y.md"].why == "permission denied"


def test_i23_attempts_are_counted_until_a_source_can_be_read(store: Store) -> None:
    for count in (1, 2, 3):
        run(
            store,
            [Unreadable(source="shelf/a", place="/shelf/a", why="broken", id="a")],
        )
        assert ledger(store)["shelf/a"].attempts == count
    run(store, documents("a"))

    assert list(ledger(store)) == ["a"]
    assert ledger(store)["a"].attempts == 0


def test_a_document_that_fails_now_keeps_its_version_and_says_so(store: Store) -> None:
    run(store, documents("a", "b"))
    for sync in (False, True):
        found = [
            Unreadable(source="shelf/a", place="/shelf/a", why="broken", id="a"),
            *documents("b"),
        ]
        tally = run(store, found, sync=sync).tally
        assert tally.failed == [
            ("shelf/a", "broken; the version indexed before is kept")
        ]
        assert ids(store) == ["a", "b"]
        assert ledger(store)["a"].outcome is Outcome.FAILED


def test_a_source_that_holds_nothing_any_more_goes_with_sync_only(store: Store) -> None:
    run(store, documents("a", "b"))
    empty: list[Found] = [
        Skipped(source="shelf/a", place="/shelf/a", why="no text", id="a")
    ]

    tally = run(store, empty + documents("b")).tally
    assert tally.skipped == [("shelf/a", "no text; the version indexed before is kept")]
    assert ids(store) == ["a", "b"]
    tally = run(store, empty + documents("b"), sync=True).tally
    assert tally.skipped == [("shelf/a", "no text")]
    assert tally.counts[Outcome.REMOVED] == 1
    assert ids(store) == ["b"]


def test_a_repeat_within_a_run_touches_nothing(store: Store) -> None:
    repeat = Unreadable(
        source="shelf/z", place="/shelf/z", why="its id a is already that of a", id="a"
    )
    tally = run(store, [*documents("a"), repeat]).tally

    assert tally.failed == [("shelf/z", "its id a is already that of a")]
    assert ledger(store)["a"].outcome is Outcome.INDEXED


def test_i37_sync_removes_what_is_gone_and_leaves_no_line_of_it(store: Store) -> None:
    run(
        store,
        [
            *documents("a", "b", "c"),
            Skipped(source="shelf/x", place="/shelf/x", why="binary"),
        ],
    )
    tally = run(store, documents("b"), sync=True).tally

    assert tally.counts == {Outcome.UNCHANGED: 1, Outcome.REMOVED: 2}
    assert ids(store) == ["b"]
    assert list(ledger(store)) == ["b"]


def test_a_sync_of_one_source_leaves_another_alone(store: Store) -> None:
    run(store, documents("a", "b"))
    run(store, documents("c", "d", shelf="attic"), under=["/attic"])
    run(store, documents("c", shelf="attic"), under=["/attic"], sync=True)
    assert ids(store) == ["a", "b", "c"]

    run(store, documents("a"), under=TWO, sync=True)
    assert ids(store) == ["a"]


def test_a_source_that_moved_is_recognised_by_most_of_its_documents(
    store: Store,
) -> None:
    run(store, documents("a", "b", "c"))
    tally = run(
        store, documents("a", "b", shelf="attic"), under=["/attic"], sync=True
    ).tally

    assert ids(store) == ["a", "b"]
    assert tally.notes == [
        "/shelf is taken as moved: most of its documents are here now"
    ]
    with store.reading():
        (a, *_) = [store.document("a", store.state().applied)]
    assert a is not None
    assert a.source == "attic/a"


def test_a_source_with_few_of_the_same_ids_has_not_moved(store: Store) -> None:
    run(store, documents("a", "b", "c", "d"))
    run(store, documents("a", "b", shelf="attic"), under=["/attic"], sync=True)

    assert ids(store) == ["a", "b", "c", "d"]


def test_sync_keeps_what_a_file_that_cannot_be_read_whole_may_hold(
    store: Store,
) -> None:
    cards = ["/cards.jsonl"]
    lines = [
        Readable(moved(library.document(n, "Text."), f"cards:{line}"), cards[0], line)
        for line, n in enumerate("abc", start=1)
    ]
    run(store, lines, under=cards)
    bad = Unreadable(source="cards:2", why="no JSON", place=cards[0], line=2)
    broken: list[Found] = [lines[0], bad]
    tally = run(store, broken, under=cards, sync=True).tally

    assert ids(store) == ["a", "b", "c"]
    assert tally.notes == [
        "2 documents were not seen but are kept: cards could not be read whole"
    ]


def test_a_folder_that_cannot_be_listed_keeps_its_documents(store: Store) -> None:
    run(store, documents("a/b", "a/c", "ab"))
    found = [Unreadable(source="shelf/a", place="/shelf/a", why="permission denied")]
    run(store, found, sync=True)

    assert ids(store) == ["a/b", "a/c"]


def test_an_interrupt_in_a_batch_takes_the_batch_back(store: Store) -> None:
    def interrupted() -> Iterator[Found]:
        yield from documents("b")
        raise KeyboardInterrupt

    run(store, documents("a"))
    with pytest.raises(KeyboardInterrupt):
        Run(store, ONE, sync=False).take(interrupted())
    assert ids(store) == ["a"]
    assert run(store, documents("a", "b")).tally.counts == {
        Outcome.UNCHANGED: 1,
        Outcome.INDEXED: 1,
    }


def test_a_folder_that_cannot_be_listed_keeps_them_whatever_its_path(
    store: Store,
) -> None:
    run(store, documents("a/b", "ab"))
    broken: list[Found] = [
        Unreadable(source="shelf/a", why="denied", id="a", place="/shelf/a")
    ]
    run(store, broken, sync=True)

    assert ids(store) == ["a/b"]


def test_a_file_with_an_id_of_its_own_is_kept_while_it_cannot_be_read(
    store: Store,
) -> None:
    own = Readable(moved(library.document("own", "Text."), "shelf/a"), "/shelf/a")
    run(store, [own])
    broken: list[Found] = [
        Unreadable(source="shelf/a", why="broken", id="a", place="/shelf/a")
    ]

    assert run(store, broken, sync=True).tally.failed == [
        ("shelf/a", "broken; the version indexed before is kept")
    ]
    assert ids(store) == ["own"]


def test_the_places_of_what_was_removed_are_forgotten(store: Store) -> None:
    run(store, documents("a", "b"))
    run(store, documents("b"), sync=True)

    places = [bytes(row[0]) for row in store.db.execute("SELECT place FROM files")]
    assert places == [b"/shelf/b"]
