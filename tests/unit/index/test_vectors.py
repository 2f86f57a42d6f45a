"""What was embedded once is not embedded again, and what is forgotten is gone."""

import hashlib
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import powerless
import pytest
from bag import DIMENSION, Bag
from numpy.typing import NDArray

from lastro.errors import EmbedderError
from lastro.index.connection import StoreFailed
from lastro.index.folder import VECTORS
from lastro.index.vectors import VectorCache, fingerprint

BAG = Bag()
TEXTS = [f"Text number {n} says so." for n in range(40)]


def nothing(_done: int, _all: int) -> None:
    """Take no notice of progress."""


def filled(kb: Path, texts: Sequence[str] = TEXTS) -> VectorCache:
    cache = VectorCache(kb, BAG.identity)
    cache.embed_missing(texts, Bag(), nothing)
    return cache


def test_a_vector_comes_back_as_it_was_to_half_precision(tmp_path: Path) -> None:
    filled(tmp_path).close()
    with VectorCache(tmp_path, BAG.identity, reading=True) as cache:
        rows, known = cache.get(["none", *TEXTS, TEXTS[0], ""])

    assert known.tolist() == [False, *[True] * 41, False]
    assert np.allclose(rows[1:41], BAG.passages(TEXTS), atol=1e-3)
    assert np.array_equal(rows[41], rows[1])
    assert np.allclose(np.linalg.norm(rows[1:42], axis=1), 1.0)
    assert not rows[0].any()


def test_only_what_is_missing_is_embedded_and_each_text_once(tmp_path: Path) -> None:
    bag, seen = Bag(), list[tuple[int, int]]()
    with filled(tmp_path, TEXTS[:30]) as cache:
        assert cache.missing([*TEXTS, *TEXTS]) == TEXTS[30:]
        cache.embed_missing(
            [*TEXTS, *TEXTS], bag, lambda done, wanted: seen.append((done, wanted))
        )
        assert cache.missing(TEXTS) == []
        assert cache.get([])[0].shape == (0, DIMENSION)

    assert bag.seen == TEXTS[30:]
    assert seen[0] == (0, 10)
    assert seen[-1] == (10, 10)


@pytest.mark.parametrize("other", [Bag(revision="2"), Bag(passage_prefix="text: ")])
def test_another_embedder_shares_no_vector_i41(tmp_path: Path, other: Bag) -> None:
    """I41: the embedder was changed and its vectors were compared with the old."""
    filled(tmp_path).close()

    assert fingerprint(other.identity) != fingerprint(BAG.identity)
    with VectorCache(tmp_path, other.identity) as cache:
        assert cache.missing(TEXTS) == TEXTS


def test_an_interrupt_loses_one_batch(tmp_path: Path) -> None:
    class Stopped(Bag):
        def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
            if TEXTS[25] in texts:
                raise KeyboardInterrupt
            return super().passages(texts)

    cache = VectorCache(tmp_path, BAG.identity)
    ticks = iter(range(0, 2000, 2))
    with pytest.raises(KeyboardInterrupt):
        cache.embed_missing(TEXTS, Stopped(), nothing, clock=lambda: next(ticks))
    cache.close()

    with VectorCache(tmp_path, BAG.identity, reading=True) as again:
        assert again.missing(TEXTS) == TEXTS[24:]  # batches of four, two seconds each


def test_batches_take_about_two_seconds(tmp_path: Path) -> None:
    class Slow(Bag):
        now = 0.0

        def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
            Slow.now += 0.1 * len(texts)
            return super().passages(texts)

    done: list[int] = []
    with VectorCache(tmp_path, BAG.identity) as cache:
        many = [f"text {n}" for n in range(100)]
        cache.embed_missing(
            many, Slow(), lambda so_far, _: done.append(so_far), lambda: Slow.now
        )

    assert done == [0, 4, 20, 40, 60, 80, 100]


def test_what_an_embedder_did_before_it_failed_is_kept(tmp_path: Path) -> None:
    class Failing(Bag):
        def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
            if self.seen:
                raise EmbedderError("the endpoint gave no answer")
            return super().passages(texts)

    with VectorCache(tmp_path, BAG.identity) as cache:
        with pytest.raises(EmbedderError):
            cache.embed_missing(TEXTS, Failing(), nothing)
        assert len(cache.missing(TEXTS)) == 36


@pytest.mark.parametrize(("times", "kept"), [(1, True), (99, False)])
def test_what_a_disk_loses_on_the_way_is_made_again_or_said(
    tmp_path: Path, times: int, *, kept: bool
) -> None:
    class Losing(Bag):
        left = times

        def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
            if self.seen and Losing.left:
                Losing.left -= 1
                with sqlite3.connect(tmp_path / VECTORS) as db:
                    db.execute("DELETE FROM vectors")
                db.close()
            return super().passages(texts)

    with VectorCache(tmp_path, BAG.identity) as cache:
        if kept:
            cache.embed_missing(TEXTS, Losing(), nothing)
            assert cache.get(TEXTS)[1].all()
        else:
            with pytest.raises(StoreFailed, match="does not keep what is written"):
                cache.embed_missing(TEXTS, Losing(), nothing)


def test_what_is_forgotten_leaves_no_trace_in_the_file(tmp_path: Path) -> None:
    many = [f"Secret text number {n}." for n in range(3000)]
    keep = many[::100]
    with filled(tmp_path, many) as cache:
        with VectorCache(tmp_path, Bag(revision="2").identity) as other:
            other.put(["old"], BAG.passages(["old"]))
        gone = [text for text in many if text not in set(keep)]
        traces = [value for text in [*gone, "old"] for value in row(text)]
        assert cache.forget([*keep, "never there"]) == 2971
        assert cache.missing(many) == gone
        assert cache.forget(keep) == 0

    held = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert [trace for trace in traces if trace in held] == []
    assert sum(value in held for text in keep for value in row(text)) == 60


def row(text: str) -> tuple[bytes, bytes]:
    """Return what a file holds of a text: its key and its vector."""
    key = hashlib.blake2b(text.encode(), digest_size=16).digest()
    return key, BAG.passages([text])[0].astype("<f2").tobytes()


def damaged_by_noise(path: Path) -> None:
    path.write_bytes(b"not a database" * 1000)


def damaged_by_a_cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:5000])


def damaged_by_another_version(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.executescript("DROP TABLE vectors; PRAGMA user_version = 9")
    db.close()


def damaged_by_a_lost_table(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.executescript("DROP TABLE vectors")
    db.close()


def damaged_in_its_middle(path: Path) -> None:
    data = bytearray(path.read_bytes())
    for at in range(4096, len(data), 64):
        data[at] ^= 0xFF
    path.write_bytes(data)


@pytest.mark.parametrize(
    "damage",
    [
        damaged_by_noise,
        damaged_by_a_cut,
        damaged_by_another_version,
        damaged_by_a_lost_table,
        damaged_in_its_middle,
    ],
)
def test_a_damaged_cache_is_made_anew_and_is_no_error(
    tmp_path: Path,
    damage: Callable[[Path], None],
) -> None:
    filled(tmp_path, TEXTS * 20).close()
    damage(tmp_path / VECTORS)

    with VectorCache(tmp_path, BAG.identity, reading=True) as reader:
        assert not reader.get(TEXTS)[1].all()
    with VectorCache(tmp_path, BAG.identity) as cache:
        cache.forget(TEXTS)
        cache.embed_missing(TEXTS, Bag(), nothing)
        assert cache.missing(TEXTS) == []
        assert np.allclose(cache.get(TEXTS)[0], BAG.passages(TEXTS), atol=1e-3)


def test_a_flipped_bit_in_a_vector_is_noticed(tmp_path: Path) -> None:
    filled(tmp_path).close()
    path = tmp_path / VECTORS
    data = path.read_bytes()
    value = BAG.passages([TEXTS[7]])[0].astype("<f2").tobytes()
    assert data.count(value) == 1
    path.write_bytes(data.replace(value, bytes([value[0] ^ 1]) + value[1:]))

    with VectorCache(tmp_path, BAG.identity, reading=True) as cache:
        assert cache.missing(TEXTS) == [TEXTS[7]]


def test_a_reader_makes_no_file_and_writes_none(tmp_path: Path) -> None:
    with VectorCache(tmp_path, BAG.identity, reading=True) as cache:
        assert cache.missing(["a", "a"]) == ["a"]
        with pytest.raises(StoreFailed, match="not open for writing"):
            cache.put(["a"], BAG.passages(["a"]))

    assert list(tmp_path.iterdir()) == []


READ_ONLY = """
import sys
from pathlib import Path
from bag import Bag
from lastro.errors import KnowledgeBaseError
from lastro.index.vectors import VectorCache
kb = Path(sys.argv[1])
print(VectorCache(kb, Bag().identity, reading=True).missing(["a", "b"]))
try:
    VectorCache(kb, Bag().identity)
except KnowledgeBaseError as error:
    print(error)
"""


def test_a_folder_that_cannot_be_written_to_can_be_read(tmp_path: Path) -> None:
    kb = tmp_path / "kb"
    kb.mkdir()
    filled(kb, ["a"]).close()
    for path in (kb / VECTORS, kb):
        path.chmod(0o555)

    said = powerless.run(READ_ONLY, kb).splitlines()

    kb.chmod(0o755)
    assert said == ["['b']", f"{kb} cannot be written to: the folder is read-only"]
