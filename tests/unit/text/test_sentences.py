"""Where sentences end, in four languages, and where they do not."""

import time

import pytest

from lastro.text.sentences import sentences


def cut(text: str, locale: str) -> list[str]:
    return [text[span.start : span.end] for span in sentences(text, locale)]


@pytest.mark.parametrize(
    ("locale", "text", "expected"),
    [
        ("en", "Open it. Close it!", ["Open it.", "Close it!"]),
        ("en", "Is it on? yes. No.", ["Is it on?", "yes.", "No."]),
        ("pt", "Será? Sim... talvez. Fim…", ["Será?", "Sim... talvez.", "Fim…"]),
        ("es", "¿Por qué? ¡No!", ["¿Por qué?", "¡No!"]),
        ("ko", "설정을 엽니다. 네!", ["설정을 엽니다.", "네!"]),
        ("ja", "東京に行く。帰る！", ["東京に行く。", "帰る！"]),
        ("fr", "Un. Deux.", ["Un.", "Deux."]),
    ],
)
def test_marks_end_sentences(locale: str, text: str, expected: list[str]) -> None:
    assert cut(text, locale) == expected


@pytest.mark.parametrize(
    ("locale", "text"),
    [
        ("en", "See Fig. 3 and e.g. the U.S. Army at 5 p.m. today."),
        ("en", "Dr. Smith met J. K. Rowling and George W. Bush."),
        ("en", "It is 3.5 or 1,000.25 of version 2.0 at example.com now."),
        ("en", "See No. 5, vol. 2, p. 7."),
        ("pt", "O Sr. Silva leu o art. 5º, inc. II da lei n. 8.112."),
        ("pt", "A Dra. Ana (p. ex. hoje) paga R$ 1.500,00 aprox. a cada mês."),
        ("es", "La Sra. Pérez vive en EE.UU. desde el núm. 12."),
        ("ko", "버전 3.1을 씁니다."),
        ("en", "He asked “really?” and left."),
        ("en", "Wait... what happened here?"),
    ],
)
def test_abbreviations_numbers_and_ellipses_end_none(locale: str, text: str) -> None:
    assert cut(text, locale) == [text]


def test_quotes_and_brackets_close_with_their_sentence() -> None:
    text = 'He said "Stop." Then he left (at last.) End.'

    assert cut(text, "en") == ['He said "Stop."', "Then he left (at last.)", "End."]


def test_a_formal_korean_ending_needs_no_full_stop() -> None:
    text = "네트워크를 누릅니다 그리고 저장하세요 끝"

    assert cut(text, "ko") == ["네트워크를 누릅니다", "그리고 저장하세요", "끝"]


def test_headings_items_and_lines_stand_alone() -> None:
    text = "# Rede\n\nAbra o painel\n- item um\n- item dois\n1. Abra.\n2. Salve.\n"

    assert cut(text, "pt") == [
        "# Rede",
        "Abra o painel",
        "- item um",
        "- item dois",
        "1. Abra.",
        "2. Salve.",
    ]


def test_a_wrapped_line_goes_on() -> None:
    text = (
        "This long line was wrapped by an editor in the middle of\n"
        "a sentence. Here is another.\n\nnew paragraph"
    )

    assert cut(text, "en") == [
        text[: text.index(" Here")],
        "Here is another.",
        "new paragraph",
    ]


@pytest.mark.parametrize(
    ("locale", "text"),
    [
        ("en", "You can find the settings of the keyboard in the\nGNOME panel."),
        ("pt", "Abra as configurações do teclado e, com a tecla livre,\nUse o mouse."),
        (
            "ko",
            (
                "네트워크에 연결하지 못하면 무선 네트워크 설정을 열어서 "
                "어댑터가 켜져 있는지 먼저\n확인합니다."
            ),
        ),
    ],
)
def test_a_line_that_cannot_end_there_was_wrapped(locale: str, text: str) -> None:
    assert cut(text, locale) == [text]


def test_blanks_around_are_not_part_of_a_sentence() -> None:
    assert cut("  \n\n One. \t\n  Two. \u00a0", "en") == ["One.", "Two."]
    assert cut(" \n\t ", "en") == []
    assert cut("", "pt") == []


@pytest.mark.parametrize("text", ["e.g. " * 40_000, "1. " * 40_000, "." * 200_000])
def test_a_strange_text_takes_no_strange_time(text: str) -> None:
    began = time.process_time()

    sentences(text, "en")

    assert time.process_time() - began < 3
