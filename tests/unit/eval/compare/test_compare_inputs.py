"""``lastro.compare`` takes a run as it is or its folder, and says the same of both."""

from dataclasses import replace
from pathlib import Path

import pytest
from measured import CASES, TRACES, run_of

import lastro
from lastro.errors import EvaluationError, UsageError
from lastro.eval import folder
from lastro.eval.verdict import Bars, judge


def test_a_folder_is_compared_as_the_run_that_it_is_of(tmp_path: Path) -> None:
    a, b = run_of(), run_of(CASES, TRACES[1:])
    for name, run in (("a", a), ("b", b)):
        folder.write(tmp_path / name, run, judge(run, Bars()))

    of_runs = lastro.compare(a, b)
    of_folders = lastro.compare(tmp_path / "a", str(tmp_path / "b"))

    assert (of_runs.name_a, of_runs.name_b) == ("A", "B")
    assert of_folders.name_a == str(tmp_path / "a")
    assert of_folders == replace(
        of_runs, name_a=of_folders.name_a, name_b=of_folders.name_b
    )
    assert [d.lost for d in of_runs.differences if d.metric == "accuracy"] == [("c1",)]


def test_claims_are_judged_by_the_least_n_given() -> None:
    claim = "retrieval_hit_at_k > 0"

    assert lastro.compare(run_of(), run_of(), claims=[claim]).exit_code == 3
    assert lastro.compare(run_of(), run_of(), claims=[claim], min_n=2).exit_code == 1
    with pytest.raises(UsageError):
        lastro.compare(run_of(), run_of(), claims=["better"])


def test_what_is_no_run_is_named(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match="is not the folder of a run"):
        lastro.compare(run_of(), tmp_path)
