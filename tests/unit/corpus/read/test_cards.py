"""Cards are read line by line; a bad line is named and stops nothing."""

import io

import pytest

from lastro.corpus.read import cards
from lastro.corpus.read.draft import Draft, Refusal


def one(line: str | bytes) -> Draft | Refusal:
    ((_, found),) = cards.read([line])
    return found


def card(line: str | bytes) -> Draft:
    found = one(line)
    assert isinstance(found, Draft)
    return found


def test_a_card_is_read_with_everything_it_says() -> None:
    found = card(
        '{"id": "c1", "title": "T", "text": " a\\r\\nb ", "locale": "pt-BR", '
        '"source_url": "https://x.y", "topics": ["a", "b"], "accessed_at": null}'
    )

    assert found == Draft(
        id="c1", title="T", text=" a\nb ", locale="pt-BR",
        metadata={"source_url": "https://x.y", "topics": "a\nb"},
    )  # fmt: skip


def test_a_beir_card_is_read_as_it_is() -> None:
    found = card(b'{"_id": 17, "title": "", "text": "t", "metadata": {"url": "u"}}')

    assert found == Draft(id="17", text="t", metadata={"url": "u"})


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("{]", "this is not valid JSON (column 2)"),
        ('{"id": "a", "text": "b"} x', "this is not valid JSON (column 26)"),
        ("[1]", "this is no JSON object"),
        ("{}", "no text"),
        ('{"id": "a", "text": 5}', "text is not a text"),
        ('{"text": "b"}', "no id"),
        ('{"id": null, "text": "b"}', "no id"),
        ('{"id": "", "text": "b"}', "no id"),
        ('{"id": ["a"], "text": "b"}', "id is a list, not a text"),
        ('{"id": "a", "text": "b", "title": {}}', "title is an object, not a text"),
        ('{"id": "a", "text": "b", "n": NaN}', "a number is not finite or too long"),
        ("[" * 100_000, "nested too deep"),
        ('{"id": "a", "n": ' + "9" * 5000 + "}", "a number is not finite or too long"),
    ],
)
def test_a_bad_line_says_what_is_wrong(line: str, why: str) -> None:
    assert one(line) == Refusal(why)


def test_lines_keep_their_numbers() -> None:
    lines = [b"\xef\xbb\xbf" + b'{"id": "a", "text": "x"}\r\n', b" \n", b"{\n",
             b'{"id": "b", "text": "y"}']  # fmt: skip

    found = [(n, type(f)) for n, f in cards.read(lines)]

    assert found == [(1, Draft), (3, Refusal), (4, Draft)]


def test_what_a_database_would_reject_is_replaced() -> None:
    """I18, I19: NUL killed the worker, lone surrogates were rejected for ever."""
    found = card('{"id": "a", "text": "x\\ud800y\\u0000z \\ud83d\\ude00 e\\u0301"}')

    assert found.text == "x\ufffdy\ufffdz \U0001f600 é"


def test_a_line_in_an_older_encoding_is_read_and_says_so() -> None:
    """I01, I54: text that is not UTF-8 was skipped or called binary."""
    found = card('{"id": "a", "text": "Instalação e opção"}'.encode("cp1252"))

    assert found.text == "Instalação e opção"
    assert found.metadata == {"encoding": "windows-1252"}


def test_a_card_without_text_is_its_title_or_nothing() -> None:
    assert card('{"id": "a", "title": "Only this", "text": " "}').text == "Only this"
    assert one('{"id": "a", "text": " "}') == Refusal("no text", broken=False)


def test_a_line_over_the_limit_is_named_and_passed_over() -> None:
    good = b'{"id": "a", "text": "b"}\n'
    file = io.BytesIO(good + b"x" * 100 + b"\n" + good + b"y" * 31)

    found = [type(line).__name__ for line in cards.lines(file, limit=30)]

    assert found == ["bytes", "NoneType", "bytes", "NoneType"]
    assert isinstance(next(iter(cards.read([None]))).found, Refusal)
