"""A sentence that denies is told from one that does not, in four languages."""

import pytest

from lastro.grounding.negation import denials


@pytest.mark.parametrize(
    ("sentence", "locale"),
    [
        ("Do not unplug the drive.", "en"),
        ("You can’t undo this.", "en"),
        ("It works without a cable.", "en"),
        ("Não desconecte a unidade.", "pt-BR"),
        ("Nunca compartilhe a senha.", "pt-BR"),
        ("No desconectes la unidad.", "es-419"),
        ("Ningún dispositivo responde.", "es"),
        ("케이블을 뽑지 마십시오.", "ko"),
        ("설정할 수 없습니다.", "ko"),
        ("소리가 안 납니다.", "ko"),
        ("연결되지 않습니다.", "ko"),
    ],
)
def test_denials(sentence: str, locale: str) -> None:
    assert denials(sentence, locale)


@pytest.mark.parametrize(
    ("sentence", "locale"),
    [
        ("Unplug the drive and take note.", "en"),
        ("Desconecte a unidade e anote.", "pt-BR"),
        ("Desconecta la unidad del norte.", "es-419"),
        ("케이블을 뽑습니다.", "ko"),
        ("안녕하세요, 안내를 시작합니다.", "ko"),
    ],
)
def test_plain_statements(sentence: str, locale: str) -> None:
    assert not denials(sentence, locale)


def test_an_unknown_language_is_read_as_english() -> None:
    assert denials("It is not so.", "")
