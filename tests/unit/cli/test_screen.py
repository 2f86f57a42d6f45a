"""What a document says can be shown; what it would do to a terminal cannot."""

import time

import pytest

from lastro.cli.screen import Ticker, counted, plain


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


def test_time_left_goes_by_what_was_done_now_not_by_what_was_done_before(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    ticker = Ticker("cases")

    ticker.follow(600, 1000)
    now[0] += 10
    ticker.follow(640, 1000)

    assert ticker.seen == (640, 1000)
    said = "640 of 1,000 cases, 4.0 a second, 90 s left\n"
    assert capsys.readouterr().err == said


def test_nothing_is_promised_before_anything_was_done(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    ticker = Ticker("cases")
    ticker.follow(600, 1000)
    now[0] += 10
    ticker.follow(600, 1000)

    assert "left" not in capsys.readouterr().err
