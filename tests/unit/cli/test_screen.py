"""What a document says can be shown; what it would do to a terminal cannot."""

import pytest

from lastro.cli.screen import counted, plain


@pytest.mark.parametrize(
    "evil",
    ["\x1b[2J", "\x1b]52;c;aGk=\x07", "\b\b", "\x9b31m", "\r", "\u202eabc", "\x00"],
)
def test_nothing_in_a_text_steers_a_terminal(evil: str) -> None:
    seen = plain(f"a{evil}b")

    assert len(seen) == len(evil) + 2
    assert seen.isprintable()


def test_lines_tabs_accents_and_hangul_stay() -> None:
    text = "ação\n\tcódigo 한국어"

    assert plain(text) == text


def test_one_is_singular() -> None:
    assert (counted(1, "case"), counted(0, "case")) == ("1 case", "0 cases")
