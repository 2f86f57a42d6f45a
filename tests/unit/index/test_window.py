"""A text longer than its embedder reads: nothing fails, nothing is lost in silence."""

from collections.abc import Sequence

import numpy as np
import pytest
from bag import Bag
from numpy.typing import NDArray

from lastro.index.window import embedded, fitted_query

FILLER = " ".join(f"Sentence {n} says that it rains in May." for n in range(80))


def test_a_query_that_fits_is_left_as_it_is() -> None:
    assert fitted_query(" How  long?\n", Bag(window=9)) == (" How  long?\n", "")
    assert fitted_query(FILLER, Bag(window=0)) == (FILLER, "")


def test_long_questions_with_one_beginning_are_not_one_question_q20() -> None:
    """Q20: the first 512 tokens alone were embedded; cosine 1.0."""
    bag = Bag(window=512)
    ends = "How long is a guest code valid?", "Who pays for lost luggage?"
    asked = [fitted_query(f"{FILLER} {end}", bag) for end in ends]
    assert float(
        bag.query(f"{FILLER} {ends[0]}") @ bag.query(f"{FILLER} {ends[1]}")
    ) == (pytest.approx(1.0))

    cosine = float(bag.query(asked[0][0]) @ bag.query(asked[1][0]))

    assert cosine < 0.999
    for (text, note), end in zip(asked, ends, strict=True):
        assert end in text
        assert bag.tokens(text) <= 512
        assert "longer than bag reads (512 tokens)" in note


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (f"Who pays for it? {FILLER}", "Who pays for it?"),
        (f"{FILLER} 누가 비용을 내나요? {FILLER}", "누가 비용을 내나요?"),
        (f'{FILLER} He said "who pays?" {FILLER}', 'He said "who pays?"'),
        (f"{FILLER} Tell me who pays.", "Tell me who pays."),
    ],
)
def test_the_part_that_asks_is_kept_wherever_it_stands(text: str, kept: str) -> None:
    fitted, note = fitted_query(text, Bag(window=20))

    assert kept in fitted
    assert fitted == kept or "?" not in kept
    assert len(fitted.split()) <= 20
    assert note


def test_a_query_of_one_endless_sentence_keeps_its_end() -> None:
    text = "please " * 200 + "tell me who pays"

    fitted, note = fitted_query(text, Bag(window=20))

    assert fitted.endswith("tell me who pays")
    assert 0 < len(fitted.split()) <= 20
    assert note


def test_the_prefix_takes_its_share_of_the_window() -> None:
    bag = Bag(window=20, query_prefix="query of mine: ")

    fitted, _ = fitted_query(f"{FILLER} Who pays?", bag)

    assert len(fitted.split()) <= 17


def test_passages_that_fit_are_the_embedders_own() -> None:
    bag = Bag(window=10)

    assert np.array_equal(embedded(["a b", ""], bag), Bag().passages(["a b", ""]))
    assert embedded([], bag).shape == (0, 16)


@pytest.mark.parametrize(
    "text",
    [
        FILLER,
        "word " * 5000,
        "x" * 9000,
        "a | b | c\n" * 900,
        "가나다라" * 2000,
        "?" * 3000,
    ],
)
def test_a_passage_beyond_the_window_never_fails_q22(text: str) -> None:
    """Q22: a chunk longer than the encoder's limit failed."""
    strict = _Strict(window=64, passage_prefix="passage: ")

    rows = embedded(["short", text, ""], strict)

    assert rows.shape == (3, 16)
    assert np.linalg.norm(rows[1]) == pytest.approx(1.0)
    assert np.array_equal(rows[0], strict.passages(["short"])[0])
    assert not rows[2].any()


def test_every_part_of_a_long_passage_counts_by_its_tokens() -> None:
    whole = Bag().passages([FILLER])[0]
    bag = Bag(window=50)

    row = embedded([FILLER], bag)[0]

    assert " ".join(bag.seen) == FILLER
    assert all(part.endswith("May.") for part in bag.seen)
    assert float(row @ whole) > 0.99
    assert float(bag.passages([FILLER])[0] @ whole) < float(row @ whole)


class _Strict(Bag):
    """Counts characters, and fails over the window as a server does."""

    def tokens(self, text: str) -> int:
        return len(text)

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        assert all(len(self.passage_prefix + text) <= self.window for text in texts)
        return super().passages(texts)


def test_a_long_query_of_blanks_is_no_query() -> None:
    for blanks in (" " * 5000, "\u3000" * 5000):
        assert fitted_query(blanks, Bag(window=4))[0].strip() == ""
