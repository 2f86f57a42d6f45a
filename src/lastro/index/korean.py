"""What a knowledge base takes Korean words apart with, as its page records it.

The default needs nothing.  With kiwipiepy a word is also found by its nouns and
the stems of its verbs, whatever particles and endings they carry.
"""

from collections.abc import Callable, Iterable
from functools import cache, cached_property
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol

from lastro.errors import KnowledgeBaseError
from lastro.index import folder
from lastro.text.hangul import Morphology

# Nouns, verbs, adjectives and roots; what is bound, counts or connects says little.
_SAYING = ("NNG", "NNP", "VV", "VA", "XR")


class _Part(Protocol):
    form: str
    tag: str


def recorded(kb: Path) -> Morphology | None:
    """Return what the knowledge base at ``kb`` takes Korean words apart with.

    Raises:
        KnowledgeBaseError: there is none, its page cannot be read, or what it
            names is not installed.
    """
    return morphology(folder.read(kb).korean)


@cache
def morphology(name: str) -> Morphology | None:
    """Return what takes Korean words apart; None for bigrams alone.

    Raises:
        KnowledgeBaseError: it is not installed, or there is none of that name.
            Other terms in its place would find nothing.
    """
    if name == folder.BIGRAMS:
        return None
    if name != folder.KIWI:
        raise KnowledgeBaseError(
            f"korean = {name!r}: it is one of {', '.join(folder.KOREAN)}",
            hint="`pip install --upgrade lastro` brings what a newer version knows.",
        )
    if find_spec("kiwipiepy") is None:
        raise KnowledgeBaseError(
            "Korean words are taken apart with kiwipiepy here, and it is not installed",
            hint="pip install 'lastro[ko]' installs it.",
        )
    return ByKiwi()


class ByKiwi:
    """Kiwi, loaded when the first Korean word comes; for many threads at once."""

    @cached_property
    def identity(self) -> str:
        """Return the releases of Kiwi and of its model."""
        return f"kiwi-{version('kiwipiepy')}-{version('kiwipiepy_model')}"

    def stems(self, word: str) -> tuple[str, ...]:
        """Return the nouns and the stems of verbs and adjectives in a word."""
        parts = self._tokenize(word)
        return tuple(one.form for one in parts if one.tag.split("-")[0] in _SAYING)

    @cached_property
    def _tokenize(self) -> Callable[[str], Iterable[_Part]]:
        # Its dictionaries of names double time and memory, and bigrams find names.
        kiwi = import_module("kiwipiepy").Kiwi(
            num_workers=1, load_default_dict=False, load_multi_dict=False
        )
        tokenize: Callable[[str], Iterable[_Part]] = kiwi.tokenize
        return tokenize
