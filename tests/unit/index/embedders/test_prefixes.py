"""A model's name says what it wants before a text."""

import pytest

from lastro.index.embedders.prefixes import Habits, habits


@pytest.mark.parametrize(
    ("name", "query", "passage", "pooling"),
    [
        ("intfloat/multilingual-e5-small", "query: ", "passage: ", "MEAN"),
        ("E5_base_v2", "query: ", "passage: ", "MEAN"),
        ("intfloat/multilingual-e5-large-instruct", "Instruct: ", "", "MEAN"),
        ("BAAI/bge-small-en-v1.5", "Represent this sentence ", "", "CLS"),
        ("BAAI/bge-m3", "", "", "CLS"),
        ("snowflake/snowflake-arctic-embed-m-v2.0", "query: ", "", "CLS"),
        ("mixedbread-ai/mxbai-embed-large-v1", "Represent this ", "", "CLS"),
        ("nomic-ai/nomic-embed-text-v1.5", "search_query: ", "search_document: ", "M"),
    ],
)
def test_known_families_get_their_words(
    name: str, query: str, passage: str, pooling: str
) -> None:
    found = habits(name)

    assert found.query.startswith(query)
    assert bool(found.query) == bool(query)
    assert found.passage == passage
    assert found.pooling.startswith(pooling)


@pytest.mark.parametrize(
    "name",
    ["sentence-transformers/all-MiniLM-L6-v2", "text-embedding-3-small", "", "e50"],
)
def test_any_other_name_gets_none(name: str) -> None:
    assert habits(name) == Habits("", "", "MEAN")
