"""The plain words beside an answer, in four languages, keyed by code.

One catalogue: ``words/<language>.toml``.  No rule holds a sentence for people,
and no sentence holds a rule.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files

from lastro.model.decision import ReasonCode
from lastro.text.lists import language

LANGUAGES = ("en", "pt", "es", "ko")
FALLBACK = "en"


class Notice(StrEnum):
    """The fixed texts that are not the words of a reason."""

    PERMISSIVE = "permissive"
    NO_ANSWER = "no_answer"
    GAP = "gap"
    CLOSEST_DOCUMENTS = "closest_documents"
    SOURCES = "sources"
    TEACHING_LABEL = "teaching_label"
    DISAMBIGUATION = "disambiguation"
    STRICT_OVERRIDE = "strict_override"
    ADVISORY = "advisory"
    PROVIDER_ERROR = "provider_error"
    RETRIEVAL_ERROR = "retrieval_error"


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """A reason for people: a short title, what it means, what to do about it."""

    title: str
    means: str
    advice: str


def explain(code: ReasonCode, locale: str) -> Words:
    """Return the words of ``code`` in the language of ``locale``, else in English."""
    return _catalogue(spoken(locale)).reasons[code]


def notice(name: Notice, locale: str, *, terms: str = "") -> str:
    """Return a fixed text in the language of ``locale``, else in English.

    ``terms`` is what :attr:`Notice.GAP` names; the other texts take none.
    """
    return _catalogue(spoken(locale)).notices[name].replace("{terms}", terms)


def spoken(locale: str) -> str:
    """Return the language of the catalogue that a person of ``locale`` reads.

    >>> spoken("pt-BR"), spoken("es-419"), spoken("xx"), spoken("")
    ('pt', 'es', 'en', 'en')
    """
    code = language(locale)
    return code if code in LANGUAGES else FALLBACK


@dataclass(frozen=True, slots=True)
class _Catalogue:
    reasons: Mapping[ReasonCode, Words]
    notices: Mapping[Notice, str]


@cache
def _catalogue(code: str) -> _Catalogue:
    source = files("lastro.gate").joinpath("words", f"{code}.toml")
    read = tomllib.loads(source.read_text(encoding="utf-8"))
    return _Catalogue(
        reasons={key: Words(**read["reasons"][key]) for key in ReasonCode},
        notices={key: read["notices"][key] for key in Notice},
    )
