"""The scan finds the nearest, and never what is over or filtered out."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from lastro.index.compact import Segment, Tags, Vector, keyed, without
from lastro.index.dense import Dense, quantised
from lastro.index.embedder import Identity
from lastro.index.filters import taken
from lastro.index.segments import LAYOUT, Manifest, Tag

Matrix = NDArray[np.float32]
TAGS = [
    Tag("en", detected=False, collection=""),
    Tag("pt-BR", detected=False, collection="help"),
    Tag("pt", detected=True, collection=""),
]


def units(count: int, dimension: int, seed: int) -> Matrix:
    drawn = np.random.default_rng(seed).normal(size=(count, dimension))
    drawn /= np.linalg.norm(drawn, axis=1, keepdims=True)
    return drawn.astype(np.float32)


def opened(folder: Path, *parts: Matrix, dead: set[int] = frozenset()) -> Dense:  # type: ignore[assignment]
    """Write a segment a part; row and document of a vector is its number from 1."""
    tags, entries, row = Tags(()), [], 0
    for number, part in enumerate(parts, start=1):
        segment = Segment(folder, number)
        rows = range(row + 1, row + 1 + len(part))
        found = [Vector(at, at, TAGS[at % len(TAGS)]) for at in rows]
        segment.add(*keyed(found, part, tags))
        entries.append(segment.seal())
        row += len(part)
    manifest = Manifest(
        layout=LAYOUT,
        store="s",
        applied=1,
        through=row,
        identity=Identity(name="n", revision="1", dimension=parts[0].shape[1]),
        probe=(1.0,),
        tags=tags.all(),
        segments=tuple(entries),
    )
    kept = without(folder, manifest, dead, 1)
    fields = {name: getattr(manifest, name) for name in manifest.__struct_fields__}
    return Dense(folder, Manifest(**{**fields, "segments": kept}))


def test_it_finds_what_a_whole_comparison_finds(tmp_path: Path) -> None:
    vectors, query = units(3000, 32, 1), units(1, 32, 2)[0]
    dense = opened(tmp_path, vectors[:1000], vectors[1000:1100], vectors[1100:])

    found = dense.top(query, 20, None)

    exact = np.argsort(-(vectors @ query))[:20] + 1
    assert len({one.row for one in found} & set(exact.tolist())) >= 19
    for one in found:
        assert one.score == pytest.approx(vectors[one.row - 1] @ query, abs=0.01)
    assert [one.score for one in found] == sorted(
        (f.score for f in found), reverse=True
    )


def test_what_is_over_is_never_found(tmp_path: Path) -> None:
    vectors = units(50, 16, 3)
    dense = opened(tmp_path, vectors[:25], vectors[25:], dead={4, 30})

    rows = {one.row for one in dense.top(vectors[3], 50, None)}

    assert not rows & {4, 30}
    assert dense.cosines(vectors[3], [3, 4, 30]).keys() == {3}
    assert 4 not in dense.documents()


@pytest.mark.parametrize(
    ("locale", "collection", "wanted"),
    [
        ("en", "", {0}),
        ("pt", "", {1, 2}),
        ("pt-BR", "", {1, 2}),
        ("pt-PT", "", {2}),
        ("", "help", {1}),
        ("en", "help", set()),
    ],
)
def test_filters_choose_before_the_ranking(
    tmp_path: Path, locale: str, collection: str, wanted: set[int]
) -> None:
    vectors = np.abs(units(30, 16, 4))
    dense = opened(tmp_path, vectors)

    found = dense.top(vectors[0], 30, taken(locale, collection))

    assert {one.row % len(TAGS) for one in found} == wanted


def test_all_that_tie_with_the_last_are_returned_in_order(tmp_path: Path) -> None:
    same = np.repeat(units(1, 16, 5), 12, axis=0)
    dense = opened(tmp_path, same[:5], same[5:])

    assert [one.row for one in dense.top(same[0], 3, None)] == [*range(1, 13)]


def test_a_vector_of_zeros_and_one_turned_away_are_no_finding(tmp_path: Path) -> None:
    query = units(1, 16, 6)
    rows = np.concatenate([query, np.zeros((1, 16), np.float32), -query])

    assert [one.row for one in opened(tmp_path, rows).top(query[0], 5, None)] == [1]


def test_a_cosine_is_the_score_of_the_scan(tmp_path: Path) -> None:
    vectors = units(40, 16, 7)
    dense = opened(tmp_path, vectors)
    found = dense.top(vectors[0], 10, None)

    cosines = dense.cosines(vectors[0], [one.row for one in found] + [999])

    assert cosines == {one.row: one.score for one in found}


def test_an_index_without_a_vector_finds_nothing(tmp_path: Path) -> None:
    dense = opened(tmp_path, units(2, 16, 8), dead={1, 2})

    assert dense.top(units(1, 16, 9)[0], 3, None) == []


@settings(deadline=None, max_examples=50)
@given(st.integers(1, 30), st.integers(2, 64), st.integers(0, 2**32 - 1))
def test_whole_numbers_turn_a_vector_by_less_than_a_hundredth(
    count: int, dimension: int, seed: int
) -> None:
    vectors = units(count, dimension, seed)

    rows, scale = quantised(vectors)

    near = rows * scale[:, None]
    assert np.abs(near - vectors).max() <= scale.max() / 2 + 1e-6
    assert ((near * vectors).sum(axis=1) / np.linalg.norm(near, axis=1) > 0.99).all()
