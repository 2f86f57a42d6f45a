"""No reader fails on what it is given: bytes in, only findings out, offsets true."""

import itertools
import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastro.corpus.found import Found, Readable, Skipped, Unreadable
from lastro.corpus.identity import wrong_with
from lastro.corpus.read import cards, front_matter, html, markdown
from lastro.corpus.read.draft import Draft, Refusal
from lastro.corpus.read.encoding import decode, is_binary
from lastro.corpus.sources import scan
from lastro.text.normalise import normalise

pytestmark = pytest.mark.property

SUFFIXES = ("", ".md", ".txt", ".html", ".jsonl", ".csv", ".xml")
# Pieces that mean something to one reader or another, so that noise gets far.
PIECES = (
    "# ", "## a\n", "\n\n", "- ", "1. ", "  ", "```\n", "| a | b |\n", "|---|---|\n",
    "<p>", "</p>", "<table><tr><td>", "</table>", "<pre>", "<h2>", "<br>", "<script>",
    "</script>", "<!--", "-->", "<b hidden>", "<ol start=9>", "<li>", "<file>", "&#0;",
    "&#xD800;", "&amp;", "e\u0301", "\u0301", "\r\n", "\r", "\0", "\ufeff", "---\n",
    "id: a\n", "title: [x]\n", "? ", "&a ", "*a ", "[^1]", "[^1]: n\n", "![", "](u)",
    '{"id": "a", "text": "b"}\n', '{"_id": 1}', "{", "[", '"', "a", "é", "설정", "東",
    "\u2028", "\x1b[31m", "\U0001f600", "%PDF-1.4", "PK\x03\x04",
)  # fmt: skip
texts = st.lists(st.sampled_from(PIECES) | st.text(max_size=5), max_size=30).map(
    "".join
)
json_values = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=8,
)
card_values = st.dictionaries(
    st.sampled_from(["id", "_id", "text", "title", "locale", "metadata", "x", ""]),
    json_values,
)


def encoded(text: str) -> bytes:
    return text.encode("utf-8", errors="surrogatepass")


def found_in(data: bytes, suffix: str) -> list[Found]:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / f"a{suffix}").write_bytes(data)
        return list(scan([folder]))


def check_draft(draft: Draft) -> None:
    assert draft.text == normalise(draft.text)
    for heading in draft.headings:
        assert draft.text[heading.start : heading.end] == heading.text
        assert 1 <= heading.level <= 6
    blocks = sorted(
        [(h.start, h.end) for h in draft.headings]
        + [(s.start, s.end) for s in draft.whole]
    )
    assert all(0 <= start < end <= len(draft.text) for start, end in blocks)
    assert all(one[1] < two[0] for one, two in itertools.pairwise(blocks))


@given(data=st.binary(max_size=300), suffix=st.sampled_from(SUFFIXES))
def test_any_bytes_end_as_a_finding(data: bytes, suffix: str) -> None:
    found = found_in(data, suffix)

    assert found
    assert all(isinstance(f, (Readable, Skipped, Unreadable)) for f in found)


@given(text=texts, suffix=st.sampled_from(SUFFIXES), codec=st.sampled_from(
    ["utf-8", "utf-8-sig", "utf-16", "cp1252", "cp949"]
))  # fmt: skip
def test_any_text_in_any_encoding_ends_as_a_sound_document(
    text: str, suffix: str, codec: str
) -> None:
    for found in found_in(text.encode(codec, errors="replace"), suffix):
        if isinstance(found, Readable):
            document = found.document
            assert document.text == normalise(document.text)
            assert document.text.strip()
            assert document.title
            assert not wrong_with(document.id)
            for part in (*document.metadata.items(), (document.source, "")):
                "".join(part).encode()
        else:
            assert found.why


@given(text=texts)
def test_a_markdown_draft_has_true_offsets(text: str) -> None:
    draft = markdown.read(normalise(text))

    if isinstance(draft, Draft):
        check_draft(draft)


@given(text=texts)
def test_an_html_draft_has_true_offsets(text: str) -> None:
    draft = html.read(normalise(text))

    assert isinstance(draft, Draft)
    check_draft(draft)


@given(card=card_values | json_values, ascii_only=st.booleans())
def test_any_json_line_is_a_draft_or_says_what_is_wrong(
    card: object, ascii_only: bool
) -> None:
    line = encoded(json.dumps(card, ensure_ascii=ascii_only))

    for _, found in cards.read([line]):
        if isinstance(found, Draft):
            check_draft(found)
            assert found.id
        else:
            assert found.why


@given(lines=st.lists(st.binary(max_size=20).map(lambda b: b.replace(b"\n", b""))))
def test_a_bad_line_never_stops_the_good_one_after_it(lines: list[bytes]) -> None:
    good = b'{"id": "good", "text": "here"}'

    *_, last = cards.read([*lines, good])

    assert last.number == len(lines) + 1
    assert isinstance(last.found, Draft)


@given(block=texts)
def test_front_matter_is_read_or_refused(block: str) -> None:
    parts = front_matter.parts(normalise(f"---\nx: 1\n{block}\n---\nbody"))

    assert isinstance(parts, (front_matter.Parts, Refusal))


@given(data=st.binary(max_size=400))
def test_decoding_always_gives_text(data: bytes) -> None:
    is_binary(data)
    text, name = decode(data)

    assert name
    normalise(text).encode()


@given(text=st.text(st.characters(exclude_categories=["Cs"])))
def test_utf_8_is_read_as_it_was_written(text: str) -> None:
    assert decode(text.encode("utf-8-sig")) == (text, "utf-8")


keys = st.sampled_from(["locale", "K-y_2", "null", "yes", "9", "a b", "é"])
gaps = st.sampled_from(["", " ", "  ", "\t"])
values = st.sampled_from(
    ["en", "null", "NULL", "~", "007", "1.0", "a  b", "a - b", "C++ (x)", "12:30", "-x"]
) | st.text("aZ0é日 .,;/()+-_:#'&*\u00a0", max_size=6)


@given(st.lists(st.tuples(keys, gaps, values, gaps), min_size=1, max_size=4))
def test_plain_lines_of_front_matter_say_what_the_parser_says_of_them(
    lines: list[tuple[str, str, str, str]],
) -> None:
    block = "".join(f"{key}:{gap}{value}{end}\n" for key, gap, value, end in lines)

    # A comment is for the parser: with one, no line is read without it.
    by_parser = _fields(f"---\n{block}# comment\n---\nText")

    assert _fields(f"---\n{block}---\nText") == by_parser


def _fields(text: str) -> object:
    found = front_matter.parts(text)
    return "refused" if isinstance(found, Refusal) else found.fields
