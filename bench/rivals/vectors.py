"""LangChain's FAISS store over the vectors of the static table."""

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Protocol

from lastro.index.embedders.static import Static

TABLE = Static()


class Vectors:
    """What LangChain asks of an embedder."""

    def embed_documents(self, texts: Sequence[str]) -> list[list[float]]:
        """Return a vector for each text."""
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        """Return the vector of a text."""
        found: list[float] = TABLE.query(text).tolist()
        return found

    def __call__(self, text: str) -> list[float]:
        """Return the vector of a text: the store asks both ways."""
        return self.embed_query(text)


class Store(Protocol):
    """What is used of LangChain's store."""

    def save_local(self, folder: str) -> None:
        """Write the store."""

    def as_retriever(self, *, search_kwargs: dict[str, int]) -> object:
        """Return the store as a retriever."""


def store(texts: Sequence[str]) -> Store:
    """Return a store of the vectors of ``texts``."""
    made: Store = _kind().FAISS.from_texts(list(texts), Vectors())
    return made


def load(folder: Path) -> Store:
    """Return the store that was saved in a folder of our own."""
    load_local = _kind().FAISS.load_local
    made: Store = load_local(
        str(folder), Vectors(), allow_dangerous_deserialization=True
    )
    return made


def _kind() -> ModuleType:
    return import_module("langchain_community.vectorstores")
