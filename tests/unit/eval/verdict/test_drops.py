"""The baseline bar: a drop beyond tolerance that chance does not explain is a miss."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from held import GROUNDED, HIT, column, run
from two_runs import named

from lastro.eval.baseline import Baseline, from_run
from lastro.eval.results import Run
from lastro.eval.verdict import Bars, judge, verdict
from lastro.model.score import Bar, BarKind, BarState, Verdict

ALL = [1.0] * 60


def lowered(by: int, of: int = 60) -> list[float]:
    return [0.0] * by + [1.0] * (of - by)


def held_against(then: Run, now: Run, **more: object) -> Verdict:
    return judge(now, Bars(baseline=from_run(then), **more))  # type: ignore[arg-type]


def drop(found: Verdict, name: str = HIT) -> Bar:
    (bar,) = (b for b in found.bars if b.kind is BarKind.DROP and b.metric == name)
    return bar


def test_the_same_run_again_holds_and_every_metric_and_locale_has_a_bar() -> None:
    of = run({"a": [1.0, 0.5], "b": [0.0, 1.0]}, locales={"a": "ko", "b": "en"})

    found = held_against(of, of)

    assert found.exit_code == 0
    drops = [bar for bar in found.bars if bar.kind is BarKind.DROP]
    assert [bar.metric for bar in drops] == [
        HIT,
        GROUNDED,
        f"by_locale.en.{HIT}",
        f"by_locale.en.{GROUNDED}",
        f"by_locale.ko.{HIT}",
        f"by_locale.ko.{GROUNDED}",
    ]
    assert {bar.observed for bar in drops} == {0.0}
    assert [bar.required for bar in drops[:2]] == [-0.05, -0.05]
    assert [bar.required for bar in drops[2:]] == pytest.approx([-0.08] * 4)


def test_a11_a_sure_drop_beyond_tolerance_exits_1_and_names_what_scored_less() -> None:
    found = held_against(column(ALL), column(lowered(20)))

    assert found.exit_code == 1
    assert drop(found).observed == pytest.approx(-1 / 3)
    assert drop(found).n == 60
    assert (drop(found).ci_hi or 0.0) < 0
    assert drop(found).why.startswith("beyond tolerance, p ")
    assert "(corrected for all 1 tested); lower: " in drop(found).why
    assert "lower: c000, c001" in drop(found).why
    assert drop(found).why.endswith("and 8 more")


def test_a_drop_within_tolerance_holds_however_sure_it_is() -> None:
    then, now = column([1.0] * 400), column(lowered(19, 400))  # 4.75 points

    found = held_against(then, now)

    assert found.exit_code == 0
    assert (drop(found).ci_hi or 0.0) < 0


@pytest.mark.parametrize(("tolerance", "code"), [(0.2, 1), (0.4, 0)])
def test_how_far_a_metric_may_drop_can_be_chosen(tolerance: float, code: int) -> None:
    found = held_against(column(ALL), column(lowered(20)), tolerance=tolerance)

    assert found.exit_code == code
    assert drop(found).required == -tolerance


def test_exactly_as_far_as_is_tolerated_holds() -> None:
    then, now = column([1.0] * 100), column(lowered(20, 100))

    assert held_against(then, now, tolerance=0.2).exit_code == 0


def test_a_drop_that_may_be_chance_is_reported_and_holds() -> None:
    found = held_against(column([1.0] * 10), column(lowered(4, 10)))

    assert found.exit_code == 0
    assert drop(found).observed == -0.4
    assert drop(found).why.startswith("beyond tolerance, may be chance: p 0.0")


def test_a_rise_holds() -> None:
    assert held_against(column(lowered(30)), column(ALL)).exit_code == 0


def test_where_every_case_drops_by_the_same_that_is_the_interval() -> None:
    found = held_against(column(ALL), column([0.5] * 60))

    assert found.exit_code == 1
    assert (drop(found).ci_lo, drop(found).ci_hi) == (-0.5, -0.5)


def locales(names: Sequence[str]) -> dict[str, str]:
    return {f"c{place:03d}": name for place, name in enumerate(names)}


def test_a_drop_of_one_locale_is_seen_where_the_whole_hides_it() -> None:
    where = locales(["ko"] * 20 + ["en"] * 400)
    rows = {name: [1.0] for name in where}
    worse = rows | {f"c{place:03d}": [0.0] for place in range(15)}
    then, now = (run(r, [HIT], locales=where) for r in (rows, worse))

    found = held_against(then, now)

    assert [bar.metric for bar in found.breaches] == [f"by_locale.ko.{HIT}"]


def test_a04_a17_what_was_measured_then_and_is_not_now_exits_3() -> None:
    then = run({"a": [1.0, 1.0], "b": [1.0, 1.0]})
    now = run({"a": [1.0, None], "b": [1.0, None]})

    found = held_against(then, now)

    assert found.exit_code == 3
    assert found.unmeasured == (
        f"{GROUNDED}: n is 2 in the baseline, and no case carries it now",
    )


def test_what_one_locale_carries_no_more_is_reported_since_the_whole_guards_it() -> (
    None
):
    where = {"a": "ko", "b": "en"}
    then = run({"a": [1.0, 1.0], "b": [1.0, 1.0]}, locales=where)
    now = run({"a": [1.0, None], "b": [1.0, 1.0]}, locales=where)

    found = held_against(then, now)

    assert found.exit_code == 0
    assert drop(found, f"by_locale.ko.{GROUNDED}").state is BarState.INACTIVE
    assert f"baseline: {GROUNDED}: measured then and not now on 1: a" in found.notes


def test_a21_a32_cases_that_break_now_cannot_hide_a_drop() -> None:
    then, now = column(ALL), column(["timeout"] * 20 + [1.0] * 40)

    strict = held_against(then, now)
    lenient = held_against(then, now, min_scored=0.5)

    assert strict.exit_code == 3
    assert drop(strict).why == (
        "20 of 60 cases of the baseline broke now, and --min-scored asks for 100%"
    )
    assert (lenient.exit_code, drop(lenient).n) == (0, 40)


@pytest.mark.parametrize(
    ("then_n", "now_n", "state"),
    [
        (10, 10, BarState.INACTIVE),  # it was thin when it was measured
        (40, 10, BarState.NOT_MEASURED),  # it has become thin
        (40, 40, BarState.ACTIVE),
    ],
)
def test_the_least_n_holds_for_a_drop_too(
    then_n: int, now_n: int, state: BarState
) -> None:
    def of(n: int) -> Run:
        return column([1.0] * n + [None] * (40 - n))

    found = held_against(of(then_n), of(now_n), min_n=30)

    assert drop(found).state is state
    assert found.exit_code == (3 if state is BarState.NOT_MEASURED else 0)


@pytest.mark.parametrize(("left", "code"), [(5, 3), (19, 3), (20, 0)])
def test_a_metric_that_most_cases_carry_no_more_is_not_measured(
    left: int, code: int
) -> None:
    then = column([1.0] * 40)
    now = column([1.0] * left + [None] * (40 - left))

    found = held_against(then, now)

    assert found.exit_code == code
    if code:
        assert drop(found).why == f"{left} of the 40 cases of the baseline carry it now"


def test_where_another_metric_dropped_what_it_took_along_is_told_and_no_more() -> None:
    then = run({f"c{at:02}": [1.0, 1.0] for at in range(40)})
    now = run({f"c{at:02}": [0.0, 1.0 if at < 5 else None] for at in range(40)})

    found = held_against(then, now)

    assert found.exit_code == 1
    assert drop(found, GROUNDED).state is BarState.INACTIVE
    assert "5 of the 40 cases" in drop(found, GROUNDED).why


def test_a15_another_case_set_is_incomparable_and_the_difference_is_listed() -> None:
    then = run({"hard1": [0.0, 0.0], "hard2": [0.0, 0.0]})
    now = run({"easy": [1.0, 1.0], "hard1": [1.0, 1.0]}, case_set="d" * 64)

    found = held_against(then, now)

    assert found.exit_code == 3
    (bar,) = (each for each in found.bars if each.kind is BarKind.DROP)
    assert (bar.metric, bar.state) == ("baseline", BarState.NOT_MEASURED)
    assert "incomparable: another case set: 2 cases" in bar.why
    assert "gone: hard2; new: easy" in bar.why


def test_a15_the_same_ids_with_other_questions_are_another_case_set() -> None:
    of = column([1.0])

    found = held_against(of, named(of, case_set="d" * 64))

    assert "the ids are the same, questions or labels are not" in found.unmeasured[0]


@pytest.mark.parametrize(
    ("now", "told"),
    [
        (replace(column([1.0]), k=10), "k: 4 then, 10 now"),
        (named(column([1.0]), match="stem"), "match: substring then, stem now"),
        (
            named(column([1.0]), kb={"documents": 5, "listing": "b" * 64}),
            "9 documents, hash aaaaaaaaaaaa then, 5 documents, hash bbbbbbbbbbbb now",
        ),
        (named(column([1.0]), judge="nli:b"), "judge: nli:a then, nli:b now"),
    ],
)
def test_other_rules_or_documents_make_it_incomparable(now: Run, told: str) -> None:
    kb = {"documents": 9, "listing": "a" * 64}
    then = named(column([1.0]), kb=kb, judge="nli:a")

    found = held_against(then, now)

    assert found.exit_code == 3
    assert told in found.unmeasured[0]


def test_other_settings_and_models_are_what_is_held_against_it_and_are_told() -> None:
    then = named(column(ALL), config_hash="a" * 64, models={"embedder": "static"})
    now = named(column(ALL), config_hash="b" * 64, models={"embedder": "e5"})

    found = held_against(then, now)

    assert found.exit_code == 0
    assert "baseline: settings: aaaaaaaaaaaa then, bbbbbbbbbbbb now" in found.notes
    assert "baseline: model embedder: static then, e5 now" in found.notes


def test_what_is_looked_at_beside_it_makes_a_drop_less_sure() -> None:
    rows = {f"c{place:03d}": [1.0] * 2 for place in range(60)}
    lower = [f"c{place:03d}" for place in range(5)]
    alone = rows | {name: [0.0, 1.0] for name in lower}
    # Nothing to do with the former: other cases, up as often as down.
    other = {f"c{place:03d}": [1.0, place % 2 / 2] for place in range(20, 60)}

    one = held_against(run(rows), run(alone))
    beside = held_against(run(rows), run(alone | other))

    assert drop(one).held is False
    assert drop(beside).held is True
    assert "may be chance" in drop(beside).why


def test_what_moves_with_it_costs_a_drop_nothing() -> None:
    then = {f"c{place:03d}": [1.0] * 2 for place in range(60)}
    hit_alone = then | {f"c{place:03d}": [0.0, 1.0] for place in range(5)}
    together = then | {f"c{place:03d}": [0.0, 0.0] for place in range(5)}

    one, both = (held_against(run(then), run(now)) for now in (hit_alone, together))

    assert drop(one).why == drop(both).why


def test_the_smallest_drop_that_is_found_is_told() -> None:
    then, now = column([1.0, 0.0] * 100), column([0.0, 1.0, 1.0, 0.0] * 50)

    notes = held_against(then, now).notes

    assert any(
        note.startswith(
            "baseline, overall: the smallest drop found with 80 % power, all"
        )
        and f"{HIT} 0." in note
        and "(n 200)" in note
        for note in notes
    )


def test_p_and_the_smallest_drop_are_told_in_plain_words() -> None:
    fine, less = held_against(column(ALL), column(ALL)), lowered(20)

    dropped = held_against(column(ALL), column(less))

    told = "tested at once, and each p is corrected for that"
    assert any(told in note for note in dropped.notes)
    assert not any(told in note for note in fine.notes)
    assert any("`detectable` of `lastro compare`" in note for note in dropped.notes)


def private(cells: Sequence[float | str | None]) -> Run:
    return replace(column(cells), private=True)


@pytest.mark.parametrize(("by", "code"), [(0, 0), (3, 0), (30, 1)])
def test_of_a_private_set_the_difference_of_means_is_judged(by: int, code: int) -> None:
    found = held_against(private(ALL), private(lowered(by)))

    assert found.exit_code == code
    assert drop(found).observed == pytest.approx(-by / 60)
    assert drop(found).ci_lo is not None
    assert any("those of two means" in note for note in found.notes)


def test_an_unpaired_difference_has_newcombes_interval() -> None:
    # Newcombe (1998), table II: 56/70 and 48/80, by the score method.
    then = column([1.0] * 56 + [0.0] * 14).aggregates
    now = column([1.0] * 48 + [0.0] * 32).aggregates
    of = from_run(private(ALL))
    of = replace(of, aggregates=then, by_locale={})

    bar = drop(verdict(now, baseline=of))

    assert bar.ci_lo == pytest.approx(-0.3339, abs=5e-5)
    assert bar.ci_hi == pytest.approx(-0.0524, abs=5e-5)


def test_the_library_form_takes_a_baseline() -> None:
    of: Baseline = from_run(column(ALL))

    same, worse = column(ALL), column(lowered(30))
    for now, code in ((same, 0), (worse, 1)):
        found = verdict(now.aggregates, now.slices, baseline=of)
        assert found.exit_code == code


def test_of_a_private_run_no_case_is_named() -> None:
    then, now = column(ALL), replace(column(lowered(20)), private=True)
    other = replace(named(now, case_set="d" * 64), results=now.results[1:])

    for found in (held_against(then, now), held_against(then, other)):
        said = [bar.why for bar in found.bars] + [*found.unmeasured, *found.notes]
        assert "c00" not in " ".join(said)


def test_3_outranks_a_drop() -> None:
    then = run({f"c{i:03d}": [1.0, 1.0] for i in range(40)})
    now = run({f"c{i:03d}": [0.0, None] for i in range(40)})

    found = held_against(then, now)

    assert HIT in {bar.metric for bar in found.breaches}
    assert found.exit_code == 3
