"""Both sides of a check are taken apart alike: words, numbers, names, denials."""

import pytest

from lastro.grounding.statement import statement


def test_a_sentence_gives_its_numbers_with_repeats_and_its_names() -> None:
    said = statement("On page 2, GNOME opens page 2 of 14 in Nautilus.", "en")
    assert said.numbers == ("14", "2", "2")
    assert said.names == {"gnome", "nautilus"}
    assert said.denials == 0


def test_the_word_that_opens_a_sentence_is_no_name() -> None:
    assert statement("Settings open.", "en").names == frozenset()


def test_a_hangul_word_weighs_one_word_in_all() -> None:
    said = statement("프린터를 연결합니다", "ko")
    assert sum(unit.share for unit in said.units) == pytest.approx(2.0)


def test_numbers_and_names_are_not_plain() -> None:
    said = statement("wait 30 seconds for GNOME", "en")
    exact = [unit.forms for unit in said.units if unit.exact]
    assert {"30"} in exact
    assert len(said.plain) == len(said.units) - len(exact)


def test_a_sentence_of_function_words_is_judged_by_them() -> None:
    assert len(statement("Is it so?", "en").units) == 3
    assert statement("…", "en").units == ()
