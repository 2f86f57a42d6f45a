"""What broke is a row a case, however many scorers broke on it."""

from dataclasses import replace

import measured
import pytest

from lastro.eval.report.sections.gaps import broken_cases
from lastro.model.score import Failed, Verdict


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        (2, "{0}, {1}: the scorer broke: x"),
        (6, "{0}, {1}, {2}, {3} and 2 more: the scorer broke: x"),
    ],
)
def test_scorers_that_broke_alike_on_a_case_share_its_row(
    broken: int, said: str
) -> None:
    run = measured.run_of()
    whole = next(each for each in run.results if not each.broke)
    places = [at for at, name in enumerate(run.metrics) if "stage" not in name][:broken]
    scores = [
        Failed("the scorer broke: x") if at in places else score
        for at, score in enumerate(whole.scores)
    ]
    results = tuple(
        replace(each, scores=tuple(scores)) if each.id == whole.id else each
        for each in run.results
    )

    section = broken_cases(replace(run, results=results), Verdict(bars=()))

    assert section is not None
    rows = [row for row in section.rows if row[0] == whole.id]
    names = [run.metrics[at] for at in places]
    assert rows == [(whole.id, said.format(*names))]
