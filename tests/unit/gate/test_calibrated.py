"""A calibration is a sum that nothing pulls down, and a file that is checked."""

import json
from dataclasses import replace
from math import exp

import pytest
from rankings import hit, ranking, term

from lastro.gate.calibrated import Calibration, Fitted, dumps, judged, loads
from lastro.gate.decide import decide
from lastro.gate.policy import RetrievalPolicy
from lastro.model.decision import ConfidenceWord, ReasonCode
from lastro.model.ranking import Leg, LegStatus

SURE = Calibration(
    lexical=Fitted(bias=-2.0, weights={"score": 3.0, "coverage": 2.0}),
    dense=Fitted(bias=-1.0, weights={"cosine": 4.0}),
    thresholds={"retrieval_min_score": 1.25},
    provenance={"cases": "abc", "n": 60},
)
ASKED = [term("printer"), term("jams")]
FOUND = ranking(ASKED, [hit(2.0, 2.0, text="The printer jams.")])


def test_the_probability_is_that_of_the_formula_and_never_overflows() -> None:
    one = Fitted(bias=-2.0, weights={"score": 3.0})

    assert one.probability({"score": 1.0}) == pytest.approx(1 / (1 + exp(-1.0)))
    assert Fitted(bias=-1e6, weights={}).probability({}) == 0.0
    assert Fitted(bias=1e6, weights={}).probability({}) == 1.0


def test_where_the_dense_leg_looked_the_sum_with_vectors_is_used() -> None:
    by_words = {"score": 0.5, "coverage": 0.5}
    vectors = {"cosine": 1.0, "cosine_lead": 0, "cosine_of_best": 0, "legs_agree": 0}

    assert SURE.confidence(by_words) == pytest.approx(1 / (1 + exp(-0.5)))
    assert SURE.confidence(by_words | vectors) == pytest.approx(1 / (1 + exp(-3)))
    alone = replace(SURE, dense=None)
    assert alone.confidence(by_words | vectors) == SURE.confidence(by_words)


def test_a_calibrated_decision_says_so_and_takes_its_word_from_it() -> None:
    low = replace(SURE, lexical=Fitted(bias=-3.0, weights={}))

    sure = decide(judged(FOUND, SURE), RetrievalPolicy())
    unsure = decide(judged(FOUND, low), RetrievalPolicy())

    assert sure.calibrated
    assert sure.features["calibrated"] == sure.confidence
    assert unsure.confidence_word is ConfidenceWord.LOW
    assert unsure.reason is ReasonCode.LOW_CONFIDENCE
    assert not decide(judged(FOUND, None), RetrievalPolicy()).calibrated


def test_a_search_that_failed_has_no_probability() -> None:
    failed = ranking(ASKED, legs={"lexical": Leg(status=LegStatus.FAILED)})

    assert judged(failed, SURE).calibrated is None


def test_what_is_written_is_what_is_read() -> None:
    assert loads(dumps(SURE)) == SURE
    assert dumps(loads(dumps(SURE))) == dumps(SURE)


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"schema_version": 2}, "version 1"),
        ({"lexical": None}, "lexical needs a bias and weights"),
        ({"lexical": {"bias": True, "weights": {}}}, "lexical needs a bias"),
        ({"lexical": {"bias": 0, "weights": {"length": 1}}}, "'length' is no signal"),
        ({"lexical": {"bias": 0, "weights": {"score": -1}}}, "no number from 0 on"),
        ({"lexical": {"bias": 0, "weights": {"score": 10**400}}}, "no number from 0"),
        ({"lexical": {"bias": 0, "weights": {"cosine": 1}}}, "'cosine' is no signal"),
        ({"provenance": []}, "are objects"),
        ({"thresholds": 1}, "are objects"),
    ],
)
def test_what_is_no_calibration_is_refused_with_its_place(
    change: dict[str, object], what: str
) -> None:
    text = json.dumps(json.loads(dumps(SURE)) | change)

    with pytest.raises(ValueError, match=what):
        loads(text)


@pytest.mark.parametrize("text", ["", "[]", "{", "null"])
def test_what_is_no_object_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="it is not"):
        loads(text)
