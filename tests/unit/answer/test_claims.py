"""Statements keep their markers; claims point at exactly the words they quote."""

import pytest
from help_desk import SHELF, engine
from scripted import Scripted

from lastro.answer.claims import Checked, check, statements
from lastro.answer.markers import merged, scan
from lastro.model.answer import Flag, Prompt, Question, Support

QUESTION = Question(text="How long is a guest code valid?", locale="en")


@pytest.fixture(scope="module")
def prompt() -> Prompt:
    provider = Scripted(["x"])
    engine(provider).answer(QUESTION)
    return provider.prompts[0]


def judged(text: str, prompt: Prompt) -> list[Checked]:
    known = {passage.cite_id for passage in prompt.passages}
    ids = [passage.cite_id for passage in prompt.passages]
    tokens = merged(scan(text.format(*ids), known))
    return [check(one, prompt) for one in statements(tokens, prompt)]


def test_a_trailing_marker_belongs_to_the_sentence_before_it(prompt: Prompt) -> None:
    first, second = judged("It costs nothing. [cite:{0}] It is blue.", prompt)

    assert first.statement.cites == [prompt.passages[0].cite_id]
    assert second.statement.cites == []


def test_a_marker_before_the_full_stop_belongs_to_its_sentence(prompt: Prompt) -> None:
    (only,) = judged("A guest code is valid for 24 hours [cite:{0}].", prompt)

    assert only.statement.text == "A guest code is valid for 24 hours."
    assert only.claim is not None
    assert only.claim.support is Support.SUPPORTED


def test_a_marker_at_the_head_of_a_line_belongs_to_that_line(prompt: Prompt) -> None:
    first, second = judged("[cite:{0}] One thing.\n[cite:{1}] Another thing.", prompt)

    assert first.statement.cites == [prompt.passages[0].cite_id]
    assert second.statement.cites == [prompt.passages[1].cite_id]


def test_a_quotation_is_located_to_the_code_point(prompt: Prompt) -> None:
    (only,) = judged("A guest code is valid for 24 hours. [cite:{0}]", prompt)

    assert only.claim is not None
    (citation,) = only.claim.citations
    text = SHELF.texts[citation.document_id]
    assert citation.quote == "A guest code is valid for 24 hours."
    assert text[citation.start : citation.end] == citation.quote


def test_a_paraphrase_points_at_the_span_that_supports_it(prompt: Prompt) -> None:
    (only,) = judged("The guest code stays valid for 24 hours. [cite:{0}]", prompt)

    assert only.claim is not None
    (citation,) = only.claim.citations
    assert "24 hours" in citation.quote
    assert SHELF.texts[citation.document_id][citation.start : citation.end] == (
        citation.quote
    )


def test_c02_a_claim_that_its_passage_does_not_hold_is_flagged(prompt: Prompt) -> None:
    (only,) = judged("Dogs may swim in the harbour on Sundays. [cite:{0}]", prompt)

    assert only.claim is not None
    assert only.claim.support is Support.UNSUPPORTED
    assert [finding.flag for finding in only.findings] == [Flag.UNSUPPORTED_CLAIM]


def test_c01_an_id_that_was_not_in_the_prompt_flags_its_claim(prompt: Prompt) -> None:
    (only,) = judged("A guest code is valid for 24 hours. [cite:nope]", prompt)

    assert only.claim is not None
    assert only.claim.citations == ()
    assert only.claim.support is Support.UNSUPPORTED
    assert [(f.flag, f.observed) for f in only.findings] == [
        (Flag.UNRESOLVED_CITATION, "nope")
    ]


def test_c05_each_claim_is_checked_against_its_own_passages(prompt: Prompt) -> None:
    wrong = next(
        number
        for number, passage in enumerate(prompt.passages)
        if passage.hit.document_id != "en:guest"
    )
    (only,) = judged(f"A guest code is valid for 24 hours. [cite:{{{wrong}}}]", prompt)

    assert only.support is not Support.SUPPORTED


@pytest.mark.parametrize(
    "text",
    [
        "The base says nothing about: code, valid.",
        "Os documentos indexados não têm o suficiente para responder a esta pergunta.",
        "Closest documents: Guest Wi-Fi; Event Wi-Fi",
        "2. Guest Wi-Fi",
    ],
)
def test_the_engines_own_words_are_no_statements(text: str, prompt: Prompt) -> None:
    assert judged(text, prompt) == []


@pytest.mark.parametrize(
    "text",
    [
        "The base says nothing about: it. Dogs may swim in the harbour.",
        "The base says nothing about: dragons that eat 40 dogs.",
        "Closest documents: Dogs may swim in the harbour.",
    ],
)
def test_a_fixed_sentence_carries_nothing_in(text: str, prompt: Prompt) -> None:
    assert judged(text, prompt)


def test_what_stands_under_the_teaching_label_is_no_statement(prompt: Prompt) -> None:
    text = (
        "A guest code is valid for 24 hours. [cite:{0}]\n\n"
        "teaching extension (outside the indexed material)\nCodes are common."
    )

    assert len(judged(text, prompt)) == 1


def test_a_statement_without_a_citation_is_no_claim(prompt: Prompt) -> None:
    (only,) = judged("Codes are lovely.", prompt)

    assert only.claim is None
    assert only.findings == ()


def test_one_passage_cited_twice_is_one_citation(prompt: Prompt) -> None:
    (only,) = judged("A guest code is valid for 24 hours. [cite:{0}][cite:{0}]", prompt)

    assert only.claim is not None
    assert len(only.claim.citations) == 1


def test_a_quotation_that_the_splitter_cuts_stays_one_claim(prompt: Prompt) -> None:
    text = "A guest code is valid for 24 hours. It works on up to 3 devices."
    (only,) = judged(f"{text} [cite:{{0}}]", prompt)

    assert only.statement.text == text
