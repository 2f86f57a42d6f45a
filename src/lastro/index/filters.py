"""Filters: only documents of a language, or of a collection; before ranking."""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import TYPE_CHECKING

from tantivy import Occur, Query

from lastro.corpus import locales
from lastro.index.entry import ANY_REGION, ranges
from lastro.index.lexical import Snapshot, schema

if TYPE_CHECKING:
    from lastro.index.segments import Tag

_SHOWN = 8


def restricted(query: Query, locale: str, collection: str) -> Query:
    """Return ``query`` over the documents of a locale and a collection only.

    A locale takes what lies in its range: ``pt`` takes ``pt-BR``.  The reverse
    is so only for a detected language, which has no region: ``pt-BR`` takes a
    text that was found to be Portuguese, and no text that was said to be
    ``pt-PT`` or ``pt``.
    """
    filters = [
        (Occur.Must, Query.const_score_query(wanted, 0.0))
        for wanted in (_in_locale(locale), _in_collection(collection))
        if wanted is not None
    ]
    return Query.boolean_query([(Occur.Must, query), *filters]) if filters else query


def taken(locale: str, collection: str) -> "Callable[[Tag], bool] | None":
    """Return the same filter for what has a tag; None: everything is taken."""
    wanted = set(_ranges_for(locale))
    if not wanted and not collection:
        return None

    def taken(tag: "Tag") -> bool:
        within = not wanted or not wanted.isdisjoint(
            ranges(tag.locale, detected=tag.detected)
        )
        return within and collection in ("", tag.collection)

    return taken


def absent(index: Snapshot, locale: str, collection: str) -> tuple[str, ...]:
    """Say what no document is in, and what there is instead; empty: there is one."""
    notes: list[str] = []
    spoken, filed = _in_locale(locale), _in_collection(collection)
    if spoken is not None and not index.count(spoken):
        there = _listed(locales.canonical(tag) for tag in _tags(index))
        notes.append(f"no document is in {locale!r}; there are: {there or 'none'}")
    if filed is not None and not index.count(filed):
        there = _listed(name for name in _live(index, "collection") if name)
        notes.append(
            f"no document is in the collection {collection!r};"
            f" there are: {there or 'none'}"
        )
    if notes or spoken is None or filed is None:
        return tuple(notes)
    if index.count(Query.boolean_query([(Occur.Must, spoken), (Occur.Must, filed)])):
        return ()
    return (f"no document of the collection {collection!r} is in {locale!r}",)


def _in_locale(locale: str) -> Query | None:
    terms = _ranges_for(locale)
    if not terms:
        return None
    return Query.boolean_query([(Occur.Should, _term("locale", t)) for t in terms])


def _ranges_for(locale: str) -> list[str]:
    """Return the ranges of which a document's language has to match one."""
    tag = locale.lower().replace("_", "-").removesuffix(ANY_REGION)
    language, _, region = tag.partition("-")
    return [name for name in (tag, language + ANY_REGION if region else "") if name]


def _in_collection(collection: str) -> Query | None:
    return _term("collection", collection) if collection else None


def _term(field: str, value: str) -> Query:
    return Query.term_query(schema(), field, value, "basic")


def _tags(index: Snapshot) -> Iterator[str]:
    """Yield the languages there are; no range that only stands for its regions."""
    found = list(_live(index, "locale"))
    for tag in found:
        bare = f"{tag}{ANY_REGION}" in found
        regions = any(other.startswith(f"{tag}-") for other in found)
        if not tag.endswith(ANY_REGION) and (bare or not regions):
            yield tag


def _live(index: Snapshot, field: str) -> Iterator[str]:
    """Yield the values of a field that a live passage has."""
    return (v for v in index.values(field) if index.count(_term(field, v)))


def _listed(names: Iterator[str]) -> str:
    first = list(islice(names, _SHOWN + 1))
    return ", ".join(first[:_SHOWN]) + (" …" if len(first) > _SHOWN else "")
