"""Bytes become the text that was written, on every platform, and say how."""

import pytest

from lastro.corpus.read.encoding import decode, is_binary

TEXTS = {
    "en": "It’s a “quoted” text – with dashes… and a 5 € price.",
    "pt": "Instalação: Não há opção disponível para você.",
    "es": "¿Ábrelo mañana? ¡El niño comió rápido!",
    "de": "Umlaute: äöü ÄÖÜ ß über die Brücke",
    "fr": "Où est l'été? Ça va très bien, à bientôt.",
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_western_text_is_read_as_it_was_written(text: str) -> None:
    """I01, I02, I54: text with cp1252 umlauts was called binary or skipped."""
    assert decode(text.encode("cp1252")) == (text, "windows-1252")


@pytest.mark.parametrize("text", ["설치 방법", "a: 설정", "WiFi를 켭니다."])
def test_korean_text_is_read_as_it_was_written(text: str) -> None:
    assert decode(text.encode("cp949")) == (text, "cp949")


@pytest.mark.parametrize(
    ("text", "codec"),
    [
        ("Как подключить клавиатуру? Откройте настройки.", "cp1251"),
        ("キーボードを接続するには設定を開きます。", "shift_jis"),
        ("要连接键盘，请打开设置。然后选择设备。", "gb18030"),
        ("Jak podłączyć klawiaturę? Zażółć gęślą jaźń.", "cp1250"),
    ],
)
def test_other_text_is_left_to_the_detector(text: str, codec: str) -> None:
    assert decode(text.encode(codec)).text == text


@pytest.mark.parametrize(
    "codec", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "utf-16-le", "utf-16-be"]
)
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_unicode_is_read_with_and_without_a_mark(text: str, codec: str) -> None:
    assert decode(text.encode(codec)).text == text


def test_damaged_utf_8_stays_utf_8_and_says_so() -> None:
    data = ("ação " * 20).encode() + b"\xe7"

    decoded = decode(data)

    assert decoded.text == "ação " * 20 + "\ufffd"
    assert decoded.encoding == "utf-8, 1 broken"


def test_what_nothing_can_decode_is_decoded_anyway() -> None:
    """I01: the detector timed out and the upload failed."""
    decoded = decode(b"\x81\x8d" + bytes(range(0x20, 0x100)))

    assert decoded.encoding
    assert len(decoded.text) > 100


@pytest.mark.parametrize(
    "data", [b"", b"a\0b", b"plain", "ação".encode("utf-16"), "a b".encode("utf-16-le")]
)
def test_text_is_not_binary(data: bytes) -> None:
    """I18: a NUL byte in a text is no reason to refuse it."""
    assert not is_binary(data)


@pytest.mark.parametrize("data", [bytes(64), bytes(range(256)), b"\x00\x01\x02a" * 9])
def test_binary_data_is_binary(data: bytes) -> None:
    assert is_binary(data)
