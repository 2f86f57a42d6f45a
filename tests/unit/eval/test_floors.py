"""Two systems that cannot see: drawn by seed and case, compared pairwise."""

import pytest

from lastro.eval.floors import Drawn, FloorSheet, floor_scores, lot, trace
from lastro.eval.results import CaseResult
from lastro.eval.scorers import SCORERS
from lastro.model.case import Case, QueryType, TargetSpec
from lastro.model.ids import CaseId
from lastro.model.score import Scored
from lastro.model.trace import Retrieved


def case(case_id: str, *gold: str) -> Case:
    return Case(id=CaseId(case_id), query="q", must_cite_one_of=gold)


def test_a_lot_depends_on_seed_and_case_alone() -> None:
    drawn = lot(case("a"), 100, 4)

    assert drawn == lot(case("a"), 100, 4)
    assert drawn != lot(case("b"), 100, 4)
    assert drawn != lot(case("a"), 100, 4, seed=18)
    assert len({one.place for one in drawn}) == 4
    assert all(0 <= one.place < 100 for one in drawn)
    assert all(0 <= one.depth < 1 for one in drawn)


def test_m25_a_lot_is_the_same_for_both_spellings_of_an_id() -> None:
    assert lot(case("\u00e7"), 100, 4) == lot(case("c\u0327"), 100, 4)


@pytest.mark.parametrize(("documents", "drawn"), [(0, 0), (1, 1), (3, 3), (9, 4)])
def test_a_small_knowledge_base_gives_fewer(documents: int, drawn: int) -> None:
    assert len(lot(case("a"), documents, 4)) == drawn


def test_a_random_retriever_hits_as_often_as_chance_has_it() -> None:
    hits = sum(
        7 in {one.place for one in lot(case(f"c{i}"), 40, 4)} for i in range(4000)
    )

    assert hits / 4000 == pytest.approx(0.1, abs=0.015)


def test_a_drawn_depth_names_a_passage() -> None:
    passages = tuple(Retrieved(id="x", text=text) for text in ("a", "b", "c"))

    assert Drawn(0, 0.0).passage(passages).text == "a"
    assert Drawn(0, 0.5).passage(passages).text == "b"
    assert Drawn(0, 0.999).passage(passages).text == "c"


def test_a_floor_always_answers_and_cites_what_it_has() -> None:
    left = trace(
        case("a"),
        "random",
        [Retrieved(id="x", text="text of x"), Retrieved(id="y", text="t")],
    )

    assert left.abstained is False
    assert left.refused is False
    assert left.cited_ids == ("x", "y")
    assert left.stages is None
    assert left.decision is None


def test_the_leak_of_pooled_groundedness_shows_beside_the_one_passage_floor() -> None:
    sides = tuple(
        TargetSpec(target=t, expected_doc_ids=(t,), expected_terms=(f"fee of {t}",))
        for t in ("a", "b")
    )
    comparison = Case(
        id=CaseId("c"),
        query="a or b?",
        query_type=QueryType.COMPARISON,
        expected_terms=("fee of a", "fee of b"),
        expected_claim_citations=sides,
    )
    both = Retrieved(id="a", text="The fee of a and the fee of b.")
    sheet = FloorSheet(SCORERS, 4)

    sheet.add(comparison, trace(comparison, "one_passage", [both]))

    found = sheet.found["one_passage"]
    assert found["groundedness"]["c"] == 1.0
    assert found["comparison_groundedness"]["c"] == 0.5


def test_what_a_floor_is_not_judged_by_could_not_be_measured_of_it() -> None:
    asked = Case(
        id=CaseId("c"),
        query="q",
        query_type=QueryType.COMPARISON,
        must_cite_one_of=("x",),
        expected_doc_ids=("x", "y"),
        expected_terms=("seven days",),
    )
    left = trace(asked, "random", [Retrieved(id="x", text="It lends seven days.")])
    sheet = FloorSheet(SCORERS, 4)

    sheet.add(asked, left)

    scores = {scorer.name: scorer.score(asked, left, 4) for scorer in SCORERS}
    measured = {n for n, score in scores.items() if isinstance(score, Scored)}
    assert sheet.found["random"].keys() == measured
    assert "comparison_target_recall" in measured


def test_floors_are_set_beside_the_system_on_the_cases_both_were_scored_on() -> None:
    cases = [case(f"c{i}", "x") for i in range(12)]
    sheet = FloorSheet(SCORERS, 4)
    results = []
    for each in cases:
        sheet.add(each, trace(each, "random", [Retrieved(id="y", text="")]))
        left = trace(each, "naive", [Retrieved(id="x", text="")])
        scores = tuple(scorer.score(each, left, 4) for scorer in SCORERS)
        results.append(CaseResult(id=each.id, scores=scores))

    found = sheet.compare(results)["random"]

    assert found["retrieval_hit_at_k"].mean == 0.0
    assert found["retrieval_hit_at_k"].n == 12
    assert found["retrieval_hit_at_k"].headroom == 1.0
    assert found["retrieval_hit_at_k"].told_apart
    assert "groundedness" not in found


@pytest.mark.parametrize(
    ("system", "floor", "headroom", "apart"),
    [
        ((1.0, 1.0), (1.0, 1.0), None, False),
        ((0.5, 0.5), (0.5, 0.5), 0.0, False),
        ((0.0, 0.0), (0.5, 0.5), -1.0, False),
        ((1.0, 1.0), (0.0, 0.0), 1.0, True),
    ],
)
def test_headroom_is_what_is_left_above_the_floor(
    system: tuple[float, ...],
    floor: tuple[float, ...],
    headroom: float | None,
    apart: bool,
) -> None:
    names = ("a", "b")

    sides = [
        (dict(zip(names, system, strict=True)), dict(zip(names, floor, strict=True)))
    ]
    (found,) = floor_scores(sides)

    assert found.headroom == headroom
    assert found.told_apart is apart
