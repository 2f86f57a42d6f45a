"""The lexical index: what is published is seen, with the change it belongs to."""

from pathlib import Path

import pytest
from tantivy import Query

from lastro.errors import KnowledgeBaseError
from lastro.index.entry import Entry
from lastro.index.lexical import Lexical, Marker, Snapshot, Writer, analyser
from lastro.index.query import build
from lastro.text.analyse import query_words

STORE = "0123456789abcdef"


def entry(row: int, body: str, **more: str) -> Entry:
    return Entry(
        row=row,
        document=row * 10,
        title=more.get("title", ""),
        headings=(),
        body=body,
        spoken=more.get("spoken", "en"),
        locale=more.get("locale", "en"),
        collection=more.get("collection", ""),
    )


def written(folder: Path, *entries: Entry, applied: int = 1) -> Lexical:
    writer = Writer(folder, STORE)
    writer.add(entries)
    writer.publish(0, applied)
    writer.close()
    return Lexical(folder)


def found(snapshot: Snapshot, query: str) -> list[int]:
    words = build(query_words(query, ["en"]))
    return [hit.row for hit in snapshot.top(words, 10)]


def test_a_snapshot_knows_its_change_its_store_and_its_analyser(tmp_path: Path) -> None:
    snapshot = written(tmp_path, entry(1, "alpha"), applied=7).snapshot()

    assert snapshot.marker == Marker(7, STORE, analyser())
    assert snapshot.passages == 1


def test_a_snapshot_stays_as_it_is_when_more_is_published(tmp_path: Path) -> None:
    index = written(tmp_path, entry(1, "alpha"), applied=1)
    before = index.snapshot()
    writer = Writer(tmp_path, STORE)
    writer.drop(10)
    writer.add([entry(2, "beta")])
    assert index.snapshot().marker.applied == 1
    writer.publish(1, 2)
    writer.close()
    after = index.snapshot()

    assert (found(before, "alpha"), found(before, "beta")) == ([1], [])
    assert (found(after, "alpha"), found(after, "beta")) == ([], [2])
    assert (after.marker.applied, after.passages) == (2, 1)


def test_what_was_not_published_is_forgotten(tmp_path: Path) -> None:
    index = written(tmp_path, entry(1, "alpha"))
    writer = Writer(tmp_path, STORE)
    writer.drop(10)
    writer.add([entry(2, "beta")])
    writer.close()

    assert found(index.snapshot(), "alpha beta") == [1]


def test_all_that_tie_with_the_last_are_returned(tmp_path: Path) -> None:
    many = [entry(row, "alpha beta") for row in range(1, 120)]
    snapshot = written(tmp_path, *many, entry(200, "alpha")).snapshot()
    query = build(query_words("alpha", ["en"]))

    assert [hit.row for hit in snapshot.top(query, 1)] == [200]
    assert sorted(hit.row for hit in snapshot.top(query, 2)) == [*range(1, 120), 200]
    assert len({hit.score for hit in snapshot.top(query, 2)}) == 2


def test_the_languages_are_those_of_the_stemmers_used(tmp_path: Path) -> None:
    snapshot = written(
        tmp_path,
        entry(1, "a", spoken="pt-BR"),
        entry(2, "b", spoken="en"),
        entry(3, "c", spoken="fr"),
    ).snapshot()

    assert snapshot.languages == ("en", "pt", "")


def test_counts_are_of_live_passages_where_they_matter(tmp_path: Path) -> None:
    index = written(tmp_path, entry(1, "alpha beta"), entry(2, "alpha", title="beta"))
    assert index.snapshot().df("body", "alpha") == 2
    assert index.snapshot().df("head", "beta") == 1
    assert index.snapshot().df_all("body", ("alpha", "beta")) == 1
    writer = Writer(tmp_path, STORE)
    writer.drop(10)
    writer.publish(1, 2)
    writer.close()

    assert index.snapshot().df("body", "beta") == 1
    assert index.snapshot(stale=True).df("body", "beta") == 0
    assert index.snapshot(stale=True).df("body", "alpha") == 1


def test_average_lengths_count_terms(tmp_path: Path) -> None:
    snapshot = written(
        tmp_path, entry(1, "alpha beta gamma"), entry(2, "alpha", title="one two")
    ).snapshot()

    assert snapshot.rows == 3
    assert snapshot.average("body") == 4 / 3
    assert snapshot.average("head") == 2 / 3


def test_an_empty_index_has_an_answer_to_everything(tmp_path: Path) -> None:
    snapshot = written(tmp_path).snapshot()

    assert (snapshot.passages, snapshot.languages) == (0, ())
    assert found(snapshot, "alpha") == []
    assert snapshot.average("body") == 0
    assert snapshot.df("body", "alpha") == 0


def test_what_cannot_be_opened_is_an_error_of_ours(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeBaseError, match="lexical index"):
        Lexical(tmp_path)


def test_the_values_of_a_field_can_be_listed_and_counted(tmp_path: Path) -> None:
    snapshot = written(
        tmp_path, entry(1, "a", locale="pt-BR"), entry(2, "b", locale="en")
    ).snapshot()

    assert snapshot.values("locale") == ["en", "pt", "pt-br"]
    assert snapshot.count(Query.all_query()) == 3


def test_the_terms_of_a_passage_are_there_as_they_were_made(tmp_path: Path) -> None:
    index = written(
        tmp_path, entry(1, "Running — R&D!", title="Two words"), entry(2, "gone")
    )
    writer = Writer(tmp_path, STORE)
    writer.drop(20)
    writer.publish(1, 2)
    writer.close()

    assert index.snapshot().terms([1, 2, 3]) == {1: ("run  r&d", "two word")}
    assert index.snapshot().terms([]) == {}
