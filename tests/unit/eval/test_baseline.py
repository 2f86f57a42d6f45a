"""A baseline is written once, read back as it was, and refuses what it is not of."""

import json
import math
from dataclasses import replace

import pytest
from held import GROUNDED, HIT, column, run
from two_runs import named

from lastro.errors import InputError
from lastro.eval.baseline import (
    comparable,
    from_run,
    listed,
    measured,
    other_system,
)
from lastro.eval.baseline_text import dumps, loads

OF = run(
    {"a": [1.0, 0.5], "b": [0.0, None], "한": ["boom", 1.0]},
    locales={"a": "ko", "b": "en", "한": "ko"},
    kb={"documents": 3, "listing": "a" * 64},
    config_hash="b" * 64,
    models={"embedder": "static"},
    system="naive",
    lastro="0.1.0",
)
RECORDED = {
    "commit": "1" * 40,
    "tree": "2" * 40,
    "dirty": True,
    "at": "2026-01-02T03:04:05+00:00",
    "versions": {"python": "3.11.7"},
    "key_parts": {"setting search_legs": "hybrid", "system": "naive"},
}


def test_a_baseline_holds_what_was_measured_and_where_it_comes_from() -> None:
    found = from_run(OF, RECORDED)

    assert found.aggregates == OF.aggregates
    assert found.by_locale == OF.slices["by_locale"]
    assert found.scores == {
        "a": {HIT: 1.0, GROUNDED: 0.5},
        "b": {HIT: 0.0},
        "한": {GROUNDED: 1.0},
    }
    seen = found.measured
    assert (seen.commit, seen.tree, seen.dirty) == ("1" * 40, "2" * 40, True)
    assert seen.settings == {"search_legs": "hybrid"}
    assert seen.versions == {"lastro": "0.1.0", "python": "3.11.7"}
    assert (seen.k, seen.match, seen.cases, seen.system) == (4, "substring", 3, "naive")


def test_what_nothing_says_is_not_known_rather_than_made_up() -> None:
    seen = measured(column([1.0]))

    assert (seen.commit, seen.dirty, seen.kb, seen.judge) == (None, None, None, None)


def test_of_a_private_run_no_case_stands_in_it() -> None:
    found = from_run(replace(OF, private=True), RECORDED)

    assert found.scores is None
    assert "한" not in dumps(found)
    assert '"a"' not in dumps(found)


def test_it_is_read_back_as_it_was_written_and_written_the_same_again() -> None:
    for of in (from_run(OF, RECORDED), from_run(replace(OF, private=True))):
        text = dumps(of)
        again = loads(json.loads(text), "b.json")
        assert again == of
        assert dumps(again) == text


def test_stages_of_retrieval_stand_in_it_as_means_alone() -> None:
    of = column([1.0, 0.0], "stage.fused.hit_at_k")

    found = from_run(of)

    assert found.aggregates.keys() == {"stage.fused.hit_at_k"}
    assert found.scores == {"c000": {}, "c001": {}}


def test_a_case_stands_on_a_line_of_its_own() -> None:
    lines = dumps(from_run(OF)).splitlines()

    assert f'"a": {{"{GROUNDED}": 0.5, "{HIT}": 1.0}},' in lines


@pytest.mark.parametrize(
    ("place", "value", "told"),
    [
        (("schema_version",), 2, "schema_version: 2 is unknown; this Lastro reads 1"),
        (("measured", "k"), "4", "measured.k: expected int, got str"),
        (("measured", "tree"), "--help", "measured.tree: is no hash of git"),
        (("aggregates", HIT, "mean"), math.inf, "is not a finite number"),
        (("scores", "a", HIT), math.nan, f"scores.a.{HIT}: is not a finite number"),
        (("scores", "a"), [1], "expected object, got array"),
    ],
)
def test_a20_a29_what_was_not_written_is_refused_with_its_field_and_what_to_do(
    place: tuple[str, ...], value: object, told: str
) -> None:
    written = json.loads(dumps(from_run(OF)))
    inside = written
    for key in place[:-1]:
        inside = inside[key]
    inside[place[-1]] = value

    with pytest.raises(InputError) as refused:
        loads(written, "b.json")

    assert told in str(refused.value)
    assert str(refused.value).startswith("b.json: ")
    assert "lastro baseline update" in refused.value.hint


@pytest.mark.parametrize("written", [None, [], "x", {}, {"schema_version": 1}])
def test_what_is_no_baseline_at_all_is_refused(written: object) -> None:
    with pytest.raises(InputError):
        loads(written, "b.json")


def test_a_run_of_the_same_cases_is_comparable_whatever_the_code() -> None:
    now = named(OF, lastro="0.2.0", config_hash="c" * 64, system="agentic")

    assert comparable(from_run(OF), now) == ()
    assert list(other_system(from_run(OF).measured, measured(now))) == [
        "system: naive then, agentic now",
        "settings: bbbbbbbbbbbb then, cccccccccccc now",
    ]


def test_settings_that_differ_are_named_where_both_sides_know_them() -> None:
    then = from_run(OF, RECORDED).measured
    now = replace(then, config_hash="c" * 64, settings={"search_legs": "dense"})

    assert list(other_system(then, now)) == [
        "setting search_legs: hybrid then, dense now"
    ]


def test_what_a_run_recorded_says_where_its_report_does_not() -> None:
    then = from_run(OF, RECORDED)
    kb = {"documents": 4, "listing": "c" * 64}
    recorded = RECORDED | {
        "config_hash": "c" * 64,
        "kb_snapshot": kb,
        "key_parts": {"setting search_legs": "dense"},
    }
    bare = replace(OF, provenance={"case_set": OF.provenance["case_set"], "k": 4})

    now = replace(bare, recorded=recorded)

    assert "setting search_legs: hybrid then, dense now" in list(
        other_system(then.measured, measured(now))
    )
    assert measured(now).kb == kb
    assert measured(replace(OF, recorded=recorded)).kb == OF.provenance["kb"]


def test_what_one_side_does_not_know_is_not_said_to_differ() -> None:
    bare = column([1.0])
    knowing = named(bare, kb={"documents": 1}, judge="nli:a", config_hash="a" * 64)

    for then, now in ((bare, knowing), (knowing, bare)):
        assert comparable(from_run(then), now) == ()
        assert not list(other_system(measured(then), measured(now)))


def test_ids_that_differ_in_their_unicode_form_alone_are_the_same_cases() -> None:
    composed, taken_apart = "caf\u00e9", "cafe\u0301"
    other = {"case_set": "d" * 64}
    then = from_run(run({composed: [1.0, 1.0]}))
    now = named(run({taken_apart: [1.0, 1.0]}), **other)

    assert comparable(then, now)[0].endswith("labels are not")


@pytest.mark.parametrize(("n", "end"), [(0, "none"), (12, "11"), (13, "11 and 1 more")])
def test_the_first_ids_are_named_and_the_rest_is_counted(n: int, end: str) -> None:
    assert listed([str(each) for each in range(n)]).endswith(end)


@pytest.mark.parametrize("lost", ["by_locale", "scores"])
def test_a15_a_baseline_that_was_cut_holds_nothing_and_is_refused(lost: str) -> None:
    written = json.loads(dumps(from_run(OF))) | {lost: {}}

    with pytest.raises(InputError, match="changed or cut"):
        loads(written, "b.json")


def test_a13_a_baseline_without_a_measured_metric_is_refused() -> None:
    written = json.loads(dumps(from_run(OF))) | {"aggregates": {}}

    with pytest.raises(InputError, match="nothing to hold to"):
        loads(written, "b.json")
