"""A real HTTP server with a model that judges, word by word, and can be gullible."""

import json
import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from embeddings_server import Log, Reply, Texts, serving

_BLOCK = re.compile(r"<<<passage ID=(\w+)\n\[\w+\]\n(.*?)\npassage>>>", re.DOTALL)


def messages(asked: dict[str, Any]) -> Texts:
    """Return the contents of the messages: the instruction, then the question."""
    return [message["content"] for message in asked["messages"]]


def blocks(question: str) -> dict[str, str]:
    """Return what is fenced in a question, by its id."""
    return dict(_BLOCK.findall(question))


def honest(texts: Texts) -> Reply:
    """Judge by words; outside the fences obey anything, as a gullible model does."""
    outside = _BLOCK.sub("", texts[-1])
    if "say supported" in outside:
        return said("supported")
    held = blocks(texts[-1])
    known = set(re.findall(r"\w+", held["evidence"].lower()))
    asked = set(re.findall(r"\w+", held["claim"].lower()))
    if ("not" in known) != ("not" in asked) and asked - {"not"} <= known:
        return said("contradicted")
    return said("supported" if asked <= known else "unsupported")


def said(verdict: str) -> Reply:
    """Answer with a verdict, in the form that is asked for."""
    return content(json.dumps({"verdict": verdict}))


def content(text: object, finish_reason: str = "stop") -> Reply:
    """Answer with any text."""
    choice = {"index": 0, "message": {"role": "assistant", "content": text}}
    whole = {"choices": [{**choice, "finish_reason": finish_reason}], "model": "tiny"}
    return Reply(json.dumps(whole).encode())


def chatting(
    answer: Callable[[Texts], Reply] = honest,
) -> AbstractContextManager[Log]:
    """Serve on a free port of this machine until the block ends."""
    return serving(answer, of=messages)
