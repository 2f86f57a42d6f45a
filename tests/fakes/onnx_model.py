"""A real model of embeddings in ONNX, small enough to make in a test.

A token's vector is a row of a fixed table; a word that is not in the vocabulary is
the unknown one.  It reads 32 tokens, its two marks of begin and end included.
"""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from onnx import ModelProto, TensorProto, helper, numpy_helper, save
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

DIMENSION = 8
LONGEST = 32
_MARKS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")


def make(
    folder: Path,
    words: Sequence[str],
    *,
    file: str = "onnx/model.onnx",
    seed: int = 0,
    pools: bool = False,
) -> Path:
    """Write model and tokenizer into ``folder``; ``pools``: it gives one row a text."""
    path = folder / file
    path.parent.mkdir(parents=True, exist_ok=True)
    _tokenizer(words).save(str(folder / "tokenizer.json"))
    config = {"model_max_length": LONGEST, "pad_token": _MARKS[0]}
    (folder / "tokenizer_config.json").write_text(json.dumps(config), "utf-8")
    save(_model(len(_MARKS) + len(words), seed, pools=pools), str(path))
    return folder


def _tokenizer(words: Sequence[str]) -> Tokenizer:
    vocabulary = {word: at for at, word in enumerate((*_MARKS, *words))}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token=_MARKS[1]))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    return tokenizer


def _model(rows: int, seed: int, *, pools: bool) -> ModelProto:
    table = np.random.default_rng(seed).standard_normal((rows, DIMENSION))
    table[:4] *= 0.01  # marks say next to nothing
    steps = [helper.make_node("Gather", ["table", "input_ids"], ["tokens"])]
    shape: list[str | int] = ["texts", "length", DIMENSION]
    if pools:
        axes = numpy_helper.from_array(np.array([1], np.int64), "axes")
        mean = helper.make_node("ReduceMean", ["tokens", "axes"], ["row"], keepdims=0)
        steps.append(mean)
        shape = ["texts", DIMENSION]
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["texts", "length"])
        for name in ("input_ids", "attention_mask")
    ]
    given = numpy_helper.from_array(table.astype(np.float32), "table")
    graph = helper.make_graph(
        steps,
        "embedder",
        inputs,
        [
            helper.make_tensor_value_info(
                "row" if pools else "tokens", TensorProto.FLOAT, shape
            )
        ],
        [given, axes] if pools else [given],
    )
    return helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8
    )
