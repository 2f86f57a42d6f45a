"""From sources to documents: every document is found, named and counted once.

Nothing read here is trusted, nothing raises for what it holds, and only one
document (of a JSON-lines corpus: one line) is in memory at a time.
"""

import io
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from lastro.corpus import locales
from lastro.corpus.found import Found, Known, Readable, Skipped, Unreadable
from lastro.corpus.identity import Place, finish, taken
from lastro.corpus.read import cards, encoding, html, markdown, plain, sniff
from lastro.corpus.read.draft import Draft, Refusal
from lastro.corpus.walk import Candidate, walk, why
from lastro.errors import SourceError, UsageError
from lastro.text.normalise import normalise

LIMIT = 32 * 1024 * 1024
_HEAD = 64 * 1024


def scan(
    sources: Sequence[str | Path],
    *,
    locale: str = "",
    collection: str = "",
    roots: Sequence[str | Path] = (),
    known: Known | None = None,
) -> Iterator[Found]:
    """Yield every document of ``sources``, lazily, and whatever is no document.

    Args:
        sources: files, folders and JSON-lines corpora; may overlap.
        locale: the language of documents that name none; empty: detect it.
        collection: the collection of documents that name none.
        roots: folders of earlier runs: a file under one keeps its path below it.
        known: what earlier runs know of the files: one document a file.

    Raises:
        SourceError: before anything is read, naming every source not there.
        UsageError: there is no source, one is an empty text, or ``locale`` is no
            language tag.
    """
    if not sources:
        raise UsageError("no source was given", hint=SourceError.hint)
    if any(source == "" for source in sources):
        raise UsageError(
            "a source is an empty text", hint="Write . for the folder you are in."
        )
    paths = [Path(source) for source in sources]
    if locale and not locales.canonical(locale):
        raise UsageError(
            f"{locale!r} is not a language tag", hint="Write it as en, pt-BR or es-419."
        )
    missing = [repr(str(path)) for path in paths if not _there(path)]
    if missing:
        raise SourceError(f"there is no {', '.join(missing)}")
    _refuse_nowhere(paths)
    real = [Path(os.path.realpath(root)) for root in roots]
    said = Place(source="", locale=locale, collection=collection)
    return _scan(paths, real, said, known)


def _there(path: Path) -> bool:
    """Say whether there is something; what may not be looked at fails later."""
    try:
        path.stat()
    except PermissionError:
        return True
    except (OSError, ValueError):
        return False
    return True


def _refuse_nowhere(paths: Sequence[Path]) -> None:
    """Raise if a path goes from the working folder, and that was deleted."""
    try:
        _ = [path.absolute() for path in paths]
    except OSError as error:
        raise SourceError("the folder you are in was deleted") from error


def _scan(
    sources: Sequence[Path], roots: Sequence[Path], said: Place, known: Known | None
) -> Iterator[Found]:
    ids = _Ids()
    for step in walk(sources, roots):
        if not isinstance(step, Candidate):
            yield step
            continue
        place = Place(
            source=step.source,
            path=step.path,
            known="" if known is None else known.id_at(step.place),
            file=step.place,
            locale=said.locale,
            collection=said.collection,
        )
        for found in _documents(step, place):
            if known is not None and isinstance(found, Readable) and not found.line:
                yield ids.once(known.admit(found))
            else:
                yield ids.once(found)


def _documents(candidate: Candidate, place: Place) -> Iterator[Found]:
    try:
        with candidate.file.open("rb") as file:
            head = file.read(_HEAD)
            suffix = PurePosixPath(candidate.path).suffix.lower()
            refusal = sniff.refuse_bytes(head, _tail(file, head), suffix)
            start = "" if refusal else _text(head)
            if start and sniff.is_cards(start, suffix):
                refusal = sniff.no_cards(start)
                if refusal is None:
                    yield from _cards(file, head, place)
                    return
            yield finish(refusal or _whole(file, head, suffix), place)
    except OSError as error:
        yield finish(Refusal(why(error)), place)


def _card(place: Place, line: int) -> Place:
    return Place(
        source=f"{place.source}:{line}",
        file=place.file,
        line=line,
        locale=place.locale,
        collection=place.collection,
    )


def _tail(file: BinaryIO, head: bytes) -> bytes:
    if len(head) < _HEAD:
        return b""
    file.seek(-_HEAD, os.SEEK_END)
    return file.read(_HEAD)


def _text(head: bytes) -> str:
    """Return the beginning of a file as text, or nothing if it is none."""
    if encoding.is_binary(head):
        return ""
    return head.decode(encoding.mark(head) or "utf-8", errors="replace")


def _cards(file: BinaryIO, head: bytes, place: Place) -> Iterator[Found]:
    file.seek(0)
    name = encoding.mark(head)
    wide = name not in ("", "utf-8")
    text = io.TextIOWrapper(file, name or "utf-8", "replace", newline="\n")
    lines = cards.lines(text if wide else file)
    number = 0
    try:
        for number, found in cards.read(lines, name if wide else ""):
            yield finish(found, _card(place, number))
    finally:
        text.detach()  # the file is closed by whoever opened it, also if interrupted
    if not number:
        yield Skipped(source=place.source, why="no text", place=place.file)


def _whole(file: BinaryIO, head: bytes, suffix: str) -> Draft | Refusal:
    """Read a file that is one document."""
    file.seek(len(head))
    data = head + file.read(LIMIT + 1 - len(head))
    if len(data) > LIMIT:
        return Refusal(f"larger than {LIMIT // 1024 // 1024} MiB")
    if encoding.is_binary(data):
        return Refusal("binary data, not text")
    decoded = encoding.decode(data)
    text = normalise(decoded.text)
    kind = sniff.kind(text, suffix)
    found = kind if isinstance(kind, Refusal) else _READERS[kind](text)
    if isinstance(found, Refusal):
        return found
    said = {**found.metadata, "encoding": decoded.encoding}
    return replace(found, metadata=said)


_READERS: Mapping[sniff.Kind, Callable[[str], Draft | Refusal]] = {
    sniff.Kind.MARKDOWN: markdown.read,
    sniff.Kind.TEXT: plain.read,
    sniff.Kind.HTML: html.read,
}


class _Ids:
    """Sees to it that one run yields one document an id.

    A corpus may hold millions of cards, so that only hashes are kept: of the id
    in 64 bits, of the version in 32, and where the first one was.
    """

    def __init__(self) -> None:
        self._seen: dict[int, int] = {}
        self._files: dict[str, int] = {}
        self._names: list[str] = []

    def once(self, found: Found) -> Found:
        """Return ``found``, or the complaint that its id was there before."""
        if not isinstance(found, Readable):
            return found
        document, place, line = found.document, found.place, found.line
        key = int.from_bytes(blake2b(document.id.encode(), digest_size=8).digest())
        version = int(document.version[:8], 16)
        first = self._seen.get(key)
        if first is None:
            self._seen[key] = (self._pack(document.source) << 32) | version
            return found
        source = self._unpack(first >> 32)
        same = first & 0xFFFFFFFF == version
        why = f"the same document as {source}"
        if not same:
            why = taken(document.id, source, card=line > 0)
        return (Skipped if same else Unreadable)(
            source=document.source, why=why, id=document.id, place=place, line=line
        )

    def _pack(self, source: str) -> int:
        """Return file and line as one number; a file that is no corpus is line 0."""
        file, _, line = source.rpartition(":")
        if not (file and line.isascii() and line.isdigit() and len(line) < 10):
            file, line = source, "0"
        if file not in self._files:
            self._files[file] = len(self._names)
            self._names.append(file)
        return (self._files[file] << 32) | int(line)

    def _unpack(self, packed: int) -> str:
        file, line = self._names[packed >> 32], packed & 0xFFFFFFFF
        return f"{file}:{line}" if line else file
