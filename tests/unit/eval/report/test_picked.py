"""Some results are picked by what they share, in the order of their ids."""

import pytest

from lastro.eval.kept import kept
from lastro.eval.report.picked import failing, picked
from lastro.eval.results import CaseResult, Run
from lastro.model.failure import Failure
from lastro.model.ids import CaseId
from lastro.model.score import Scored

RESULTS = tuple(
    CaseResult(id=CaseId(each), scores=(Scored(place),), failure=label, repeats=runs)
    for place, (each, label, runs) in enumerate(
        (
            ("a", Failure.UNGROUNDED, 1),
            ("b", None, 2),
            ("c", Failure.CITATION_MISS, 1),
            ("d", Failure.UNGROUNDED, 2),
        )
    )
)


def run(*results: CaseResult, in_columns: bool) -> Run:
    return Run(
        metrics=("m",),
        results=kept(results, 1) if in_columns else results,
        aggregates={},
        slices={},
        k=4,
    )


@pytest.mark.parametrize("in_columns", [True, False])
def test_results_are_picked_whole_and_by_id(in_columns: bool) -> None:
    asked = run(*RESULTS, in_columns=in_columns)

    assert failing(asked) == (RESULTS[0], RESULTS[2], RESULTS[3])
    assert picked(asked, lambda each: each.repeats > 1) == (RESULTS[1], RESULTS[3])
    assert picked(asked, lambda each: each.repeats > 2) == ()


def test_nothing_is_picked_where_nothing_was_judged() -> None:
    assert failing(run(in_columns=False)) == ()
