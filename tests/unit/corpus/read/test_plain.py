"""Plain text is normalised and otherwise left alone."""

from lastro.corpus.read import plain


def test_a_text_is_its_own_page() -> None:
    draft = plain.read("  # a\r\ne\u0301\0\n")

    assert draft.text == "  # a\né\ufffd\n"
    assert (draft.headings, draft.whole, draft.title) == ((), (), "")
