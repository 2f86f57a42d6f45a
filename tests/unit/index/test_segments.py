"""The files of the dense index are what was written, or they are not read."""

from pathlib import Path

import msgspec
import numpy as np
import pytest

from lastro.errors import KnowledgeBaseError
from lastro.index import segments
from lastro.index.compact import Segment, Tags, Vector, keyed, merged, without
from lastro.index.dense import Dense
from lastro.index.embedder import Identity
from lastro.index.segments import LAYOUT, Manifest, Tag

IDENTITY = Identity(name="bag", revision="1", dimension=8)
TAG = Tag("en", detected=False, collection="")


def made(folder: Path, documents: list[int], applied: int = 1) -> Manifest:
    """Write a passage a document, each with a vector of its own."""
    tags = Tags(())
    rows = [Vector(row, of, TAG) for row, of in enumerate(documents, start=1)]
    drawn = np.random.default_rng(7).normal(size=(len(rows), 8))
    drawn /= np.linalg.norm(drawn, axis=1, keepdims=True)
    segment = Segment(folder, 1)
    segment.add(*keyed(rows, drawn.astype(np.float32), tags))
    manifest = Manifest(
        layout=LAYOUT,
        store="s",
        applied=applied,
        through=len(rows),
        identity=IDENTITY,
        probe=(1.0,),
        tags=tags.all(),
        segments=(segment.seal(),),
    )
    segments.save(folder, manifest)
    return manifest


def test_a_manifest_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    manifest = made(tmp_path, [1, 1, 2])

    assert segments.load(tmp_path, 1) == manifest
    assert segments.manifests(tmp_path) == [1]
    assert manifest.live == 3


@pytest.mark.parametrize("ending", [".vec", ".key"])
def test_a_torn_segment_is_named(tmp_path: Path, ending: str) -> None:
    made(tmp_path, [1, 2, 3])
    path = tmp_path / f"000001{ending}"
    path.write_bytes(path.read_bytes()[:-3])

    with pytest.raises(KnowledgeBaseError, match=rf"000001{ending}: \d+ bytes of"):
        segments.load(tmp_path, 1)


@pytest.mark.parametrize("ending", [".vec", ".key"])
def test_a_flipped_bit_is_noticed(tmp_path: Path, ending: str) -> None:
    made(tmp_path, [1, 2, 3])
    path = tmp_path / f"000001{ending}"
    raw = bytearray(path.read_bytes())
    raw[5] ^= 4
    path.write_bytes(raw)

    with pytest.raises(KnowledgeBaseError, match="checksum"):
        segments.load(tmp_path, 1)


def test_a_manifest_that_is_cut_off_or_newer_is_refused(tmp_path: Path) -> None:
    made(tmp_path, [1])
    path = tmp_path / segments.name_of(1)
    whole = path.read_text("utf-8")

    path.write_text(whole[: len(whole) // 2], "utf-8")
    with pytest.raises(KnowledgeBaseError, match="cannot be read"):
        segments.load(tmp_path, 1)
    path.write_text(whole.replace('"layout":1', '"layout":9'), "utf-8")
    with pytest.raises(KnowledgeBaseError, match="checksum"):
        segments.load(tmp_path, 1)
    segments.save(tmp_path, msgspec.structs.replace(made(tmp_path, [1]), layout=99))
    with pytest.raises(KnowledgeBaseError, match="another version"):
        segments.load(tmp_path, 1)


def test_a_file_that_is_gone_is_not_found(tmp_path: Path) -> None:
    made(tmp_path, [1])
    (tmp_path / "000001.vec").unlink()

    with pytest.raises(FileNotFoundError):
        segments.load(tmp_path, 1)


def test_what_is_over_stands_beside_a_segment_that_does_not_change(
    tmp_path: Path,
) -> None:
    manifest = made(tmp_path, [1, 1, 2])
    before = (tmp_path / "000001.vec").read_bytes()

    (entry,) = without(tmp_path, manifest, {1, 9}, 2)

    assert (entry.count, entry.over) == (3, 2)
    assert (tmp_path / "000001.vec").read_bytes() == before
    assert segments.load(tmp_path, 1) == manifest


def test_a_segment_of_which_nothing_is_left_is_dropped(tmp_path: Path) -> None:
    assert without(tmp_path, made(tmp_path, [1, 2]), {1, 2}, 2) == ()


def test_merging_leaves_no_byte_of_what_is_over(tmp_path: Path) -> None:
    manifest = made(tmp_path, [1, 2, 3])
    vectors = np.fromfile(tmp_path / "000001.vec", np.int8).reshape(3, 8)
    gone = vectors[1].tobytes()
    kept = without(tmp_path, manifest, {2}, 2)
    left = msgspec.structs.replace(manifest, applied=2, segments=kept)

    whole = msgspec.structs.replace(left, segments=merged(tmp_path, left, 2))
    segments.save(tmp_path, whole)
    segments.sweep(tmp_path, [whole])

    files = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert gone not in files
    assert vectors[0].tobytes() in files
    assert Dense(tmp_path, whole).documents() == {1, 3}


def test_sweeping_keeps_what_a_manifest_needs(tmp_path: Path) -> None:
    manifest = made(tmp_path, [1])
    (tmp_path / "000009.vec.new").write_bytes(b"half")
    (tmp_path / segments.name_of(7)).write_bytes(b"{}")

    segments.sweep(tmp_path, [manifest])

    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "000000000001.json",
        "000001.key",
        "000001.vec",
    ]
