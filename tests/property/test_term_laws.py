"""Laws of looking for a term, against the definition written out slowly."""

import re
import unicodedata

import pytest
from hypothesis import given
from strategies import term_texts, terms

from lastro.text.terms import Match, contains_term, folded

pytestmark = pytest.mark.property


def slow_fold(text: str) -> str:
    """Fold as the definition lists it: NFKC, casefold, single blanks, stripped."""
    text = unicodedata.normalize("NFKC", text).casefold()
    return re.sub(r"\s+", " ", text).strip()


def slow(text: str, term: str) -> bool:
    """Look at every position; ask the digits around it by regular expression."""
    text, term = slow_fold(text), slow_fold(term)
    for at in range(len(text) - len(term) + 1):
        before, after = text[:at], text[at + len(term) :]
        if not text.startswith(term, at):
            continue
        if re.match(r"\d", term) and re.search(r"\d[.,]?$", before):
            continue
        if re.search(r"\d$", term) and re.match(r"[.,]?\d", after):
            continue
        return True
    return False


@given(term_texts, terms)
def test_it_is_the_definition(text: str, term: str) -> None:
    assert contains_term(text, term) == slow(text, term)


@given(term_texts)
def test_folding_is_the_definition(text: str) -> None:
    assert folded(text) == slow_fold(text)


@given(term_texts, terms, term_texts)
def test_blanks_around_a_term_let_it_stand(left: str, term: str, right: str) -> None:
    assert contains_term(f"{left} {term} {right}", term)


@given(term_texts, terms)
def test_a_word_is_a_substring_too(text: str, term: str) -> None:
    if contains_term(text, term, Match.WORD):
        assert contains_term(text, term)
