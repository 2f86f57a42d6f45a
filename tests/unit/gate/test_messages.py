"""Every reason and notice has its words in four languages, from one catalogue."""

import pytest

from lastro.gate.messages import LANGUAGES, Notice, Words, explain, notice, spoken
from lastro.model.decision import ReasonCode


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("code", list(ReasonCode))
def test_every_reason_says_what_it_means_and_what_to_do(
    code: ReasonCode, language: str
) -> None:
    words = explain(code, language)
    assert all(text.strip() == text != "" for text in (words.title, words.means))
    assert words.advice.endswith(".")
    assert len(words.title) <= 40


@pytest.mark.parametrize("name", list(Notice))
def test_every_notice_is_there_and_differs_between_the_languages(name: Notice) -> None:
    texts = {notice(name, language) for language in LANGUAGES}
    assert len(texts) == len(LANGUAGES)
    assert all(texts)


def test_no_two_reasons_share_their_words() -> None:
    for language in LANGUAGES:
        told: set[Words] = {explain(code, language) for code in ReasonCode}
        assert len(told) == len(ReasonCode)


def test_an_unknown_language_reads_english() -> None:
    assert spoken("fi") == "en"
    assert explain(ReasonCode.OK, "fi") == explain(ReasonCode.OK, "en")


def test_a_vague_question_is_shown_the_form_of_a_good_one() -> None:
    forms = {
        "en": "[technology] + [problem] + [context]",
        "pt-BR": "[tecnologia] + [problema] + [contexto]",
        "es-419": "[tecnología] + [problema] + [contexto]",
        "ko": "[기술] + [문제] + [상황]",
    }
    for locale, form in forms.items():
        assert form in explain(ReasonCode.UNDERSPECIFIED_QUERY, locale).advice


def test_the_teaching_label_is_the_specified_one() -> None:
    label = notice(Notice.TEACHING_LABEL, "pt-BR")
    assert label == "extensão pedagógica (fora do material indexado)"


def test_a_gap_names_what_is_missing() -> None:
    assert notice(Notice.GAP, "en", terms="HDMI").endswith("HDMI.")


def test_hard_stops_say_nothing_of_the_machine() -> None:
    for name in (Notice.PROVIDER_ERROR, Notice.RETRIEVAL_ERROR):
        for language in LANGUAGES:
            assert "{" not in notice(name, language)
