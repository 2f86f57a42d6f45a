"""Which document this is, in which version: the draft becomes a document.

Identity is the id that a document gives itself, else its logical path; the
version is the hash of its content.  Neither depends on the machine, the working
folder or the time.
"""

import hashlib
import re
import unicodedata
from dataclasses import dataclass

from lastro.corpus import locales
from lastro.corpus.found import Found, Readable, Skipped, Unreadable
from lastro.corpus.read.draft import Draft, Refusal
from lastro.model.document import Document
from lastro.model.ids import DocumentId
from lastro.text.detect import Detection, detect
from lastro.text.normalise import normalise

LONGEST = 512
# Enough to tell a language: the whole of a text told no more on 1,783 documents.
_SAMPLE = 1000
_SPACES = re.compile(r"[^\S\n]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a draft was found, and what is said of everything found there.

    ``path`` is the logical path as it is spelled there (empty for a card);
    ``known`` the id that the file has from an earlier run; ``file`` and ``line``
    are where it really is.  ``locale`` and ``collection`` stand in where the
    document names none.
    """

    source: str
    path: str = ""
    known: str = ""
    file: str = ""
    line: int = 0
    locale: str = ""
    collection: str = ""


def place_id(path: str) -> str:
    r"""Return the id that a logical path gives: NFC and printable.

    >>> place_id("guia/instalac\u0327a\u0303o.md"), place_id("a\tb\u3000c\x07.md")
    ('guia/instalação.md', 'a b c�.md')
    """
    text = _SPACES.sub(" ", normalise(path))
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else "\ufffd" for c in text)


def wrong_with(identifier: str) -> str:
    r"""Say what is wrong with an id, or nothing.

    >>> wrong_with("en:a11y"), wrong_with("a\n")
    ('', 'the id holds a character that cannot be printed (U+000A)')
    """
    if len(identifier) > LONGEST:
        return f"the id is longer than {LONGEST} characters"
    bad = next((c for c in identifier if not c.isprintable()), "")
    if bad:
        return f"the id holds a character that cannot be printed (U+{ord(bad):04X})"
    if identifier != identifier.strip():
        return "the id begins or ends with a blank"
    return "" if identifier else "no id"


def finish(found: Draft | Refusal, place: Place) -> Found:
    """Return the document of a draft, or why there is none."""
    identifier = place.known or place_id(place.path)
    source, file, line = place.source, place.file, place.line
    if isinstance(found, Refusal):
        kind = Unreadable if found.broken else Skipped
        return kind(source=source, why=found.why, id=identifier, place=file, line=line)
    identifier = found.id or identifier
    wrong = wrong_with(identifier)
    if wrong:
        return Unreadable(source=source, why=wrong, place=file, line=line)
    if not found.text.strip():
        why = "no text"
        return Skipped(source=source, why=why, id=identifier, place=file, line=line)
    return Readable(_document(found, place, identifier), file, line)


def taken(identifier: str, source: str, *, card: bool) -> str:
    """Say that an id is that of another source, and what a person can do."""
    why = f"its id {identifier} is already that of {source}"
    if card:
        return why
    return (
        f"{why}: give it an `id:` of its own in the front matter, or ingest the"
        " folder above both"
    )


def _document(found: Draft, place: Place, identifier: str) -> Document:
    metadata = dict(found.metadata)
    given = locales.canonical(found.locale)
    if found.locale and not given:
        metadata["locale_given"] = found.locale
    spelled = _tail(place.file or place.path, identifier.count("/") + 1)
    if not found.id and identifier != spelled:
        metadata["name"] = normalise(spelled)
    locale = given or locales.canonical(place.locale)
    detected = Detection("", sure=False) if locale else detect(found.text[:_SAMPLE])
    if detected.sure:
        locale = detected.locale
    title = found.title or _stem(place.path) or identifier
    collection = found.collection or normalise(place.collection)
    return Document(
        id=DocumentId(identifier),
        title=title,
        text=found.text,
        source=place.source,
        version=_version(found, title, locale, collection, metadata),
        locale=locale,
        locale_detected=detected.sure,
        collection=collection,
        headings=found.headings,
        whole=found.whole,
        metadata=metadata,
    )


def _tail(path: str, parts: int) -> str:
    return "/".join(path.split("/")[-parts:])


def _stem(path: str) -> str:
    name = unicodedata.normalize("NFC", path.rpartition("/")[2])
    return place_id(name.rpartition(".")[0] or name)


def _version(
    found: Draft, title: str, locale: str, collection: str, metadata: dict[str, str]
) -> str:
    """Hash everything that is stored but the id and the source."""
    parts = [title, found.text, locale, collection]
    parts += [f"{h.start} {h.end} {h.level}" for h in found.headings]
    parts += [f"{span.start} {span.end}" for span in found.whole]
    for name in sorted(metadata):
        parts += (name, metadata[name])
    # The lengths say where one part ends: no two documents give the same bytes.
    lengths = " ".join(str(len(part)) for part in parts)
    return hashlib.sha256("\n".join((lengths, *parts)).encode()).hexdigest()
