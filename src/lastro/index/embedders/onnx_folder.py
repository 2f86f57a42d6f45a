"""A folder with a model in ONNX: where its file is, how it pools, what tells it."""

import hashlib
import json
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from lastro.errors import EmbedderError
from lastro.index.embedders.prefixes import Habits, habits

_FILES = (
    "onnx/model.onnx",
    "model.onnx",
    "model_optimized.onnx",
    "onnx/model_quantized.onnx",
    "model_quantized.onnx",
)
_NEEDED = ("tokenizer.json", "tokenizer_config.json")
# Enough to tell one set of weights from another; a whole model takes a second.
_SAMPLES = 64
_SAMPLE = 1 << 16


@dataclass(frozen=True, slots=True, kw_only=True)
class OnnxFolder:
    """``file`` is relative to ``path``; ``habits`` are by the folder's name."""

    path: Path
    file: str
    habits: Habits


def is_path(name: str) -> bool:
    """Return whether a name means a folder or a file here, not a model of a hub.

    >>> is_path("./e5"), is_path("intfloat/multilingual-e5-small")
    (True, False)
    """
    return (
        name.startswith(("/", ".", "~"))
        or name.endswith(".onnx")
        or "\\" in name
        or Path(name).exists()
    )


def onnx_folder(name: str) -> OnnxFolder:
    """Return what stands in the folder of a model, or beside a model's file.

    Raises:
        EmbedderError: a file that is needed is not there.
    """
    given = Path(name).expanduser()
    path = given.parent if given.suffix == ".onnx" else given
    if given.suffix == ".onnx" and not (path / _NEEDED[0]).exists():
        path = path.parent  # as in onnx/model.onnx
    hint = (
        "A folder of a model holds tokenizer.json, tokenizer_config.json and"
        " model.onnx or onnx/model.onnx."
    )
    if not given.exists():
        raise EmbedderError(f"the model {name} does not exist", hint=hint)
    lacking = [needed for needed in _NEEDED if not (path / needed).is_file()]
    files = [given.relative_to(path).as_posix()] if given != path else _found(path)
    if lacking or not files:
        what = lacking[0] if lacking else "model in ONNX"
        raise EmbedderError(f"{path} has no {what}", hint=hint)
    known = habits(_title(path))
    return OnnxFolder(
        path=path,
        file=files[0],
        habits=known._replace(pooling=_pooling(path) or known.pooling),
    )


def revision(path: Path, file: str) -> str:
    """Return 16 hexadecimal digits that tell weights and tokenizer from others."""
    digest = hashlib.blake2b(digest_size=8)
    weights = sorted((path / file).parent.glob(f"{Path(file).name}*"))
    for part in [*weights, path / _NEEDED[0]]:
        if part.is_file():
            _sample(part, digest)
    return digest.hexdigest()


def _sample(part: Path, digest: "hashlib.blake2b") -> None:
    size = part.stat().st_size
    digest.update(size.to_bytes(8, "little"))
    with part.open("rb") as file:
        if size <= _SAMPLES * _SAMPLE:
            digest.update(file.read())
            return
        for at in range(_SAMPLES):
            file.seek((size - _SAMPLE) * at // (_SAMPLES - 1))
            digest.update(file.read(_SAMPLE))


def _found(path: Path) -> list[str]:
    usual = [file for file in _FILES if (path / file).is_file()]
    any_other = sorted(file.name for file in path.glob("*.onnx"))
    return usual or any_other


def _title(path: Path) -> str:
    """Return the name that a model goes by; a hub's cache hides it in the path."""
    full = path.absolute()
    return full.parent.parent.name if full.parent.name == "snapshots" else full.name


def _pooling(path: Path) -> str:
    """Return the pooling that the folder itself states; empty: it states none."""
    with suppress(OSError, ValueError):
        stated = json.loads((path / "1_Pooling" / "config.json").read_text("utf-8"))
        for key, pooling in (
            ("pooling_mode_cls_token", "CLS"),
            ("pooling_mode_lasttoken", "LAST_TOKEN"),
            ("pooling_mode_mean_tokens", "MEAN"),
        ):
            if isinstance(stated, dict) and stated.get(key) is True:
                return pooling
    return ""
