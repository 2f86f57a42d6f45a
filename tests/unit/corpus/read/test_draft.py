"""The page that readers write on keeps its text normalised and its offsets true."""

from lastro.corpus.read.draft import Page
from lastro.text.normalise import normalise


def test_blocks_are_a_blank_line_apart_and_list_items_are_not() -> None:
    page = Page()
    page.heading(1, " A \n title ")
    page.paragraph(" text ")
    page.paragraph("one", prefix="- ", tight=True)
    page.paragraph("two", prefix="  - ", tight=True)
    page.paragraph("after")

    assert page.draft().text == "A title\n\ntext\n\n- one\n  - two\n\nafter"


def test_headings_and_whole_blocks_are_where_they_say() -> None:
    page = Page()
    page.paragraph("e\u0301 before")
    page.heading(2, "Te\u0301xt")
    page.whole("\n  code\n\n  more \n")
    page.table([["a", "b\nc"], ["", " "], ["1", "2"]])
    draft = page.draft()

    (heading,) = draft.headings
    assert draft.text[heading.start : heading.end] == heading.text == "Téxt"
    assert [draft.text[s.start : s.end] for s in draft.whole] == [
        "  code\n\n  more",
        "| a | b c |\n| 1 | 2 |",
    ]


def test_empty_blocks_leave_nothing() -> None:
    page = Page()
    page.paragraph(" \n", prefix="- ")
    page.heading(1, " ")
    page.whole("\n \n")
    page.table([[" "]])

    assert page.draft().text == ""
    assert page.draft().headings == ()


def test_a_block_that_begins_with_a_mark_does_not_change_the_one_before() -> None:
    page = Page()
    page.paragraph("e")
    page.paragraph("\u0301x")
    text = page.draft().text

    assert text == normalise(text) == "e\n\n\u0301x"


def test_the_title_is_given_or_the_first_heading_of_the_first_level() -> None:
    page = Page()
    page.heading(2, "Part")
    assert page.draft().title == ""
    page.heading(1, "Main")
    page.heading(1, "Other")

    assert page.draft().title == "Main"
    assert page.draft(title="Given").title == "Given"
