"""Four files with the same keys, folded so that offsets stay what they are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastro.answer.catalogue import catalogue, every, fold, said


def test_every_language_says_the_same_things() -> None:
    assert len({frozenset(own.said) for own in every()}) == 1
    assert all(text.strip() for own in every() for text in own.said.values())


def test_an_unknown_language_reads_english() -> None:
    assert said("greeting", "xx") == said("greeting", "en")


def test_every_language_knows_every_kind_of_asking() -> None:
    assert all(set(own.ask) == set(catalogue("en").ask) for own in every())


@pytest.mark.property
@given(st.text(max_size=40))
def test_folding_never_moves_an_offset(text: str) -> None:
    assert len(fold(text)) == len(text)
