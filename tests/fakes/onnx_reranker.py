"""A real cross-encoder in ONNX, small enough to make in a test.

It scores a pair by how many words query and passage share, each place of a word
counted; a word that is not in its vocabulary is shared with none.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper, save
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

LONGEST = 64
_PAD, _UNKNOWN = "[PAD]", "[UNK]"


def make(
    folder: Path,
    words: Sequence[str],
    *,
    file: str = "onnx/model.onnx",
    blank: bool = False,
) -> Path:
    """Write model and tokenizer into ``folder``; ``blank``: its scores are none."""
    return save_in(folder, file, words, _model(divisor=0.0 if blank else 1.0))


def save_in(folder: Path, file: str, words: Sequence[str], model: ModelProto) -> Path:
    """Write a model of pairs and its tokenizer into ``folder``."""
    path = folder / file
    path.parent.mkdir(parents=True, exist_ok=True)
    _tokenizer(words).save(str(folder / "tokenizer.json"))
    config = {"model_max_length": LONGEST, "pad_token": _PAD}
    (folder / "tokenizer_config.json").write_text(json.dumps(config), "utf-8")
    save(model, str(path))
    return folder


def _tokenizer(words: Sequence[str]) -> Tokenizer:
    vocabulary = {word: at for at, word in enumerate((_PAD, _UNKNOWN, *words))}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token=_UNKNOWN))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="$A", pair="$A:0 $B:1", special_tokens=[]
    )
    return tokenizer


def _model(divisor: float) -> ModelProto:
    """Return the graph: equal ids at a place of the query and one of the passage."""
    constants: dict[str, np.ndarray] = {
        "last": np.array([2], np.int64),
        "middle": np.array([1], np.int64),
        "both": np.array([1, 2], np.int64),
        "unknown": np.array(1, np.int64),
        "passage": np.array(1, np.int64),
        "divisor": np.array(divisor, np.float32),
    }
    steps = [
        ("Greater", ["input_ids", "unknown"], "says"),
        ("Equal", ["token_type_ids", "passage"], "there"),
        ("Not", ["there"], "here"),
        ("And", ["says", "there"], "read"),
        ("And", ["says", "here"], "asked"),
        ("Unsqueeze", ["input_ids", "last"], "down"),
        ("Unsqueeze", ["input_ids", "middle"], "across"),
        ("Equal", ["down", "across"], "same"),
        ("Unsqueeze", ["asked", "last"], "asked_down"),
        ("Unsqueeze", ["read", "middle"], "read_across"),
        ("And", ["same", "asked_down"], "half"),
        ("And", ["half", "read_across"], "shared"),
    ]
    nodes = [
        helper.make_node("Cast", ["shared"], ["ones"], to=TensorProto.FLOAT),
        helper.make_node("ReduceSum", ["ones", "both"], ["sum"], keepdims=0),
        helper.make_node("Unsqueeze", ["sum", "middle"], ["column"]),
        helper.make_node("Div", ["column", "divisor"], ["logits"]),
    ]
    return of_pairs(steps, nodes, constants, 1)


def of_pairs(
    steps: Sequence[tuple[str, list[str], str]],
    last: Sequence[NodeProto],
    constants: Mapping[str, np.ndarray],
    outputs: int,
) -> ModelProto:
    """Return a graph over pairs; ``steps`` are nodes as kind, inputs and output."""
    nodes = [helper.make_node(kind, given, [out]) for kind, given, out in steps]
    pairs = ["pairs", "places"]
    logits: list[str | int] = ["pairs", outputs]
    graph = helper.make_graph(
        [*nodes, *last],
        "pairs",
        [
            helper.make_tensor_value_info(name, TensorProto.INT64, pairs)
            for name in ("input_ids", "token_type_ids")
        ],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, logits)],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    return helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8
    )
