"""A reranker by name: none, or a cross-encoder; what is missing is said."""

import subprocess
import sys
from pathlib import Path

import pytest

from lastro.compose.rerankers import make_reranker
from lastro.errors import UsageError


def test_none_is_no_reranker_and_imports_nothing_heavy() -> None:
    code = (
        "import sys; from lastro.compose.rerankers import make_reranker; "
        "assert make_reranker('none') is None; import lastro.index.rerank; "
        "assert not {'numpy', 'fastembed', 'onnxruntime'} & set(sys.modules)"
    )

    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("name", ["", "bge", "fastembed", "fastembed:"])
def test_an_unknown_name_lists_the_choices(name: str) -> None:
    with pytest.raises(UsageError, match=r"it is none, late or fastembed:MODEL"):
        make_reranker(name)


def test_what_is_not_installed_says_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("lastro.compose.rerankers.find_spec", lambda _: None)

    with pytest.raises(UsageError, match="not installed") as caught:
        make_reranker("fastembed:Xenova/ms-marco-MiniLM-L-6-v2")

    assert "pip install 'lastro[dense]'" in caught.value.hint


def test_a_folder_makes_a_cross_encoder(tmp_path: Path) -> None:
    pytest.importorskip("fastembed")
    pytest.importorskip("onnx")
    import onnx_reranker  # noqa: PLC0415  (after the two that it needs)

    onnx_reranker.make(tmp_path, ["red"])
    made = make_reranker(f"fastembed:{tmp_path}")

    assert made is not None
    assert made.name == f"fastembed:{tmp_path}"
    assert made.scores("red", ["red", "blue"]) == [1.0, 0.0]


def test_late_needs_nothing_but_the_base_install() -> None:
    made = make_reranker("late")

    assert made is not None
    near, far = made.scores(
        "reset my password", ["Change the password here.", "Trees are green."]
    )
    assert 0 <= far < near <= 1
