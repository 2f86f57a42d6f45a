"""A gap is a word that carries the question and that no passage holds."""

import pytest
from help_desk import engine
from scripted import Scripted

from lastro.answer.analyse import analyse
from lastro.answer.gaps import Gaps, gaps
from lastro.model.answer import Question


def missing(text: str, locale: str = "en") -> Gaps:
    provider = Scripted(["x"])
    question = Question(text=text, locale=locale, filter_locale=locale)
    engine(provider).answer(question)
    return gaps(provider.prompts[0], analyse(question, locale))


def test_a_question_that_is_held_has_no_gap() -> None:
    assert missing("How long is a guest code valid?") == Gaps()


def test_a_name_nobody_knows_is_named_as_it_was_written() -> None:
    found = missing("How long is a guest code valid in Zürich?")

    assert found.unknown == ("Zürich",)
    assert found.names == {"zürich"}


def test_a_code_nobody_knows_is_named() -> None:
    assert missing("How long is a guest code valid on IPv6?").unknown == ("IPv6",)


def test_an_everyday_word_beside_what_is_held_is_no_gap() -> None:
    assert missing("Is a guest code from the reception usually valid?").topics == ()


def test_a_word_that_is_a_good_part_of_the_question_is_a_gap() -> None:
    assert missing("keyboard dragons").unknown == ("dragons",)


def test_a_korean_gap_is_named_without_its_particle() -> None:
    assert missing("키보드로 포토샵을 설치", "ko").unknown[0] == "포토샵"


def test_the_words_of_comparing_are_no_gap() -> None:
    text = "What is the difference between a guest code and an event code?"

    assert missing(text) == Gaps()


@pytest.mark.parametrize("text", ["Zephyrion", "how do i do it"])
def test_without_passages_or_words_nothing_breaks(text: str) -> None:
    assert isinstance(missing(text), Gaps)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("How long is a guest code of Old Harbour valid?", "Old Harbour"),
        ("Is a guest code of Bob Zephyr valid?", "Bob Zephyr"),
        ("São Zephyr", "São Zephyr"),
    ],
)
def test_a_name_of_several_words_is_named_whole_and_once(text: str, named: str) -> None:
    assert missing(text).topics == (named,)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("포토샵을 잊어버렸어요", ("포토샵",)),
        ("포토샵을 바꾸면 포토샵은 절이나요?", ("포토샵",)),
    ],
)
def test_a_korean_verb_is_no_gap_and_a_noun_is_named_once(
    text: str, named: tuple[str, ...]
) -> None:
    assert missing(text, "ko").topics == named


def test_another_form_of_a_word_that_is_shown_is_no_gap() -> None:
    assert missing("emparejamientos teclado", "es").topics == ()
    assert missing("empanadas teclado", "es").topics == ("empanadas",)


def test_a_slip_of_the_pen_gets_the_word_that_is_shown() -> None:
    assert missing("keybord connect button").nearest == ("keyboard",)
    assert missing("keyboard dragons").nearest == ()
