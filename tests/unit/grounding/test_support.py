"""A sentence is supported by what its passages say, number and name exact."""

import pytest
from rankings import passage

from lastro.grounding.support import support, verbatim
from lastro.model.answer import Support
from lastro.model.document import Span

WIFI = passage(
    "Open the Settings panel. Connect the Bluetooth keyboard within 30 seconds. "
    "The GNOME shell keeps the pairing. Never share the code."
)
SUPPORTED, PARTIAL, UNSUPPORTED = (
    Support.SUPPORTED,
    Support.PARTIAL,
    Support.UNSUPPORTED,
)


def judged(sentence: str, text: str | None = None, locale: str = "en") -> Support:
    chosen = WIFI if text is None else passage(text, locale=locale)
    return support(sentence, [chosen], locale).support


def test_a_verbatim_quote_is_supported_with_its_span() -> None:
    result = support("Never share the code.", [WIFI], "en")
    assert result.support is SUPPORTED
    assert result.span is not None
    assert WIFI.text[result.span.start : result.span.end] == "Never share the code."
    assert result.passage is WIFI


def test_a_quote_may_be_broken_over_lines() -> None:
    text = "Never share\n  the code."
    assert judged("Never share the code.", text) is SUPPORTED


def test_a_paraphrase_with_the_same_words_is_supported() -> None:
    sentence = "A Bluetooth keyboard connects within 30 seconds"
    result = support(sentence, [WIFI], "en")
    assert result.support is SUPPORTED
    assert result.span is not None
    said = WIFI.text[result.span.start : result.span.end]
    assert said == "Connect the Bluetooth keyboard within 30 seconds."


@pytest.mark.parametrize(
    "sentence",
    [
        "Connect the Bluetooth keyboard within 31 seconds.",
        "Connect the Bluetooth keyboard within 3 seconds.",
        "The Plasma shell keeps the pairing, and the GNOME one too.",
        "Do not connect the Bluetooth keyboard within 30 seconds.",
        "Share the code.",
    ],
)
def test_g11_g13_another_number_name_or_polarity_is_never_supported(
    sentence: str,
) -> None:
    assert judged(sentence) is not SUPPORTED


@pytest.mark.parametrize(
    ("sentence", "text", "locale"),
    [
        ("Espere 31 segundos.", "Espere 30 segundos.", "pt-BR"),
        ("Não reinicie o roteador.", "Reinicie o roteador.", "pt-BR"),
        ("Espera 31 segundos.", "Espera 30 segundos.", "es-419"),
        ("No reinicies el router.", "Reinicies el router.", "es-419"),
        ("31초 동안 기다리십시오.", "30초 동안 기다리십시오.", "ko"),
        ("라우터를 다시 켜지 마십시오.", "라우터를 다시 켜십시오.", "ko"),
    ],
)
def test_falsified_copies_are_unsupported_in_each_language(
    sentence: str, text: str, locale: str
) -> None:
    assert judged(sentence, text, locale) is UNSUPPORTED


def test_a_name_may_stand_elsewhere_in_the_passage() -> None:
    assert judged("On GNOME, connect the Bluetooth keyboard.") is SUPPORTED


def test_what_the_heading_says_counts() -> None:
    under = passage("Press the switch.", heading_path=("Bounce keys", "Turn on"))
    sentence = "To turn on bounce keys, press the switch."
    assert support(sentence, [under], "en").support is SUPPORTED
    assert support(sentence, [passage("Press the switch.")], "en").score < 0.6


def test_half_of_a_statement_is_partial() -> None:
    sentence = "Connect the Bluetooth keyboard, then calibrate its brightness sensor."
    assert judged(sentence) is PARTIAL


def test_something_else_is_unsupported() -> None:
    result = support("Bananas ripen faster beside apples.", [WIFI], "en")
    assert result.support is UNSUPPORTED
    assert result.span is None


def test_nothing_supports_anything() -> None:
    assert support("Open the panel.", [], "en").support is UNSUPPORTED
    assert judged("…") is UNSUPPORTED
    assert judged("Open the panel.", "") is UNSUPPORTED


def test_a_particle_is_no_difference_in_korean() -> None:
    text = "블루투스 키보드는 설정에서 연결합니다."
    assert judged("설정에서 블루투스 키보드를 연결합니다.", text, "ko") is SUPPORTED


def test_a_window_spans_three_sentences_and_no_more() -> None:
    text = "Zinc rusts. Copper bends. Silver shines. Lead sinks."
    assert judged("Zinc rusts, copper bends, silver shines.", text) is SUPPORTED
    whole = support(
        "Zinc rusts, copper bends, silver shines, lead sinks.", [passage(text)], "en"
    )
    # Three of four stand together, all of them in the passage: a half each.
    assert whole.score == pytest.approx((0.75 + 1) / 2)


def test_the_best_of_several_passages_is_named() -> None:
    other = passage("Nothing of the sort.", document="b")
    result = support("Open the Settings panel now", [other, WIFI], "en")
    assert result.passage is WIFI


def test_rare_terms_weigh_more_where_their_weight_is_given() -> None:
    sentence = "The keyboard glows turquoise."
    idf = {"keyboard": 0.5, "glow": 4.0, "turquois": 4.0}
    plain = support(sentence, [WIFI], "en").score
    assert support(sentence, [WIFI], "en", idf=idf).score < plain


@pytest.mark.parametrize(
    ("quote", "text", "span"),
    [
        ("30 seconds", "within 30 seconds.", Span(7, 17)),
        ("30", "130", None),
        ("2.5", "12.5", None),
        ("1", "1.5", None),
        ("note", "notes", None),
        ("a.b", "axb", None),
        ("", "text", None),
        ("...", "...", None),
    ],
)
def test_a_quotation_is_whole_words(quote: str, text: str, span: Span | None) -> None:
    assert verbatim(quote, text) == span
