"""Answer format is the contract kept: version, status, citations, targets."""

import pytest

from lastro.eval.scorers import SCORERS
from lastro.model.answer import AnswerStatus
from lastro.model.case import Case, TargetSpec
from lastro.model.ids import CaseId
from lastro.model.score import Scored, Unscored
from lastro.model.trace import Trace, TracePassage

FORM = next(s for s in SCORERS if s.name == "answer_format_compliance")
OF = Case(
    id=CaseId("c"),
    query="q",
    expected_answer_status=AnswerStatus.PARTIAL,
    expected_claim_citations=(
        TargetSpec(target="A", expected_doc_ids=("a",), expected_terms=("x",)),
    ),
    expected_missing_targets=("B",),
)
CLAIM = {
    "claim": "x",
    "target": "A",
    "citations": [{"document_id": "a", "passage_id": "a::1"}],
}
RIGHT: dict[str, object] = {
    "schema_version": 2,
    "status": "partial",
    "claims": [CLAIM],
    "insufficiency": {"missing_targets": ["B"]},
}


def trace(answer: dict[str, object] | None) -> Trace:
    return Trace(case_id=CaseId("c"), answer=answer)


def test_a_kept_contract_is_one() -> None:
    assert FORM.score(OF, trace(RIGHT), 4) == Scored(1.0)
    assert FORM.score(OF, trace(RIGHT | {"schema_version": 3}), 4) == Scored(1.0)


@pytest.mark.parametrize(
    ("change", "broken"),
    [
        ({"schema_version": 1}, "schema_version"),
        ({"schema_version": None}, "schema_version"),
        ({"status": "supported"}, "status"),
        ({"claims": [{**CLAIM, "citations": []}]}, "claims"),
        ({"claims": [{**CLAIM, "citations": [{"document_id": "a"}]}]}, "claims"),
        ({"claims": [{**CLAIM, "target": "X"}]}, "targets"),
        ({"insufficiency": None}, "missing_targets"),
        ({"insufficiency": {"missing_targets": []}}, "missing_targets"),
    ],
)
def test_each_rule_that_is_broken_is_named(
    change: dict[str, object], broken: str
) -> None:
    assert FORM.score(OF, trace(RIGHT | change), 4) == Scored(0.0, (broken,))


def test_any_status_of_the_contract_will_do_where_none_is_expected() -> None:
    of = Case(id=CaseId("c"), query="q")

    assert FORM.score(of, trace(RIGHT), 4) == Scored(1.0)
    assert FORM.score(of, trace(RIGHT | {"status": "fine"}), 4) == Scored(
        0.0, ("status",)
    )


def test_without_a_contract_nothing_was_measured() -> None:
    assert FORM.score(OF, trace(None), 4) == Unscored(
        "the trace has no answer contract"
    )


def test_a_correct_refusal_has_no_format_to_keep() -> None:
    of = Case(id=CaseId("c"), query="q", answerable=False)
    refusal = Trace(case_id=CaseId("c"), abstained=True, answer={}, evidence=())
    partial = Trace(
        case_id=CaseId("c"),
        abstained=True,
        answer={},
        evidence=(TracePassage(document_id="a"),),
    )

    assert isinstance(FORM.score(of, refusal, 4), Unscored)
    assert isinstance(FORM.score(of, partial, 4), Scored)
