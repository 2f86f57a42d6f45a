"""How long a text is, in words of whatever script."""

import pytest

from lastro.corpus.pieces import Piece, pieces, weight
from lastro.model.document import Span


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", 0),
        ("one two", 2),
        ("설정을 여십시오.", 2),
        ("東京都庁", 2),
        ("東京 tower", 2),
        ("x" * 32, 1),
        ("x" * 320, 10),
        ("a " * 50 + "x" * 3200, 150),
        ("ação não", 2),
    ],
)
def test_a_weight_is_a_number_of_words(text: str, expected: float) -> None:
    assert weight(text) == pytest.approx(expected)


def test_sentences_and_whole_spans_come_in_order() -> None:
    text = "One. Two.\n\n| a |\n\nThree."

    found = list(pieces(text, Span(0, len(text)), [Span(11, 16)], "en", 120))

    assert [text[p.start : p.end] for p in found] == ["One.", "Two.", "| a |", "Three."]
    assert [p.sentence for p in found] == [True, True, False, True]


def test_a_line_that_is_too_long_is_cut_between_words() -> None:
    text = "a b c d e f g h i j k l m n o p"

    found = list(pieces(text, Span(0, len(text)), [Span(0, len(text))], "en", 5))

    assert [text[p.start : p.end] for p in found] == [
        "a b c d e", "f g h i j", "k l m n o", "p",
    ]  # fmt: skip
    assert found[-1] == Piece(30, 31, 1, sentence=False)
