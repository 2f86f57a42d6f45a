"""What ``lastro score`` is handed, whatever it is: cases, and traces one by one."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path

from lastro.errors import InputError, Problem, UsageError
from lastro.eval.folder import TRACES
from lastro.eval.imports.kinds import Kind, kind_of
from lastro.eval.imports.qrels import read_qrels
from lastro.eval.imports.trec import Ranker, read_run, strangers
from lastro.eval.scorers.ties import Ties
from lastro.model.case import Case
from lastro.model.trace import Trace

Warn = Callable[[str], object]
AnyPath = str | PathLike[str]


@dataclass(slots=True, kw_only=True)
class Source:
    """Traces with their lines or places, and how they were ranked if by us.

    ``recorded`` is what the folder of a run says of who left them.
    """

    name: str
    numbered: Iterator[tuple[int, Trace]]
    ranker: Ranker | None = None
    recorded: Mapping[str, object] | None = None

    def close(self, warn: Warn) -> dict[str, object]:
        """Tell what was counted, once all traces were taken; return it too."""
        if self.ranker is None:
            return {}
        for told in self.ranker.warnings():
            warn(told)
        return {"trec_run": {**self.ranker.provenance(), **self.ranker.counts()}}


def judged_cases(path: AnyPath, warn: Warn) -> tuple[Case, ...] | None:
    """Return the cases of judgements or of a BEIR folder; None for JSON Lines.

    Raises:
        InputError: the file has problems, or holds no cases of any kind.
        UsageError: it is not clear which judgements of a folder are meant.
    """
    match kind_of(path):
        case Kind.QRELS:
            qrels = read_qrels(path)
            bare = "judgements alone: the text of each query is its id"
            cases, warnings = qrels.cases(), (*qrels.warnings, bare)
        case Kind.BEIR:
            from lastro.eval.imports.beir import read_beir  # noqa: PLC0415  (rare)

            beir = read_beir(path)
            cases, warnings = beir.cases, beir.warnings
        case Kind.JSON_LINES:
            return None
        case other:
            what = f"{other} holds no cases; they come first, then what is judged"
            raise InputError([Problem(file=fspath(path), line=0, field="", what=what)])
    for told in warnings:
        warn(told)
    return cases


def ranked_run(
    path: AnyPath, cases: Iterable[Case], ranker: Ranker, warn: Warn
) -> Source:
    """Return the traces of a run of TREC: one a case, in the order of the run.

    Raises:
        InputError: the file has problems, or knows not one of the cases.
    """
    run, asked = read_run(path), tuple(cases)
    for told in (*run.warnings, strangers(run, asked)):
        if told:
            warn(told)
    numbered = enumerate(ranker.traces(run, asked), 1)
    return Source(name=run.path, numbered=numbered, ranker=ranker)


def trace_file(path: AnyPath, ties: Ties | None) -> Path | None:
    """Return the file of traces that a path leads to; None for a run of TREC.

    Raises:
        InputError: it holds no traces of any kind.
        UsageError: ``ties`` are asked of what is no run of TREC.
    """
    kind = kind_of(path)
    if kind is Kind.RUN:
        return None
    if kind in {Kind.QRELS, Kind.BEIR}:
        what = f"{kind} holds no traces; cases come first, then what is judged"
        raise InputError([Problem(file=fspath(path), line=0, field="", what=what)])
    if ties is not None:
        raise UsageError(
            f"--ties is for a run of TREC, and {path} is {kind}",
            hint="Leave it out: the order of `retrieved` is the ranking.",
        )
    return Path(path) / TRACES if kind is Kind.RUN_FOLDER else Path(path)
