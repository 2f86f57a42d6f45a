"""What newcomers ask of a small base: halves, sides, slips, empty bases, sections."""

import re

import pytest
from help_desk import CARDS, engine
from scripted import Scripted
from shelf import Shelf

from lastro.answer.catalogue import said
from lastro.gate.messages import Notice, notice
from lastro.model.answer import Answer, AnswerStatus, Policy, Question


def ask(text: str, locale: str = "en", **choices: object) -> Answer:
    return engine(**choices).answer(  # type: ignore[arg-type]
        Question(text=text, locale=locale, filter_locale=locale)
    )


def bare(answer: Answer) -> str:
    return re.sub(r" \[cite:\w+\]", "", answer.answer_text)


def test_a_wrong_number_in_the_question_withholds_nothing() -> None:
    answer = ask("A guest code is valid for 72 hours, right?")

    assert "A guest code is valid for 24 hours." in bare(answer)
    assert "say nothing about: 72." in bare(answer).replace("says", "say")
    assert answer.status is AnswerStatus.PARTIAL


@pytest.mark.parametrize("locale", ["en", "pt-BR", "es-419", "ko"])
def test_an_empty_base_says_so_and_lists_no_words(locale: str) -> None:
    answer = ask("Zephyrion Bluetooth 5G?", locale, shelf=Shelf([]))

    assert bare(answer).splitlines()[-1] == said("empty", locale)
    assert answer.abstained
    assert answer.insufficiency is not None
    assert answer.insufficiency.missing_topics == ()


@pytest.mark.parametrize(
    ("text", "locale", "word"),
    [
        ("How do I par a keybord?", "en", "keyboard"),
        ("¿Dónde está el tecladoo?", "es-419", "teclado"),
        ("Onde fica o tecladoo?", "pt-BR", "teclado"),
    ],
)
def test_a_slip_of_the_pen_is_asked_back_and_states_nothing(
    text: str, locale: str, word: str
) -> None:
    card = ("k", "Keyboard Teclado", "The keyboard. O teclado. El teclado.", locale)
    answer = ask(text, locale, shelf=Shelf([*(c for c in CARDS), card]))

    assert said("nearest", locale, terms=word) in bare(answer)
    assert answer.abstained
    assert answer.claims == ()


PLANS = Shelf(
    [
        (
            "p",
            "Plans",
            "The Solo plan has 20 GB. The Team plan has 200 GB. It has an audit log.",
            "en",
        )
    ]
)


@pytest.mark.parametrize(
    ("text", "locale"),
    [
        ("Compare the plans Solo and Team", "en"),
        ("¿Cuál es la diferencia entre el plan Solo y el plan Team?", "es-419"),
    ],
)
def test_a_function_word_written_as_a_name_is_a_side(text: str, locale: str) -> None:
    question = Question(text=text, locale=locale)
    answer = engine(shelf=PLANS).answer(question)

    assert "The Solo plan has 20 GB." in bare(answer)
    assert "The Team plan has 200 GB." in bare(answer)
    assert answer.status is AnswerStatus.SUPPORTED


def test_a_side_that_no_document_holds_is_named() -> None:
    answer = ask("Compare Solo and Pro", shelf=PLANS)

    assert bare(answer).startswith(notice(Notice.GAP, "en", terms="Pro"))
    assert answer.status is AnswerStatus.PARTIAL
    assert answer.insufficiency is not None
    assert answer.insufficiency.missing_targets == ("Pro",)


PAGES = Shelf(
    [
        (
            "badge",
            "Renew your badge",
            (
                "If your badge has expired, ask the reception for a new one. "
                "A badge is valid for 2 years.\n"
                "## While you still have access\n"
                "1. Open the Staff page.\n2. Choose Extend badge.\n"
                "3. Confirm the date.\n"
            ),
            "en",
        ),
        (
            "slides",
            "Download the slides",
            (
                "You can download the slides of a course as one archive.\n"
                "The archive holds the notes too."
            ),
            "en",
        ),
        ("plan", "Plans", "Only the large plan has rooms and an audit log.", "en"),
    ]
)


def test_steps_of_one_of_two_fitting_sections_stand_under_their_heading() -> None:
    lines = bare(ask("How do I renew my badge?", shelf=PAGES)).splitlines()

    assert lines == [
        "If your badge has expired, ask the reception for a new one.",
        "While you still have access",
        "1. Open the Staff page.",
        "2. Choose Extend badge.",
        "3. Confirm the date.",
    ]


@pytest.mark.parametrize("policy", list(Policy))
def test_a_heading_over_steps_states_nothing(policy: Policy) -> None:
    answer = ask("How do I renew my badge?", shelf=PAGES, policy=policy)

    assert answer.status is AnswerStatus.SUPPORTED
    assert len(answer.claims) == 4
    assert answer.findings == ()


def test_both_of_two_requests_are_answered() -> None:
    text = "How do I renew my badge and download the slides?"
    answer = ask(text, shelf=PAGES)

    assert "2. Choose Extend badge." in bare(answer)
    assert "You can download the slides of a course" in bare(answer)
    assert answer.status is AnswerStatus.SUPPORTED


def test_a_request_that_nothing_answers_is_named() -> None:
    answer = ask("How do I renew my badge and print my invoices?", shelf=PAGES)

    assert "2. Choose Extend badge." in bare(answer)
    assert answer.status is AnswerStatus.PARTIAL
    assert answer.insufficiency is not None
    assert "invoices" in answer.insufficiency.missing_topics
    assert "invoices" in answer.answer_text


def test_a_request_whose_page_was_not_quoted_is_named() -> None:
    question = Question(
        text="How do I renew my badge and download the slides?", locale="en"
    )
    found = [str(hit.document_id) for hit in PAGES.search(question).selected]
    provider = Scripted([f"A badge is valid. [cite:{{{found.index('badge')}}}]"])
    answer = engine(provider, shelf=PAGES).answer(question)

    assert answer.status is AnswerStatus.PARTIAL
    assert answer.insufficiency is not None
    assert answer.insufficiency.missing_topics == ("download", "slides")


def test_a_word_in_passing_is_no_answer_to_a_few_words() -> None:
    assert ask("can't log in", shelf=PAGES).abstained
    assert not ask("log", shelf=PAGES).abstained
    assert not ask("my badge", shelf=PAGES).abstained


def test_one_word_is_answered_from_the_document_of_that_title() -> None:
    shelf = Shelf(
        [
            ("a", "Accounts", "A locker is the same in both. It has a badge.", "en"),
            ("b", "Locker", "Every locker closes with a code of 6 digits.", "en"),
        ]
    )

    assert bare(ask("Locker", shelf=shelf)).startswith("Every locker closes")
