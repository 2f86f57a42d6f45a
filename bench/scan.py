"""How the nearest of many vectors are best found: scans and a graph, side by side.

    .venv/bin/python bench/scan.py --rows 100000
    .venv/bin/python bench/scan.py --rows 1000000 --graph

Vectors are drawn by seed around a few thousand centres, so that neighbours exist
as they do in text; 256 dimensions, length one.  Prints CPU milliseconds a query
(median, of all threads), how many of the true first ten are among the first ten found,
and what it costs to build and to hold.  faiss is measured where it is installed.
Writes ``bench/results/scan-ROWS.json``.
"""

import argparse
import json
import platform
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lastro.index.compact import Segment, Tags, Vector, keyed
from lastro.index.dense import Dense, quantised
from lastro.index.embedder import Identity
from lastro.index.segments import LAYOUT, Manifest, Tag

HERE = Path(__file__).parent
DIMENSION = 256
QUERIES = 50
TEN = 10
TAG = Tag("en", detected=False, collection="")

Matrix = NDArray[np.float32]
Search = Callable[[Matrix], list[int]]


def main() -> int:
    """Measure, print, store."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--graph", action="store_true", help="build HNSW as well")
    parser.add_argument("--results", type=Path, default=HERE / "results")
    args = parser.parse_args()
    vectors, queries = drawn(args.rows, args.seed)
    exact = [np.argsort(-(vectors @ query))[:TEN].tolist() for query in queries]
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        for name, build_s, search in ways(vectors, Path(folder), graph=args.graph):
            found, ms = [], []
            for query in queries:
                began = time.process_time()
                found.append(search(query))
                ms.append((time.process_time() - began) * 1000)
            held = sum(len({*a} & {*b}) for a, b in zip(found, exact, strict=True))
            line = {
                "way": name,
                "cpu_ms": round(float(np.median(ms)), 3),
                "recall_at_10": held / (TEN * len(queries)),
                "build_cpu_s": round(build_s, 2),
            }
            lines.append(line)
            print(json.dumps(line), flush=True)
    report = {
        "rows": args.rows,
        "dimension": DIMENSION,
        "queries": QUERIES,
        "seed": args.seed,
        "python": platform.python_version(),
        "versions": dict(versions()),
        "lines": lines,
    }
    args.results.mkdir(exist_ok=True)
    written = json.dumps(report, indent=1) + "\n"
    (args.results / f"scan-{args.rows}.json").write_text(written, encoding="utf-8")
    return 0


def drawn(rows: int, seed: int) -> tuple[Matrix, Matrix]:
    """Return vectors around centres, and queries beside some of them."""
    rng = np.random.default_rng(seed)
    centres = rng.standard_normal((2000, DIMENSION), dtype=np.float32)
    vectors = centres[rng.integers(0, len(centres), rows)]
    vectors += rng.standard_normal((rows, DIMENSION), dtype=np.float32) * 0.8
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    queries = vectors[rng.integers(0, rows, QUERIES)]
    queries = queries + rng.standard_normal(queries.shape, dtype=np.float32) * 0.04
    return vectors, queries / np.linalg.norm(queries, axis=1, keepdims=True)


def ways(
    vectors: Matrix, folder: Path, *, graph: bool
) -> Iterator[tuple[str, float, Search]]:
    """Yield each way by name, what building it took, and its search."""
    began = time.process_time()
    dense = opened(vectors, folder)
    built = time.process_time() - began
    yield (
        "lastro (int8, simsimd)",
        built,
        lambda q: [one.row - 1 for one in dense.top(q, TEN, None)[:TEN]],
    )
    rows, scale = quantised(vectors)
    yield "numpy (int8 in blocks)", 0.0, lambda q: blocks(rows, scale, q)
    if find_spec("faiss") is None:
        print("faiss is not installed: not measured")
        return
    import faiss  # noqa: PLC0415  (a peer that may be missing)

    faiss.omp_set_num_threads(1)
    began = time.process_time()
    flat = faiss.IndexScalarQuantizer(
        DIMENSION, faiss.ScalarQuantizer.QT_8bit, faiss.METRIC_INNER_PRODUCT
    )
    flat.train(vectors[:20_000])
    flat.add(vectors)
    built = time.process_time() - began
    yield "faiss SQ8 flat", built, lambda q: flat.search(q[None], TEN)[1][0].tolist()
    if graph:
        began = time.process_time()
        index = faiss.index_factory(DIMENSION, "HNSW32,SQ8", faiss.METRIC_INNER_PRODUCT)
        index.train(vectors[:20_000])
        index.add(vectors)
        built = time.process_time() - began
        faiss.ParameterSpace().set_index_parameter(index, "efSearch", 64)
        yield (
            "faiss HNSW32 SQ8, efSearch 64",
            built,
            lambda q: index.search(q[None], TEN)[1][0].tolist(),
        )


def opened(vectors: Matrix, folder: Path) -> Dense:
    """Write the vectors as a segment of the dense index and open it."""
    tags, segment = Tags(()), Segment(folder, 1)
    for at in range(0, len(vectors), 65_536):
        some = vectors[at : at + 65_536]
        found = [Vector(row, row, TAG) for row in range(at + 1, at + 1 + len(some))]
        segment.add(*keyed(found, some, tags))
    manifest = Manifest(
        layout=LAYOUT,
        store="bench",
        applied=1,
        through=len(vectors),
        identity=Identity(name="bench", revision="1", dimension=DIMENSION),
        probe=(1.0,),
        tags=tags.all(),
        segments=(segment.seal(),),
    )
    return Dense(folder, manifest)


def blocks(rows: NDArray[np.int8], scale: Matrix, query: Matrix) -> list[int]:
    """Return the first ten, by floats made of a few thousand rows at a time."""
    scores = np.empty(len(rows), np.float32)
    for at in range(0, len(rows), 4096):
        scores[at : at + 4096] = rows[at : at + 4096].astype(np.float32) @ query
    scores *= scale
    best = np.argpartition(scores, -TEN)[-TEN:]
    found: list[int] = best[np.argsort(-scores[best])].tolist()
    return found


def versions() -> Iterator[tuple[str, str]]:
    """Yield the versions of what was measured."""
    for name in ("lastro", "numpy", "simsimd", "faiss-cpu"):
        try:
            yield name, version(name)
        except PackageNotFoundError:
            continue


if __name__ == "__main__":
    sys.exit(main())
