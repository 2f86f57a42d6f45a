"""A language tag has one form, however it was written."""

import pytest

from lastro.corpus.locales import canonical


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("pt_BR", "pt-BR"),
        ("PT-br", "pt-BR"),
        ("es-419", "es-419"),
        ("ko", "ko"),
        (" en_US.UTF-8 ", "en-US"),
        ("de_DE@euro", "de-DE"),
        ("zh_hans_cn", "zh-Hans-CN"),
        ("por", "pt"),
        ("kor-KR", "ko-KR"),
        ("ca-ES-valencia", "ca-ES-valencia"),
    ],
)
def test_a_tag_becomes_canonical(written: str, expected: str) -> None:
    assert canonical(written) == expected
    assert canonical(expected) == expected


@pytest.mark.parametrize("written", ["", "C", "POSIX", "English", "pt BR", "12", "é"])
def test_what_is_no_tag_is_nothing(written: str) -> None:
    assert canonical(written) == ""
