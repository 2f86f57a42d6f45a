"""A text holds a term by one rule: folded, and never inside a longer number."""

import pytest

from lastro.text.terms import Match, contains_term, folded


@pytest.mark.parametrize(
    ("text", "term", "held"),
    [
        ("within 14 months", "4 months", False),
        ("within 14 months", "14 months", True),
        ("11.5", "1.5", False),
        ("1.50", "1.5", False),
        ("1,5", "1.5", False),
        ("1.5", "1.5", True),
        ("11.5 or 1.5", "1.5", True),
        ("version 1.5.", "1.5", True),
        ("1.5, then", "1.5", True),
        ("1.5,2", "1.5", False),
        ("at .5", "5", True),
        ("at 0.5", "5", False),
        ("0,5", "5", False),
        ("x.5", "5", True),
        ("5.x", "5", True),
        ("5.", "5", True),
        (".5", "5", True),
        ("5", "5", True),
        ("55", "5", False),
        ("10 000", "000", True),
        ("10:30", "10", True),
        ("-5", "5", True),
        ("10'000", "10", True),
        ("R$ 13.000", "R$ 3.000", False),
        ("R$ 3.000,00", "R$ 3.000", False),
        ("R$ 3.000.", "R$ 3.000", True),
        ("a14", "14", True),
        ("14a", "14", True),
        ("v2024", "2024", True),
        ("12,5%", "2,5%", False),
        ("112,5%", "12,5%", False),
        ("12,5%1", "12,5%", True),
    ],
)
def test_numbers_are_whole_or_not_there(text: str, term: str, held: bool) -> None:
    assert contains_term(text, term) is held


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("STRASSE", "straße"),
        ("Der  Plazo\n\tfinal", "plazo final"),
        ("ORC\u0327AMENTO", "orçamento"),
        ("até ２０２６", "2026"),
        ("계약  기간은", "계약 기간"),
        ("a\u00a0b", "A B"),
        ("İstanbul", "İstanbul"),
        ("C++ e C#", "c++"),
        ("ﬁle", "file"),
        ("  x  ", " x "),
    ],
)
def test_both_sides_are_folded_alike(text: str, term: str) -> None:
    assert contains_term(text, term)


def test_accents_are_no_folding() -> None:
    assert not contains_term("orcamento", "orçamento")


def test_every_overlapping_occurrence_is_tried() -> None:
    assert contains_term("1 1 1 1.", "1 1 1")
    assert contains_term("01 1 1 1", "1 1 1")


@pytest.mark.parametrize("term", ["", " ", "\u00a0\t"])
def test_a_blank_term_is_in_no_text_it_is_an_error(term: str) -> None:
    with pytest.raises(ValueError, match="blank"):
        contains_term("anything", term)


def test_an_unknown_way_of_matching_is_an_error() -> None:
    with pytest.raises(ValueError, match="fuzzy"):
        contains_term("a", "a", "fuzzy")


@pytest.mark.parametrize(
    ("text", "term", "held"),
    [
        ("the car is red", "car", True),
        ("the scare", "car", False),
        ("carpet", "car", False),
        ("car.", "car", True),
        ("(car)", "car", True),
        ("x++ y", "x++", True),
        ("scar car", "car", True),
        ("14 months", "4 months", False),
    ],
)
def test_as_a_word_no_letter_may_touch_it(text: str, term: str, held: bool) -> None:
    assert contains_term(text, term, Match.WORD) is held


@pytest.mark.parametrize(
    ("text", "term", "locale", "held"),
    [
        ("os prazos fixos", "prazo fixo", "pt-BR", True),
        ("os prazos muito fixos", "prazo fixo", "pt-BR", False),
        ("los contratos", "contrato", "es-419", True),
        ("las garantias", "garantía", "es", True),
        ("the accounts were closed", "account", "en", True),
        ("the discount", "account", "en", False),
        ("계약기간은 2년", "계약기간", "ko", True),
        ("14 months", "4 months", "en", False),
        ("%", "%", "en", True),
    ],
)
def test_as_stems_any_inflection_holds(
    text: str, term: str, locale: str, held: bool
) -> None:
    assert contains_term(text, term, Match.STEM, locale) is held


def test_folding_twice_in_four_languages_is_folding_once() -> None:
    for text in ("Ação  É", "¿Garantía?", "계약  기간", "Straße İ ﬁ ²"):
        assert folded(folded(text)) == folded(text)
