"""What front matter and cards say of a document: known fields and the rest.

Every value of the rest is kept as text in the metadata: a list has one item a
line, anything deeper is JSON.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace

from lastro.corpus.read.draft import Draft, Refusal
from lastro.text.normalise import normalise

Value = str | int | float | bool | None | list["Value"] | dict[str, "Value"]
_LOCALE = ("locale", "lang", "language")
_KNOWN = frozenset({"id", "title", "collection", *_LOCALE})


def apply(draft: Draft, fields: Mapping[str, Value]) -> Draft | Refusal:
    """Return ``draft`` with what ``fields`` say, or which field cannot be read."""
    if not fields:
        return draft
    said: dict[str, str] = {}
    for name in sorted(_KNOWN & fields.keys()):
        value = fields[name]
        if isinstance(value, (list, dict, bool)):
            return Refusal(f"{name} is {_kind(value)}, not a text")
        text = "" if value is None else normalise(str(value)).strip()
        # An id is kept as it is: what is wrong with it is said, not mended.
        said[name] = text if name == "id" else " ".join(text.split())
    return replace(
        draft,
        id=said.get("id") or draft.id,
        title=said.get("title") or draft.title,
        locale=next((said[n] for n in _LOCALE if said.get(n)), draft.locale),
        collection=said.get("collection") or draft.collection,
        metadata={**draft.metadata, **dict(_rest(fields))},
    )


def _rest(fields: Mapping[str, Value]) -> Iterator[tuple[str, str]]:
    for name, value in fields.items():
        if name in _KNOWN or value is None:
            continue
        if name == "metadata" and isinstance(value, dict):
            for inner, what in value.items():
                taken = inner in fields or inner in _KNOWN
                if what is not None:
                    yield _pair(f"metadata.{inner}" if taken else inner, what)
        else:
            yield _pair(name, value)


def _pair(name: str, value: Value) -> tuple[str, str]:
    if isinstance(value, list) and not any(isinstance(v, (list, dict)) for v in value):
        text = "\n".join(" ".join(_scalar(item).split()) for item in value)
    else:
        text = _scalar(value)
    return normalise(name).strip(), normalise(text).strip()


def _scalar(value: Value) -> str:
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _kind(value: Value) -> str:
    match value:
        case bool():
            return "true or false"
        case list():
            return "a list"
        case dict():
            return "an object"
        case None:
            return "nothing"
        case str():
            return "a text"
        case _:
            return "a number"
