"""What is wrong by one letter or digit is never supported, in any language."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rankings import passage

from lastro.grounding.support import support
from lastro.model.answer import Support

pytestmark = pytest.mark.property

LINES = {
    "en": (
        "{name} keeps the archive of the institute open for {number} days a year.",
        "Since spring the office of {name} has lent {number} boats to students.",
    ),
    "pt-BR": (
        "{name} mantém o arquivo do instituto aberto durante {number} dias por ano.",
        "Desde março a sala de {name} empresta {number} barcos aos estudantes.",
    ),
    "es-419": (
        "{name} mantiene abierto el archivo del centro durante {number} días al año.",
        "Desde marzo la oficina de {name} presta {number} botes a los estudiantes.",
    ),
    "ko": (
        "{name} 교수가 연구소의 자료실을 일 년에 {number}일 동안 엽니다.",
        "봄부터 {name} 사무실은 학생에게 배 {number}척을 빌려줍니다.",
    ),
}
NAMES = {
    "en": ("Marvelin", "Thornbury", "Okafor", "Zelmira"),
    "pt-BR": ("Marvelim", "Itaberaba", "Conceição", "Zulmira"),
    "es-419": ("Marvelín", "Echeverría", "Núñez", "Zulema"),
    "ko": ("김민수", "박서준", "이하늘", "정다운"),
}
OTHER = {"ko": "훈빈걸목"}
LETTERS = "bdfgklmprtvz"


@st.composite
def lines(draw: st.DrawFn) -> tuple[str, str, str, int]:
    """A language, a line of it, a name and a number in that."""
    locale = draw(st.sampled_from(sorted(LINES)))
    line = draw(st.sampled_from(LINES[locale]))
    name = draw(st.sampled_from(NAMES[locale]))
    return locale, line, name, draw(st.integers(10, 99_999))


def checked(claim: str, said: str, locale: str) -> Support:
    return support(claim, [passage(said, locale=locale)], locale).support


@given(lines(), st.data())
def test_a_name_wrong_by_one_letter_is_not_supported(
    given_line: tuple[str, str, str, int], data: st.DataObject
) -> None:
    locale, line, name, number = given_line
    at = data.draw(st.integers(1, len(name) - 1))
    put = data.draw(st.sampled_from(OTHER.get(locale, LETTERS)))
    wrong = f"{name[:at]}{put}{name[at + 1 :]}"
    said = line.format(name=name, number=number)

    assert checked(said, said, locale) is Support.SUPPORTED
    if wrong != name:
        claim = line.format(name=wrong, number=number)
        assert checked(claim, said, locale) is not Support.SUPPORTED


@given(lines(), st.data())
def test_a_number_wrong_by_one_digit_is_not_supported(
    given_line: tuple[str, str, str, int], data: st.DataObject
) -> None:
    locale, line, name, number = given_line
    digits = str(number)
    at = data.draw(st.integers(0, len(digits) - 1))
    put = data.draw(st.sampled_from("123456789"))
    wrong = f"{digits[:at]}{put}{digits[at + 1 :]}"
    said = line.format(name=name, number=number)

    if wrong != digits:
        claim = line.format(name=name, number=wrong)
        assert checked(claim, said, locale) is not Support.SUPPORTED
