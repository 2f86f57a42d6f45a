"""From the sources that a person names to the files to read, in a fixed order.

Hidden names are named and not read, links out of a source are not followed, and
what is no regular file is never opened.  This file reads folders, not documents.
"""

import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from lastro.corpus.found import Skipped, Unreadable
from lastro.corpus.identity import place_id

_BEIR = frozenset({"corpus.jsonl", "queries.jsonl"})
_MARKER = "lastro.toml"
_HIDDEN = "hidden"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A file to read: where it is, its logical path, and what people call it.

    ``place`` is where it stands: another one than ``file`` if it stands there
    as a link to hidden content.
    """

    file: Path
    path: str
    source: str
    place: str


Step = Candidate | Skipped | Unreadable


def walk(sources: Sequence[Path], roots: Sequence[Path] = ()) -> Iterator[Step]:
    """Yield every file under ``sources`` once, folders in the order of names.

    A file's logical path is its path below the outermost folder that holds it,
    among the folders of ``sources`` and the ``roots`` of earlier runs; where
    none holds it, its name.  A link that is a source is what it leads to.
    """
    real = [Path(os.path.realpath(source)) for source in sources]
    # `os`, not `Path.is_dir`: that raises where a folder may not be entered.
    folders = [path for path in real if os.path.isdir(path)]  # noqa: PTH112
    known = sorted([*folders, *map(Path, roots)], key=lambda path: len(path.parts))
    walker = _Walker()
    for source, place in zip(sources, real, strict=True):
        name = place_id(source.as_posix())
        if source.name.startswith(".") and source.name.strip("."):
            yield Skipped(source=name, why=_HIDDEN, place=place.as_posix())
            continue
        root = next((f for f in known if place == f or f in place.parents), None)
        root = root or place.parent
        path = place.relative_to(root).as_posix()
        start = _Node(place, "" if path == "." else path, name, root, place)
        yield from walker.under(start)


def why(error: OSError) -> str:
    """Say in words for people why the system did not give a file."""
    match error:
        case PermissionError():
            return "permission denied"
        case FileNotFoundError():
            return "it is gone"
        case _:
            return "the system could not read it"


@dataclass(frozen=True, slots=True)
class _Node:
    """A file or folder on the way: its real place, logical path, name and root.

    ``stands`` differs from ``place`` below a link that was followed.
    """

    place: Path
    path: str
    name: str
    root: Path
    stands: Path

    def below(self, name: str) -> "_Node":
        """Return the node of an entry of this folder."""
        place = self.place / name
        return _Node(
            place,
            f"{self.path}/{name}" if self.path else name,
            (self.name.rstrip("/") + "/").removeprefix("./") + place_id(name),
            self.root,
            place if self.stands == self.place else self.stands / name,
        )

    def skipped(self, why: str) -> Skipped:
        """Return this node as one that is not read."""
        path, place = place_id(self.path), self.stands.as_posix()
        return Skipped(source=self.name, why=why, id=path, place=place)

    def unreadable(self, why: str) -> Unreadable:
        """Return this node as one that could not be read."""
        path, place = place_id(self.path), self.stands.as_posix()
        return Unreadable(source=self.name, why=why, id=path, place=place)


class _Walker:
    """Walks folders and remembers what it has already given out."""

    def __init__(self) -> None:
        self._seen: set[Path] = set()

    def under(self, start: _Node) -> Iterator[Step]:
        """Yield the file ``start`` is, or the files under it."""
        stack: list[_Node | Step] = [start]
        while stack:
            node = stack.pop()
            if not isinstance(node, _Node):
                yield node
                continue
            try:
                stack.extend(self._next(node, top=node is start))
            except OSError as error:
                yield node.unreadable(why(error))

    def _next(self, node: _Node, *, top: bool) -> list[_Node | Step]:
        """Return what ``node`` leads to, the last one first."""
        mode = node.place.lstat().st_mode
        if stat.S_ISLNK(mode):
            return [_followed(node)]
        if not stat.S_ISDIR(mode) and not stat.S_ISREG(mode):
            return [node.skipped("not a regular file")]
        if node.place in self._seen:
            return []
        self._seen.add(node.place)
        if stat.S_ISREG(mode):
            stands = node.stands.as_posix()
            return [Candidate(node.place, node.path, node.name, stands)]
        return _entries(node, top=top)[::-1]


def _entries(folder: _Node, *, top: bool) -> list[_Node | Step]:
    names = sorted(os.listdir(folder.place))  # noqa: PTH208 - no path is needed
    if not top and _MARKER in names:
        return [folder.skipped("a knowledge base, not a source")]
    beir = _BEIR.issubset(names)
    found: list[_Node | Step] = []
    for name in names:
        node = folder.below(name)
        if beir and (name == "queries.jsonl" or name.startswith("qrels")):
            found.append(node.skipped("questions of a BEIR set, not documents"))
        else:
            found.append(node.skipped(_HIDDEN) if name.startswith(".") else node)
    return found


def _followed(link: _Node) -> _Node | Skipped:
    """Return where a link leads, unless that is outside or read anyway."""
    target = Path(os.path.realpath(link.place))
    if target != link.root and link.root not in target.parents:
        return link.skipped("a link out of the source")
    if not os.path.lexists(target):
        return link.skipped("a link to nothing")
    below = target.relative_to(link.root)
    if any(part.startswith(".") for part in below.parts):
        return _Node(target, link.path, link.name, link.root, link.stands)
    return link.skipped(f"a link to {place_id(below.as_posix())}, which is read itself")
