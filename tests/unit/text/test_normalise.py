"""A text has one normal form, and a word one form in which it is compared."""

import unicodedata

from lastro.text.normalise import fold, normalise, unaccented


def test_decomposed_hangul_is_composed_i44() -> None:
    """I44: Korean from macOS is NFD; an NFC query found nothing."""
    assert normalise(unicodedata.normalize("NFD", "네트워크")) == "네트워크"


def test_nul_and_lone_surrogates_are_replaced_i18_i19() -> None:
    """I18, I19: NUL killed the worker, lone surrogates were rejected for ever."""
    assert normalise("a\0b\ud800c") == "a�b�c"


def test_line_ends_are_folded() -> None:
    assert normalise("a\r\nb\rc\n\r") == "a\nb\nc\n\n"


def test_nothing_else_changes() -> None:
    text = "C++ “ﬁle” 10² 😀\t\u00a0x"

    assert normalise(text) == text


def test_folding_ignores_case_form_and_invisible_signs() -> None:
    assert fold("AÇÃO") == fold(unicodedata.normalize("NFD", "ação")) == "ação"
    assert fold("infor\u00admação") == "informação"
    assert fold("ﬁle") == "file"
    assert fold("５Ｇ") == "5g"


def test_superscripts_are_not_made_digits() -> None:
    assert fold("10²") == "10²"


def test_accents_come_off_letters_of_any_kind() -> None:
    assert unaccented("licitação") == "licitacao"
    assert unaccented("smørbrød") == "smorbrod"
    assert unaccented("네트워크") == "네트워크"
