"""Which rerankers there are, by the name that a setting gives."""

from importlib.util import find_spec

from lastro.errors import UsageError
from lastro.index.reranker import Reranker

NONE, LATE = "none", "late"
_FASTEMBED = "fastembed:"


def make_reranker(name: str) -> Reranker | None:
    """Return the reranker of that name; None for ``none``.

    ``late`` compares words one by one with the table of the static embedder.
    ``fastembed:NAME_OR_PATH`` is a cross-encoder, loaded at once: that takes
    seconds, and a name is downloaded the first time, so make it once.

    Raises:
        UsageError: there is none of that name, what it needs is not installed,
            or its model cannot be run.
    """
    if name == NONE:
        return None
    if name == LATE:
        from lastro.index.embedders.static import Static  # noqa: PLC0415  (numpy)
        from lastro.index.rerankers.late import Late  # noqa: PLC0415  (numpy)

        return Late(Static())
    model = name.removeprefix(_FASTEMBED)
    if model in {name, ""}:
        raise UsageError(
            f"reranker {name!r}: it is {NONE}, {LATE} or {_FASTEMBED}MODEL",
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
