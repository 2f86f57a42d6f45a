"""Two runs are paired by case id; what cannot be paired is named, never dropped."""

import dataclasses

import pytest
from two_runs import HIT, RECALL, column, named, run

from lastro.errors import EvaluationError
from lastro.eval.compare import compare
from lastro.eval.compared import Comparison, Difference, Moved
from lastro.eval.paired import holm, paired
from lastro.eval.results import Run
from lastro.model.failure import Failure
from lastro.model.ids import CaseId


def only(found: Comparison, metric: str = HIT) -> Difference:
    (difference,) = [each for each in found.differences if each.metric == metric]
    return difference


def test_a_difference_is_b_minus_a_over_the_same_cases() -> None:
    a = run({"one": [0.0], "two": [1.0], "three": [0.5]}, [RECALL])
    b = run({"three": [1.0], "two": [1.0], "one": [0.5]}, [RECALL])
    alone = paired({"1": 0.0, "2": 1.0, "3": 0.5}, {"1": 0.5, "2": 1.0, "3": 1.0})

    found = only(compare(a, b), RECALL)

    assert (found.n, found.mean_a, found.mean_b) == (3, 0.5, alone.mean_b)
    assert (found.difference, found.p) == (alone.difference, alone.p)
    assert (found.ci_lo, found.ci_hi) == (alone.ci_lo, alone.ci_hi)


def test_m26_a_run_beside_itself_differs_in_nothing() -> None:
    a = run({f"c{i}": [float(i % 2), 1 / 3] for i in range(40)})

    found = compare(a, a)

    assert {each.difference for each in found.differences} == {0.0}
    assert {each.p for each in found.differences} == {1.0}
    assert {each.apart for each in found.differences} == {0}
    assert (found.moved, found.differs, found.exit_code) == ((), {}, 0)


def test_m33_a_case_of_one_run_alone_is_named_and_stands_in_no_difference() -> None:
    a = run({"both": [1.0], "gone": [0.0]}, [HIT])
    b = run({"both": [1.0], "new": [0.0]}, [HIT])

    found = compare(a, b)

    assert (found.paired, found.only_a, found.only_b) == (1, ("gone",), ("new",))
    assert only(found).n == 1
    assert only(found).difference == 0.0


def test_l18_ids_are_paired_in_nfc_and_shown_as_they_are() -> None:
    composed, taken_apart = "ação", "ac\u0327a\u0303o"
    a = run({composed: [0.0]}, [HIT], failures={composed: Failure.UNKNOWN})
    b = run({taken_apart: [1.0], "ac\u0327": [1.0]}, [HIT])

    found = compare(a, b)

    assert (found.paired, found.only_a, found.only_b) == (1, (), ("ac\u0327",))
    assert found.moved[0].id == taken_apart


def test_a15_m33_runs_without_a_case_in_common_cannot_be_compared() -> None:
    a = named(run({"hard": [0.0], "harder": [0.0]}, [HIT]), case_set="1")
    b = named(run({"easy": [1.0]}, [HIT]), case_set="2")

    found = compare(a, b, claims=[f"{HIT} > 0"])

    assert (found.paired, found.differences, found.exit_code) == (0, (), 3)
    assert (found.only_a, found.only_b) == (("hard", "harder"), ("easy",))
    assert found.differs == {"case_set": ("1", "2")}
    assert not found.claims[0].measured


def test_runs_that_both_measured_nothing_are_not_a_comparison_that_passed() -> None:
    a, b = column([1.0, 1.0, None]), column(["the turn broke", None, None])

    found = compare(a, b)

    assert only(found).n == 0
    assert only(found).lost == ("c00", "c01")
    assert found.exit_code == 3


def test_a21_cases_that_became_unmeasured_are_listed_by_metric() -> None:
    a = run({"c1": [1.0, 1.0], "c2": [0.0, None], "c3": [1.0, 0.5]})
    b = run({"c1": [1.0, 1.0], "c2": [0.0, 0.5], "c3": ["no trace", None]})

    found = compare(a, b)

    hit, recall = only(found, HIT), only(found, RECALL)
    assert (hit.n, hit.lost, hit.gained) == (2, ("c3",), ())
    assert (recall.n, recall.lost, recall.gained) == (1, ("c3",), ("c2",))


def test_a_metric_that_neither_run_measured_is_not_shown() -> None:
    assert [
        each.metric for each in compare(column([1.0]), column([1.0])).differences
    ] == [HIT]
    assert compare(column([None]), column([None])).differences == ()


def test_metrics_stand_in_the_order_of_the_table_and_others_after_them() -> None:
    a = run({"c": [1.0, 1.0, 1.0]}, ["my_own", RECALL, HIT])

    names = [each.metric for each in compare(a, a).differences]

    assert names == [HIT, RECALL, "my_own"]


def test_holm_is_over_the_metrics_shown_and_stages_are_none_of_them() -> None:
    metrics = [HIT, RECALL, "groundedness", "stage.fused.hit_at_k"]
    a = run({f"c{i}": [0.0] * 4 for i in range(6)}, metrics)
    b = run(
        {f"c{i}": [1.0, float(i > 0), float(i > 4), 1.0] for i in range(6)}, metrics
    )

    found = {each.metric: each for each in compare(a, b).differences}

    ps = [found[name].p for name in metrics[:3]]
    assert ps == [2 / 64, 2 / 32, 1.0]
    assert [found[name].p_holm for name in metrics[:3]] == list(holm(ps))
    assert found["stage.fused.hit_at_k"].p == 2 / 64
    assert found["stage.fused.hit_at_k"].p_holm is None


def test_metrics_are_told_apart_by_interval_and_corrected_p_together() -> None:
    metrics = [HIT, RECALL, "stage.fused.hit_at_k"]
    a = run({f"c{i:02d}": [0.0] * 3 for i in range(40)}, metrics)
    few = {f"c{i:02d}": [float(i < 4)] * 3 for i in range(40)}
    more = {f"c{i:02d}": [float(i < 6)] * 3 for i in range(40)}

    hit, _, stage = compare(a, run(few, metrics)).differences
    assert hit.ci_lo is not None
    assert hit.ci_lo > 0  # and yet four signs that agree are no proof
    assert (hit.p, hit.apart, stage.apart) == (0.125, 0, 0)

    hit, _, stage = compare(a, run(more, metrics)).differences
    assert (hit.p, hit.p_holm, hit.apart) == (0.03125, 0.0625, 0)
    assert (stage.p_holm, stage.apart) == (None, 1)

    assert compare(run(more, metrics), a).differences[2].apart == -1


def test_layers_are_counted_over_the_cases_of_both_and_moves_are_named() -> None:
    cell = {f"c{i}": [0.0] for i in range(4)}
    before = {"c0": Failure.FUSION_MISS, "c1": Failure.CITATION_MISS}
    after = {"c1": Failure.FUSION_MISS, "c2": Failure.FUSION_MISS}
    a = run({**cell, "x": [0.0]}, [HIT], failures={**before, "x": Failure.UNKNOWN})
    b = run(cell, [HIT], failures=after)

    found = compare(a, b)

    assert found.attribution[Failure.FUSION_MISS] == (1, 2)
    assert found.attribution[Failure.CITATION_MISS] == (1, 0)
    assert found.attribution[Failure.UNKNOWN] == (0, 0)
    assert list(found.attribution) == list(Failure)
    assert found.moved == (
        Moved(id=CaseId("c0"), before=Failure.FUSION_MISS, after=None),
        Moved(id=CaseId("c1"), before=Failure.CITATION_MISS, after=Failure.FUSION_MISS),
        Moved(id=CaseId("c2"), before=None, after=Failure.FUSION_MISS),
    )


def test_what_the_provenance_tells_apart_is_named_and_nothing_else() -> None:
    a = named(column([1.0]), kb={"documents": 3, "listing": "x"}, systems=["naive"])
    b = named(column([1.0]), kb={"documents": 4, "listing": "x"}, systems=("naive",))

    found = compare(a, named(b, git="abc"))

    assert found.differs == {"git": (None, "abc"), "kb.documents": (3, 4)}


@pytest.mark.parametrize(
    ("b", "why"),
    [
        (run({"c00": [1.0]}, [HIT], k=10), "k 4 and 10"),
        (named(column([1.0]), match="stem"), "match substring and stem"),
        (named(column([1.0]), judge="nli b"), "judge nli a and nli b"),
    ],
)
def test_runs_judged_by_different_rules_are_refused(b: Run, why: str) -> None:
    with pytest.raises(EvaluationError, match=why) as told:
        compare(named(column([1.0]), judge="nli a"), b)

    assert "lastro score" in told.value.hint


def test_a_run_that_asked_no_judge_may_be_compared_with_one_that_did() -> None:
    found = compare(column([1.0]), named(column([1.0]), judge="nli a"))

    assert found.differs == {"judge": (None, "nli a")}


def test_a_comparison_with_a_private_run_is_private() -> None:
    a = column([1.0])

    assert compare(a, dataclasses.replace(a, private=True)).private
    assert not compare(a, a).private
