"""A text beyond what a judge reads is read in parts: all of it, and side by side."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastro.eval.judges.windows import windows


def under(length: int) -> Callable[[str], bool]:
    return lambda part: len(part) <= length


@pytest.mark.parametrize("text", ["", "One.", "One. Two."])
def test_what_fits_stays_as_it_is(text: str) -> None:
    assert list(windows(text, under(9))) == [text]


def test_neighbours_are_read_together_wherever_the_seams_are() -> None:
    text = " ".join(f"Rule {n} holds." for n in range(40))
    read = list(windows(text, under(60)))

    for n in range(39):
        assert any(f"Rule {n} holds. Rule {n + 1} holds." in part for part in read)
    assert len(read) < 40


def test_a_sentence_that_does_not_fit_is_read_in_parts_beside_its_neighbours() -> None:
    long = "word " * 30
    read = list(windows(f"First one. {long}end. Last one.", under(40)))

    assert all(len(part) <= 40 for part in read)
    assert read[0].startswith("First one.")
    assert read[-1].endswith("Last one.")
    assert sum(part.count("word") for part in read) >= 30


@pytest.mark.property
@given(
    st.lists(st.text("ab. \n?가", max_size=30), max_size=12).map(" ".join),
    st.integers(1, 40),
)
def test_g08_no_letter_is_left_out_and_every_part_fits(text: str, room: int) -> None:
    read = list(windows(text, under(room)))

    assert all(len(part) <= room for part in read)
    left = "".join(read)
    for letter in "ab.?가":
        assert left.count(letter) >= text.count(letter)
    assert len(read) <= 2 * len(text) + 1
