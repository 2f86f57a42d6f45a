"""A passage is whole sentences under one heading path, about 120 words long."""

import pytest

from lastro.corpus.found import Readable
from lastro.corpus.identity import Place, finish
from lastro.corpus.read import markdown
from lastro.corpus.read.draft import Draft
from lastro.corpus.split import split
from lastro.model.document import Document, Passage


def document(text: str, locale: str = "en") -> Document:
    draft = markdown.read(text)
    assert isinstance(draft, Draft)
    found = finish(draft, Place(source="d.md", path="d.md", locale=locale))
    assert isinstance(found, Readable)
    return found.document


def sentence(number: int, words: int = 20) -> str:
    return f"This is sentence {number} " + "word " * (words - 5) + "end."


def prose(count: int) -> str:
    return " ".join(sentence(number) for number in range(1, count + 1))


def numbers(passage: Passage) -> list[int]:
    return [int(word) for word in passage.text.split() if word.isdigit()]


def test_short_text_is_one_passage() -> None:
    (passage,) = split(document("Only this."))

    assert (passage.id, passage.document_id, passage.ordinal) == (
        "d.md::000", "d.md", 0,
    )  # fmt: skip
    assert (passage.start, passage.end, passage.text) == (0, 10, "Only this.")
    assert (passage.heading_path, passage.page, passage.locale) == ((), None, "en")


def test_long_text_is_cut_between_sentences_with_one_repeated() -> None:
    found = split(document(prose(13)))

    assert [numbers(p) for p in found] == [
        [1, 2, 3, 4, 5, 6], [6, 7, 8, 9, 10, 11], [11, 12, 13],
    ]  # fmt: skip
    assert all(p.text.startswith("This") and p.text.endswith("end.") for p in found)


def test_a_small_rest_goes_with_the_passage_before_it() -> None:
    assert [numbers(p) for p in split(document(prose(7)))] == [[1, 2, 3, 4, 5, 6, 7]]
    assert len(split(document(prose(8)))) == 2


def test_a_sentence_too_long_to_repeat_is_not_repeated() -> None:
    text = f"{sentence(1, 61)} {sentence(2, 61)} {sentence(3, 60)}"

    assert [numbers(p) for p in split(document(text))] == [[1], [2], [3]]


def test_a_sentence_of_half_a_passage_is_repeated() -> None:
    text = f"{sentence(1, 61)} {sentence(2, 60)} {sentence(3, 60)}"

    assert [numbers(p) for p in split(document(text))] == [[1], [2, 3]]


def test_headings_part_passages_and_are_their_path() -> None:
    text = "Before.\n# A\nUnder A.\n### B\nUnder B.\n## C\nUnder C.\n# D\nEnd."

    found = split(document(text))

    assert [(p.heading_path, p.text) for p in found] == [
        ((), "Before."),
        (("A",), "Under A."),
        (("A", "B"), "Under B."),
        (("A", "C"), "Under C."),
        (("D",), "End."),
    ]


def test_no_sentence_is_repeated_over_a_heading() -> None:
    found = split(document(f"{prose(6)}\n\n# A\n\n{prose(6)}"))

    assert [numbers(p) for p in found] == [[1, 2, 3, 4, 5, 6]] * 2


def test_a_heading_with_nothing_under_it_is_still_found() -> None:
    found = split(document("# A\n\n## B\n\ntext\n\n## C"))

    assert [(p.heading_path, p.text) for p in found] == [
        (("A", "B"), "text"), (("A", "C"), "C"),
    ]  # fmt: skip


def table(rows: int, words: int) -> str:
    row = "| " + " ".join(["cell"] * words) + " |\n"
    return "| head |\n|---|\n" + row * rows


def test_a_table_is_kept_whole_up_to_three_times_the_size() -> None:
    text = f"{prose(3)}\n\n{table(10, 30)}\n{prose(3)}"

    found = split(document(text))

    (holding,) = (p for p in found if "|" in p.text)
    assert holding.text.count("\n") == 10
    assert [numbers(p) for p in found] == [[1, 2, 3], [], [1, 2, 3]]


def test_what_leads_into_a_table_stays_with_it() -> None:
    (passage,) = split(document(f"The fees are these:\n\n{table(8, 15)}"))

    assert passage.text.startswith("The fees are these:\n\n| head |")


def test_a_longer_table_is_cut_between_rows() -> None:
    found = split(document(table(40, 20)))

    assert len(found) > 5
    for passage in found:
        assert passage.text.startswith("| ")
        assert passage.text.endswith(" |")
        assert len(passage.text.split()) <= 150


def test_code_is_kept_with_its_lines() -> None:
    (passage,) = split(document("```\nif x:\n    y.  z\n```"))

    assert passage.text == "if x:\n    y.  z"


def test_a_sentence_without_end_is_cut_between_words() -> None:
    found = split(document("word " * 500))

    assert len(found) == 4
    assert all(set(p.text.split()) == {"word"} for p in found)
    assert max(len(p.text.split()) for p in found) <= 150


@pytest.mark.parametrize(
    ("text", "locale"),
    [("東" * 2000, "zh"), ("x" * 20_000, "en"), ("ไทย" * 900, "th")],
)
def test_text_without_blanks_is_bounded(text: str, locale: str) -> None:
    found = split(document(text, locale))

    assert "".join(p.text for p in found) == text
    assert 4 <= len(found) <= 12


def test_korean_is_counted_in_words() -> None:
    text = "설정을 열고 블루투스 장치를 선택합니다. " * 60

    found = split(document(text, "ko"))

    assert all(30 <= len(p.text.split()) <= 150 for p in found)
    assert all(p.text.endswith("선택합니다.") for p in found)


def test_the_size_is_a_choice() -> None:
    assert len(split(document(prose(12)), words=40)) > len(split(document(prose(12))))


def test_a_guessed_language_is_not_that_of_a_passage_in_another_script() -> None:
    """I27: a document that mixes languages failed to be analysed."""
    text = f"{prose(8)}\n\n# 한국어\n\n설정을 열고 블루투스 장치를 선택합니다."

    guessed, given = document(text, locale=""), document(text, locale="en")

    assert guessed.locale_detected
    assert [p.locale for p in split(guessed)] == ["en", "en", "ko"]
    assert [p.locale for p in split(given)] == ["en", "en", "en"]
