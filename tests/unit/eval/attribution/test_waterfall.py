"""The waterfall says how many cases survive each layer, and what was lost there."""

from lastro.eval.attribution import undecided, untraced, waterfall
from lastro.eval.score import score
from lastro.model.case import Case
from lastro.model.failure import Failure
from lastro.model.ids import CaseId
from lastro.model.trace import Retrieved, Trace


def test_every_label_belongs_to_one_layer_and_the_layers_keep_their_order() -> None:
    labels = [label for layer in waterfall({}, 0) for label in layer.labels]

    assert labels == list(Failure)


def test_what_is_lost_at_a_layer_is_not_left_below_it() -> None:
    counts = {Failure.PROVIDER_ERROR: 1, Failure.UNGROUNDED: 2, Failure.UNKNOWN: 1}

    found = {layer.name: (layer.lost, layer.left) for layer in waterfall(counts, 10)}

    assert found["asked"] == (0, 10)
    assert found["the turn ended"] == (1, 9)
    assert found["cited"] == (0, 9)
    assert found["grounded"] == (2, 7)
    assert found["nothing unexplained"] == (1, 6)
    assert "measured" not in found


def test_cases_that_were_not_measured_survive_nothing() -> None:
    asked, measured, *rest = waterfall({Failure.GATE_MISS: 1}, 10, unmeasured=3)

    assert (asked.left, measured.name, measured.lost, measured.left) == (
        10,
        "measured",
        3,
        7,
    )
    assert rest[-1].left == 6


def test_a_case_is_undecided_if_nothing_that_decides_was_measured() -> None:
    cases = [
        Case(id=CaseId("hit"), query="q", must_cite_one_of=("x",)),
        Case(id=CaseId("no labels"), query="q"),
        Case(id=CaseId("no trace"), query="q"),
        Case(id=CaseId("miss"), query="q", must_cite_one_of=("x",)),
    ]
    found = (Retrieved(id="x"),)
    traces = [
        Trace(case_id=CaseId("hit"), retrieved=found),
        Trace(case_id=CaseId("no labels"), retrieved=found),
        Trace(case_id=CaseId("miss"), retrieved=()),
    ]

    run = score(cases, enumerate(traces, 1))

    assert undecided(run) == 1
    assert untraced(run) == 1
    assert sum(run.attribution.values()) == 2


def test_a_case_without_a_trace_survives_no_layer() -> None:
    asked, traced, *rest = waterfall({Failure.UNKNOWN: 3}, 10, untraced=2)

    assert (asked.left, traced.name, traced.lost, traced.left) == (
        10,
        "left a trace",
        2,
        8,
    )
    assert {layer.left for layer in rest[:-1]} == {8}
    assert (rest[-1].lost, rest[-1].left) == (1, 7)
