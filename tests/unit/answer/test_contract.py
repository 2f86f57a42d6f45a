"""Schema 2 has these keys in this order, and an unknown word in it raises."""

import json

import pytest
from help_desk import engine

from lastro.answer import contract
from lastro.errors import InputError
from lastro.model.answer import Answer, Question


@pytest.fixture(scope="module")
def answer() -> Answer:
    return engine().answer(
        Question(text="How long is a guest code valid?", locale="en")
    )


def test_the_keys_are_these_in_this_order(answer: Answer) -> None:
    written = contract.as_json(answer)
    claims = written["claims"]
    evidence = written["evidence"]

    assert list(written) == [
        "schema_version",
        "status",
        "status_reason",
        "query_type",
        "summary",
        "claims",
        "evidence",
        "insufficiency",
        "answer_text",
    ]
    assert list(written["status_reason"]) == [  # type: ignore[call-overload]
        "code",
        "verified",
        "verification_reasons",
    ]
    assert isinstance(claims, list)
    assert list(claims[0]) == ["target", "claim", "support", "citations"]
    assert list(claims[0]["citations"][0]) == [
        "document_id",
        "passage_id",
        "title",
        "section",
        "page",
        "start",
        "end",
        "quote",
    ]
    assert isinstance(evidence, list)
    assert evidence[0]["document_id"]


def test_an_insufficiency_has_its_five_fields() -> None:
    declined = engine().answer(Question(text="Who painted it?", locale="en"))
    lacking = contract.as_json(declined)["insufficiency"]

    assert isinstance(lacking, dict)
    assert list(lacking) == [
        "message",
        "reasons",
        "missing_targets",
        "missing_topics",
        "checked_document_ids",
    ]


def test_what_is_written_is_json_and_passes_its_own_check(answer: Answer) -> None:
    text = json.dumps(contract.as_json(answer), allow_nan=False)

    contract.check(json.loads(text))


def test_the_decision_and_the_legs_are_json(answer: Answer) -> None:
    decision = contract.decision_as_json(answer.decision)

    assert decision["decision"] == "answer"
    assert json.dumps(decision, allow_nan=False)
    assert contract.legs_as_json(answer.legs)["lexical"] == {
        "status": "ok",
        "hits": answer.legs["lexical"].hits,
        "tokens": answer.legs["lexical"].tokens,
        "took_ms": 0.0,
    }


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("schema_version", 1),
        ("schema_version", None),
        ("status", "certain"),
        ("query_type", "riddle"),
        ("status_reason", {"code": "because"}),
        ("claims", [{"support": "maybe"}]),
    ],
)
def test_an_unknown_word_raises_and_is_named(
    answer: Answer, field: str, value: object
) -> None:
    written = contract.as_json(answer) | {field: value}

    with pytest.raises(InputError) as caught:
        contract.check(written)
    assert field in str(caught.value)


def test_every_problem_is_named_at_once(answer: Answer) -> None:
    written = contract.as_json(answer) | {"status": "x", "query_type": "y"}

    with pytest.raises(InputError) as caught:
        contract.check(written)
    assert len(caught.value.problems) == 2
