"""judge_groundedness: the share of claims that a judge finds supported, or no key."""

import pytest
from reading_judge import Reading

from lastro.eval.score import score
from lastro.eval.scorers import SCORERS, Scorer, scorers
from lastro.eval.scorers.judge import Judgement, Ruling, best
from lastro.eval.verdict import Bars, judge
from lastro.model.case import Case
from lastro.model.ids import CaseId
from lastro.model.score import Failed, Scored, Unscored
from lastro.model.trace import (
    Retrieved,
    Trace,
    TraceCitation,
    TraceClaim,
    TraceError,
    TracePassage,
)

CASE = Case(id=CaseId("c"), query="q")
FEE = TracePassage(document_id="fees", passage_id="fees#1", text="the fee is 30 euros")
TERM = TracePassage(document_id="terms", passage_id="terms#1", text="it ends in May")
NAME = "judge_groundedness"


def scorer(by: Reading) -> Scorer:
    return next(each for each in scorers(judge=by) if each.name == NAME)


def claim(text: str, *cited: str) -> TraceClaim:
    citations = tuple(TraceCitation(document_id=one) for one in cited)
    return TraceClaim(text=text, citations=citations)


def trace(
    *made: TraceClaim, evidence: tuple[TracePassage, ...] | None = (FEE, TERM)
) -> Trace:
    return Trace(case_id=CASE.id, evidence=evidence, claims=made)


def test_g07_every_claim_gets_one_verdict_and_the_notes_count_both() -> None:
    """G07: four statements were judged and two stored."""
    by = Reading()
    made = (
        claim("fee is 30 euros", "fees"),
        claim("fee is 40 euros", "fees"),
        claim("ends in May", "terms"),
        claim("ends in May", "terms"),
    )

    found = scorer(by).score(CASE, trace(*made), 4)

    assert found == Scored(
        0.75, ("claims 4, verdicts 4, supported 3", "claim 2: unsupported")
    )
    assert len(by.asked) == len(made)


def test_a_claim_is_read_beside_what_it_cites_alone() -> None:
    by = Reading()

    found = scorer(by).score(CASE, trace(claim("ends in May", "fees")), 4)

    assert isinstance(found, Scored)
    assert found.value == 0.0
    assert by.asked == [("ends in May", ("the fee is 30 euros",))]


def test_a_claim_that_cites_nothing_is_read_beside_all_evidence() -> None:
    by = Reading()

    found = scorer(by).score(CASE, trace(claim("ends in May")), 4)

    assert isinstance(found, Scored)
    assert found.value == 1.0
    assert by.asked == [("ends in May", ("the fee is 30 euros", "it ends in May"))]


def test_a_claim_that_needs_two_of_its_passages_is_read_beside_both_as_one() -> None:
    by = Reading()
    both = claim("euros\n\nit ends", "fees", "terms")

    found = scorer(by).score(CASE, trace(both), 4)

    assert isinstance(found, Scored)
    assert found.value == 1.0
    assert by.asked[0][1][2] == "the fee is 30 euros\n\nit ends in May"


def test_g10_evidence_that_is_not_cited_changes_nothing_that_is_asked() -> None:
    few, many = Reading(), Reading()
    other = tuple(
        TracePassage(document_id=f"d{n}", text=f"chunk {n}") for n in range(30)
    )
    made = claim("fee is 30 euros", "fees")

    first = scorer(few).score(CASE, trace(made), 4)
    second = scorer(many).score(CASE, trace(made, evidence=(*other, FEE, TERM)), 4)

    assert first == second
    assert few.asked == many.asked


def test_a_citation_of_what_is_not_in_the_evidence_supports_nothing() -> None:
    by = Reading()

    found = scorer(by).score(CASE, trace(claim("ends in May", "elsewhere")), 4)

    assert isinstance(found, Scored)
    assert found.value == 0.0
    assert by.asked == []


def test_claims_without_any_evidence_found_are_not_supported() -> None:
    nothing = Trace(case_id=CASE.id, retrieved=(), claims=(claim("ends in May"),))

    found = scorer(Reading()).score(CASE, nothing, 4)

    assert isinstance(found, Scored)
    assert found.value == 0.0


def test_what_was_retrieved_stands_in_where_there_is_no_evidence() -> None:
    hits = (Retrieved(id="fees#1", parent_id="fees", text="the fee is 30 euros"),)
    left = Trace(
        case_id=CASE.id, retrieved=hits, claims=(claim("fee is 30 euros", "fees"),)
    )

    found = scorer(Reading()).score(CASE, left, 4)

    assert isinstance(found, Scored)
    assert found.value == 1.0


def test_claims_of_the_answer_contract_are_judged_where_the_trace_has_none() -> None:
    contract = {"claims": [{"claim": "ends in May", "citations": []}]}
    left = Trace(case_id=CASE.id, evidence=(TERM,), answer=contract)

    found = scorer(Reading()).score(CASE, left, 4)

    assert isinstance(found, Scored)
    assert found.value == 1.0


NO_TEXT = TracePassage(document_id="fees", passage_id="fees#2")
ABSENT = {
    "no claims field": (Trace(case_id=CASE.id, evidence=(FEE,)), "has no claims"),
    "no claims": (trace(), "no claims"),
    "no evidence": (trace(claim("x"), evidence=None), "neither evidence nor"),
    "no text": (trace(claim("x", "fees"), evidence=(NO_TEXT,)), "no text"),
}


@pytest.mark.parametrize("kind", ABSENT)
def test_a02_what_cannot_be_judged_has_no_key_and_nobody_is_asked(kind: str) -> None:
    by = Reading()
    left, why = ABSENT[kind]

    found = scorer(by).score(CASE, left, 4)

    assert isinstance(found, Unscored)
    assert why in found.why
    assert by.asked == []


def test_a_text_that_was_not_kept_may_support_what_the_others_do_not() -> None:
    left = (FEE, NO_TEXT)

    open_ = scorer(Reading()).score(CASE, trace(claim("40", "fees"), evidence=left), 4)
    found = scorer(Reading()).score(CASE, trace(claim("30", "fees"), evidence=left), 4)

    assert isinstance(open_, Unscored)
    assert found == Scored(1.0, ("claims 1, verdicts 1, supported 1",))


def test_g18_a_verdict_that_is_none_is_never_a_pass_nor_a_half() -> None:
    by = Reading(open=frozenset({"fee"}))

    found = scorer(by).score(CASE, trace(claim("fee"), claim("May")), 4)

    assert found == Failed(
        "the judge left 1 of 2 claims open: its answer is not JSON (1)"
    )
    assert len(by.asked) == 2  # what is judged now need not be judged again


def test_g08_a_claim_without_text_is_no_supported_claim() -> None:
    found = scorer(Reading()).score(CASE, trace(claim(" ")), 4)

    assert isinstance(found, Failed)
    assert "the claim has no text (1)" in found.what


def test_a_judge_that_breaks_fails_the_case_and_not_the_run() -> None:
    by = Reading(breaks=frozenset({"fee"}))

    found = scorer(by).score(CASE, trace(claim("fee")), 4)

    assert found == Failed("the scorer broke: RuntimeError")


def test_a_turn_that_broke_has_no_answer_to_judge() -> None:
    broke = Trace(case_id=CASE.id, error=TraceError(kind="timeout"))

    assert isinstance(scorer(Reading()).score(CASE, broke, 4), Failed)


@pytest.mark.parametrize(
    ("rulings", "expected"),
    [
        ("", "unsupported"),
        ("unsupported contradicted", "contradicted"),
        ("contradicted unsupported", "contradicted"),
        ("contradicted unavailable unsupported", "unavailable"),
        ("unavailable contradicted", "unavailable"),
        ("unavailable contradicted supported", "supported"),
    ],
)
def test_the_best_reading_counts_and_an_open_one_before_none(
    rulings: str, expected: str
) -> None:
    found = best(Judgement(Ruling(each)) for each in rulings.split())

    assert found.ruling == expected


def test_without_a_judge_its_key_is_known_and_not_in_the_table_of_a_run() -> None:
    known = [each for each in SCORERS if each.name == NAME]

    assert len(known) == 1
    assert known[0].score(CASE, trace(claim("x")), 4) == Unscored(
        "no judge is configured"
    )
    assert NAME not in [each.name for each in scorers()]
    named = [each.name for each in SCORERS]
    assert [each.name for each in scorers(judge=Reading())] == named


def test_r17_a_judge_that_gave_out_holds_no_bar_up() -> None:
    """R17, A32: after 130 of 400 the rest is not left out of the denominator."""
    names = [CaseId(f"c{n:03}") for n in range(400)]
    cases = [Case(id=name, query="q") for name in names]
    left = [
        Trace(case_id=name, evidence=(FEE,), claims=(claim(f"fee {n >= 130}"),))
        for n, name in enumerate(names)
    ]
    by = Reading(open=frozenset({"fee True"}))

    run = score(cases, enumerate(left, 1), judge=by)

    found = run.aggregates[NAME]
    assert (found.n, found.eligible, found.mean) == (130, 400, 0.0)
    assert judge(run, Bars(minimums={NAME: 0.0})).exit_code == 3
    assert judge(run, Bars(minimums={NAME: 0.0}, min_scored=0.3)).exit_code == 0


def test_a_bar_on_it_without_a_judge_is_not_measured() -> None:
    run = score([CASE], [(1, trace(claim("fee")))])

    verdict = judge(run, Bars(minimums={NAME: 0.5}))

    assert verdict.exit_code == 3
    assert NAME not in run.metrics


def test_the_judge_is_named_in_the_provenance_and_else_nothing_is() -> None:
    left = [(1, trace(claim("fee")))]

    assert score([CASE], left, judge=Reading()).provenance["judge"] == "reading:1"
    assert "judge" not in score([CASE], left).provenance
