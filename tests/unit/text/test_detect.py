"""Which language a text is in, and whether that is sure."""

import json
from pathlib import Path

import pytest

from lastro.text.detect import Detection, detect

DATA = Path(__file__).parents[4] / "shared" / "data"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Como faço para conectar um teclado Bluetooth?", "pt"),
        ("¿Cómo puedo conectar un teclado Bluetooth?", "es"),
        ("How can I pair a keyboard?", "en"),
        ("블루투스 키보드를 어떻게 연결하나요?", "ko"),
        ("GNOME의 Wi-Fi 설정", "ko"),
    ],
)
def test_a_question_tells_its_language(text: str, expected: str) -> None:
    assert detect(text) == Detection(expected, sure=True)


@pytest.mark.parametrize("text", ["", "5G", "??? 12,5", "Чтобы подключить", "東京都"])
def test_no_evidence_is_no_language(text: str) -> None:
    assert detect(text) == Detection("", sure=False)


@pytest.mark.parametrize("text", ["internet", "USB HDMI", "Bluetooth mouse"])
def test_little_evidence_is_not_sure(text: str) -> None:
    assert not detect(text).sure


def test_a_tie_is_not_sure() -> None:
    assert not detect("para").sure


@pytest.mark.parametrize(
    "text",
    [
        "Um die Tastatur mit dem Rechner zu verbinden, öffnen Sie die Einstellungen.",
        "Pour connecter le clavier, ouvrez les paramètres sans fil dans la liste.",
    ],
)
def test_another_language_is_not_taken_for_sure(text: str) -> None:
    assert not detect(text).sure


def test_the_questions_of_a_help_desk_are_recognised() -> None:
    path = DATA / "gnome_help" / "queries.jsonl"
    if not path.exists():
        pytest.skip("the public data is not here")
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]

    found = [(detect(row["text"]), row["locale"].partition("-")[0]) for row in rows]

    sure = [seen.locale == said for seen, said in found if seen.sure]
    assert sum(seen.locale == said for seen, said in found) / len(found) > 0.98
    assert len(sure) / len(found) > 0.97
    assert sum(sure) / len(sure) > 0.998
