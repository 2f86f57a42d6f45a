"""An endpoint that speaks as OpenAI's ``/embeddings`` does: a server or a service."""

import json
import re
import time
from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from lastro.errors import EmbedderError, UsageError
from lastro.index.embedder import Identity
from lastro.index.embedders.answer import Malformed, Row, model_of, rows_of
from lastro.index.embedders.prefixes import habits
from lastro.index.post import (
    NoAddress,
    Post,
    Refused,
    Remedy,
    Unanswered,
    address,
    sendable,
)
from lastro.index.unit import encoded, unit
from lastro.index.window import halved

_NAME = re.compile(r"(?P<model>.+?)@(?P<url>https?://\S+)", re.IGNORECASE)
# There is no tokenizer here.  Most models read at least this many tokens, and few
# texts have a token for less than two bytes; what a server still refuses is halved.
_WINDOW = 512
_BYTES = 2
_SHORTEST = 32  # characters: what is refused now is not refused for its length
_BATCH = 64
_FORM = "The form is openai:MODEL@URL, as in openai:bge-m3@http://localhost:8080/v1."
_HINTS = {
    Remedy.WAIT: "Try again later: what was embedded is kept."
    " `--legs lexical` needs none.",
    Remedy.REACH: "Check the URL, and that the server runs."
    " `--legs lexical` needs none.",
    Remedy.KEY: "Check the key in LASTRO_EMBEDDINGS_KEY.",
    Remedy.ADDRESS: "Give MODEL@URL; the URL is what stands before /embeddings.",
    Remedy.MOVED: "Give the address that it means, if you trust it with the key.",
}


class Endpoint:
    """Vectors of a model behind HTTP; several threads may share one.

    Args:
        name: ``MODEL@URL``; the URL is that of the API, as in ``…/v1``.
        key: sent to that URL and nowhere else; empty: none is sent.
        timeout: seconds an answer may take.
        sleep: waits so many seconds before a request is tried again.
    """

    window = _WINDOW
    costly = True

    def __init__(
        self,
        name: str,
        *,
        key: str = "",
        timeout: float = 60.0,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Ask nothing yet.

        Raises:
            UsageError: the name has another form, or holds what may be a secret;
                or the key cannot be sent.
        """
        self._model, self._url = _split(name)
        self._habits = habits(self._model)
        key = sendable(key, "LASTRO_EMBEDDINGS_KEY")
        self._post = Post(f"{self._url}/embeddings", key, timeout, sleep)

    @cached_property
    def identity(self) -> Identity:
        """Return what the endpoint says of its model; it is asked once.

        Raises:
            EmbedderError: it gives no answer, or none that can be used.
        """
        try:
            body = self._asked(["a"])
        except Refused:
            raise self._refusal() from None
        row = self._rows(body, 1)[0]
        return Identity(
            name=f"openai:{self._model}@{self._url}",
            revision=model_of(body),
            dimension=len(row),
            query_prefix=self._habits.query,
            passage_prefix=self._habits.passage,
        )

    def tokens(self, text: str) -> int:
        """Return an estimate that is seldom too low: a token for two bytes."""
        return -(-len(text.encode("utf-8", "replace")) // _BYTES)

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row of length one for each text; zeros for a blank one.

        Raises:
            EmbedderError: the endpoint gives no answer, or one that is none.
        """
        return self._encoded(texts, self._habits.passage)

    def query(self, text: str) -> NDArray[np.float32]:
        """Return the vector of a query; zeros for a blank one.

        Raises:
            EmbedderError: as for passages.
        """
        return self._encoded([text], self._habits.query).reshape(-1)

    def _encoded(self, texts: Sequence[str], prefix: str) -> NDArray[np.float32]:
        def encode(held: list[str]) -> NDArray[np.float64]:
            starts = range(0, len(held), _BATCH)
            return np.concatenate(
                [self._batch(held[at : at + _BATCH], prefix) for at in starts]
            )

        return encoded(texts, self.identity.dimension, encode)

    def _batch(self, texts: list[str], prefix: str) -> NDArray[np.float64]:
        """Return a row a text; what is refused is asked in halves, down to words."""
        try:
            body = self._asked([prefix + text for text in texts])
        except Refused:
            if len(texts) > 1:
                middle = len(texts) // 2
                halves = texts[:middle], texts[middle:]
                return np.concatenate([self._batch(half, prefix) for half in halves])
            if len(texts[0]) < _SHORTEST:
                raise self._refusal() from None
            parts = halved(texts[0])
            rows = unit(self._batch(parts, prefix)).astype(np.float64)
            return np.average(rows, axis=0, weights=list(map(len, parts)))[None]
        rows_given = self._rows(body, len(texts))
        if len(rows_given[0]) != self.identity.dimension:
            raise self._malformed("its embeddings have another length than before")
        return np.array(rows_given, dtype=np.float64)

    def _asked(self, texts: list[str]) -> bytes:
        sent = {"model": self._model, "input": texts, "encoding_format": "float"}
        try:
            return self._post(json.dumps(sent).encode("ascii"))
        except Unanswered as failed:
            raise EmbedderError(str(failed), hint=_HINTS[failed.remedy]) from None

    def _rows(self, body: bytes, count: int) -> list[Row]:
        try:
            return rows_of(body, count)
        except Malformed as wrong:
            raise self._malformed(str(wrong)) from None

    def _malformed(self, what: str) -> EmbedderError:
        return EmbedderError(
            f"{self._post.where} gave what is no answer: {what}",
            hint="Check that the URL is that of an API for embeddings, as OpenAI has"
            " it.",
        )

    def _refusal(self) -> EmbedderError:
        return EmbedderError(
            f"{self._post.where} refuses to embed with the model {self._model!r}",
            hint="Check the name of the model: the endpoint lists its own at"
            " URL/models.",
        )


def _split(name: str) -> tuple[str, str]:
    """Return model and URL of ``MODEL@URL``; what may be a secret is not repeated."""
    form = _NAME.fullmatch(name.strip())
    if form is None:
        raise UsageError("the name of an endpoint has another form", hint=_FORM)
    try:
        url = address(form["url"])
    except NoAddress as error:
        raise UsageError(
            str(error),
            hint=f"{_FORM} A key goes into LASTRO_EMBEDDINGS_KEY, which is recorded"
            " nowhere.",
        ) from None
    return form["model"], url.removesuffix("/embeddings")
