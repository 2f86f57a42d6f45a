"""Laws of claims: exact offsets, nothing lost, whatever a provider writes."""

import pytest
from help_desk import SHELF, engine
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scripted import Scripted

from lastro.model.answer import Policy, Prompt, Question
from lastro.model.events import Delta, Finished

pytestmark = pytest.mark.property

QUESTION = Question(text="How long is a guest code valid?", locale="en")

# What a provider might write: words of the passages, false ones, markers, code.
scraps = st.sampled_from(
    [
        "A guest code is valid for 24 hours.",
        "It works on up to 3 devices.",
        "Dogs may swim on Sundays.",
        "valid for 24 hours",
        " [cite:@0]",
        "[cite:@1]",
        " [cite:nope]",
        "[cite:",
        "[1]",
        "`[cite:@0]`",
        "```",
        "\n",
        "\n\n- ",
        " ",
        "The base says nothing about: it.",
        "ção 코드 ",
    ]
)
drafts = st.lists(scraps, max_size=14)


def turn(pieces: list[str], policy: Policy) -> tuple[str, Finished]:
    ids = [p.cite_id for p in _prompt().passages]
    texts = [p.replace("@0", ids[0]).replace("@1", ids[1]) for p in pieces]
    events = list(engine(Scripted(texts), policy=policy).stream(QUESTION))
    last = events[-1]
    assert isinstance(last, Finished)
    return "".join(e.text for e in events if isinstance(e, Delta)), last


def _prompt() -> Prompt:
    provider = Scripted(["x"])
    engine(provider).answer(QUESTION)
    return provider.prompts[0]


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(drafts, st.sampled_from(list(Policy)))
def test_what_was_streamed_is_the_answer_and_every_quote_is_exact(
    pieces: list[str], policy: Policy
) -> None:
    streamed, last = turn(pieces, policy)
    answer = last.answer

    assert streamed == answer.answer_text
    assert "[cite:nope]" not in answer.answer_text or "`" in "".join(pieces)
    for claim in answer.claims:
        for citation in claim.citations:
            text = SHELF.texts[citation.document_id]
            assert text[citation.start : citation.end] == citation.quote
            assert citation.passage_id in answer.cite_ids.values()


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(drafts)
def test_strict_never_shows_an_unsupported_statement(pieces: list[str]) -> None:
    # Two sentences without a blank between them are one, supported in part.
    streamed, last = turn([f" {piece}" for piece in pieces], Policy.STRICT)

    assert "Dogs" not in streamed
    assert all(claim.support != "unsupported" for claim in last.answer.claims)


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(drafts, st.integers(1, 9))
def test_the_cuts_of_a_stream_change_no_verdict(pieces: list[str], size: int) -> None:
    # A cut may fall into the placeholder of an id, so it is filled in before.
    ids = [p.cite_id for p in _prompt().passages]
    whole = "".join(pieces).replace("@0", ids[0]).replace("@1", ids[1])
    cut = [whole[at : at + size] for at in range(0, len(whole), size)]

    one, other = turn([whole], Policy.STRICT), turn(cut, Policy.STRICT)
    assert one[0] == other[0]
    assert one[1].answer.findings == other[1].answer.findings
