"""A model of natural language inference in ONNX as a judge, read from a folder.

No network is asked.  Pairs are run one by one: in a batch a pair's numbers depend
on the others, and then a text without anything on the claim could change a ruling.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

from lastro.errors import UsageError
from lastro.eval.judges.windows import windows
from lastro.eval.scorers.judge import Judgement, Ruling, best
from lastro.index.onnx_files import TOKENIZER, NotThere, located, revision, title

_CONFIG = "config.json"
_TOKENIZER_CONFIG = "tokenizer_config.json"
_RULINGS = {
    "entailment": Ruling.SUPPORTED,
    "contradiction": Ruling.CONTRADICTED,
}
_FOLDER = (
    "A folder of such a model holds config.json with id2label, tokenizer.json and "
    "model.onnx or onnx/model.onnx; one label is entailment."
)
_USUAL = 512  # tokens, where a folder does not say how many its model reads
_ENDLESS = 1_000_000  # what a tokenizer says where nobody told it


class Nli:
    """The evidence is the premise, the claim the hypothesis.

    A claim is supported where entailment has the highest score, and alone.

    Args:
        path: a folder, or an ``.onnx`` file in one.

    Raises:
        UsageError: there is no such folder, its model has no label of
            entailment, or it cannot be run.
    """

    def __init__(self, path: str) -> None:
        try:
            folder, file = located(path, (_CONFIG, TOKENIZER))
        except NotThere as error:
            raise UsageError(f"judge nli: {error}", hint=_FOLDER) from None
        told = revision(folder, file, (_CONFIG, TOKENIZER, _TOKENIZER_CONFIG))
        self.name = f"nli:{title(folder)}@{told}"
        config = _read(folder / _CONFIG)
        self._rulings = _labels(config, path)
        self._window = _longest(config, _read(folder / _TOKENIZER_CONFIG))
        try:
            self._tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
            self._tokenizer.no_truncation()
            self._tokenizer.no_padding()
            self._session = _session(folder / file)
            # The first pair shows what cannot be run, before any case is.
            tried = self._logits("a", "a")
        except Exception as error:
            what = f"the judge nli:{path} cannot be run: {type(error).__name__}"
            raise UsageError(what, hint=_FOLDER) from error
        if tried.shape != (1, len(self._rulings)):
            what = f"the judge nli:{path} gives {tried.shape[-1]} scores for a pair"
            raise UsageError(f"{what}, not one a label", hint=_FOLDER)

    def judge(self, claim: str, evidence: Sequence[str]) -> Judgement:
        """Rule on one claim, text by text; a long text is read in windows."""
        if 2 * self._tokens("", claim) > self._window:
            what = f"the claim and evidence do not fit into {self._window} tokens"
            return Judgement(Ruling.UNAVAILABLE, what)
        return best(
            self._read(claim, part)
            for text in evidence
            for part in windows(
                text, lambda part: self._tokens(part, claim) <= self._window
            )
        )

    def _read(self, claim: str, text: str) -> Judgement:
        scores = self._logits(text, claim)[0]
        if not np.isfinite(scores).all():
            what = "the model gave a score that is no number"
            return Judgement(Ruling.UNAVAILABLE, what)
        top = np.flatnonzero(scores == scores.max())
        if len(top) > 1:  # as likely as something else is not what the text says
            return Judgement(Ruling.UNSUPPORTED)
        return Judgement(self._rulings[top[0]])

    def _logits(self, text: str, claim: str) -> np.ndarray:
        pair = self._encoded(text, claim)
        given = {
            "input_ids": pair.ids,
            "attention_mask": pair.attention_mask,
            "token_type_ids": pair.type_ids,
        }
        wanted = [each.name for each in self._session.get_inputs()]
        feed = {name: np.array([given[name]], np.int64) for name in wanted}
        return np.asarray(self._session.run(None, feed)[0])

    def _tokens(self, text: str, claim: str) -> int:
        return len(self._encoded(text, claim).ids)

    def _encoded(self, text: str, claim: str) -> Any:  # noqa: ANN401 - untyped library
        return self._tokenizer.encode(_whole(text), _whole(claim))


def _session(file: Path) -> Any:  # noqa: ANN401 - the library has no types
    options = onnxruntime.SessionOptions()
    options.use_deterministic_compute = True
    options.log_severity_level = 3  # what goes wrong is said by us, once
    return onnxruntime.InferenceSession(
        str(file), options, providers=["CPUExecutionProvider"]
    )


def _whole(text: str) -> str:
    """Return a text without halves of surrogate pairs, which no tokenizer takes."""
    return text.encode("utf-8", "replace").decode()


def _read(file: Path) -> Mapping[str, object]:
    try:
        held = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        held = None
    return held if isinstance(held, dict) else {}


def _labels(config: Mapping[str, object], path: str) -> tuple[Ruling, ...]:
    """Return the ruling of each label in the order of the scores.

    What is neither entailment nor contradiction says nothing for the claim.
    """
    held = config.get("id2label")
    named = dict(held) if isinstance(held, dict) else {}
    labels = [str(named.get(str(at), "")) for at in range(len(named))]
    rulings = tuple(
        _RULINGS.get(label.strip().lower(), Ruling.UNSUPPORTED) for label in labels
    )
    if rulings.count(Ruling.SUPPORTED) != 1:
        raise UsageError(
            f"judge nli: the model in {path} has no label entailment; it has: "
            f"{', '.join(labels) or 'none'}",
            hint=_FOLDER,
        )
    return rulings


def _longest(
    config: Mapping[str, object], tokenizer_config: Mapping[str, object]
) -> int:
    """Return how many tokens the model reads, by what its folder says."""
    positions = config.get("max_position_embeddings")
    if isinstance(positions, int) and "roberta" in str(config.get("model_type")):
        pad = config.get("pad_token_id")
        # Its positions begin behind that of the padding.
        positions -= (pad if isinstance(pad, int) else 1) + 1
    said = [positions, tokenizer_config.get("model_max_length")]
    known = [each for each in said if isinstance(each, int) and 0 < each < _ENDLESS]
    return min(known, default=_USUAL)
