"""The word lists are complete, folded, and do not contradict each other."""

import pytest

from lastro.text.lists import LANGUAGES, foreign, language, lists
from lastro.text.normalise import fold


@pytest.mark.parametrize(
    ("locale", "expected"),
    [
        ("pt-BR", "pt"),
        ("PT_br", "pt"),
        ("es-419", "es"),
        ("ko", "ko"),
        ("en", "en"),
        ("fr", ""),
        ("", ""),
        ("ptx", ""),
        ("any", ""),
    ],
)
def test_language_of_a_locale(locale: str, expected: str) -> None:
    assert language(locale) == expected


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_language_has_every_list(code: str) -> None:
    known = lists(code)

    for name in ("stop", "generic", "short_names", "trouble", "smalltalk"):
        assert getattr(known, name), name
    assert known.abbreviations
    assert known.before_numbers


@pytest.mark.parametrize("code", LANGUAGES)
def test_words_are_folded(code: str) -> None:
    known = lists(code)

    for words in (known.stop, known.generic, known.trouble, known.short_names):
        assert {word for word in words if fold(word) != word} == set()


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_word_of_trouble_is_informative(code: str) -> None:
    known = lists(code)

    assert known.trouble.isdisjoint(known.generic)
    assert known.trouble & known.stop <= {"down"}


def test_a_language_without_lists_has_empty_ones() -> None:
    assert lists("fr").stop == frozenset()


def test_foreign_words_are_in_none_of_the_four() -> None:
    for code in LANGUAGES:
        assert foreign().isdisjoint(lists(code).stop | lists(code).generic)
