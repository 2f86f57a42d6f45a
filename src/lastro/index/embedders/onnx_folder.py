"""A folder with a model of embeddings in ONNX: where its file is, how it pools."""

import json
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from lastro.errors import EmbedderError
from lastro.index.embedders.prefixes import Habits, habits
from lastro.index.onnx_files import TOKENIZER, NotThere, located, title

_NEEDED = (TOKENIZER, "tokenizer_config.json")


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
    try:
        path, file = located(name, _NEEDED)
    except NotThere as error:
        raise EmbedderError(
            str(error),
            hint="A folder of a model holds tokenizer.json, tokenizer_config.json and"
            " model.onnx or onnx/model.onnx.",
        ) from None
    known = habits(title(path))
    return OnnxFolder(
        path=path,
        file=file,
        habits=known._replace(pooling=_pooling(path) or known.pooling),
    )


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
