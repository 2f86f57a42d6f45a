"""A real model of inference in ONNX, small enough to make in a test.

A claim is entailed if each of its words stands in the evidence; if one of the two
says ``not`` and the other does not, it is contradicted.  A word that is not in its
vocabulary stands nowhere.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from onnx import ModelProto, NodeProto, TensorProto, helper
from onnx_reranker import LONGEST, of_pairs, save_in

__all__ = ["LABELS", "LONGEST", "WORDS", "make"]

LABELS = ("entailment", "neutral", "contradiction")
WORDS = (*"the fee is 30 euros 62 it ends in May and .".lower().split(), "not")
_NOT = 2 + WORDS.index("not")  # two marks stand before the words


def make(
    folder: Path,
    *,
    file: str = "onnx/model.onnx",
    labels: Sequence[str] = LABELS,
    divisor: float = 1.0,
    config: Mapping[str, object] | None = None,
) -> Path:
    """Write model, tokenizer and config into ``folder``; divisor 0: no numbers."""
    told = {"id2label": {str(at): label for at, label in enumerate(labels)}}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps({**told, **(config or {})}), "utf-8")
    return save_in(folder, file, WORDS, _model(divisor))


def _model(divisor: float) -> ModelProto:
    """Return scores (entailed, 0, contradicted) / divisor.

    Entailed: 1 - 2 for each word of the claim that the evidence lacks; contradicted:
    4 if one side alone says not, - 2.
    """
    constants: dict[str, np.ndarray] = {
        "last": np.array([2], np.int64),
        "middle": np.array([1], np.int64),
        "unknown": np.array(1, np.int64),
        "second": np.array(1, np.int64),
        "not": np.array(_NOT, np.int64),
        "one": np.array(1.0, np.float32),
        "two": np.array(2.0, np.float32),
        "four": np.array(4.0, np.float32),
        "divisor": np.array(divisor, np.float32),
    }
    steps = [
        ("Greater", ["input_ids", "unknown"], "says"),
        ("Equal", ["token_type_ids", "second"], "claimed"),
        ("Not", ["claimed"], "given"),
        ("And", ["says", "given"], "read"),
        ("Unsqueeze", ["input_ids", "last"], "down"),
        ("Unsqueeze", ["input_ids", "middle"], "across"),
        ("Equal", ["down", "across"], "same"),
        ("Unsqueeze", ["read", "middle"], "read_across"),
        ("And", ["same", "read_across"], "found"),
        ("Equal", ["input_ids", "not"], "nots"),
        ("And", ["nots", "claimed"], "nots_claimed"),
        ("And", ["nots", "given"], "nots_given"),
    ]
    rest = [
        *_any("found", "held", axes="last"),
        helper.make_node("Not", ["held"], ["lacking"]),
        helper.make_node("And", ["lacking", "claimed"], ["missing"]),
        helper.make_node("Cast", ["missing"], ["ones"], to=TensorProto.FLOAT),
        helper.make_node("ReduceSum", ["ones", "middle"], ["count"], keepdims=1),
        helper.make_node("Mul", ["count", "two"], ["twice"]),
        helper.make_node("Sub", ["one", "twice"], ["entailed"]),
        helper.make_node("Sub", ["twice", "twice"], ["neutral"]),
        *_any("nots_claimed", "says_no", axes="middle", keepdims=1),
        *_any("nots_given", "hears_no", axes="middle", keepdims=1),
        helper.make_node("Xor", ["says_no", "hears_no"], ["against"]),
        helper.make_node("Cast", ["against"], ["against_one"], to=TensorProto.FLOAT),
        helper.make_node("Mul", ["against_one", "four"], ["against_four"]),
        helper.make_node("Sub", ["against_four", "two"], ["contradicted"]),
        helper.make_node(
            "Concat", ["entailed", "neutral", "contradicted"], ["all"], axis=1
        ),
        helper.make_node("Div", ["all", "divisor"], ["logits"]),
    ]
    return of_pairs(steps, rest, constants, len(LABELS))


def _any(given: str, out: str, *, axes: str, keepdims: int = 0) -> list[NodeProto]:
    """Return nodes that say whether anything is true along an axis."""
    return [
        helper.make_node("Cast", [given], [f"{out}_ones"], to=TensorProto.FLOAT),
        helper.make_node(
            "ReduceSum", [f"{out}_ones", axes], [f"{out}_sum"], keepdims=keepdims
        ),
        helper.make_node("Cast", [f"{out}_sum"], [out], to=TensorProto.BOOL),
    ]
