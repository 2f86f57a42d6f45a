"""Lastro: grounded answers over documents, and the harness that measures them.

Everything public is here, and imported only when it is asked for.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lastro.compose import KnowledgeBase, open  # noqa: A004  (lastro.open)
    from lastro.eval.inputs import compare, score
    from lastro.eval.run import evaluate
    from lastro.model.answer import Answer
    from lastro.model.case import Case

__version__ = "0.1.0"  # asking the installed package for it costs 20 ms

_HOME = {
    "Answer": "lastro.model.answer",
    "Case": "lastro.model.case",
    "KnowledgeBase": "lastro.compose",
    "compare": "lastro.eval.inputs",
    "evaluate": "lastro.eval.run",
    "open": "lastro.compose",
    "score": "lastro.eval.inputs",
}

__all__ = [
    "Answer",
    "Case",
    "KnowledgeBase",
    "compare",
    "evaluate",
    "open",
    "score",
]


def __getattr__(name: str) -> object:
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOME])
