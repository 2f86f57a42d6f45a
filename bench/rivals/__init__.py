"""Other search libraries behind one form: build in a folder, open it, search.

Each takes the passages as its own page shows; ``terms`` says whose analysis it
gets: ours where it takes terms, else its own.  Nothing here is imported until it
is asked for, so that one that is not installed is only missing.
"""

import pickle
import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import NamedTuple, Protocol

import lastro
from lastro.index.ingest import ingest
from lastro.index.search import Searcher

K = 10


class Row(NamedTuple):
    """A passage: its title, its text, and our index terms of both by blanks."""

    title: str
    text: str
    terms: str


class Query(NamedTuple):
    """A question: as it is asked, and our terms of it by blanks."""

    text: str
    terms: str


Search = Callable[[Query], object]


class Rival(ABC):
    """A search library."""

    needs: tuple[str, ...]
    terms: str

    @abstractmethod
    def build(self, rows: Sequence[Row], folder: Path) -> None:
        """Build what is searched, in a folder that is there and empty."""

    @abstractmethod
    def open(self, folder: Path) -> Search:
        """Return how to search what was built."""


class Lastro(Rival):
    """This project: from Markdown files to a knowledge base, with its store."""

    needs = ()
    terms = "ours; from Markdown files, store included"

    def build(self, rows: Sequence[Row], folder: Path) -> None:  # noqa: ARG002
        """Ingest the files that the passages are of."""
        ingest(folder / "kb", [folder.parent / "docs"])

    def open(self, folder: Path) -> Search:
        """Return the public search, lexical leg only."""
        search = Searcher.open(folder / "kb").search
        return lambda query: search(query.text, k=K, locale="en", legs="lexical")


class LastroHybrid(Rival):
    """This project with vectors of the static table, both legs fused."""

    needs = ()
    terms = "ours; from Markdown files, store and vectors included"

    def build(self, rows: Sequence[Row], folder: Path) -> None:  # noqa: ARG002
        """Ingest the files that the passages are of."""
        with lastro.open(folder / "kb", environ={}) as kb:
            kb.ingest([folder.parent / "docs"])

    def open(self, folder: Path) -> Search:
        """Return the public search, both legs."""
        search = lastro.open(folder / "kb", environ={}).search
        return lambda query: search(query.text, k=K, locale="en", legs="hybrid")


class Tantivy(Rival):
    """tantivy called bare."""

    needs = ("tantivy",)
    terms = "its own"

    def build(self, rows: Sequence[Row], folder: Path) -> None:
        """Build with one thread."""
        tantivy = import_module("tantivy")
        builder = tantivy.SchemaBuilder()
        for name in ("title", "body"):
            builder.add_text_field(name, index_option="freq")
        builder.add_integer_field("id", stored=True, indexed=True)
        writer = tantivy.Index(builder.build(), str(folder)).writer(64_000_000, 1)
        for number, row in enumerate(rows):
            writer.add_document(
                tantivy.Document(id=number, title=row.title, body=row.text)
            )
        writer.commit()
        writer.wait_merging_threads()

    def open(self, folder: Path) -> Search:
        """Return its search over both fields."""
        index = import_module("tantivy").Index.open(str(folder))
        searcher = index.searcher()

        def search(query: Query) -> object:
            plain = "".join(c if c.isalnum() else " " for c in query.text.lower())
            return searcher.search(index.parse_query(plain, ["body", "title"]), K)

        return search


class Bm25s(Rival):
    """bm25s with its numpy backend."""

    needs = ("bm25s",)
    terms = "ours"

    def build(self, rows: Sequence[Row], folder: Path) -> None:
        """Build and save."""
        made = import_module("bm25s").BM25()
        made.index([row.terms.split() for row in rows], show_progress=False)
        made.save(str(folder))

    def open(self, folder: Path) -> Search:
        """Return its search over files mapped into memory."""
        made = import_module("bm25s").BM25.load(str(folder), mmap=True)

        def search(query: Query) -> object:
            terms = [query.terms.split()]
            return made.retrieve(terms, k=K, show_progress=False)

        return search


class RankBm25(Rival):
    """rank_bm25; it has no files of its own, so that it is pickled."""

    needs = ("rank_bm25", "numpy")
    terms = "ours"

    def build(self, rows: Sequence[Row], folder: Path) -> None:
        """Build and pickle."""
        made = import_module("rank_bm25").BM25Okapi([row.terms.split() for row in rows])
        (folder / "made").write_bytes(pickle.dumps(made))

    def open(self, folder: Path) -> Search:
        """Return its scores' best ten."""
        made = pickle.loads((folder / "made").read_bytes())  # noqa: S301 - our own
        best = import_module("numpy").argpartition
        return lambda query: best(made.get_scores(query.terms.split()), -K)[-K:]


class Fts5(Rival):
    """SQLite's full text search."""

    needs = ("sqlite3",)
    terms = "its own (unicode61)"

    def build(self, rows: Sequence[Row], folder: Path) -> None:
        """Build in a file, in one transaction."""
        db = sqlite3.connect(folder / "fts.sqlite")
        db.execute("CREATE VIRTUAL TABLE p USING fts5(title, body)")
        pairs = ((row.title, row.text) for row in rows)
        db.executemany("INSERT INTO p VALUES (?, ?)", pairs)
        db.commit()
        db.close()

    def open(self, folder: Path) -> Search:
        """Return its search for any of the words."""
        db = sqlite3.connect(folder / "fts.sqlite")
        best = "SELECT rowid FROM p WHERE p MATCH ? ORDER BY bm25(p) LIMIT ?"

        def search(query: Query) -> object:
            words = "".join(c if c.isalnum() else " " for c in query.text).split()
            wanted = " OR ".join(f'"{word}"' for word in words)
            return db.execute(best, (wanted, K)).fetchall()

        return search


class LangChain(Rival):
    """LangChain's BM25 retriever, which is rank_bm25 behind its documents."""

    needs = ("langchain_community.retrievers.bm25", "rank_bm25")
    terms = "ours"

    def build(self, rows: Sequence[Row], folder: Path) -> None:
        """Build and pickle: it has no files of its own."""
        (folder / "made").write_bytes(pickle.dumps(self.retriever(rows)))

    @staticmethod
    def retriever(rows: Sequence[Row]) -> object:
        """Return the retriever over our terms."""
        kind = import_module("langchain_community.retrievers").BM25Retriever
        texts = [row.terms for row in rows]
        return kind.from_texts(texts, preprocess_func=str.split, k=K)

    def open(self, folder: Path) -> Search:
        """Return its public call."""
        made = pickle.loads((folder / "made").read_bytes())  # noqa: S301 - our own
        return lambda query: made.invoke(query.terms)


class LangChainEnsemble(Rival):
    """LangChain's BM25 retriever and FAISS, fused by its ensemble."""

    needs = (
        *LangChain.needs,
        "langchain_community.vectorstores.faiss",
        "langchain_classic.retrievers.ensemble",
        "faiss",
    )
    terms = "ours; vectors of the static table"

    def build(self, rows: Sequence[Row], folder: Path) -> None:
        """Build both; vectors of 384 dimensions."""
        vectors = import_module("rivals.vectors")
        made = LangChain.retriever(rows)
        (folder / "made").write_bytes(pickle.dumps(made))
        vectors.store([row.terms for row in rows]).save_local(str(folder))

    def open(self, folder: Path) -> Search:
        """Return the ensemble's public call."""
        vectors = import_module("rivals.vectors")
        words = pickle.loads((folder / "made").read_bytes())  # noqa: S301 - our own
        near = vectors.load(folder).as_retriever(search_kwargs={"k": K})
        kind = import_module("langchain_classic.retrievers").EnsembleRetriever
        both = kind(retrievers=[words, near], weights=[0.5, 0.5])
        return lambda query: both.invoke(query.terms)


class Txtai(Rival):
    """txtai's own BM25 over its term index; no model, so no vectors."""

    needs = ("txtai.scoring",)
    terms = "ours"

    def build(self, rows: Sequence[Row], folder: Path) -> None:
        """Build and save."""
        made = self._made()
        made.index([(at, row.terms.split(), None) for at, row in enumerate(rows)])
        made.save(str(folder / "scoring"))

    @staticmethod
    def _made() -> "_Scoring":
        kind = import_module("txtai.scoring").ScoringFactory
        made: _Scoring = kind.create({"method": "bm25", "terms": True})
        return made

    def open(self, folder: Path) -> Search:
        """Return its search."""
        made = self._made()
        made.load(str(folder / "scoring"))
        return lambda query: made.search(query.terms.split(), K)


class _Scoring(Protocol):
    def index(self, documents: Sequence[object]) -> None: ...
    def save(self, path: str) -> None: ...
    def load(self, path: str) -> None: ...
    def search(self, query: Sequence[str], limit: int) -> object: ...


RIVALS: dict[str, Rival] = {
    "lastro": Lastro(),
    "lastro, both legs": LastroHybrid(),
    "tantivy": Tantivy(),
    "bm25s": Bm25s(),
    "rank_bm25": RankBm25(),
    "SQLite FTS5": Fts5(),
    "LangChain BM25": LangChain(),
    "LangChain BM25 + FAISS": LangChainEnsemble(),
    "txtai": Txtai(),
}
