"""What tells the sides of a comparison apart is looked for, not what they share."""

import pytest

from lastro.answer.sides import sides


@pytest.mark.parametrize(
    ("targets", "locale", "texts"),
    [
        (("a guest code", "an event code"), "en",
         ("Guest codes last a day.", "Event codes last a week.")),
        (("study rooms of Block A", "Block B"), "en",
         ("In Block A there are six.", "In Block B there are four.")),
        (("salas do Bloco A", "Bloco B"), "pt-BR",
         ("Cabem 6 no Bloco A.", "Cabem 4 no Bloco B.")),
        (("el Edificio Central", "el Anexo Norte"), "es-419",
         ("El Edificio Central abre a las 8.", "El Anexo Norte abre a las 9.")),
        (("방문자 코드", "행사 코드"), "ko",
         ("방문자는 하루 쓸 수 있습니다.", "행사에는 닷새 쓸 수 있습니다.")),
    ],
)  # fmt: skip
def test_each_side_is_spoken_of_in_its_own_text_alone(
    targets: tuple[str, str], locale: str, texts: tuple[str, str]
) -> None:
    first, second = sides(targets, locale)

    assert first.spoken_of(texts[0], locale) > 0.4 > first.spoken_of(texts[1], locale)
    assert second.spoken_of(texts[1], locale) > 0.4 > second.spoken_of(texts[0], locale)


def test_a_side_that_is_part_of_the_other_is_looked_for_whole() -> None:
    first, second = sides(("laptop", "laptop pro"), "en")

    assert first.spoken_of("The laptop is light.", "en") == 1.0
    assert second.spoken_of("The laptop is light.", "en") == 0.0


def test_without_targets_there_are_no_sides() -> None:
    assert sides((), "en") == ()
