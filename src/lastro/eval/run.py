"""Cases put to a knowledge base: traces are left, then judged.

A case that breaks becomes a record and the run goes on; how many broke stands
in the report.  What would break every case is found out before the first.
"""

import math
import time
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import partial
from os import PathLike
from pathlib import Path

from lastro import compose
from lastro.answer.provider import Provider
from lastro.errors import EvaluationError, UsageError
from lastro.eval import folder, judges
from lastro.eval.floors import FloorSheet
from lastro.eval.imports.kinds import Kind, kind_of
from lastro.eval.inputs import Warn, read_case_set
from lastro.eval.results import Run
from lastro.eval.resume import Going, begun, going
from lastro.eval.score import Sheet, private, sheet
from lastro.eval.scorers import Judge, Match
from lastro.eval.turns import Engine, Silent, Turns
from lastro.eval.verdict import Bars, refuse_unusable
from lastro.eval.verdict import judge as judged
from lastro.eval.workers import Pool
from lastro.model.case import Case
from lastro.model.ranking import LegStatus
from lastro.model.trace import Trace, TraceError
from lastro.text.ids import canonical
from lastro.trace import read

Progress = Callable[[int, int], object]
CASE_TIMEOUT = 600.0


def evaluate(  # noqa: PLR0913 - the choices of a run
    cases: str | PathLike[str] | Iterable[Case],
    kb: str | PathLike[str] | Engine,
    *,
    system: str = "naive",
    provider: str | Callable[[], Provider] | None = None,
    k: int | None = None,
    at: Iterable[int] = (),
    match: Match = Match.SUBSTRING,
    combine: Iterable[str] = (),
    run_dir: str | PathLike[str] | None = None,
    bars: Bars | None = None,
    floors: bool = True,
    judge: Judge | None = None,
    workers: int = 1,
    case_timeout: float | None = CASE_TIMEOUT,
    resume: bool = False,
    aggregates_only: bool = False,
    progress: Progress | None = None,
    warn: Warn | None = None,
) -> Run:
    """Ask every case of a knowledge base and judge what the answers leave behind.

    Args:
        cases: a file of cases or a BEIR folder, or the cases.
        kb: a knowledge base, the folder of one, or what answers as one does.
        system: the pipeline that answers.
        provider: who writes the answers: a name, or what makes one for each
            case; that of the settings by default.
        k: the cut-off of the retrieval metrics; that of the search by default.
        at: further cut-offs, each with keys of its own: ``retrieval_hit_at_10``.
        match: how a text is looked through for an expected term.
        combine: slices beyond those by one label each: ``locale+query_type``.
        run_dir: where traces, scores and reports are written, if anywhere.
        bars: what the reports of ``run_dir`` are judged by.
        floors: whether the two floors are run too.
        judge: who says whether a claim is supported; None: nobody is asked.
        workers: how many cases are asked at the same time.  It changes how long
            a run takes, and nothing else.
        case_timeout: how many seconds one case may take; a case over it is a
            broken one, with the error ``timeout``.  None: any time.
        resume: go on with the run in ``run_dir``: cases that left a trace there
            are not asked again, unless they broke on what may pass.
        aggregates_only: take the cases for private ones: nothing is left of them
            but reports that name none, and no run to go on with.
        progress: told how many of how many cases are done, at first too.
        warn: told of broken cases, and of cases read otherwise than written.

    Raises:
        InputError: the cases, or the traces to go on with, have problems.
        KnowledgeBaseError: there is no knowledge base.
        EvaluationError: ``run_dir`` cannot be written, is in use, or holds what
            is not this run; ``cases`` are judgements without a question to ask.
        UsageError: there is no such system, provider or metric, or a number is
            under what makes sense.
    """
    bars = bars or Bars()
    refuse_unusable(bars)
    nowhere = resume and (run_dir is None or aggregates_only)
    _refuse_nonsense(workers, case_timeout, nowhere=nowhere)
    _refuse_bare(cases)
    listed = read_case_set(cases, warn)
    with ExitStack() as stack:
        if isinstance(kb, str | PathLike):
            kb = stack.enter_context(compose.open(Path(kb)))
        turns = Turns(kb, system, _maker(provider, kb), floors)
        cut = kb.settings.retrieval.top_k if k is None else k
        closed = aggregates_only or private(listed)
        asked = judges.remembering(judge, run_dir, private=closed)
        opened = sheet(listed, k=cut, at=at, match=match, judge=asked, combine=combine)
        sitting = _Sitting(turns, opened, progress or _nothing, warn or _nothing)
        if run_dir is not None and aggregates_only:
            folder.prepare(Path(run_dir), private=closed, aggregates_only=True)
        elif run_dir is not None:
            file = Path(cases) if isinstance(cases, str | PathLike) else None
            record = begun(turns.setup, listed, file, kb.path, workers)
            left = going(Path(run_dir), record, resume=resume, private=closed)
            sitting.left = stack.enter_context(left)
        sitting.take_over()
        sitting.ask(Pool(turns, workers=workers, limit=case_timeout))
        run = replace(sitting.run(), private=closed)
        if run_dir is not None:
            folder.write(
                Path(run_dir),
                run,
                judged(run, bars),
                cases=listed,
                traces=partial(_again, Path(run_dir) / folder.TRACES),
                aggregates_only=aggregates_only,
            )
            sitting.finish()
    return run


class _Sitting:
    """A run from its first case to its last: what was left is judged as it comes."""

    left: Going | None = None

    def __init__(
        self, turns: Turns, opened: Sheet, progress: Progress, warn: Warn
    ) -> None:
        """Judge on a sheet that was ``opened`` for the cases."""
        self._began = time.monotonic()
        self._turns = turns
        self._sheet = opened
        self._beside = FloorSheet(opened.scorers, opened.k)
        self._progress = progress
        self._warn = warn
        self._done: set[str] = set()
        self._why: Silent = {}

    def take_over(self) -> None:
        """Judge what an earlier process of this run has left, and say what it was."""
        if self.left is not None:
            for trace in self.left.kept():
                self._judge(trace)
            for line in self.left.said():
                self._warn(line)
        self._progress(len(self._done), len(self._sheet.cases))

    def ask(self, pool: Pool) -> None:
        """Ask every case that has left nothing yet."""
        cases = self._sheet.cases
        waiting = [case for key, case in cases.items() if key not in self._done]
        with closing(pool.put(waiting)) as found:
            for left in found:
                if left.said:
                    self._warn(left.said)
                for leg, why in left.silent.items():
                    self._why.setdefault(leg, why)
                self._judge(self._kept(left.trace))
                self._progress(len(self._done), len(cases))

    def _kept(self, trace: Trace) -> Trace:
        """Write a trace down; one that no file can hold is that of a crash."""
        if self.left is None:
            return trace
        try:
            self.left.add(trace)
        except ValueError:
            error = TraceError(kind="a number is not finite", retryable=False)
            case = self._sheet.cases[canonical(trace.case_id)]
            trace = self._turns.broken(case, error)
            self.left.add(trace)
        return trace

    def _judge(self, trace: Trace) -> None:
        key = canonical(trace.case_id)
        self._done.add(key)
        self._sheet.add(trace, len(self._done))
        case = self._sheet.cases.get(key)
        if case is not None:
            for each in self._turns.floors(case, trace, self._sheet.k):
                self._beside.add(case, each)

    def run(self) -> Run:
        """Close the sheets."""
        changed = self._turns.changed()
        if changed:
            self._warn(
                "the knowledge base changed while it was measured: "
                "the answers are not all of the same state"
            )
        provenance = self._turns.setup.provenance(changed=changed)
        run = self._sheet.run(provenance=provenance)
        parts = self._turns.setup.parts(str(run.provenance["case_set"]))
        run = replace(run, recorded={"key_parts": parts})
        for name, counts in run.legs.items():
            self._tell(name, counts, len(run.results))
        if not self._turns.with_floors:
            return run
        return replace(run, floors=self._beside.compare(run.results))

    def _tell(self, leg: str, counts: Mapping[str, int], of: int) -> None:
        """Tell of a leg that failed, or that ran in some cases and not in others."""
        told = [(LegStatus.FAILED, "failed")]
        if counts.get(LegStatus.OK):
            told.append((LegStatus.OFF, "was left out"))
        for status, what in told:
            if n := counts.get(status, 0):
                why = self._why.get((leg, status), "")
                because = f": {why}" if why else ""
                self._warn(f"the {leg} leg {what} in {n} of {of} cases{because}")

    def finish(self) -> None:
        """Note in the folder that the reports are written."""
        if self.left is not None:
            self.left.finish(time.monotonic() - self._began)


def _again(path: Path, only: Container[str]) -> Iterator[Trace]:
    return (trace for _, trace in read(path, only=only))


def _maker(
    provider: str | Callable[[], Provider] | None, kb: Engine
) -> Callable[[], Provider]:
    """Return what makes a provider for each turn, so that one can be cancelled."""
    if provider is None or isinstance(provider, str):
        return partial(compose.make_provider, provider or kb.settings.answer.provider)
    return provider


def _refuse_bare(cases: str | PathLike[str] | Iterable[Case]) -> None:
    """Refuse judgements alone: their ids would be asked as if they were questions."""
    if isinstance(cases, str | PathLike) and kind_of(cases) is Kind.QRELS:
        raise EvaluationError(
            f"{cases}: judgements alone hold no question to ask",
            hint="Give cases or a BEIR folder; `lastro import trec-qrels QRELS "
            "--queries QUERIES --out CASES` makes cases of both files.",
        )


def _refuse_nonsense(workers: int, limit: float | None, *, nowhere: bool) -> None:
    if not isinstance(workers, int) or workers < 1:
        raise UsageError(f"workers must be at least 1, not {workers!r}")
    if limit is not None and not (math.isfinite(limit) and limit > 0):
        raise UsageError(f"a case cannot take {limit!r} seconds at most")
    if nowhere:
        raise UsageError(
            "--resume needs the traces in --run-dir: that is what it goes on from"
        )


def _nothing(*_: object) -> None:
    """Do what a callback does that nobody gave."""
