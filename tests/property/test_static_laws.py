"""Laws of the static embedder, for any text at all."""

import unicodedata

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastro.index.embedders.static import Static, segmented

pytestmark = pytest.mark.property

STATIC = Static()
ANY_TEXT = st.text(max_size=200)


@given(st.lists(ANY_TEXT, max_size=8))
def test_a_row_has_length_one_or_is_zero(texts: list[str]) -> None:
    lengths = np.linalg.norm(STATIC.passages(texts), axis=1)
    assert np.all((lengths == 0) | (np.abs(lengths - 1) < 1e-5))


@given(st.lists(ANY_TEXT, max_size=8))
def test_a_text_has_the_same_bits_alone_and_among_others(texts: list[str]) -> None:
    together = STATIC.passages(texts)
    alone = [STATIC.query(text) for text in texts]
    assert [row.tobytes() for row in together] == [row.tobytes() for row in alone]


@given(ANY_TEXT, ANY_TEXT)
def test_the_order_of_words_does_not_count(one: str, other: str) -> None:
    forth, back = f"{one} {other}", f"{other} {one}"
    assert STATIC.query(forth).tobytes() == STATIC.query(back).tobytes()


@given(ANY_TEXT)
def test_composed_and_decomposed_text_are_the_same(text: str) -> None:
    composed = unicodedata.normalize("NFC", text)
    decomposed = unicodedata.normalize("NFD", text)
    assert STATIC.query(composed).tobytes() == STATIC.query(decomposed).tobytes()


@given(
    st.text("abcd", max_size=20),
    st.dictionaries(st.text("abc", min_size=1, max_size=4), st.floats(-20, -1)),
)
def test_a_cut_loses_no_character(chars: str, scores: dict[str, float]) -> None:
    longest = max(map(len, scores), default=1)
    cut = segmented(chars, scores, longest)
    assert "".join(cut) == chars
    assert all(piece in scores or len(piece) == 1 for piece in cut)
