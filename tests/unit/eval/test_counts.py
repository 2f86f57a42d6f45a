"""A set of cases says what it holds: every case once under every label."""

from lastro.eval.counts import LABELS, counts
from lastro.model.case import Case, TargetSpec
from lastro.model.decision import ReasonCode
from lastro.model.ids import CaseId

SIDE = TargetSpec(target="a", expected_doc_ids=("x",), expected_terms=("t",))
CASES = [
    Case(id=CaseId("1"), query="?", locale="ko", expected_reason=ReasonCode.OK),
    Case(id=CaseId("2"), query="?", locale="ko", must_cite_one_of=("x",)),
    Case(id=CaseId("3"), query="?", expected_claim_citations=(SIDE, SIDE)),
    Case(
        id=CaseId("4"),
        query="?",
        expected_claim_citations=(SIDE,),
        expected_missing_targets=("b",),
        answerable=False,
    ),
]


def test_every_case_stands_once_under_every_label() -> None:
    found = counts(CASES)

    assert set(found) == set(LABELS)
    assert {sum(held.values()) for held in found.values()} == {len(CASES)}


def test_what_is_not_labelled_is_counted_as_not_given() -> None:
    assert counts(CASES)["locale"] == {"ko": 2, "not given": 2}
    assert counts(CASES)["expected_reason"] == {"not given": 3, "ok": 1}


def test_one_sided_comparisons_are_told_apart() -> None:
    assert counts(CASES)["comparison"] == {
        "no target specs": 2,
        "every side": 1,
        "one-sided": 1,
    }


def test_no_cases_have_no_counts() -> None:
    assert all(not held for held in counts([]).values())
