"""A cross-encoder in ONNX, run by fastembed: from a folder, or one that it knows.

A folder is read and nothing else: no network is asked for it.  A name that
fastembed knows is downloaded once, into fastembed's own cache.
"""

from collections.abc import Sequence
from pathlib import Path

from fastembed.common.model_description import ModelSource
from fastembed.rerank.cross_encoder import TextCrossEncoder

from lastro.errors import UsageError

_MODELS = ("model.onnx", "onnx/model.onnx")
_FOLDER = (
    "A model's folder holds tokenizer.json, tokenizer_config.json and "
    "model.onnx or onnx/model.onnx."
)


class CrossEncoder:
    """A cross-encoder, loaded and tried once; safe to use from many threads.

    Args:
        model: a folder, an ``.onnx`` file in one, or a name that fastembed knows
            (``Xenova/ms-marco-MiniLM-L-6-v2``).

    Raises:
        UsageError: there is no such folder and no such name, or what is there
            cannot be run.
    """

    blend: float | None = None

    def __init__(self, model: str) -> None:
        self.name = f"fastembed:{model}"
        path = Path(model).expanduser()
        try:
            self._model = _local(path) if path.exists() else _known(model)
            # The first pair shows what cannot be run, and costs no query its time.
            self.scores("a", ["a"])
        except UsageError:
            raise
        except Exception as error:
            raise UsageError(
                f"the reranker {model} cannot be run: {type(error).__name__}",
                hint=_FOLDER if path.exists() else "Is the network there?  " + _FOLDER,
            ) from error

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return one score for each text; a long text counts by its beginning."""
        return [
            float(score)
            for score in self._model.rerank(query, texts, batch_size=len(texts) or 1)
        ]


def _known(name: str) -> TextCrossEncoder:
    known = sorted(one["model"] for one in TextCrossEncoder.list_supported_models())
    if name not in known:
        raise UsageError(
            f"the reranker {name} is no folder here, and no model that fastembed knows",
            hint=f"Give a folder, or one of {', '.join(known)}.",
        )
    return TextCrossEncoder(name)


def _local(path: Path) -> TextCrossEncoder:
    """Load from a folder; fastembed wants a name for it, which the path is."""
    folder, file = _found(path.resolve())
    name = str(folder / file)
    known = {one["model"] for one in TextCrossEncoder.list_supported_models()}
    if name not in known:
        source = ModelSource(hf=name)  # never asked: the path comes before it
        TextCrossEncoder.add_custom_model(name, source, model_file=file)
    return TextCrossEncoder(
        name, specific_model_path=str(folder), local_files_only=True
    )


def _found(path: Path) -> tuple[Path, str]:
    """Return the folder with the tokenizer, and the model's file in it."""
    if path.is_file():
        folders = (path.parent, path.parent.parent)
        models = [(one, str(path.relative_to(one))) for one in folders]
    else:
        models = [(path, name) for name in _MODELS]
    for folder, file in models:
        if (folder / "tokenizer.json").is_file() and (folder / file).is_file():
            return folder, file
    raise UsageError(f"the reranker {path}: no model is there", hint=_FOLDER)
