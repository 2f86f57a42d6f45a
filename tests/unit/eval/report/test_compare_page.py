"""A comparison says in words what changed and in which layer; all counts are shown."""

import dataclasses
import json

import pytest
from two_runs import HIT, RECALL, column, named, run

from lastro.eval.compare import compare
from lastro.eval.compared import Comparison
from lastro.eval.report.compare_data import compare_json
from lastro.eval.report.compare_page import compare_page, compare_text
from lastro.eval.report.labels import MEANINGS
from lastro.eval.report.section import Section
from lastro.eval.report.web import compare_html
from lastro.eval.results import Run
from lastro.model.failure import Failure

STAGE = "stage.fused.hit_at_k"
HOSTILE = "<i>\x1b[31m\u202e|\n"


def lost(n: int = 40, fallen: int = 12, label: Failure = Failure.FUSION_MISS) -> Run:
    """A run of which ``fallen`` cases of ``n`` broke at ``label``."""
    ids = [f"c{i:02d}" for i in range(n)]
    cells = {name: [float(i >= fallen)] * 3 for i, name in enumerate(ids)}
    failures = dict.fromkeys(ids[:fallen], label)
    return run(cells, [HIT, RECALL, STAGE], failures=failures)


def section(found: Comparison, title: str) -> Section:
    (one,) = [each for each in compare_page(found).sections if each.title == title]
    return one


def test_the_layer_is_named_in_words() -> None:
    told = section(compare(lost(fallen=0), lost()), "What changed").notes

    assert told[1].startswith(f"{HIT} fell by 0.300 [0.1")
    assert told[1].endswith("n = 40.")
    meaning = MEANINGS[Failure.FUSION_MISS].what
    assert told[0] == f"12 more cases fail at fusion_miss: {meaning} (A 0, B 12)."


def test_what_rose_is_told_too_and_one_case_is_one_case() -> None:
    told = section(compare(lost(), lost(fallen=0)), "What changed").notes
    single = section(compare(lost(fallen=0), lost(fallen=1)), "What changed").notes

    assert told[1].startswith(f"{HIT} rose by 0.300 [0.1")
    assert told[0].startswith("12 fewer cases fail at fusion_miss")
    assert single[0].startswith("1 more case fails at fusion_miss")
    assert single[1].startswith("No metric is told apart")


def test_the_largest_moves_are_told_first() -> None:
    a = run({f"c{i:02d}": [1.0, 1.0] for i in range(40)})
    b = run({f"c{i:02d}": [float(i > 9), float(i > 29)] for i in range(40)})

    told = section(compare(a, b), "What changed").notes

    assert [each.split()[0] for each in told] == [RECALL, HIT]


def test_p07_a_metric_has_a_row_and_a_stage_stands_apart() -> None:
    found = compare(lost(fallen=0), lost())

    head, hit, recall = section(found, "Differences").rows
    stage = section(found, "Stages of retrieval").rows[1]

    assert head[0] == "metric"
    assert [hit[0], recall[0], stage[0]] == [HIT, RECALL, STAGE]
    assert hit[1:3] == ("1.000", "0.700")
    assert hit[3].startswith("-0.300 [-0.")
    assert hit[4] == "40"
    assert hit[-1] == "LOWER"
    assert len(stage) == len(hit) - 2  # no correction, no least difference


def test_an_even_comparison_marks_nothing() -> None:
    found = compare(lost(), lost())

    assert section(found, "Differences").rows[1][3:] == (
        "0.000 [-]",
        "40",
        "1.000",
        "1.000",
        "-",
        "",
    )


@pytest.mark.parametrize(
    ("found", "begins"),
    [
        (compare(lost(), lost()), "COMPARED: 40 cases in both runs"),
        (compare(lost(), lost(fallen=0), claims=[f"{HIT} > 0"]), "PASS: 1 of 1"),
        (compare(lost(), lost(), claims=[f"{HIT} > 0"]), "FAIL: 0 of 1 claims hold"),
        (
            compare(lost(9), lost(9), claims=[f"{HIT} > 0"]),
            "COULD NOT MEASURE: 0 of 1 claims hold",
        ),
        (compare(lost(), column([], HIT)), "COULD NOT MEASURE: the runs have no case"),
        (
            compare(column([None]), column([1.0])),
            "COULD NOT MEASURE: no metric was measured in both",
        ),
    ],
    ids=["even", "held", "missed", "few", "apart", "unmeasured"],
)
def test_p11_headline_json_and_exit_code_agree(found: Comparison, begins: str) -> None:
    code = json.loads(compare_json(found))["exit_code"]

    assert code == found.exit_code
    assert compare_page(found).headline.startswith(begins)
    assert compare_text(found).startswith(begins)
    assert begins.startswith(("COMPARED", "PASS")) == (code == 0)
    assert begins.startswith("FAIL") == (code == 1)


def test_a_claim_is_shown_with_what_it_was_judged_by() -> None:
    found = compare(lost(), lost(fallen=0), claims=[f"{HIT} >= 0.5"])

    row = section(found, "Claims").rows[1]

    assert row[:2] == (f"{HIT} >= 0.5", "active, MISSED")
    assert row[2].startswith("+0.300 [0.1")
    assert row[3:] == ("40", "the difference does not reach the figure")


def test_m33_a15_unpaired_cases_and_what_differs_are_named() -> None:
    a = named(column([1.0] * 20), case_set="1")
    b = named(run({"new": [1.0], "c00": [1.0]}, [HIT]), case_set="2")
    found = compare(a, b)

    rows = section(found, "Unpaired cases").rows
    differs = section(found, "What the runs do not share").rows

    assert rows[1][:2] == ("only in A", "19")
    assert rows[1][2].startswith("c01, c02, ")
    assert rows[1][2].endswith(" and 13 more")
    assert rows[2] == ("only in B", "1", "new")
    assert differs[1] == ("case_set", "1", "2")
    assert "The case sets differ" in " ".join(compare_page(found).lead)


def test_a21_cases_that_became_unmeasured_are_counted_and_named() -> None:
    found = compare(column([1.0, 1.0, 1.0]), column([1.0, "no trace", None]))

    assert section(found, "Became unmeasured").rows[1] == (HIT, "2: c01, c02", "0")


def test_of_private_runs_no_case_is_named_anywhere() -> None:
    a = dataclasses.replace(lost(fallen=0), private=True)
    b = dataclasses.replace(
        run({"c00": [None, 1.0, 1.0], "new": [1.0] * 3}, [HIT, RECALL, STAGE]),
        private=True,
    )
    found = compare(a, b)

    for text in (
        compare_text(found),
        compare_json(found),
        compare_html(found, a, b),
    ):
        assert "c00" not in text
        assert "c01" not in text
        assert "new" not in text.replace("newer", "")
    assert json.loads(compare_json(found))["only_a"] == {"n": 39, "ids": []}


def test_p02_no_id_or_name_steers_what_shows_it() -> None:
    a = run({HOSTILE: [1.0]}, [HIT])
    b = run({HOSTILE: [0.0]}, [HIT], failures={HOSTILE: Failure.UNKNOWN})
    found = compare(a, b, names=(HOSTILE, "b"))

    text, page = compare_text(found), compare_html(found, a, b)

    assert "\x1b" not in text + page
    assert "\u202e" not in text + page
    assert "<i>" not in page
    assert json.loads(compare_json(found))["moved"][0]["id"] == HOSTILE


def test_the_json_has_every_difference_whole() -> None:
    data = json.loads(compare_json(compare(lost(fallen=0), lost(), claims=[])))

    first = data["differences"][0]
    assert first["metric"] == HIT
    assert first["difference"] == pytest.approx(-0.3)
    assert first["apart"] == -1
    assert first["lost"] == {"n": 0, "ids": []}
    assert data["attribution"]["fusion_miss"] == {"a": 0, "b": 12}
    assert len(data["moved"]) == 12


def test_cases_that_left_a_label_to_fail_elsewhere_are_no_gain() -> None:
    ids = [f"c{i:02d}" for i in range(40)]
    cells = {name: [float(i > 2)] * 3 for i, name in enumerate(ids)}
    was = dict.fromkeys(ids[:3], Failure.CITATION_MISS)
    now = dict.fromkeys(ids[:2], Failure.FUSION_MISS)
    names = [HIT, RECALL, STAGE]

    found = compare(run(cells, names, failures=was), run(cells, names, failures=now))
    told = section(found, "What changed").notes

    assert told[1].startswith("3 fewer cases fail at citation_miss: ")
    assert told[1].endswith(
        "(A 3, B 0). Of 3 that left it 1 did not fail; 2 at fusion_miss."
    )
