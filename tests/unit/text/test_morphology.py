"""What takes Hangul words apart adds their stems, on both sides alike."""

from dataclasses import dataclass

import pytest

from lastro.text.analyse import index_terms, query_words, words
from lastro.text.emit import lookups

STEMS = {
    "여십시오": ("열",),
    "열려면": ("열",),
    "연결하려면": ("연결",),
    "앱을": ("앱",),
}


@dataclass(frozen=True)
class Listed:
    """Knows the stems of four words."""

    identity: str = "listed-1"

    def stems(self, word: str) -> tuple[str, ...]:
        return STEMS.get(word, ())


def test_a_word_is_also_found_by_its_stems_which_are_no_bigrams() -> None:
    terms = index_terms("연결하려면 앱을 여십시오", "ko", Listed())

    assert terms == [
        *("연결하려면", "연결", "결하", "하려", "려면", "연결/"),
        *("앱을", "앱", "앱/"),
        *("여십시오", "여십", "십시", "시오", "열/"),
    ]


def test_forms_that_share_no_syllable_share_their_stem() -> None:
    (word,) = query_words("열려면", ["ko"], Listed())

    assert "열/" in word.emissions
    assert "열/" in index_terms("여십시오", "ko", Listed())
    assert not set(index_terms("열려면", "ko")) & set(index_terms("여십시오", "ko"))


def test_stems_count_in_the_mean_with_the_bigrams_of_a_word() -> None:
    (word,) = query_words("연결하려면", ["ko"], Listed())

    assert lookups(word) == (("연결", "결하", "하려", "려면", "연결/"),)


def test_a_noun_of_one_syllable_stays_a_way_of_its_own() -> None:
    (word,) = query_words("앱을", ["ko"], Listed())

    assert lookups(word) == (("앱을", "앱/"), ("앱",))


@pytest.mark.parametrize("locale", ["ko", "en", ""])
def test_nothing_else_changes_for_other_words_and_other_languages(locale: str) -> None:
    text = "Wi-Fi 5G 설정 licitação 株式 running"

    assert index_terms(text, locale, Listed()) == index_terms(text, locale)
    assert words(text, locale, Listed()) == words(text, locale)


def test_without_it_words_are_what_they_were_whoever_was_asked_before() -> None:
    index_terms("연결하려면", "ko", Listed())

    assert "연결/" not in index_terms("연결하려면", "ko")
