"""Any model in ONNX: from a folder without a network, or from a hub's cache."""

import json
import socket
from pathlib import Path
from typing import Never

import numpy as np
import pytest

pytest.importorskip("fastembed", reason="the package fastembed is not installed")
pytest.importorskip("onnx", reason="the package onnx, which makes a model, is not")

import onnx_model

from lastro.errors import EmbedderError
from lastro.index.embedders.fastembed import FastEmbed
from lastro.index.window import embedded, fitted_query

VOCABULARY = "query passage museum opens nine code valid week who pays luggage"
WORDS = (*VOCABULARY.split(), "?", ":", ".")
FILLER = "The museum opens. " * 20


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> Never:
        raise OSError("no network in this test")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return onnx_model.make(tmp_path_factory.mktemp("models") / "plain", WORDS)


@pytest.fixture(scope="module")
def plain(folder: Path) -> FastEmbed:
    return FastEmbed(str(folder))


def test_a_folder_is_an_embedder(folder: Path, plain: FastEmbed) -> None:
    rows = plain.passages(["Museum opens nine.", "", "code valid week", " \n"])

    assert plain.identity.name == f"fastembed:{folder}"
    assert plain.identity.dimension == onnx_model.DIMENSION == rows.shape[1]
    assert plain.identity.query_prefix == plain.identity.passage_prefix == ""
    assert np.linalg.norm(rows, axis=1).tolist() == pytest.approx([1, 0, 1, 0])
    found = rows @ plain.query("who opens museum?")
    assert found[0] > found[2]
    assert plain.costly


def test_a_text_has_the_same_row_in_any_company(plain: FastEmbed) -> None:
    texts = ["museum", "museum opens nine " * 5, "code"] * 12

    rows = plain.passages(texts)

    assert np.allclose(rows[0], plain.passages(["museum"])[0], atol=1e-6)
    assert np.allclose(rows[-1], plain.query("code"), atol=1e-6)


def test_tokens_are_counted_beyond_the_window(plain: FastEmbed) -> None:
    assert plain.window == onnx_model.LONGEST - 2
    assert plain.tokens("museum opens") == 2
    assert plain.tokens(FILLER) == 80
    assert plain.tokens("") == 0
    assert plain.tokens("\ud800 a\0b") >= 1


def test_an_e5_gets_its_prefixes_from_us(tmp_path: Path) -> None:
    folder = onnx_model.make(tmp_path / "tiny-e5", WORDS)
    e5 = FastEmbed(str(folder))
    bare = FastEmbed(str(onnx_model.make(tmp_path / "bare", WORDS)))

    assert (e5.identity.query_prefix, e5.identity.passage_prefix) == (
        "query: ",
        "passage: ",
    )
    assert np.allclose(e5.query("museum"), bare.query("query: museum"), atol=1e-6)
    assert np.allclose(
        e5.passages(["museum"]), bare.passages(["passage: museum"]), atol=1e-6
    )


def test_a_model_pools_as_its_folder_says(tmp_path: Path) -> None:
    folder = onnx_model.make(tmp_path / "model", WORDS)
    mean = FastEmbed(str(folder)).query("museum")
    (folder / "1_Pooling").mkdir()
    stated = {"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False}
    (folder / "1_Pooling" / "config.json").write_text(json.dumps(stated))

    first = FastEmbed(str(folder))

    assert np.allclose(first.query("museum"), first.query("code"), atol=1e-6)
    assert not np.allclose(first.query("museum"), mean, atol=0.1)


@pytest.mark.parametrize("file", ["model.onnx", "model_int4.onnx"])
def test_a_model_that_pools_by_itself_is_taken_at_its_word(
    tmp_path: Path, file: str
) -> None:
    folder = onnx_model.make(tmp_path, WORDS, file=file, pools=True)

    found = FastEmbed(str(folder)).query("museum")

    assert found.shape == (onnx_model.DIMENSION,)
    assert np.linalg.norm(found) == pytest.approx(1.0)


def test_a_file_of_a_model_is_as_good_as_its_folder(
    folder: Path, plain: FastEmbed
) -> None:
    file = FastEmbed(str(folder / "onnx" / "model.onnx"))

    assert file.identity.revision == plain.identity.revision
    assert np.array_equal(file.query("museum"), plain.query("museum"))


def test_other_weights_are_another_revision_i41(
    tmp_path: Path, plain: FastEmbed
) -> None:
    """I41: the embedder was changed and its vectors were compared with the old."""
    other = FastEmbed(str(onnx_model.make(tmp_path / "plain", WORDS, seed=1)))
    same = FastEmbed(str(onnx_model.make(tmp_path / "same", WORDS)))

    assert other.identity.revision != plain.identity.revision
    assert same.identity.revision == plain.identity.revision


def test_long_questions_with_one_beginning_are_not_one_question_q20(
    plain: FastEmbed,
) -> None:
    """Q20: the first 512 tokens alone were embedded; cosine 1.0."""
    ends = "Code valid week?", "Who pays luggage?"
    raw = [plain.query(FILLER + end) for end in ends]
    asked = [fitted_query(FILLER + end, plain) for end in ends]

    assert float(raw[0] @ raw[1]) == pytest.approx(1.0)
    assert [text for text, _ in asked] == list(ends)
    assert float(plain.query(ends[0]) @ plain.query(ends[1])) < 0.99


def test_a_passage_beyond_the_window_never_fails_q22(plain: FastEmbed) -> None:
    """Q22: a chunk longer than the encoder's limit failed."""
    rows = embedded([FILLER + "code valid week. " * 9, "museum " * 500], plain)

    assert np.linalg.norm(rows, axis=1).tolist() == pytest.approx([1.0, 1.0])
    assert float(rows[0] @ rows[1]) < 0.999


@pytest.mark.parametrize(
    ("lacking", "said"),
    [
        ("tokenizer.json", "has no tokenizer.json"),
        ("tokenizer_config.json", "has no tokenizer_config.json"),
        ("onnx/model.onnx", "has no model in ONNX"),
    ],
)
def test_a_folder_that_lacks_a_file_says_which(
    tmp_path: Path, lacking: str, said: str
) -> None:
    (onnx_model.make(tmp_path, WORDS) / lacking).unlink()

    with pytest.raises(EmbedderError, match=said) as raised:
        FastEmbed(str(tmp_path))
    assert "model.onnx" in raised.value.hint


@pytest.mark.parametrize("damaged", ["tokenizer.json", "onnx/model.onnx"])
def test_a_damaged_file_is_one_clear_error(tmp_path: Path, damaged: str) -> None:
    (onnx_model.make(tmp_path, WORDS) / damaged).write_bytes(b"\x08\x01{]")

    with pytest.raises(EmbedderError, match="cannot be run: its files are damaged"):
        FastEmbed(str(tmp_path))


def test_a_folder_that_is_not_there_is_never_asked_of_a_hub(tmp_path: Path) -> None:
    with pytest.raises(EmbedderError, match="does not exist"):
        FastEmbed(str(tmp_path / "none"))
    with pytest.raises(EmbedderError, match="does not exist"):
        FastEmbed("./none")


@pytest.mark.parametrize("name", ["BAAI/bge-small-en-v1.5", "acme/e5-tiny", "x"])
def test_a_name_without_a_network_says_what_to_do(tmp_path: Path, name: str) -> None:
    with pytest.raises(EmbedderError, match=f"the model {name} is not on") as raised:
        FastEmbed(name, cache=str(tmp_path))

    assert "Give the folder of a downloaded model" in raised.value.hint


def test_a_name_that_was_downloaded_needs_no_network(tmp_path: Path) -> None:
    cached = tmp_path / "models--acme--e5-tiny-2"
    onnx_model.make(cached / "snapshots" / "0123abcd", WORDS)
    (cached / "refs").mkdir()
    (cached / "refs" / "main").write_text("0123abcd")

    e5 = FastEmbed("acme/e5-tiny-2", cache=str(tmp_path))

    assert e5.identity.name == "fastembed:acme/e5-tiny-2"
    assert e5.identity.passage_prefix == "passage: "
    snapshot = FastEmbed(str(cached / "snapshots" / "0123abcd"))
    assert snapshot.identity.passage_prefix == "passage: "
    assert np.allclose(snapshot.query("museum"), e5.query("museum"), atol=1e-6)
