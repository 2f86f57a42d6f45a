"""A turn's trace holds all that evaluation may look at, and nothing else does."""

from help_desk import engine

from lastro import trace
from lastro.model.answer import Question
from lastro.model.events import Finished
from lastro.model.trace import Trace


def traced(text: str) -> Trace:
    *_, last = engine().stream(Question(text=text, locale="en", filter_locale="en"))
    assert isinstance(last, Finished)
    return last.trace


def test_a_trace_has_what_was_found_used_said_and_cited() -> None:
    left = traced("How long is a guest code valid?")

    assert left.case_id == "turn-1"
    assert left.at == "2026-01-02T03:04:05+00:00"
    assert left.system == "naive"
    assert left.retrieved is not None
    assert left.retrieved[0].parent_id == "en:guest"
    assert left.stages is not None
    assert set(left.stages) == {"lexical", "selected"}
    assert left.legs is not None
    assert left.legs["lexical"].status == "ok"
    assert left.evidence is not None
    assert {e.document_id for e in left.evidence} >= {"en:guest"}
    assert left.cited_ids == ("en:guest",)
    assert left.claims is not None
    assert left.claims[0].citations[0].quote == left.claims[0].text
    assert left.decision is not None
    assert left.decision.features is not None
    assert (left.abstained, left.refused, left.error) == (False, False, None)
    assert left.timings_ms is not None
    assert set(left.timings_ms) == {"search", "gate", "write", "check", "total"}


def test_the_contract_in_a_trace_leaves_the_text_to_its_own_field() -> None:
    left = traced("How long is a guest code valid?")

    assert left.answer is not None
    assert "answer_text" not in left.answer
    assert left.answer["schema_version"] == 2


def test_a_turn_without_a_search_has_not_measured_one() -> None:
    left = traced("Hello!")

    assert left.retrieved is None
    assert left.stages is None
    assert left.evidence is None


def test_a_trace_is_one_line_of_json() -> None:
    line = trace.dumps(traced("What is a VPN?"))

    assert "\n" not in line
    assert '"case_id":"turn-1"' in line.replace(": ", ":")
