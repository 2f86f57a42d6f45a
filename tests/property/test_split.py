"""Splitting loses nothing, cuts no table, crosses no heading and stays in bounds."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastro.corpus.pieces import WHOLE_LIMIT, weight
from lastro.corpus.read.draft import Page
from lastro.corpus.split import split
from lastro.model.document import Document
from lastro.model.ids import DocumentId
from lastro.text.normalise import normalise

pytestmark = pytest.mark.property

WORDS = (
    "one", "Dr. No", "3.5", "end.", "Why?", "ação", "설정을", "여십시오.", "東京都庁",
    "です。", "ไทยไม่มีเว้นวรรค", "x" * 90, "東" * 400, "\u0301", "- item", "\n", "\n\n",
    "A. B.", "(a)", "…", "\u00a0", "\u2028", "\U0001f600",
)  # fmt: skip
proses = st.lists(st.sampled_from(WORDS) | st.text(max_size=4), max_size=25).map(
    " ".join
)
blocks = st.one_of(
    st.tuples(st.just("prose"), proses),
    st.tuples(st.just("whole"), st.lists(proses, max_size=4).map("\n".join)),
    st.tuples(st.sampled_from([1, 2, 3]), st.sampled_from(["A", "B c", "설정"])),
)
sizes = st.integers(1, 30)


@st.composite
def documents(draw: st.DrawFn) -> Document:
    page = Page()
    for kind, text in draw(st.lists(blocks, max_size=7)):
        if isinstance(kind, int):
            page.heading(kind, text)
        elif kind == "whole":
            page.whole(text)
        else:
            page.paragraph(text)
    draft = page.draft()
    return Document(
        id=DocumentId("d"),
        title="t",
        text=draft.text,
        source="s",
        version="v",
        locale=draw(st.sampled_from(["en", "pt-BR", "es", "ko", ""])),
        locale_detected=draw(st.booleans()),
        headings=draft.headings,
        whole=draft.whole,
    )


@given(document=documents(), words=sizes)
def test_a_passage_is_a_stretch_of_its_document(document: Document, words: int) -> None:
    for ordinal, passage in enumerate(split(document, words)):
        assert passage.text == document.text[passage.start : passage.end]
        assert passage.text.strip()
        assert passage.text == passage.text.rstrip()
        assert (passage.ordinal, passage.id) == (ordinal, f"d::{ordinal:03d}")


@given(document=documents(), words=sizes)
def test_every_character_outside_headings_is_in_a_passage(
    document: Document, words: int
) -> None:
    covered = {
        at for p in split(document, words) for at in range(p.start, p.end)
    } | {at for h in document.headings for at in range(h.start, h.end)}  # fmt: skip

    missing = set(range(len(document.text))) - covered
    assert not "".join(document.text[at] for at in missing).strip()


@given(document=documents(), words=sizes)
def test_a_document_with_text_has_a_passage(document: Document, words: int) -> None:
    assert bool(split(document, words)) == bool(document.text.strip())


@given(document=documents(), words=sizes)
def test_no_passage_reaches_over_a_heading(document: Document, words: int) -> None:
    for passage in split(document, words):
        above = [h for h in document.headings if h.start <= passage.start]
        inside = [h for h in document.headings if h.start < passage.end]
        assert inside == above
        assert passage.heading_path[-1:] == tuple(h.text for h in above[-1:])


@given(document=documents(), words=sizes)
def test_passages_go_forward_and_repeat_one_sentence_at_most(
    document: Document, words: int
) -> None:
    found = split(document, words)
    for one, two in itertools.pairwise(found):
        assert one.start < two.start
        assert one.end < two.end
        if two.start < one.end:
            assert one.heading_path == two.heading_path
            assert weight(document.text[two.start : one.end]) <= words / 2


@given(document=documents(), words=sizes)
def test_a_table_within_the_limit_is_in_one_passage(
    document: Document, words: int
) -> None:
    found = split(document, words)
    for span in document.whole:
        if weight(document.text[span.start : span.end]) <= WHOLE_LIMIT * words:
            assert any(p.start <= span.start and span.end <= p.end for p in found)


@given(document=documents(), words=sizes)
def test_no_passage_is_longer_than_a_table_may_be(
    document: Document, words: int
) -> None:
    whole = max(
        (weight(document.text[s.start : s.end]) for s in document.whole), default=0.0
    )
    limit = 1.25 * words
    if whole > words:
        limit += min(whole, WHOLE_LIMIT * words)
    for passage in split(document, words):
        # A string cut in parts counts a little more or less than its parts.
        assert weight(passage.text) <= limit + 1


@given(text=st.text(), words=sizes)
def test_any_plain_text_is_covered(text: str, words: int) -> None:
    text = normalise(text)
    document = Document(
        id=DocumentId("d"), title="t", text=text, source="s", version="v"
    )

    covered = {at for p in split(document, words) for at in range(p.start, p.end)}

    assert all(at in covered or text[at].isspace() for at in range(len(text)))
