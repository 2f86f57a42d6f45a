"""Documents made by hand and handed to the index, without files or readers."""

from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from hashlib import sha256
from pathlib import Path

from lastro.corpus.found import Found, Readable
from lastro.index.folder import write
from lastro.index.lock import writing
from lastro.index.publish import SMALL, Publisher
from lastro.index.run import Run
from lastro.index.store import Store
from lastro.model.document import Document
from lastro.model.ids import DocumentId


def document(
    name: str, text: str, *, title: str = "", locale: str = "en", collection: str = ""
) -> Document:
    """Return a document whose version is the hash of all this."""
    content = f"{title}\n{text}\n{locale}\n{collection}"
    return Document(
        id=DocumentId(name),
        title=title or name,
        text=text,
        source=f"shelf/{name}",
        version=sha256(content.encode()).hexdigest(),
        locale=locale,
        collection=collection,
    )


def make(kb: Path) -> Store:
    """Make an empty knowledge base and open its store."""
    kb.mkdir(parents=True, exist_ok=True)
    store = Store(kb, create=True)
    store.prepare("0123456789abcdef")
    if not (kb / "lastro.toml").exists():
        write(kb, "lastro test")
    return store


def take(
    kb: Path,
    documents: Iterable[Document],
    *,
    publish: bool = True,
    small: int = SMALL,
) -> None:
    """Take documents in as one batch; the index follows unless told not to."""
    batch: list[Found] = [Readable(one, f"/{one.source}") for one in documents]
    with _lock(kb, publish), make(kb) as store:
        Run(store, ["/shelf"], sync=False).take(batch)
        if publish:
            publisher = Publisher(kb, store, small=small)
            publisher.publish()
            publisher.settle()


def drop(kb: Path, *names: str, publish: bool = True) -> None:
    """Remove documents; the index follows unless told not to."""
    with _lock(kb, publish), make(kb) as store:
        with store.writing():
            seq = store.state().applied + 1
            for name in names:
                store.end(name, seq)
            store.number(applied=seq)
        if publish:
            publisher = Publisher(kb, store)
            publisher.publish()
            publisher.settle(erase=True)


def _lock(kb: Path, publish: bool) -> AbstractContextManager[None]:
    """Keep readers from catching up meanwhile; who does not publish has the lock."""
    return writing(kb) if publish else nullcontext()
