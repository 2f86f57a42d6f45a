"""One line of a case file while it is read: every field checked, every problem kept.

A field that is absent or null has its default.  Nothing is guessed: text is
not a list, a number is not true, an unknown word names the words there are.
"""

import re
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import TypeVar, cast

from lastro.text.ids import canonical, unseen
from lastro.text.terms import folded

E = TypeVar("E", bound=StrEnum)
H = TypeVar("H", bound=Hashable)

_REMEMBERED = 4096
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


class Shared:
    """Lets equal values be one object: cases name the same things again and again.

    It forgets what it has seen when that is much.
    """

    def __init__(self) -> None:
        """Begin with nothing seen."""
        self._seen: dict[Hashable, Hashable] = {}

    def __call__(self, value: H) -> H:
        """Return a value that was seen and is equal, else this one."""
        if len(self._seen) >= _REMEMBERED:
            self._seen.clear()
        return cast("H", self._seen.setdefault(value, value))


class Row:
    """The fields of one JSON object, read by kind; ``problems`` are (field, what)."""

    def __init__(
        self,
        given: Mapping[str, object],
        under: str = "",
        shared: Shared | None = None,
    ) -> None:
        """Read ``given``, whose fields are named under ``under`` in problems."""
        self.one = shared or Shared()
        self.given = given
        self.under = under
        self.problems: list[tuple[str, str]] = []
        self.asked: set[str] = set()
        self.ids: list[tuple[str, str, bool]] = []
        self.folded: list[tuple[str, str]] = []

    def _value(self, name: str) -> object:
        self.asked.add(name)
        return self.given.get(name)

    def wrong(self, name: str, what: str) -> None:
        """Keep a problem of one field."""
        self.problems.append((self.under + name, what))

    def unknown(self) -> list[str]:
        """Return the fields that nobody asked for."""
        return [name for name in self.given if name not in self.asked]

    def text(self, name: str, *, required: bool = False) -> str:
        """Return a text; a required one must be there and not blank."""
        value = self._value(name)
        if value is None:
            if required:
                self.wrong(name, "missing")
            return ""
        if not isinstance(value, str):
            self.wrong(name, f"text is needed, not {word(value)}")
            return ""
        if required and not value.strip():
            self.wrong(name, "blank")
        return self.one(value)

    def flag(self, name: str, *, default: bool) -> bool:
        """Return true or false; null is neither."""
        if name not in self.given:
            return default
        value = self._value(name)
        if not isinstance(value, bool):
            self.wrong(name, f"true or false is needed, not {word(value)}")
            return default
        return value

    def choice(self, name: str, kind: type[E], also: Mapping[str, E]) -> E | None:
        """Return one word of a closed set; ``also`` holds other spellings."""
        value = self._value(name)
        if value is None:
            return None
        if isinstance(value, str):
            if value in also:
                return also[value]
            if value in list(kind):
                return kind(value)
        self.wrong(name, f"{value!r} is not one of {', '.join(kind)}")
        return None

    def identifier(self, name: str) -> str:
        """Return the id of the row itself."""
        value = self._value(name)
        if value is None:
            self.wrong(name, "missing")
            return ""
        return self._id(name, value)

    def id_list(self, name: str) -> tuple[str, ...]:
        """Return ids without repeats, in their order; a number is its text."""
        kept: dict[str, str] = {}
        for field, value in self._items(name):
            identifier = self._id(field, value)
            self.ids.append((self.under + field, identifier, isinstance(value, int)))
            key = canonical(identifier)
            if key in kept:
                self.folded.append((self.under + name, identifier))
            else:
                kept[key] = identifier
        return self.one(tuple(kept.values()))

    def terms(self, name: str) -> tuple[str, ...] | None:
        """Return terms; None where the field is absent.  A blank one is refused."""
        if self._value(name) is None:
            return None
        return self._texts(name, lambda term: not folded(term))

    def words(self, name: str) -> tuple[str, ...]:
        """Return a list of texts, none of them blank."""
        return self._texts(name, lambda text: not text.strip())

    def parts(self, name: str) -> Iterator["Row"]:
        """Yield the objects of a list, each as a row of its own."""
        for field, value in self._items(name):
            if isinstance(value, dict):
                yield Row(value, f"{self.under}{field}.", self.one)
            else:
                self.wrong(field, f"an object is needed, not {word(value)}")

    def part(self, name: str) -> "Row | None":
        """Return one object as a row of its own."""
        value = self._value(name)
        if value is None:
            return None
        if not isinstance(value, dict):
            self.wrong(name, f"an object is needed, not {word(value)}")
            return None
        return Row(value, f"{self.under}{name}.", self.one)

    def take(self, part: "Row") -> None:
        """Keep what the row of a part has found."""
        self.problems += part.problems
        self.ids += part.ids
        self.folded += part.folded

    def _items(self, name: str) -> Iterator[tuple[str, object]]:
        value = self._value(name)
        if value is None:
            return
        if not isinstance(value, list):
            self.wrong(name, f"a list is needed, not {word(value)}")
            return
        for at, item in enumerate(value):
            yield f"{name}[{at}]", item

    def _texts(self, name: str, blank: Callable[[str], bool]) -> tuple[str, ...]:
        kept: list[str] = []
        for field, value in self._items(name):
            if not isinstance(value, str):
                self.wrong(field, f"text is needed, not {word(value)}")
            elif blank(value):
                self.wrong(field, "blank")
            else:
                kept.append(self.one(value))
        return self.one(tuple(kept))

    def _id(self, field: str, value: object) -> str:
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        if not isinstance(value, str):
            self.wrong(field, f"an id is text, not {word(value)}")
            return ""
        if unseen(value):
            self.wrong(field, "the id is blank")
        elif control := _CONTROL.search(value):
            what = f"control character U+{ord(control[0]):04X} in {value!r}"
            self.wrong(field, what)
        return self.one(value)


def word(value: object) -> str:
    """Name the kind of a JSON value for people."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, str):
        return "text"
    if isinstance(value, Sequence):
        return "a list"
    return "an object" if isinstance(value, Mapping) else "a number"
