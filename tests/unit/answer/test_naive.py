"""The baseline's turn: its events, its policies, and every way in which it can end."""

from dataclasses import replace

import pytest
from help_desk import SHELF, engine
from scripted import Scripted

from lastro.answer.naive import Naive
from lastro.errors import ProviderError, ProviderErrorKind, UsageError
from lastro.model.answer import (
    Answer,
    AnswerStatus,
    ContractName,
    Flag,
    Policy,
    Question,
    Role,
    StatusCode,
    Support,
    Turn,
)
from lastro.model.decision import ReasonCode
from lastro.model.events import Checked, Decided, Delta, Event, Finished
from lastro.model.ranking import Leg, LegStatus, Ranking

QUESTION = Question(text="How long is a guest code valid?", locale="en")
GOOD = "A guest code is valid for 24 hours. [cite:{0}]"
FALSE = "Dogs may swim in the harbour on Sundays. [cite:{0}]"


def turn(naive: Naive, question: Question = QUESTION) -> tuple[list[Event], Answer]:
    events = list(naive.stream(question))
    last = events[-1]
    assert isinstance(last, Finished)
    return events, last.answer


def deltas(events: list[Event]) -> str:
    return "".join(event.text for event in events if isinstance(event, Delta))


def test_a_turn_is_decided_deltas_checked_finished() -> None:
    events, _ = turn(engine(Scripted([GOOD, " ", FALSE])))

    kinds = [type(event) for event in events]
    assert kinds[0] is Decided
    assert set(kinds[1:-2]) == {Delta}
    assert kinds[-2:] == [Checked, Finished]


def test_answer_is_stream_read_to_the_end() -> None:
    assert engine().answer(QUESTION) == turn(engine())[1]


@pytest.mark.parametrize("policy", list(Policy))
def test_s26_what_was_streamed_is_the_answer(policy: Policy) -> None:
    for pieces in ([GOOD], [GOOD[:20], GOOD[20:]], list(GOOD.format("zzz")), [FALSE]):
        events, answer = turn(engine(Scripted(pieces), policy=policy))

        assert deltas(events) == answer.answer_text


def test_an_unknown_marker_never_reaches_the_stream() -> None:
    events, answer = turn(engine(Scripted(["It is so. [ci", "te:no", "pe] Yes."])))

    assert deltas(events) == "It is so. Yes."
    assert Flag.UNRESOLVED_CITATION in {f.flag for f in answer.findings}
    assert answer.notices


def test_under_anchored_a_false_claim_stays_and_is_noted() -> None:
    _, answer = turn(engine(Scripted([FALSE])))

    assert answer.claims[0].support is Support.UNSUPPORTED
    assert answer.override is None
    assert not answer.decision.hard_stop
    assert answer.notices


def test_s25_under_strict_a_false_claim_is_withheld_from_stream_and_answer() -> None:
    pieces = [GOOD + " Dogs may sw", "im in the harbour on Sundays. [cite:{0}]"]
    events, answer = turn(engine(Scripted(pieces), policy=Policy.STRICT))

    assert "Dogs" not in deltas(events)
    assert "A guest code is valid for 24 hours." in answer.answer_text
    assert answer.decision.reason is ReasonCode.POST_GENERATION_MISALIGNMENT
    assert answer.decision.hard_stop
    assert answer.decision.confidence_word == "low"
    assert [claim.support for claim in answer.claims] == [Support.SUPPORTED]
    assert answer.status is AnswerStatus.PARTIAL
    assert any(isinstance(e, Checked) and e.overridden for e in events)


def test_under_strict_an_uncited_statement_of_the_providers_own_is_withheld() -> None:
    events, answer = turn(
        engine(Scripted([GOOD + " The fee is 40 euros."]), policy=Policy.STRICT)
    )

    assert "40" not in deltas(events)
    assert answer.override is not None


def test_under_strict_a_declared_gap_may_stand_but_carries_nothing_in() -> None:
    honest = " The documents do not say what it costs."
    smuggling = " The documents do not say it, but it costs 40 euros."

    assert (
        honest.strip()
        in turn(engine(Scripted([GOOD + honest]), policy=Policy.STRICT))[1].answer_text
    )
    assert (
        "40"
        not in turn(engine(Scripted([GOOD + smuggling]), policy=Policy.STRICT))[
            1
        ].answer_text
    )


def test_a_streamed_and_an_unstreamed_strict_turn_have_one_verdict() -> None:
    whole = engine(Scripted([GOOD + " " + FALSE]), policy=Policy.STRICT)
    cut = engine(Scripted([*(GOOD + " "), FALSE]), policy=Policy.STRICT)

    assert (
        whole.answer(QUESTION).findings
        == turn(engine(Scripted([GOOD + " " + FALSE]), policy=Policy.STRICT))[
            1
        ].findings
    )
    assert cut.name == whole.name


@pytest.mark.parametrize("pieces", [[], [""], ["  ", "\n"]])
def test_s16_p10_an_empty_answer_is_a_provider_error(pieces: list[str]) -> None:
    events, answer = turn(engine(Scripted(pieces)))

    assert answer.decision.reason is ReasonCode.PROVIDER_ERROR
    assert answer.decision.hard_stop
    assert deltas(events) == answer.answer_text
    assert answer.claims == ()


def test_a_half_finished_stream_is_an_error_and_no_answer() -> None:
    broken = ProviderError(ProviderErrorKind.TIMEOUT, "scripted", retryable=True)
    provider = Scripted([GOOD], error=broken)
    events, answer = turn(engine(provider))
    last = events[-1]

    assert answer.decision.reason is ReasonCode.PROVIDER_ERROR
    assert "24 hours" not in answer.answer_text
    assert events[-2] == Checked((), overridden=True)
    assert isinstance(last, Finished)
    assert last.trace.error is not None
    assert (last.trace.error.kind, last.trace.error.retryable) == ("timeout", True)
    assert (last.trace.abstained, last.trace.refused) == (None, None)
    assert provider.closed


def test_the_reasons_of_the_gate_stand_behind_a_provider_error() -> None:
    _, answer = turn(engine(Scripted([]), min_score=50.0))

    assert [reason.code for reason in answer.decision.reasons][:2] == [
        ReasonCode.PROVIDER_ERROR,
        ReasonCode.INSUFFICIENT_CONTEXT,
    ]


def test_s23_no_raw_error_text_reaches_the_answer() -> None:
    broken = ProviderError(ProviderErrorKind.AUTH, "scripted")
    _, answer = turn(engine(Scripted([], error=broken)))

    assert "auth" not in answer.answer_text
    assert "scripted" not in answer.answer_text


def test_a_client_that_leaves_closes_the_providers_stream() -> None:
    provider = Scripted([GOOD, GOOD])
    events = engine(provider).stream(QUESTION)
    next(events)
    next(events)
    events.close()  # type: ignore[attr-defined]

    assert provider.closed


@pytest.mark.parametrize("text", ["", "  \n\t", "\u3000"])
def test_a_blank_question_is_wrong_usage(text: str) -> None:
    with pytest.raises(UsageError, match="empty"):
        engine().answer(Question(text=text))


def test_a_question_of_16000_characters_is_read_and_a_longer_one_refused() -> None:
    engine().answer(Question(text=("guest code " * 1500)[:16_000], locale="en"))

    with pytest.raises(UsageError, match="16,001"):
        engine().answer(Question(text="x" * 16_001))


def test_a_greeting_is_answered_without_a_search_but_not_without_the_provider() -> None:
    provider = Scripted(["Good day!"])
    events, answer = turn(engine(provider), Question(text="Hello!", locale="en"))
    last = events[-1]

    assert events[0] == Decided(answer.decision, None)
    assert answer.decision.reason is ReasonCode.OK
    assert answer.decision.mode == "smalltalk"
    assert len(provider.prompts) == 1
    assert isinstance(last, Finished)
    assert last.trace.retrieved is None
    assert not answer.abstained


def failed(ranking: Ranking) -> Ranking:
    broken = Leg(status=LegStatus.FAILED, why="the disk is gone")
    return replace(ranking, legs={"lexical": broken}, hits=(), selected=(), stages={})


def test_when_every_leg_failed_the_turn_is_a_retrieval_error() -> None:
    provider = Scripted([GOOD])
    naive = replace(engine(provider), search=lambda q: failed(SHELF.search(q)))
    events, answer = turn(naive)
    last = events[-1]

    assert answer.decision.reason is ReasonCode.RETRIEVAL_ERROR
    assert answer.decision.hard_stop
    assert provider.prompts == []
    assert "disk" not in answer.answer_text
    assert isinstance(last, Finished)
    assert last.trace.error is not None
    assert last.trace.error.kind == "retrieval_error"


def test_the_gate_chooses_the_contract_and_never_ends_the_turn() -> None:
    provider = Scripted([GOOD])
    _, answer = turn(engine(provider, min_score=50.0))

    assert answer.decision.reason is ReasonCode.INSUFFICIENT_CONTEXT
    assert provider.prompts[0].contract.name is ContractName.ANCHORED
    assert provider.prompts[0].passages
    assert answer.answer_text.startswith("A guest code")


def test_p12_without_a_claim_nothing_is_verified() -> None:
    _, answer = turn(engine(Scripted(["Codes are lovely."])))

    assert answer.status_reason.code is not StatusCode.VERIFIED
    assert not answer.status_reason.verified
    assert "claim_missing_citation" in answer.status_reason.verification_reasons


@pytest.mark.parametrize(
    "history",
    [
        [Turn(Role.USER, "x")] * 41,
        [Turn(Role.USER, "x" * 8193)],
        ["a plain string"],
        [Turn("system", "x")],  # type: ignore[arg-type]
    ],
)
def test_a_history_that_is_none_is_refused(history: list[Turn]) -> None:
    with pytest.raises(UsageError):
        turn(engine(), replace(QUESTION, history=tuple(history)))
