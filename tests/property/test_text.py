"""Laws of the analyser, for any text."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastro.text.analyse import index_terms, query_words, words
from lastro.text.detect import detect
from lastro.text.emit import emitter, lookups
from lastro.text.lists import language
from lastro.text.normalise import fold, normalise, unaccented
from lastro.text.sentences import sentences

pytestmark = pytest.mark.property

any_text = st.text(st.characters(codec=None), max_size=60)
# Letters, digits, joiners and marks of the kinds that the analyser tells apart.
near_text = st.text(
    alphabet="aZçéñßﬁ５٣19²½ ._-'’&+#/:,;@\n\t\u00a0\u00ad\u0301가네을를漢カ한हि",
    max_size=40,
)
texts = any_text | near_text
locales = st.sampled_from(["en", "pt-BR", "es-419", "ko", "fr", ""])


@given(texts)
def test_normalising_twice_changes_nothing(text: str) -> None:
    once = normalise(text)

    assert normalise(once) == once
    assert "\0" not in once
    assert "\r" not in once
    once.encode("utf-8")


@given(texts)
def test_folding_is_done_once(text: str) -> None:
    assert unaccented(unaccented(fold(text))) == unaccented(fold(text))


@given(texts, locales)
def test_words_stand_where_they_say_and_in_order(text: str, locale: str) -> None:
    found = words(text, locale)

    for word in found:
        assert 0 <= word.start < word.end <= len(text)
        assert word.surface
        assert word.emissions
    assert [w.start for w in found] == sorted(w.start for w in found)


@given(texts | st.text("aZéçãñßøİŉ", max_size=9), locales)
def test_the_quick_way_to_the_index_terms_is_no_other_way(
    text: str, locale: str
) -> None:
    analyse = emitter(language(locale))

    for piece in normalise(text).split():
        terms = (term for one in analyse.emit(piece) for term in one.terms())
        assert analyse.line(piece) == " ".join(terms)


@given(texts, locales)
def test_the_index_holds_every_emission(text: str, locale: str) -> None:
    text = normalise(text)
    held = set(index_terms(text, locale))

    for word in words(text, locale):
        assert held.issuperset(word.emissions)


@given(texts, locales)
def test_a_text_finds_itself(text: str, locale: str) -> None:
    text = normalise(text)
    held = set(index_terms(text, locale))

    for word in query_words(text, [locale]):
        assert held.issuperset(term for way in lookups(word) for term in way)


@given(texts, locales)
def test_no_term_holds_white_space(text: str, locale: str) -> None:
    for term in index_terms(text, locale):
        assert term
        assert not any(map(str.isspace, term))
        assert len(term) <= 64


@given(texts, locales)
def test_decomposed_text_emits_the_same(text: str, locale: str) -> None:
    """I44: both forms of a text are the same words."""
    composed = normalise(text)
    decomposed = unicodedata.normalize("NFD", composed)

    assert index_terms(normalise(decomposed), locale) == index_terms(composed, locale)


@given(texts, locales)
def test_an_analysis_does_not_depend_on_what_was_seen_before(
    text: str, locale: str
) -> None:
    assert index_terms(text, locale) == index_terms(text, locale)
    assert words(text, locale) == words(text, locale)


@given(texts, st.lists(locales, min_size=1, max_size=3))
def test_a_query_has_no_word_twice(text: str, several: list[str]) -> None:
    emitted = [word.emissions for word in query_words(text, several)]

    assert len(emitted) == len(set(emitted))


@given(texts, locales)
def test_sentences_hold_all_that_is_no_blank(text: str, locale: str) -> None:
    spans = sentences(text, locale)

    kept = "".join(text[span.start : span.end] for span in spans)
    assert "".join(kept.split()) == "".join(text.split())
    for span in spans:
        piece = text[span.start : span.end]
        assert piece == piece.strip() != ""
    ends = [place for span in spans for place in (span.start, span.end)]
    assert ends == sorted(ends)


@given(texts)
def test_detection_always_answers(text: str) -> None:
    found = detect(text)

    assert found.locale in ("en", "es", "ko", "pt", "")
    assert found.locale or not found.sure
