"""A cross-encoder from a folder: a real model, made here, run without a network."""

from pathlib import Path

import pytest

pytest.importorskip("fastembed")
pytest.importorskip("onnx")

import offline
import onnx_reranker  # after the two that it needs

from lastro.errors import UsageError
from lastro.index.fuse import Candidate
from lastro.index.rerank import reranked
from lastro.index.rerankers.cross_encoder import CrossEncoder
from lastro.model.ids import DocumentId, PassageId
from lastro.model.ranking import LegStatus

WORDS = ("red", "green", "blue", "door", "opens")


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    offline.cut(monkeypatch, "a folder needs no network")


@pytest.mark.parametrize("file", ["onnx/model.onnx", "model.onnx"])
def test_a_model_in_a_folder_scores_query_and_passage_together(
    tmp_path: Path, file: str
) -> None:
    model = CrossEncoder(str(onnx_reranker.make(tmp_path, WORDS, file=file)))

    scores = model.scores("Red door", ["the red door", "a blue door", "nothing"])

    assert scores == [2.0, 1.0, 0.0]
    assert model.scores("red", []) == []
    assert model.name == f"fastembed:{tmp_path}"


@pytest.mark.parametrize("file", ["onnx/quantized.onnx", "other.onnx"])
def test_a_file_picks_one_of_several_models_of_a_folder(
    tmp_path: Path, file: str
) -> None:
    onnx_reranker.make(tmp_path, WORDS, blank=True)
    onnx_reranker.make(tmp_path, WORDS, file=file)

    assert CrossEncoder(str(tmp_path / file)).scores("red", ["red"]) == [1.0]


def test_the_same_folder_can_be_loaded_again(tmp_path: Path) -> None:
    path = str(onnx_reranker.make(tmp_path, WORDS))

    assert CrossEncoder(path).scores("red", ["red"]) == [1.0]
    assert CrossEncoder(path).scores("red", ["blue"]) == [0.0]


def test_a_passage_longer_than_the_model_reads_counts_by_its_beginning(
    tmp_path: Path,
) -> None:
    model = CrossEncoder(str(onnx_reranker.make(tmp_path, WORDS)))

    early, late = "red " + "green " * 500, "green " * 500 + "red"

    assert model.scores("red", [early, late]) == [1.0, 0.0]


def test_a_folder_without_a_model_says_what_belongs_there(tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_text("{}")

    with pytest.raises(UsageError, match="no model is there") as caught:
        CrossEncoder(str(tmp_path))

    assert "tokenizer_config.json" in caught.value.hint


@pytest.mark.parametrize(
    "broken", ["tokenizer.json", "tokenizer_config.json", "onnx/model.onnx"]
)
def test_a_file_that_is_damaged_is_a_clear_error(tmp_path: Path, broken: str) -> None:
    onnx_reranker.make(tmp_path, WORDS)
    (tmp_path / broken).write_text("not what it should be")

    with pytest.raises(UsageError, match="cannot be run") as caught:
        CrossEncoder(str(tmp_path))

    assert str(tmp_path) in str(caught.value)


def test_what_is_no_folder_and_no_known_name_asks_no_network() -> None:
    with pytest.raises(UsageError, match="no folder here") as caught:
        CrossEncoder("models/typing-error")

    assert "Xenova/ms-marco-MiniLM-L-6-v2" in caught.value.hint


def test_it_puts_passages_in_a_new_order(tmp_path: Path) -> None:
    model = CrossEncoder(str(onnx_reranker.make(tmp_path, WORDS)))
    texts = {1: "a blue door", 2: "the red door opens", 3: "green"}
    found = [
        Candidate(9.0 - row, PassageId(f"p{row}"), DocumentId(f"d{row}"), row)
        for row in texts
    ]

    order, report = reranked("red door opens", found, texts, model, 1e6, lambda: 0.0)

    assert [(one.row, one.score) for one in order] == [(2, 3.0), (1, 1.0), (3, 0.0)]
    assert (report.status, report.hits) == (LegStatus.OK, 3)


def test_a_model_whose_scores_are_no_numbers_leaves_the_order(tmp_path: Path) -> None:
    model = CrossEncoder(str(onnx_reranker.make(tmp_path, WORDS, blank=True)))
    found = [Candidate(1.0, PassageId("p"), DocumentId("d"), 1)]

    order, report = reranked("red", found, {1: "red"}, model, 1e6, lambda: 0.0)

    assert order == tuple(found)
    assert report.status is LegStatus.FAILED
    assert "no number" in report.why
