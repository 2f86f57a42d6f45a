"""A language model as a judge, behind an endpoint that chats as OpenAI's does."""

import time
from collections.abc import Callable, Sequence

from lastro.errors import UsageError
from lastro.eval.judges.chat import PROMPT, NoVerdict, question, verdict
from lastro.eval.judges.windows import windows
from lastro.eval.scorers.judge import Judgement, Ruling, best
from lastro.index.post import NoAddress, Post, Refused, Unanswered, address, sendable

# Bytes of UTF-8 read at a time.  A server cuts off in silence what is beyond its
# context, often 4,096 tokens; with instruction and claim this is about half of that.
_WINDOW = 6_000
_LONGEST = 3_000  # of a claim, which is read as a whole or not at all
# An endpoint that failed so often running is asked no more: a run goes on without it.
_PATIENCE = 3
# The name in the environment of what is sent as a key.
KEY = "LASTRO_JUDGE_KEY"
_FORM = "The form is URL#MODEL, as in http://localhost:8080/v1#qwen3."


class Llm:
    """Asks once a claim and text; of what it cannot use it says what that was.

    Args:
        spec: ``URL#MODEL``; the URL is that of the API, as in ``…/v1``.
        key: sent to that URL and nowhere else; empty: none is sent.
        timeout: seconds an answer may take.
        sleep: waits so many seconds before a request is tried again.

    Raises:
        UsageError: the name has another form, or holds what may be a secret; or
            the key cannot be sent.
    """

    def __init__(
        self,
        spec: str,
        *,
        key: str = "",
        timeout: float = 60.0,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        url, _, self._model = spec.partition("#")
        if not self._model.strip():
            raise UsageError("the judge has no model", hint=_FORM)
        try:
            base = address(url).removesuffix("/chat/completions")
        except NoAddress as error:
            raise UsageError(
                str(error),
                hint=f"{_FORM} A key goes into {KEY}, which is recorded nowhere.",
            ) from None
        self.name = f"{base}#{self._model}, prompt {PROMPT}"
        key = sendable(key, KEY)
        self._post = Post(f"{base}/chat/completions", key, timeout, sleep)
        self._failed = 0

    def judge(self, claim: str, evidence: Sequence[str]) -> Judgement:
        """Rule on one claim, text by text; a long text is read in windows."""
        if len(_bytes(claim)) > _LONGEST:
            return _open(f"the claim is longer than {_LONGEST} bytes")
        return best(
            self._read(claim, part)
            for text in evidence
            for part in windows(text, lambda part: len(_bytes(part)) <= _WINDOW)
        )

    def _read(self, claim: str, text: str) -> Judgement:
        if self._failed >= _PATIENCE:
            return _open(f"{self._post.where} failed too often and is asked no more")
        try:
            body = self._post(question(self._model, claim, text))
        except Refused:
            return _open(f"{self._post.where} does not take what was sent")
        except Unanswered as failed:
            self._failed += 1
            return _open(str(failed))
        self._failed = 0
        try:
            return Judgement(verdict(body))
        except NoVerdict as none:
            return _open(str(none))


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "replace")


def _open(why: str) -> Judgement:
    return Judgement(Ruling.UNAVAILABLE, why)
