"""The answer is in the question's language, as far as it can be known."""

from dataclasses import replace

import pytest
from help_desk import SHELF
from shelf import Shelf

from lastro.answer.language import answer_locale
from lastro.model.answer import Question


@pytest.mark.parametrize(
    ("question", "locale"),
    [
        (Question(text="Como faço isso?", locale="ko"), "ko"),
        (Question(text="Como faço para conectar um teclado?"), "pt"),
        (Question(text="¿Dónde está la biblioteca?"), "es"),
        (Question(text="키보드를 연결하려면?"), "ko"),
        (Question(text="bluetooth", filter_locale="pt-BR"), "pt-BR"),
        (Question(text="12345"), "en"),
    ],
)
def test_given_then_detected_then_the_documents(
    question: Question, locale: str
) -> None:
    assert answer_locale(question, None) == locale


def test_a_word_of_no_language_is_answered_in_that_of_what_was_found() -> None:
    question = Question(text="BX-12345", locale="")
    ranking = SHELF.search(Question(text="teclado dispositivos", locale="pt-BR"))
    only = replace(
        ranking,
        selected=tuple(h for h in ranking.selected if h.passage.locale == "pt-BR"),
    )

    assert answer_locale(question, only) in ("pt-BR", "en")


def _shelf(*locales: str) -> Shelf:
    return Shelf(
        [
            (f"{at}", "Plan Solo", "El plan Solo, plan Team: 5 GB.", locale)
            for at, locale in enumerate(locales)
        ]
    )


@pytest.mark.parametrize(
    ("locales", "answered"),
    [
        (("en", "en"), "en"),
        (("pt-BR",), "pt-BR"),
        (("es", "pt"), "en"),
    ],
)
def test_what_is_found_decides_where_the_words_do_not(
    locales: tuple[str, ...], answered: str
) -> None:
    question = Question(text="Solo plan or Team plan")
    ranking = _shelf(*locales).search(replace(question, locale="en"))

    assert answer_locale(question, ranking) == answered
