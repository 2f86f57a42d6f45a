"""What a caller asks of a search, and how its query is understood."""

from dataclasses import dataclass, replace
from functools import partial

from lastro.errors import UsageError
from lastro.index.lexical import Snapshot
from lastro.index.query import choose
from lastro.index.reranker import Reranker
from lastro.index.terms import Terms
from lastro.model.ranking import QueryTerm
from lastro.text.analyse import query_words
from lastro.text.detect import detect
from lastro.text.emit import Word
from lastro.text.lists import language

_LONGEST = 64
_MOST = 1000
_RANGE = f"a whole number from 1 to {_MOST}"
LEGS = ("lexical", "dense", "hybrid")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reranking:
    """Who reads the best passages again, and in how many milliseconds at most."""

    reranker: Reranker
    budget_ms: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What a caller of the search asks for."""

    query: str
    k: int
    candidate_k: int
    locale: str
    filter_locale: str
    collection: str
    legs: str
    max_chunks_per_source: int
    reranking: Reranking | None = None

    @property
    def fetch(self) -> int:
        """Return how many passages a leg fetches."""
        return max(self.candidate_k, 2 * self.k) * 3

    def readable(self) -> "Wanted":
        """Return the same, but text of lone surrogates is text that nothing holds."""
        return replace(
            self,
            query=readable(self.query),
            locale=readable(self.locale),
            filter_locale=readable(self.filter_locale),
            collection=readable(self.collection),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The query as it was understood: its words, and the languages they are of.

    ``spoken`` is the query's own language, without a region, given or sure.
    """

    words: tuple[Word, ...]
    terms: Terms | None
    described: tuple[QueryTerm, ...] = ()
    locales: tuple[str, ...]
    detected: bool
    spoken: str = ""
    notes: tuple[str, ...] = ()


def refuse_nonsense(wanted: Wanted) -> None:
    """Raise a usage error for choices that no search can follow."""
    for name in ("query", "locale", "filter_locale", "collection", "legs"):
        refuse_no_text(name, getattr(wanted, name))
    if wanted.legs not in LEGS:
        raise UsageError(f"legs {wanted.legs!r}: it is one of {', '.join(LEGS)}")
    for name in ("k", "candidate_k", "max_chunks_per_source"):
        count = getattr(wanted, name)
        if not isinstance(count, int) or isinstance(count, bool):
            raise UsageError(f"{name} is {count!r}: it is {_RANGE}")
        if not 1 <= count <= _MOST:
            raise UsageError(f"{name} is {count}: it is {_RANGE}")


def refuse_no_text(name: str, value: object) -> None:
    """Raise a usage error for a value that has to be text and is not."""
    if not isinstance(value, str):
        raise UsageError(f"{name} is {value!r}: it is text")


def readable(text: str) -> str:
    r"""Return ``text`` without lone surrogates: no index and no file holds any.

    >>> readable("a\ud800b"), readable("\ud83d\ude00")
    ('a�b', '😀')
    """
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def understood(wanted: Wanted, index: Snapshot | None, *, failed: bool) -> Asked:
    """Analyse the query, and count its words in the index.

    Without an index, because it ``failed``, there is nothing to say of them; in
    a base that is empty no passage holds any.
    """
    locales, detected, spoken = _languages(wanted, index)
    korean = index.korean if index else None
    words = tuple(map(_shortened, query_words(wanted.query, locales, korean)))
    if failed:
        return Asked(
            words=words, terms=None, locales=locales, detected=detected, spoken=spoken
        )
    df = partial(index.df, "body") if index else _none
    chosen = choose(words, df)
    notes: tuple[str, ...] = ()
    if len(chosen) < len(words):
        notes = (f"of {len(words)} words, the {len(chosen)} that say most are used",)
    terms = Terms(chosen, index)
    return Asked(
        words=chosen,
        terms=terms,
        described=terms.described(),
        locales=locales,
        detected=detected,
        spoken=spoken,
        notes=notes,
    )


def _none(_: str) -> int:
    return 0


def _shortened(word: Word) -> Word:
    """Cut what is too long to be a word: a term of the index is no longer either."""
    return word._replace(surface=word.surface[:_LONGEST])


def _languages(
    wanted: Wanted, index: Snapshot | None
) -> tuple[tuple[str, ...], bool, str]:
    """Return the languages whose stemmers analyse the query, if it told them, its own.

    One that no document is in has stems that no document has: then all of the
    base's are taken as well.
    """
    known = index.languages if index else ()
    if wanted.locale:
        own = language(wanted.locale)
        taken = (wanted.locale,) if own in known else (wanted.locale, *known)
        return taken, False, own
    guess = detect(wanted.query)
    own = language(guess.locale) if guess.sure else ""
    if guess.sure and guess.locale in known:
        return (guess.locale,), True, own
    return known, False, own
