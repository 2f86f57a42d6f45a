"""Laws of the support check: what is copied whole is supported, more never hurts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rankings import passage

from lastro.grounding.support import support
from lastro.model.answer import Support
from lastro.text.sentences import sentences

pytestmark = pytest.mark.property

WORDS = [
    *("open", "the", "panel", "not", "30", "seconds", "GNOME"),
    *("never", "wifi", "5G", "keyboard", "press", "wait"),
]
LINES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=8).map(
    lambda said: f"{said[0].title()} {' '.join(said[1:])}."
)
TEXTS = st.lists(LINES, min_size=1, max_size=5).map("\n".join)


@given(TEXTS, st.data())
def test_a_whole_sentence_of_a_passage_is_supported(
    text: str, data: st.DataObject
) -> None:
    span = data.draw(st.sampled_from(sentences(text, "en")))
    said = text[span.start : span.end]
    result = support(said, [passage(text)], "en")
    assert result.support is Support.SUPPORTED
    assert result.span is not None
    assert text[result.span.start : result.span.end] == said


@given(LINES, st.lists(TEXTS, max_size=3), TEXTS)
def test_another_passage_never_lowers_the_verdict(
    claim: str, texts: list[str], more: str
) -> None:
    rank = [Support.UNSUPPORTED, Support.PARTIAL, Support.SUPPORTED]
    some = [passage(text) for text in texts]
    before = support(claim, some, "en").support
    after = support(claim, [*some, passage(more)], "en").support
    assert rank.index(after) >= rank.index(before)


@given(LINES, TEXTS)
def test_the_score_is_a_share_and_the_span_lies_inside(claim: str, text: str) -> None:
    result = support(claim, [passage(text)], "en")
    assert 0.0 <= result.score <= 1.0 + 1e-12
    if result.span is not None:
        assert 0 <= result.span.start < result.span.end <= len(text)
