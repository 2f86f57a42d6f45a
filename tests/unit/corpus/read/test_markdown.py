"""Markdown becomes what a reader sees, with headings, tables and code marked."""

import time

import pytest

from lastro.corpus.read import markdown
from lastro.corpus.read.draft import Draft, Refusal


def read(text: str) -> Draft:
    draft = markdown.read(text)
    assert isinstance(draft, Draft)
    return draft


def whole(draft: Draft) -> list[str]:
    return [draft.text[span.start : span.end] for span in draft.whole]


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("a *b* **c** ~~d~~ `e*f*`", "a b c d e*f*"),
        ("[words](u 'z') <http://a.b> [ref]\n\n[ref]: u", "words http://a.b ref"),
        ("a\nb  \nc\\\nd", "a b\nc\nd"),
        ("x &amp; &lt; \\* y", "x & < * y"),
        ("> quoted\n> text", "quoted text"),
        ("a\n\n---\n\nb", "a\n\nb"),
        ("- a\n- b\n  - c\n\n    d\n- e", "- a\n- b\n  - c\nd\n- e"),
        ("3. a\n4. b", "3. a\n4. b"),
        ("- [ ] a\n- [x] b", "- [ ] a\n- [x] b"),
        ("claim[^n]\n\n[^n]: the note", "claim[n]\n\n[n] the note"),
        ("run <file> with <b>care</b><br>now<!-- x -->", "run <file> with care\nnow"),
        ("a\n\n<username>\n\nb", "a\n\n<username>\n\nb"),
        ("<div align=center>\n\n# T\n\n</div>", "T"),
        ("<script>\nx\n</script>\n\na", "a"),
        ("# T {#anchor}\n\nx", "T\n\nx"),
    ],
)
def test_the_text_is_what_a_reader_sees(source: str, text: str) -> None:
    assert read(source).text == text


def test_headings_know_their_level_and_place() -> None:
    draft = read("# One\na\n\nTwo *b*\n---\n\n#### Three `c`")

    assert [(h.level, h.text) for h in draft.headings] == [
        (1, "One"), (2, "Two b"), (4, "Three c"),
    ]  # fmt: skip
    for heading in draft.headings:
        assert draft.text[heading.start : heading.end] == heading.text
    assert draft.title == "One"


def test_a_table_is_rows_in_one_piece() -> None:
    draft = read("a\n\n| h | `i` |\n|---|--:|\n| **1** | x\\|y |\n| 2 |\n\nb")

    assert whole(draft) == ["| h | i |\n| 1 | x|y |\n| 2 |  |"]


def test_code_is_one_piece_with_its_lines() -> None:
    draft = read("a\n\n```py\nif x:\n\n    y\n```\n\n- b\n\n      in a list\n")

    assert whole(draft) == ["if x:\n\n    y", "in a list"]


def test_a_picture_is_its_description_and_is_not_fetched() -> None:
    """I48: image links of an uploaded file were fetched by the server."""
    draft = read("see ![the *map*](http://169.254.169.254/latest) here")

    assert draft.text == "see the map here"


def test_front_matter_names_the_document() -> None:
    draft = read(
        "---\nid: help.en.wifi\ntitle: Wi-Fi\nlocale: pt_BR\ncollection: help\n"
        "topics: [wifi, guests]\nsource_url: https://example.org\n---\n# Other\ntext"
    )

    assert (draft.id, draft.title) == ("help.en.wifi", "Wi-Fi")
    assert (draft.locale, draft.collection) == ("pt_BR", "help")
    assert draft.metadata == {
        "topics": "wifi\nguests", "source_url": "https://example.org",
    }  # fmt: skip
    assert draft.text == "Other\n\ntext"


def test_bad_front_matter_is_said() -> None:
    assert markdown.read("---\na: b: c\n---\nx") == Refusal(
        "front matter, line 2: this is not valid YAML"
    )
    assert markdown.read("---\nid: [x]\n---\nx") == Refusal(
        "front matter: id is a list, not a text"
    )


def test_entities_do_not_bring_back_what_normalising_removed() -> None:
    """I18, I19: NUL and lone surrogates reached the database."""
    assert read("a&#0;b&#xD800;c e&#x301;").text == "a\ufffdb\ufffdc é"


def test_an_inline_script_takes_nothing_with_it() -> None:
    assert read("use <script> tags\n\nand more").text == "use  tags\n\nand more"


@pytest.mark.parametrize(
    "piece", ["[", "![", "`a", "**_* ", "[](([](", "> ", "- ", "1. ", "<a ", "|a\n"]
)
def test_input_made_to_be_slow_is_read_in_time(piece: str) -> None:
    started = time.process_time()

    markdown.read(piece * (200_000 // len(piece)))

    assert time.process_time() - started < 5
