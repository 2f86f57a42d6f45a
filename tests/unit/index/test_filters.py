"""What a filter takes, and what is said of one that takes nothing."""

from pathlib import Path

import pytest

from lastro.index.entry import Entry
from lastro.index.filters import absent, restricted
from lastro.index.lexical import Lexical, Snapshot, Writer
from lastro.index.query import build
from lastro.text.analyse import query_words

LOCALES = {
    "bare": ("pt", False),
    "found": ("pt", True),
    "br": ("pt-BR", False),
    "es": ("es", True),
    "none": ("", False),
    "pt": ("pt-PT", False),
}
ALPHA = build(query_words("alpha", ["en"]))


def entry(row: int, locale: str, collection: str = "", *, detected: bool) -> Entry:
    return Entry(
        row=row,
        document=row,
        title="",
        headings=(),
        body="alpha",
        spoken="en",
        locale=locale,
        collection=collection,
        detected=detected,
    )


def written(folder: Path, *entries: Entry) -> Snapshot:
    writer = Writer(folder, "0" * 16)
    writer.add(entries)
    writer.publish(0, 1)
    writer.close()
    return Lexical(folder).snapshot()


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    entries = (
        entry(row, locale, f"c{row}", detected=detected)
        for row, (locale, detected) in enumerate(LOCALES.values())
    )
    return written(tmp_path_factory.mktemp("index"), *entries)


def taken(snapshot: Snapshot, locale: str = "", collection: str = "") -> list[str]:
    names = list(LOCALES)
    hits = snapshot.top(restricted(ALPHA, locale, collection), 10)
    return sorted(names[hit.row] for hit in hits)


@pytest.mark.parametrize(
    ("locale", "names"),
    [
        ("", sorted(LOCALES)),
        ("pt", ["bare", "br", "found", "pt"]),
        ("pt-*", ["bare", "br", "found", "pt"]),
        ("pt-BR", ["br", "found"]),
        ("PT_br", ["br", "found"]),
        ("pt-PT", ["found", "pt"]),
        ("es-419", ["es"]),
        ("es", ["es"]),
        ("pt-B", ["found"]),
        ("p", []),
    ],
)
def test_a_language_takes_its_regions_and_a_region_what_was_detected(
    snapshot: Snapshot, locale: str, names: list[str]
) -> None:
    assert taken(snapshot, locale) == names


def test_a_filter_does_not_change_the_scores(snapshot: Snapshot) -> None:
    (free, *_) = snapshot.top(ALPHA, 1)
    (narrow,) = snapshot.top(restricted(ALPHA, "pt-BR", "c2"), 1)

    assert (narrow.row, narrow.score) == (2, free.score)
    assert snapshot.top(restricted(ALPHA, "", "C2"), 1) == []


def test_what_no_document_is_in_is_said_with_what_there_is(snapshot: Snapshot) -> None:
    assert absent(snapshot, "pt-BR", "c2") == ()
    assert absent(snapshot, "", "") == ()
    assert absent(snapshot, "fr", "") == (
        "no document is in 'fr'; there are: es, pt, pt-BR, pt-PT",
    )
    assert absent(snapshot, "", "C2") == (
        "no document is in the collection 'C2'; there are: c0, c1, c2, c3, c4, c5",
    )
    assert absent(snapshot, "pt-BR", "c3") == (
        "no document of the collection 'c3' is in 'pt-BR'",
    )


def test_a_long_list_is_cut_and_an_empty_one_says_so(tmp_path: Path) -> None:
    many = written(
        tmp_path, *(entry(n, "pt-BR", f"c{n:02}", detected=False) for n in range(20))
    )
    bare = written(tmp_path / "bare", entry(1, "", detected=False))

    assert absent(many, "", "x")[0].endswith("c05, c06, c07 …")
    assert absent(many, "fr", "") == ("no document is in 'fr'; there are: pt-BR",)
    assert absent(bare, "fr", "x") == (
        "no document is in 'fr'; there are: none",
        "no document is in the collection 'x'; there are: none",
    )


def test_what_was_deleted_is_not_offered(tmp_path: Path) -> None:
    written(tmp_path, entry(1, "ko", detected=False), entry(2, "en", detected=False))
    writer = Writer(tmp_path, "0" * 16)
    writer.drop(1)
    writer.publish(1, 2)
    writer.close()
    snapshot = Lexical(tmp_path).snapshot(stale=True)

    assert absent(snapshot, "ko", "") == ("no document is in 'ko'; there are: en",)
