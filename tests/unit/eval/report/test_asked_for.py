"""What is asked for beyond the table of scorers is in every report, and allowed there.

Cut-offs of one's own, and slices by combined labels.
"""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from measured import CASES, TRACES

from lastro.errors import UsageError
from lastro.eval import folder
from lastro.eval.compare import compare
from lastro.eval.report.compare_page import compare_text
from lastro.eval.report.data import as_json
from lastro.eval.report.listed import is_word
from lastro.eval.report.markdown import markdown
from lastro.eval.report.terminal import terminal
from lastro.eval.report.web import html
from lastro.eval.results import Run
from lastro.eval.score import score
from lastro.eval.scorers import SCORERS, lines
from lastro.eval.verdict import Bars, judge, refuse_unusable

RUN = score(
    CASES, enumerate(TRACES, 1), at=[1, 10], combine=["locale+query_type", "tag+locale"]
)
PRIVATE = replace(RUN, private=True)
OWN = ("retrieval_hit_at_10", "retrieval_recall_at_10", "retrieval_ndcg_at_1")
COMBINED = "by_locale+query_type"
BAR = f"{COMBINED}.ko+comparison.retrieval_hit_at_10"


@pytest.mark.parametrize("run", [RUN, PRIVATE], ids=["open", "private"])
def test_every_report_shows_them(run: Run) -> None:
    found = judge(run, Bars())
    pages = (show(run, found) for show in (terminal, markdown, html, as_json))
    for page in pages:
        assert all(name in page for name in OWN)
    data = json.loads(as_json(run, found))
    for name in OWN:
        assert data["aggregates"][name]["n"] == RUN.aggregates[name].n
        assert name in data["slices"][COMBINED]["en+single_doc"]
    assert data["provenance"]["at"] == [1, 10]


def test_a_combination_with_tags_is_not_in_a_private_report() -> None:
    whole = json.loads(as_json(RUN, judge(RUN, Bars())))
    data = json.loads(as_json(PRIVATE, judge(PRIVATE, Bars())))

    assert set(whole["slices"]) - set(data["slices"]) == {"by_tag", "by_tag+locale"}
    assert "수강료" in as_json(RUN, judge(RUN, Bars()))
    assert "수강료" not in as_json(PRIVATE, judge(PRIVATE, Bars()))


def test_they_stand_in_the_order_of_the_table_and_without_one_nothing_changes() -> None:
    names = [scorer.name for scorer in lines(RUN.metrics)]

    assert [name for name in names if name in RUN.metrics] == list(RUN.metrics)
    assert lines(["groundedness", "not one of ours"]) == SCORERS


def test_a_run_that_is_read_back_has_them_where_they_were(tmp_path: Path) -> None:
    folder.write(
        tmp_path, RUN, judge(RUN, Bars()), cases=CASES, traces=lambda _: TRACES
    )

    back = folder.read(tmp_path)

    assert back.metrics == RUN.metrics
    assert back.slices == RUN.slices


def test_a_bar_may_name_both() -> None:
    held = judge(RUN, Bars(minimums={BAR: 0.5, OWN[0]: 0.5}))

    assert [bar.observed is not None for bar in held.bars if bar.required] == [True] * 2
    assert is_word(BAR)
    refuse_unusable(Bars(minimums={BAR: 0.5}))
    with pytest.raises(UsageError, match="no metric"):
        refuse_unusable(Bars(minimums={"retrieval_hit_at_0": 0.5}))


def test_a_bar_on_a_cut_off_that_was_not_asked_for_is_not_measured() -> None:
    plain = score(CASES, enumerate(TRACES, 1))

    assert judge(plain, Bars(minimums={OWN[0]: 0.5})).exit_code == 3


def test_two_runs_are_compared_by_them() -> None:
    assert all(
        name in compare_text(compare(RUN, RUN, names=("A", "B"))) for name in OWN
    )


@pytest.mark.parametrize(
    "name", ["by_locale.silva.retrieval_hit_at_10", "retrieval_hit_at_silva"]
)
def test_what_only_looks_like_one_is_not_on_the_list(name: str) -> None:
    assert not is_word(name)
