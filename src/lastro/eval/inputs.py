"""Cases, traces and runs from files or as they are: what judging reads.

What a file holds is told by its content: JSON Lines, judgements and runs of
TREC, a BEIR folder, the folder of an earlier run.  Everything that is wrong
there is an ``InputError`` that names file, line and field.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path as Place
from typing import TYPE_CHECKING

from lastro.errors import UsageError
from lastro.eval import cases as case_files
from lastro.eval import folder
from lastro.eval.imports.sources import Source, judged_cases, ranked_run, trace_file
from lastro.eval.imports.trec import Ranker
from lastro.eval.repeats import Repeats
from lastro.eval.results import Run
from lastro.eval.score import private, sheet
from lastro.eval.scorers import Judge, Match
from lastro.eval.scorers.ties import Ties, expected_over_ties
from lastro.model.case import Case
from lastro.model.trace import Trace
from lastro.trace import read

if TYPE_CHECKING:
    from lastro.eval.compared import Comparison

Path = str | PathLike[str]
Warn = Callable[[str], object]


def score(  # noqa: PLR0913 - the choices of judging
    cases: Path | Iterable[Case],
    traces: Path | Iterable[Trace],
    *,
    k: int = 4,
    at: Iterable[int] = (),
    match: Match = Match.SUBSTRING,
    repeats: Repeats | None = None,
    ties: Ties | None = None,
    judge: Judge | None = None,
    combine: Iterable[str] = (),
    run_dir: Path | None = None,
    keep: Callable[[Trace], object] | None = None,
    warn: Warn | None = None,
) -> Run:
    """Judge traces of this or another system, without running anything.

    To a run of TREC, a case without a line is one that nothing was found for:
    0, not a failure.

    Args:
        cases: a file of cases or of judgements, a BEIR folder, or the cases.
        traces: a file of traces, a run of TREC, the folder of an earlier run, or
            the traces; read once, in flat memory.
        k: the cut-off of the retrieval metrics.
        at: further cut-offs, each with keys of its own: ``retrieval_hit_at_10``.
        match: how a text is looked through for an expected term.
        repeats: whether two traces of one case are refused, or averaged; None: as
            the folder of a run was scored, else they are refused.
        ties: what becomes of items of one score, in a run of TREC alone; None:
            they stay as given.
        judge: who says whether a claim is supported; None: nobody is asked.
        combine: slices beyond those by one label each: ``locale+query_type``.
        run_dir: where the verdicts of the judge are kept, if anywhere.
        keep: handed every trace once it was judged; none that we ranked ourselves.
        warn: told what was read otherwise than it stands there.

    Raises:
        InputError: a file has problems, or two traces are of one case and
            repeats are refused.
        UsageError: a cut-off is under 1; ``combine`` names no dimensions; ties are
            asked of what is no run of TREC.
        EvaluationError: verdicts cannot be kept in ``run_dir``.
    """
    tell = warn or _nobody
    read_cases = read_case_set(cases, warn)
    source = _source(traces, read_cases, ties, k, tell)
    opened = sheet(
        read_cases,
        k=k,
        at=at,
        match=match,
        source=source.name,
        repeats=repeats or _repeats(source.recorded),
        combine=combine,
        judge=_remembering(judge, run_dir, read_cases),
    )
    if ties is Ties.EXPECTED:
        opened.judge_by(expected_over_ties(opened.scorers))
    seen: Counter[str] = Counter()
    for line, trace in _watched(source.numbered, seen):
        opened.add(trace, line)
        if keep is not None and source.ranker is None:
            keep(trace)
    run = opened.run(provenance=source.close(tell))
    sought = any(case.retrieval_gold for case in read_cases)
    if sought and seen["empty"] and not seen["retrieved"]:
        tell(_no_documents(seen))
    return replace(run, recorded=source.recorded)


def read_traces(
    traces: Path | Iterable[Trace],
    cases: Iterable[Case] = (),
    ties: Ties | None = None,
) -> Iterator[Trace]:
    """Yield the traces that ``score`` judges, once more and without a word.

    Raises:
        InputError: a file has problems.
        UsageError: ties are asked of what is no run of TREC.
    """
    for _, trace in _source(traces, tuple(cases), ties, None, _nobody).numbered:
        yield trace


def compare(
    a: Path | Run,
    b: Path | Run,
    *,
    claims: Sequence[str] = (),
    min_n: int | None = None,
) -> "Comparison":
    """Compare two runs case by case, B minus A.

    Args:
        a: the run that it starts from, or its folder.
        b: the run that is set beside it, or its folder.
        claims: such as ``"comparison_groundedness >= +0.05"``, each judged by the
            difference, the lower end of its interval, and n.
        min_n: how many paired cases a claim needs to be judged; None: 30.

    Raises:
        EvaluationError: a folder is not that of a run, or the runs were judged by
            different rules.
        InputError: a file of a folder is not what was written.
        UsageError: a claim cannot be read, or names no metric.
    """
    # Here, since scoring compares nothing and should not pay for it.
    from lastro.eval.compare import MIN_N  # noqa: PLC0415
    from lastro.eval.compare import compare as compared  # noqa: PLC0415

    runs = [run if isinstance(run, Run) else folder.read(Place(run)) for run in (a, b)]
    names = [
        default if isinstance(run, Run) else str(run)
        for default, run in (("A", a), ("B", b))
    ]
    return compared(
        *runs,
        names=(names[0], names[1]),
        claims=claims,
        min_n=MIN_N if min_n is None else min_n,
    )


def read_case_set(
    cases: Path | Iterable[Case], warn: Warn | None = None
) -> tuple[Case, ...]:
    """Return the cases of a file, of judgements or of a BEIR folder, or those given.

    Raises:
        InputError: the file has problems; all of them are named.
        UsageError: it is not clear which judgements of a folder are meant.
    """
    if not isinstance(cases, str | PathLike):
        return tuple(cases)
    return tuple(case for case, _ in read_placed(cases, warn))


def read_placed(
    cases: Path, warn: Warn | None = None
) -> tuple[tuple[Case, tuple[str, int]], ...]:
    """Return the cases of a file, each with the file and line that it stands on.

    Of judgements and of a BEIR folder, where a case has no line, that is 0.

    Raises:
        InputError: the file has problems; all of them are named.
        UsageError: it is not clear which judgements of a folder are meant.
    """
    tell = warn or _nobody
    if (judged := judged_cases(cases, tell)) is not None:
        return tuple((case, (str(cases), 0)) for case in judged)
    found = case_files.read(cases)
    for warning in found.warnings:
        tell(warning)
    return tuple(zip(found.cases, found.lines, strict=True))


def _source(
    traces: Path | Iterable[Trace],
    cases: tuple[Case, ...],
    ties: Ties | None,
    k: int | None,
    tell: Warn,
) -> Source:
    if not isinstance(traces, str | PathLike):
        if ties is not None:
            raise UsageError("ties are for a file that holds a run of TREC")
        return Source(name="traces", numbered=enumerate(traces, 1))
    file = trace_file(traces, ties)
    if file is None:
        return ranked_run(traces, cases, Ranker(ties=ties or Ties.GIVEN, cut=k), tell)
    recorded = folder.recorded(file.parent) if Place(traces).is_dir() else None
    return Source(name=str(file), numbered=_lines(file, tell), recorded=recorded)


def _repeats(recorded: Mapping[str, object] | None) -> Repeats:
    """Return how several traces of a case were taken when a folder was scored."""
    mean = recorded is not None and recorded.get("repeats") == Repeats.MEAN
    return Repeats.MEAN if mean else Repeats.REFUSE


def _remembering(
    judge: Judge | None, run_dir: Path | None, cases: Iterable[Case]
) -> Judge | None:
    """Return a judge that keeps its verdicts, where there is one and a folder."""
    if judge is None or run_dir is None:
        return judge
    from lastro.eval import judges  # noqa: PLC0415  (most runs ask none)

    return judges.remembering(judge, run_dir, private=private(cases))


def _nobody(_: str) -> None:
    """Tell nobody."""


def _watched(
    numbered: Iterator[tuple[int, Trace]], seen: Counter[str]
) -> Iterator[tuple[int, Trace]]:
    """Pass traces on, counting where they hold documents and where they do not."""
    for line, trace in numbered:
        if trace.retrieved:
            seen["retrieved"] += 1
        elif trace.retrieved is not None:
            stages = (trace.stages or {}).values()
            seen["empty"] += 1
            seen["elsewhere"] += any((trace.evidence, trace.cited_ids, *stages))
        yield line, trace


def _no_documents(seen: Mapping[str, int]) -> str:
    """Say that retrieval may not have been read at all.

    Not one document in any ``retrieved`` is more often a field that was written
    elsewhere than a search that never finds anything.
    """
    told = f"0 documents in the `retrieved` of {seen['empty']} traces"
    if not seen["elsewhere"]:
        return f"{told}: every retrieval metric is 0"
    return (
        f"{told}, though {seen['elsewhere']} of them name documents as evidence, "
        "citations or stages: see that `retrieved` is filled"
    )


def _lines(path: Path, warn: Warn) -> Iterator[tuple[int, Trace]]:
    unknown: dict[str, int] = {}
    yield from read(path, unknown=unknown)
    if unknown:
        names = ", ".join(f"{name} ({n})" for name, n in sorted(unknown.items()))
        warn(f"unknown fields of traces, not used: {names}")
