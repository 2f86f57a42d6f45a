"""The flags after generation complain of what they are named after, and only that."""

from dataclasses import replace

import pytest
from rankings import GOOD, passage, term

from lastro.gate.decide import decide
from lastro.gate.policy import RetrievalPolicy
from lastro.grounding.flags import (
    missing_informative_terms,
    unresolved_citations,
    unsupported_claim,
)
from lastro.grounding.support import support
from lastro.model.answer import Flag, Policy

OK = decide(GOOD, RetrievalPolicy())
WEAK = decide(replace(GOOD, top_score=0.5), RetrievalPolicy())
ASKED = [term("printer"), term("how", informative=False)]


def test_each_unknown_id_is_a_finding_of_its_sentence() -> None:
    found = unresolved_citations("It is so.", ["zz", "yy"])
    assert [item.observed for item in found] == ["zz", "yy"]
    assert {item.flag for item in found} == {Flag.UNRESOLVED_CITATION}
    assert {item.sentence for item in found} == {"It is so."}
    assert unresolved_citations("It is so.", []) == ()


def test_a_claim_that_its_passage_does_not_say_is_flagged() -> None:
    cited = [passage("Wait for 30 seconds.")]
    wrong = "Wait for 31 seconds."
    found = unsupported_claim(wrong, support(wrong, cited, "en"))
    assert found is not None
    assert found.flag is Flag.UNSUPPORTED_CLAIM
    right = "Wait for 30 seconds."
    assert unsupported_claim(right, support(right, cited, "en")) is None


@pytest.mark.parametrize("policy", list(Policy))
def test_an_answer_without_any_term_of_the_question_is_flagged(policy: Policy) -> None:
    found = missing_informative_terms("Bananas.", ASKED, OK, policy=policy, locale="en")
    assert found is not None
    assert found.required == "printer"
    text = "The printer is on."
    assert not missing_informative_terms(text, ASKED, OK, policy=policy, locale="en")


def test_after_a_weak_retrieval_only_strict_asks_for_the_terms() -> None:
    flagged = {
        policy: bool(
            missing_informative_terms("No.", ASKED, WEAK, policy=policy, locale="en")
        )
        for policy in Policy
    }
    assert flagged == {
        Policy.STRICT: True,
        Policy.ANCHORED: False,
        Policy.HYBRID: False,
    }


def test_a_question_without_informative_terms_misses_none() -> None:
    asked = [term("how", informative=False)]
    assert not missing_informative_terms(
        "No.", asked, OK, policy=Policy.STRICT, locale="en"
    )
