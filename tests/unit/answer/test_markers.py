"""Only the reserved form of a citation is one, however the stream is cut."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastro.answer.markers import Cite, Lost, Reader, Text, Token, merged, render, scan

KNOWN = frozenset({"ab2", "xy9"})


def test_a_known_marker_is_a_citation() -> None:
    assert scan("It is so. [cite:ab2]", KNOWN) == (Text("It is so. "), Cite("ab2"))


def test_c01_an_unknown_marker_leaves_the_text_and_is_kept_as_lost() -> None:
    tokens = scan("It is so [cite:zz7].", KNOWN)

    assert tokens == (Text("It is so"), Lost("zz7"), Text("."))
    assert render(tokens) == "It is so."


@pytest.mark.parametrize(
    "text",
    [
        "see [1] and [5, 7]",
        "C22 see ref 12 and [2]",
        "C23 [Section]",
        "C21 [0] and [1-999999999]",
        "in 2024 [cited before] and [cite",
        "[cite](https://example.org/cite:ab2)",
        "a [link](x) and [[wiki]]",
        "full-width ［cite:ab2］",
        "`[cite:ab2]` in code",
        "```\n[cite:ab2]\n```\nafter",
        "```py\nx = `[cite:ab2]\n\n",
        "[cite:" + "x" * 400 + "]",
    ],
)
def test_what_is_not_the_reserved_form_stays_text(text: str) -> None:
    assert scan(text, KNOWN) == (Text(text),)


def test_a_lone_backtick_does_not_hide_the_marker_after_it() -> None:
    assert Cite("ab2") in scan("a ` b [cite:ab2]\nand ` c", KNOWN)


def test_several_ids_in_one_marker_are_several_citations() -> None:
    tokens = scan("So. [cite:ab2, cite:xy9; no1]", KNOWN)

    assert tokens == (Text("So. "), Cite("ab2"), Cite("xy9"), Lost("no1"))


@pytest.mark.parametrize("marker", ["[cite:]", "[cite: ]", "[cite:ab2 and xy9]"])
def test_a_malformed_marker_never_vanishes_silently(marker: str) -> None:
    assert any(isinstance(token, Lost) for token in scan(f"So. {marker}", KNOWN))


pieces = st.lists(
    st.sampled_from(
        [
            "[cite:ab2]",
            "[cite:zz]",
            "[ci",
            "te:ab2",
            "]",
            "`",
            "```",
            "\n",
            " ",
            "a.",
            "[",
        ]
    ),
    max_size=30,
)


@pytest.mark.property
@given(pieces, st.lists(st.integers(1, 7), min_size=1, max_size=40))
def test_the_cuts_of_the_stream_change_nothing(
    parts: list[str], sizes: list[int]
) -> None:
    text = "".join(parts)
    reader, at, i = Reader(known=KNOWN), 0, 0
    seen: list[Token] = []
    while at < len(text):
        size = sizes[i % len(sizes)]
        seen += reader.feed(text[at : at + size])
        at, i = at + size, i + 1
    seen += reader.close()

    assert merged(seen) == scan(text, KNOWN)


@pytest.mark.property
@given(pieces)
def test_s26_text_without_lost_markers_comes_out_as_it_went_in(
    parts: list[str],
) -> None:
    text = "".join(parts)
    tokens = scan(text, KNOWN)

    if not any(isinstance(token, Lost) for token in tokens):
        assert render(tokens) == text
