"""The waterfall says what its own rows mean where that is no layer of a turn."""

import measured

from lastro.eval.report.sections.layers import waterfall
from lastro.model.case import Case
from lastro.model.ids import CaseId
from lastro.model.score import Verdict
from lastro.model.trace import Trace


def test_cases_of_which_nothing_was_measured_are_explained() -> None:
    bare = Case(id=CaseId("bare"), query="?")
    run = measured.run_of((bare,), (Trace(case_id=bare.id),))

    section = waterfall(run, Verdict(bars=()))

    assert section is not None
    assert [row[:3] for row in section.rows if row[0] == "measured"] == [
        ("measured", "1", "0")
    ]
    (note,) = section.notes
    assert note.startswith("Lost at measured: nothing was measured")


def test_where_all_were_measured_nothing_is_explained() -> None:
    told = waterfall(measured.run_of(), Verdict(bars=()))

    assert told is not None
    assert ("measured" in [row[0] for row in told.rows]) == bool(told.notes)
