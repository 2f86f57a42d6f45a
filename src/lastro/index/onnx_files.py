"""A model in ONNX as files: where they are, and what tells it from others."""

import hashlib
from collections.abc import Sequence
from pathlib import Path

TOKENIZER = "tokenizer.json"
_FILES = (
    "onnx/model.onnx",
    "model.onnx",
    "model_optimized.onnx",
    "onnx/model_quantized.onnx",
    "model_quantized.onnx",
)
# Enough to tell one set of weights from another; a whole model takes a second.
_SAMPLES = 64
_SAMPLE = 1 << 16


class NotThere(ValueError):
    """A folder, or a file that is needed in it, is missing; for people."""


def located(name: str, needed: Sequence[str]) -> tuple[Path, str]:
    """Return the folder of a model, and its weights' file relative to that.

    Args:
        name: a folder, or an ``.onnx`` file in one.
        needed: files that the folder must hold besides the weights.

    Raises:
        NotThere: saying what is missing.
    """
    given = Path(name).expanduser()
    path = given.parent if given.suffix == ".onnx" else given
    if given.suffix == ".onnx" and not (path / TOKENIZER).exists():
        path = path.parent  # as in onnx/model.onnx
    if not given.exists():
        raise NotThere(f"the model {name} does not exist")
    files = [given.relative_to(path).as_posix()] if given != path else _found(path)
    lacking = [each for each in needed if not (path / each).is_file()]
    if lacking or not files:
        raise NotThere(f"{path} has no {lacking[0] if lacking else 'model in ONNX'}")
    return path, files[0]


def _found(path: Path) -> list[str]:
    usual = [file for file in _FILES if (path / file).is_file()]
    any_other = sorted(file.name for file in path.glob("*.onnx"))
    return usual or any_other


def title(path: Path) -> str:
    """Return the name that a model goes by; a hub's cache hides it in the path."""
    full = path.absolute()
    return full.parent.parent.name if full.parent.name == "snapshots" else full.name


def revision(path: Path, file: str, beside: Sequence[str] = (TOKENIZER,)) -> str:
    """Return 16 hexadecimal digits that tell weights and ``beside`` from others."""
    digest = hashlib.blake2b(digest_size=8)
    weights = sorted((path / file).parent.glob(f"{Path(file).name}*"))
    for part in [*weights, *(path / name for name in beside)]:
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
