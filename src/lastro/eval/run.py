"""Cases put to a knowledge base, one by one: traces are left, then judged.

A case that breaks becomes a record and the run goes on; how many broke stands
in the report.  What would break every case is found out before the first.
"""

from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import replace
from os import PathLike
from pathlib import Path

from lastro import compose
from lastro.compose import KnowledgeBase
from lastro.eval import folder, judges
from lastro.eval.floors import FloorSheet
from lastro.eval.inputs import Warn, read_case_set
from lastro.eval.results import Run
from lastro.eval.score import private, sheet
from lastro.eval.scorers import Judge
from lastro.eval.turns import Turns
from lastro.eval.verdict import Bars, refuse_unusable
from lastro.eval.verdict import judge as judged
from lastro.model.case import Case
from lastro.model.trace import Trace

Progress = Callable[[int, int], object]


def evaluate(  # noqa: PLR0913 - the choices of a run
    cases: str | PathLike[str] | Iterable[Case],
    kb: str | PathLike[str] | KnowledgeBase,
    *,
    system: str = "naive",
    k: int | None = None,
    run_dir: str | PathLike[str] | None = None,
    bars: Bars | None = None,
    floors: bool = True,
    judge: Judge | None = None,
    progress: Progress | None = None,
    warn: Warn | None = None,
) -> Run:
    """Ask every case of a knowledge base and judge what the answers leave behind.

    Args:
        cases: a file of cases, or the cases.
        kb: a knowledge base, or the folder of one.
        system: the pipeline that answers.
        k: the cut-off of the retrieval metrics; that of the search by default.
        run_dir: where traces, scores and reports are written, if anywhere.
        bars: what the reports of ``run_dir`` are judged by.
        floors: whether the two floors are run too.
        judge: who says whether a claim is supported; None: nobody is asked.
        progress: told how many of how many cases are done.
        warn: told of broken cases, and of cases read otherwise than written.

    Raises:
        InputError: the cases have problems.
        KnowledgeBaseError: there is no knowledge base.
        EvaluationError: ``run_dir`` cannot be written.
        UsageError: there is no such system or metric, or k is under 1.
    """
    bars = bars or Bars()
    refuse_unusable(bars)
    listed = read_case_set(cases, warn)
    with ExitStack() as stack:
        if not isinstance(kb, KnowledgeBase):
            kb = stack.enter_context(compose.open(Path(kb)))
        turns = Turns(kb, system, warn or _nothing, floors)
        cut = kb.settings.retrieval.top_k if k is None else k
        asked = judges.remembering(judge, run_dir, private=private(listed))
        opened = sheet(listed, k=cut, judge=asked)
        beside = FloorSheet(opened.scorers, cut)
        keep: Callable[[Trace], object] = _nothing
        if run_dir is not None:
            left = folder.traces(Path(run_dir), private=private(listed))
            keep = stack.enter_context(left).add
        for done, case in enumerate(listed, 1):
            found = turns.put(case)
            keep(found)
            opened.add(found, done)
            for each in turns.floors(case, found, cut):
                beside.add(case, each)
            (progress or _nothing)(done, len(listed))
        run = opened.run(provenance=turns.provenance())
    if floors:
        run = replace(run, floors=beside.compare(run.results))
    if run_dir is not None:
        folder.write(Path(run_dir), run, judged(run, bars))
    return run


def _nothing(*_: object) -> None:
    """Do what a callback does that nobody gave."""
