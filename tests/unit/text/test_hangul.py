"""Korean words without a dictionary: bigrams, particles, endings."""

import pytest

from lastro.text.hangul import bigrams, noun


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("네트워크를", "네트워크"),
        ("네트워크에서는", "네트워크"),
        ("설정을", "설정"),
        ("앱을", "앱"),
        ("컴퓨터와", "컴퓨터"),
        ("연결하려면", "연결"),
        ("연결합니다", "연결"),
        ("프린터", "프린터"),
        ("하다", "하다"),
        ("를", "를"),
    ],
)
def test_particles_and_endings_come_off(word: str, expected: str) -> None:
    assert noun(word) == expected


@pytest.mark.parametrize("word", ["기을", "길를", "길는", "기은"])
def test_a_particle_of_the_wrong_form_is_no_particle(word: str) -> None:
    assert noun(word) == word


def test_bigrams_overlap() -> None:
    assert bigrams("네트워크") == ("네트", "트워", "워크")
    assert bigrams("앱") == ("앱",)
