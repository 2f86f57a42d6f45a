"""Which ids a set of cases names, and where each stands first."""

from dataclasses import dataclass

from lastro.text.ids import canonical


@dataclass(frozen=True, slots=True)
class Seen:
    """An id and where it stands first."""

    id: str
    place: tuple[str, int]
    numeric: bool

    @property
    def where(self) -> str:
        """The file and the line."""
        return f"{self.place[0]}:{self.place[1]}"

    @property
    def shown(self) -> str:
        """The id as the file writes it: a number bare, text in quotes."""
        return self.id if self.numeric else f'"{self.id}"'


class Ids:
    """Ids as they compare, and where each stands first, in little room."""

    def __init__(self) -> None:
        """Begin with none."""
        self._places: dict[str, tuple[str, int]] = {}  # of text that is its own key
        self._others: dict[str, Seen] = {}

    def first(self, now: Seen) -> Seen:
        """Return where an id stood first: ``now`` itself if it is new."""
        key = canonical(now.id)
        if (place := self._places.get(key)) is not None:
            return Seen(key, place, numeric=False)
        if key in self._others or now.numeric or key != now.id:
            return self._others.setdefault(key, now)
        self._places[key] = now.place
        return now
