"""Which rerankers there are, by the name that a setting gives."""

from importlib.util import find_spec

from lastro.errors import UsageError
from lastro.index.reranker import Reranker

NONE = "none"
_FASTEMBED = "fastembed:"


def make_reranker(name: str) -> Reranker | None:
    """Return the reranker of that name; None for ``none``.

    ``fastembed:NAME_OR_PATH`` is a cross-encoder, loaded at once: that takes
    seconds, and a name is downloaded the first time, so make it once.

    Raises:
        UsageError: there is none of that name, what it needs is not installed,
            or its model cannot be run.
    """
    if name == NONE:
        return None
    model = name.removeprefix(_FASTEMBED)
    if model in {name, ""}:
        raise UsageError(
            f"reranker {name!r}: it is {NONE}, or {_FASTEMBED}MODEL",
            hint="MODEL is a folder, or a name that fastembed knows.",
        )
    if find_spec("fastembed") is None:
        raise UsageError(
            f"reranker {name!r}: fastembed is not installed",
            hint="pip install 'lastro[dense]' installs it.",
        )
    from lastro.index.rerankers.cross_encoder import (  # noqa: PLC0415  (half a second)
        CrossEncoder,
    )

    return CrossEncoder(model)
