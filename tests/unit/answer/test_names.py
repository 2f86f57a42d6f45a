"""A name is told by its capital, inside a sentence."""

import pytest

from lastro.answer.names import name_words, names


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Who is Bob Smith?", ("Bob Smith",)),
        ("Is the library in São Paulo or in Recife?", ("São Paulo", "Recife")),
        ("São Paulo", ("São Paulo",)),
        ("Compare Solo and Team", ("Solo", "Team")),
        ("Printer?", ()),
        ("RESET THE PASSWORD", ()),
        ("How Do I Reset My Old Password", ()),
        ("It is valid. Is Bob there?", ("Bob",)),
        ("¿Dónde está la sala?", ()),
        ("", ()),
    ],
)
def test_adjacent_capitals_inside_a_sentence_are_one_name(
    text: str, found: tuple[str, ...]
) -> None:
    assert names(text, "en") == found


def test_every_word_of_a_name_is_one_of_its_words() -> None:
    assert name_words("Is it in São Paulo?", "pt") == {"são", "paulo"}
