"""A near copy that says otherwise is told from one that says the same."""

import pytest
from rankings import passage

from lastro.grounding.evidence import evidence
from lastro.grounding.falsified import falsified
from lastro.grounding.statement import statement
from lastro.grounding.support import quoted, support
from lastro.model.answer import Support
from lastro.model.document import Span

TEXT = "Connect the keyboard within 30 seconds. Page 1 follows page 2 in print."


def is_falsified(sentence: str, text: str = TEXT, locale: str = "en") -> bool:
    claim = statement(sentence, locale)
    seen = evidence(passage(text, locale=locale), locale)
    found = [claim.found_in(line.terms) for line in seen.lines]
    return falsified(claim, seen, found)


@pytest.mark.parametrize(
    "sentence",
    [
        "Connect the keyboard within 31 seconds.",
        "Page 2 follows page 2 in print.",
        "Do not connect the keyboard within 30 seconds.",
        "Connect the Zelmira keyboard within 30 seconds.",
    ],
)
def test_one_fact_changed_in_a_copy(sentence: str) -> None:
    assert is_falsified(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Connect the keyboard within 30 seconds.",
        "Connect within 30 seconds your keyboard.",
        "Page 3 of the manual tells how to connect the keyboard within 30 seconds.",
        "Keyboards differ.",
        "",
    ],
)
def test_the_same_or_something_else_is_not_falsified(sentence: str) -> None:
    assert not is_falsified(sentence)


def test_half_of_a_sentence_may_leave_the_other_half_s_denial_out() -> None:
    text = "Open the settings panel, and restart the router if nothing happens there."
    assert not is_falsified("Open the settings panel.", text)


def test_one_faithful_copy_excuses_another_line_that_differs() -> None:
    text = "Move the window to workspace 1. Move the window to workspace 2."
    assert not is_falsified("Move the window to workspace 2.", text)
    assert is_falsified("Move the window to workspace 3.", text)


def test_a_number_of_a_neighbouring_sentence_does_not_make_it_true() -> None:
    text = "Add up to 3 blank pages. Print 4 pages on each sheet."
    result = support("Add up to 4 blank pages.", [passage(text)], "en")
    assert result.support is Support.UNSUPPORTED


def test_a_denial_taken_out_of_a_sentence_with_two_is_seen() -> None:
    text = "Do not click without a mouse."
    assert is_falsified("Click without a mouse.", text)


@pytest.mark.parametrize(
    ("sentence", "text", "locale"),
    [
        ("es recomendable.", "No es recomendable.", "es"),
        ("share the code.", "Never share the code.", "en"),
        ("변경하지", "변경하지 않습니다.", "ko"),
    ],
)
def test_a_quotation_does_not_cut_the_denial_off(
    sentence: str, text: str, locale: str
) -> None:
    assert quoted(sentence, text, locale) is None


def test_a_denial_in_another_line_or_sentence_does_not_spoil_a_quotation() -> None:
    assert quoted("It works.", "Not so.\nIt works.\nNever mind.", "en") == Span(8, 17)
