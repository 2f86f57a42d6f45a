"""Features are read off a ranking: divided score, margin of documents, coverage."""

import pytest
from rankings import hit, ranking, term

from lastro.gate.features import features
from lastro.model.ids import DocumentId, PassageId
from lastro.model.ranking import Leg, LegStatus, Stage, StageEntry


def test_the_top_score_is_divided_by_the_informative_terms() -> None:
    asked = [term("printer"), term("the", informative=False), term("jam")]
    seen = features(ranking(asked, [hit(4.0, 0.5, 2.0)]))
    assert seen.top_score == pytest.approx(3.0)
    assert seen.informative == 2


def test_an_unknown_term_counts_in_the_division() -> None:
    seen = features(ranking([term("printer"), term("quux", df=0)], [hit(4.0, 0.0)]))
    assert seen.top_score == pytest.approx(2.0)
    assert seen.unknown == 1


def test_without_an_informative_term_the_score_is_undivided() -> None:
    asked = [term("how", informative=False), term("it", informative=False)]
    seen = features(ranking(asked, [hit(0.9, 0.8)]))
    assert seen.top_score == pytest.approx(1.7)
    assert seen.coverage == 0.0


def test_the_best_passage_has_the_highest_lexical_score_wherever_it_stands() -> None:
    asked = [term("printer"), term("jam")]
    chosen = [hit(1.0, 0.0, document="a"), hit(3.0, 3.0, document="b")]
    seen = features(ranking(asked, chosen))
    assert seen.top_score == pytest.approx(3.0)
    assert seen.coverage == 1.0


def test_the_margin_is_between_documents() -> None:
    chosen = [
        hit(6.0, document="a"),
        hit(5.95, document="a", ordinal=1),
        hit(4.0, document="b"),
    ]
    assert features(ranking([term("jam")], chosen)).margin == pytest.approx(2.0)


def test_one_document_has_no_margin() -> None:
    chosen = [hit(6.0, document="a"), hit(5.9, document="a", ordinal=1)]
    seen = features(ranking([term("jam")], chosen))
    assert seen.margin is None
    assert seen.documents == 1
    assert "margin" not in seen.as_mapping()


def test_coverage_counts_central_terms_twice_in_its_weighted_form() -> None:
    asked = [term("printer", idf=6), term("paper", idf=3), term("tray", idf=2)]
    seen = features(ranking(asked, [hit(3.0, 0.0, 1.0)]))
    assert seen.central == 1
    assert seen.coverage == pytest.approx(2 / 3)
    assert seen.coverage_weighted == pytest.approx(3 / 4)


def test_a_central_term_may_be_held_by_another_selected_passage() -> None:
    asked = [term("printer", idf=6), term("paper", idf=3)]
    best, other = hit(0.0, 5.0, document="a"), hit(3.0, 0.0, document="b")
    assert features(ranking(asked, [best])).central_missing == 1
    assert features(ranking(asked, [best, other])).central_missing == 0


def test_a_word_of_trouble_is_no_subject() -> None:
    asked = [term("slow", idf=6), term("boot", df=900, idf=1)]
    seen = features(ranking(asked, [hit(3.0, 1.0)]))
    assert (seen.trouble, seen.central, seen.subjects) == (1, 1, 0)


def test_what_is_in_trouble_is_the_subject_however_rare_the_trouble() -> None:
    asked = [term("slow", idf=6), term("bluetooth", df=20, idf=4)]
    seen = features(ranking(asked, [hit(3.0, 1.0)]))
    assert (seen.trouble, seen.central, seen.subjects) == (1, 1, 1)


def test_nothing_found_measures_nothing() -> None:
    seen = features(ranking([term("printer")]))
    assert seen.selected == 0
    assert seen.top_score is None
    assert seen.coverage is None


def test_every_leg_failed_is_failed_and_not_nothing_found() -> None:
    legs = {
        "lexical": Leg(status=LegStatus.FAILED),
        "dense": Leg(status=LegStatus.OFF),
    }
    assert features(ranking([term("printer")], legs=legs)).failed


def test_a_blind_leg_does_not_excuse_a_failed_one() -> None:
    legs = {
        "lexical": Leg(status=LegStatus.BLIND),
        "dense": Leg(status=LegStatus.FAILED),
    }
    assert features(ranking(legs=legs)).failed


def test_a_blind_leg_alone_is_nothing_found() -> None:
    assert not features(ranking(legs={"lexical": Leg(status=LegStatus.BLIND)})).failed


def test_where_the_lexical_leg_was_off_the_cosine_stands_in() -> None:
    legs = {"lexical": Leg(status=LegStatus.OFF), "dense": Leg(status=LegStatus.OK)}
    entry = StageEntry(
        passage_id=PassageId("a::000"), document_id=DocumentId("a"), score=0.83
    )
    seen = features(
        ranking(
            [term("printer")],
            [hit(0.0)],
            legs=legs,
            stages={Stage.DENSE: (entry,)},
        )
    )
    assert not seen.lexical
    assert seen.top_score is None
    assert seen.top_cosine == pytest.approx(0.83)


def test_the_mapping_holds_finite_numbers_of_what_was_measured() -> None:
    seen = features(ranking([term("jam")], [hit(2.0)])).as_mapping()
    assert seen["top_score"] == pytest.approx(2.0)
    assert seen["failed"] == 0.0
    assert set(seen) >= {"informative", "unknown", "central", "coverage", "documents"}
